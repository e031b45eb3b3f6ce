import { loadEntity, streamOf } from '../../entity/access.ts'
import type { Listed, MoveOf, StateOf, Values } from '../../entity/field.ts'
import type { EntityEvent, MoveCommand } from '../../entity/machine.ts'
import { callerOf } from '../../kernel/call.ts'
import type { CarrierMethod, CarrierOutcome, CarrierRefusal } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import { dueIn, type FindDue } from '../../kernel/due.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { NewEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { plainText } from '../../kernel/messages/index.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

type Outcome = CarrierOutcome<CarrierMethod>
type Answered = Extract<Outcome, { readonly kind: 'answered' }>['answer']
type Step = readonly [move: string, values?: Values]

/** What every state of a carrier request has. */
interface Asked {
  /** The account that asked first. */
  readonly asked_by?: number | undefined
  readonly business_id: number
  readonly due_at?: string | undefined
  readonly tries?: number | undefined
  readonly failures?: number | undefined
}

/** Something that a carrier is asked for: how it is asked, and what follows from its answers. */
export interface CarrierRequest<E extends Listed> {
  readonly entity: E
  readonly decider: Decider<(StateOf<E> & Asked) | undefined, MoveCommand<MoveOf<E>>, EntityEvent>
  /** Asks the carrier; nothing if what it would need is erased. */
  ask(context: Context, state: StateOf<E>): Promise<Outcome | undefined>
  /** The move that an answer makes, and its values. */
  answered(answer: Answered, state: StateOf<E>): Step
  /** The move that a refusal makes, and its values. */
  refused(refusal: CarrierRefusal, state: StateOf<E>): Step
  /** Whether it does no harm to ask twice, so that a refusal is certain, whatever an earlier try has done. */
  readonly isHarmless?: true
  /** Milliseconds in which the carrier is not asked again after a try of which it is not known what came of it. */
  readonly quiet?: number
  /** What a move appends to other streams in the same transaction. */
  beside?(
    context: Context,
    move: string,
    state: StateOf<E>,
    events: readonly NewEvent<EntityEvent>[],
  ): Promise<readonly Append[]>
}

/** Milliseconds that a carrier has to do what it is asked for. */
export const workDeadline = 20_000

/** Milliseconds in which nobody else asks the carrier, also if the process that does has ended: longer than the deadline. */
const claim = 30_000

/** Milliseconds until a carrier is asked again after so many failures: from five seconds to half an hour. */
function pauseAfter(failures: number): number {
  return Math.min(1_800_000, 5_000 * 2 ** Math.min(failures, 20))
}

/** Whether somebody else asks the carrier just now. */
export function isAskedNow(_: unknown, { due_at }: Pick<Asked, 'due_at'>, at: string): boolean {
  return due_at !== undefined && instantOf(due_at) > instantOf(at)
}

/**
 * Asks the carrier for what a thing waits for, if it is time and nobody else does. Whatever happens meanwhile, the carrier gets the
 * same key again, and so does it once.
 */
export async function askCarrier<E extends Listed>(
  context: Context,
  request: CarrierRequest<E>,
  id: number,
): Promise<void> {
  const { entity, decider, quiet = claim } = request
  const record = async ([move, values = {}]: Step) => {
    const command = { move, at: isoOf(context.clock()), by: null, values }
    const beside = async (state: StateOf<E> | undefined, events: readonly NewEvent<EntityEvent>[]) =>
      (state && (await request.beside?.(context, move, state, events))) ?? []
    return execute(context.store, decider, streamOf(entity, id), command, toNewEvent(context), beside)
  }
  const claimed = await record(['try', { until: isoOf(context.clock() + quiet) }])
  const state = claimed.length === 0 ? undefined : await loadEntity(context, request, id)
  if (state === undefined) return
  const before: Asked = request.isHarmless ? { ...state, tries: 0, failures: 0 } : state
  const outcome = await request.ask(await contextOf(context, state), state).catch(whenRemoved(before))
  if (outcome !== undefined) await record(stepAfter(context, request, state, certain(outcome, before)))
}

function stepAfter<E extends Listed>(
  { clock }: Pick<Context, 'clock'>,
  { answered, refused, quiet = 0 }: CarrierRequest<E>,
  state: StateOf<E> & Asked,
  outcome: Outcome,
): Step {
  if (outcome.kind === 'answered') return answered(outcome.answer, state)
  if (outcome.kind === 'refused') return refused(outcome.refusal, state)
  const next_at = isoOf(clock() + Math.max(quiet, pauseAfter(state.failures ?? 0)))
  return ['leave_unclear', { failure: outcome.failure, next_at }]
}

/**
 * The context of the account that asked for something, also for work that is done later. If the account is gone, its business
 * asks.
 */
async function contextOf(context: Context, { asked_by, business_id: businessId }: Asked): Promise<Context> {
  const person = asked_by === undefined ? undefined : await context.directory.person(context, asked_by)
  if (person?.isActive) return { ...context, caller: callerOf(person) }
  return { ...context, caller: { kind: 'operator', name: 'labels', scopes: [], businessId } }
}

/** An account at a carrier that was removed at the same moment was never asked, unless there was a failure before. */
function whenRemoved({ failures = 0 }: Asked) {
  return (error: unknown): Outcome => {
    if (!isEngineError(error, 'carrier_account_not_found')) throw error
    if (failures > 0) return { kind: 'failed', failure: 'broken' }
    return { kind: 'refused', refusal: { code: 'wrong_credentials', message: plainText(error.code, error.params) } }
  }
}

/**
 * What is certain of an outcome. A carrier that refuses the credentials has not looked what became of an earlier try, so that try
 * stays unclear.
 */
function certain(outcome: Outcome, { tries = 0 }: Asked): Outcome {
  const isUnseen = outcome.kind === 'refused' && outcome.refusal.code === 'wrong_credentials' && tries > 1
  return isUnseen ? { kind: 'failed', failure: 'broken' } : outcome
}

/** Milliseconds that a call has to ask the carrier itself, before others do. */
const grace = 5_000

/** Finds work that is due, as those who do it later see it: a little later, because a call does its own work at once. */
export function dueWork(model: ReadModel): FindDue {
  const find = dueIn(model, 'due_at', { is_waiting: 1 })
  return async (context, before, after, limit) => {
    const due = await find(context, before - grace, after, limit)
    return due.map(({ id, dueAt }) => ({ id, dueAt: dueAt + grace }))
  }
}
