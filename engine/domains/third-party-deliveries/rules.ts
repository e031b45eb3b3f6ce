import type { MoveOf, StateOf } from '../../entity/field.ts'
import { deciderOf, type EntityEvent, type MoveCommand, type Noops, type Rules } from '../../entity/machine.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { assignment } from './assignment.ts'
import { type BookedLeg, type Report, statusOf, withReport } from './packages.ts'

/** An order that a provider is to deliver. */
export type Assignment = StateOf<typeof assignment>

/** A request to move an assignment. */
export type AssignmentCommand = MoveCommand<MoveOf<typeof assignment>>

const rules: Rules<typeof assignment> = {
  book_legs: ({ legs }, state) => {
    refuseTakenLegs(state, legs)
    return undefined
  },
  report: ({ packages }, state) => {
    const fresh = freshIn(packages, state)
    return { packages: fresh, to: statusOf(withReport(state.packages, fresh)) }
  },
}

/** A report may come twice, the second time after the end. */
const noops: Noops<typeof assignment> = {
  report: ({ packages }, state) => freshIn(packages, state).length === 0,
}

/** The decider of one assignment. */
export const assignments = deciderOf(assignment, rules, noops)

/** The reports of packages without an outcome. Refuses a different outcome with `third_party_package_settled`. */
function freshIn(packages: readonly Report[], state: Assignment): readonly Report[] {
  const fresh = new Map<string, Report>()
  for (const report of packages) {
    const { tracking_number: number } = report
    const known = packageIn(state, number).outcome
    const outcome = known === 'in_progress' ? fresh.get(number)?.outcome : known
    if (outcome !== undefined && outcome !== report.outcome)
      throw new EngineError('third_party_package_settled', { number, outcome })
    if (outcome === undefined) fresh.set(number, report)
  }
  return [...fresh.values()]
}

function packageIn({ assignment_id, packages }: Assignment, number: string): Assignment['packages'][number] {
  const known = packages.find(({ tracking_number }) => tracking_number === number)
  if (known === undefined) throw new EngineError('third_party_package_unknown', { assignment: assignment_id, number })
  return known
}

/** Each package is on one order at most, and each order is booked once. */
function refuseTakenLegs(state: Assignment, legs: readonly BookedLeg[]): void {
  const names = new Set(state.legs.map(({ external_order_id }) => external_order_id))
  const taken = new Set(state.legs.flatMap(({ tracking_numbers }) => tracking_numbers))
  for (const { external_order_id, tracking_numbers } of legs) {
    claim(names, external_order_id)
    for (const number of tracking_numbers) {
      packageIn(state, number)
      claim(taken, number)
    }
  }
}

function claim(taken: Set<string>, name: string): void {
  if (taken.has(name)) throw new EngineError('third_party_leg_taken', { name })
  taken.add(name)
}

/** The decider of all assignments of an order, oldest first: all but the last have ended. */
export const assignmentsOfOrder: Decider<readonly Assignment[], AssignmentCommand, EntityEvent> = {
  initial: () => [],
  evolve: (all, event) => {
    const before = assignmentIn(all, event.data.assignment_id)
    const after = assignments.evolve(before, event)
    if (after === undefined) return all
    return before === undefined ? [...all, after] : all.map((one) => (one === before ? after : one))
  },
  decide: (command, all) => {
    const before = assignmentIn(all, command.values?.assignment_id)
    if (command.move === 'assign') refuseTaken(all.at(-1))
    const events = assignments.decide(command, before)
    return command.move === 'reassign' && before !== undefined ? [...events, ...succeed(command, before)] : events
  },
}

function assignmentIn(all: readonly Assignment[], id: unknown): Assignment | undefined {
  return all.find(({ assignment_id }) => assignment_id === id)
}

/** Whether an order whose last assignment this is has somebody: it is under way, or was delivered. */
export function isTaken(last: Assignment | undefined): last is Assignment {
  return last !== undefined && last.status !== 'undelivered' && last.status !== 'cancelled'
}

/** An order that a provider has is not assigned again. */
function refuseTaken(last: Assignment | undefined): void {
  if (!isTaken(last)) return
  const { order_id: order, assignment_id, status } = last
  throw new EngineError('third_party_order_taken', { order, assignment: assignment_id, status })
}

/** Reassigns the order of an assignment to another provider, with its current packages. */
function succeed({ at, by, values = {} }: AssignmentCommand, before: Assignment): readonly EntityEvent[] {
  const { business_id, order_id, order_reference } = before
  const { new_assignment_id: assignment_id, provider, source } = values
  if (provider === before.provider) throw new EngineError('third_party_same_provider', { name: before.provider })
  const packages = values.packages ?? before.packages.map(({ tracking_number }) => tracking_number)
  const next = { assignment_id, business_id, order_id, order_reference, provider, source, packages }
  return assignments.decide({ move: 'assign', at, by, values: next }, undefined)
}
