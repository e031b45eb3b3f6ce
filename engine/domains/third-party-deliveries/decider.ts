import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { BookedLeg, Report, ThirdPartyAssigned, ThirdPartyEvent } from './events.ts'
import { type Assignment, type AssignmentsState, assignmentIn, evolve } from './state.ts'
import { type AssignmentMove, allowsMove, leavesFree, statusOf, type withdrawalReasons } from './status.ts'

/** Which assignment, who commands (null for the provider itself), and when (ISO 8601, UTC). */
interface Given {
  readonly assignment_id: number
  readonly at: string
  readonly by: number | null
}

type Command<Type extends string, More = object> = Given & { readonly type: Type } & More

/**
 * What can be asked of the assignments of an order. Refusals: `third_party_assignment_not_found`,
 * `third_party_status_forbids`, and those named at each.
 */
export type ThirdPartyCommand =
  /** `third_party_order_taken` where the order is with a provider already, or was delivered by one. */
  | { readonly type: 'AssignThirdParty'; readonly data: ThirdPartyAssigned['data'] }
  | Command<'HandOver'>
  /** `third_party_package_unknown`; `third_party_leg_taken` where a package or the name of a leg is on one already. */
  | Command<'BookLegs', { readonly legs: readonly BookedLeg[] }>
  /** What was reported before follows no second time; `third_party_package_settled` where it was reported otherwise. */
  | Command<'ReportPackages', { readonly packages: readonly Report[] }>
  | Command<'CancelThirdParty', { readonly reason: (typeof withdrawalReasons)[number] }>
  /** Withdraws it and gives the order to another provider; `third_party_same_provider` where it is the same. */
  | Command<
      'ReassignThirdParty',
      Pick<ThirdPartyAssigned['data'], 'provider' | 'source'> & {
        readonly new_assignment_id: number
        /** The packages as they are now; those of before where absent. */
        readonly packages?: readonly string[]
      }
    >

function decide(command: ThirdPartyCommand, state: AssignmentsState): readonly ThirdPartyEvent[] {
  if (command.type === 'AssignThirdParty') return assign(command.data, state)
  const assignment = assignmentIn(state, command.assignment_id)
  if (assignment === undefined)
    throw new EngineError('third_party_assignment_not_found', { assignment: command.assignment_id })
  const { assignment_id, at, by } = command
  const told = { assignment_id, at, by }
  switch (command.type) {
    case 'HandOver':
      demand(assignment, 'hand_over')
      return [{ type: 'ThirdPartyHandedOver', data: told }]
    case 'BookLegs':
      demand(assignment, 'book_legs')
      refuseTakenLegs(assignment, command.legs)
      return [{ type: 'ThirdPartyLegsBooked', data: { ...told, legs: command.legs } }]
    case 'ReportPackages':
      return report(command, assignment)
    case 'CancelThirdParty':
      demand(assignment, 'cancel')
      return [{ type: 'ThirdPartyCancelled', data: { ...told, reason: command.reason } }]
    case 'ReassignThirdParty':
      return reassign(command, assignment)
    default:
      return command satisfies never
  }
}

function assign(data: ThirdPartyAssigned['data'], state: AssignmentsState): readonly ThirdPartyEvent[] {
  const last = state.at(-1)
  if (last !== undefined && !leavesFree(last.status)) {
    const params = { order: data.order_id, assignment: last.id, status: last.status }
    throw new EngineError('third_party_order_taken', params)
  }
  return [{ type: 'ThirdPartyAssigned', data }]
}

function report(
  { assignment_id, at, by, packages }: Extract<ThirdPartyCommand, { type: 'ReportPackages' }>,
  assignment: Assignment,
): readonly ThirdPartyEvent[] {
  const fresh = freshIn(packages, assignment)
  // A report may come twice, the second time after the end.
  if (fresh.size === 0) return []
  demand(assignment, 'report')
  const to = statusOf(assignment.packages.map((one) => fresh.get(one.trackingNumber) ?? one.outcome))
  const reported = [...fresh].map(([tracking_number, outcome]) => ({ tracking_number, outcome }))
  return [{ type: 'ThirdPartyPackagesReported', data: { assignment_id, at, by, packages: reported, to } }]
}

/** What is new in a report, by tracking number. */
function freshIn(packages: readonly Report[], assignment: Assignment): ReadonlyMap<string, Report['outcome']> {
  const fresh = new Map<string, Report['outcome']>()
  for (const { tracking_number: number, outcome } of packages) {
    const known = demandPackage(assignment, number).outcome
    const standing = known === 'in_progress' ? fresh.get(number) : known
    if (standing !== undefined && standing !== outcome)
      throw new EngineError('third_party_package_settled', { number, outcome: standing })
    if (standing === undefined) fresh.set(number, outcome)
  }
  return fresh
}

function demandPackage(assignment: Assignment, number: string): Assignment['packages'][number] {
  const known = assignment.packages.find(({ trackingNumber }) => trackingNumber === number)
  if (known === undefined) throw new EngineError('third_party_package_unknown', { assignment: assignment.id, number })
  return known
}

function refuseTakenLegs(assignment: Assignment, legs: readonly BookedLeg[]): void {
  const names = new Set(assignment.legs.map(({ external_order_id }) => external_order_id))
  const taken = new Set(assignment.legs.flatMap(({ tracking_numbers }) => tracking_numbers))
  for (const { external_order_id, tracking_numbers } of legs) {
    claim(names, external_order_id)
    for (const number of tracking_numbers) {
      demandPackage(assignment, number)
      claim(taken, number)
    }
  }
}

function claim(taken: Set<string>, name: string): void {
  if (taken.has(name)) throw new EngineError('third_party_leg_taken', { name })
  taken.add(name)
}

function reassign(
  command: Extract<ThirdPartyCommand, { type: 'ReassignThirdParty' }>,
  assignment: Assignment,
): readonly ThirdPartyEvent[] {
  demand(assignment, 'reassign')
  const { assignment_id, new_assignment_id, at, by, provider, source } = command
  if (provider === assignment.provider) throw new EngineError('third_party_same_provider', { name: provider })
  const { businessId: business_id, orderId: order_id, orderReference: order_reference } = assignment
  const packages = command.packages ?? assignment.packages.map(({ trackingNumber }) => trackingNumber)
  const data = {
    ...{ assignment_id: new_assignment_id, at, by, business_id, order_id },
    ...(order_reference === undefined ? {} : { order_reference }),
    ...{ provider, source, packages },
  }
  return [
    { type: 'ThirdPartyCancelled', data: { assignment_id, at, by, reason: 'reassigned' } },
    { type: 'ThirdPartyAssigned', data },
  ]
}

function demand({ id, status }: Assignment, move: AssignmentMove): void {
  if (!allowsMove(status, move)) throw new EngineError('third_party_status_forbids', { assignment: id, status, move })
}

/**
 * The decider of the assignments of one order to providers: at most one is under way. The order itself is moved by nothing
 * here: that it was handed to a carrier is a move of its own, which whoever does both makes beside these.
 */
export const thirdPartyAssignments: Decider<AssignmentsState, ThirdPartyCommand, ThirdPartyEvent> = {
  initial: () => [],
  evolve,
  decide,
}
