import { callerOf } from '../../kernel/call.ts'
import type { CarrierFailure, CarrierMethod, CarrierOutcome } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { dueIn, type FindDue } from '../../kernel/due.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { plainText } from '../../kernel/messages/index.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { LabelEvent } from './events.ts'
import { type Label, type LabelCommand, labelModel, labelStream, labels } from './label.ts'
import { returning } from './pickups/labels.ts'
import { pickupModel } from './pickups/pickup.ts'

/** Milliseconds that a carrier has to sell or void a label, or to close a manifest. */
export const workDeadline = 20_000

/** Milliseconds in which nobody else asks the carrier, also if the process that does has ended: longer than the deadline. */
const claim = 30_000

/** Milliseconds until a carrier is asked again after so many failures: from five seconds to half an hour. */
function pauseAfter(failures: number): number {
  return Math.min(1_800_000, 5_000 * 2 ** Math.min(failures, 20))
}

/** Until when work that begins now is nobody else's. */
export function claimedUntil({ clock }: Pick<Context, 'clock'>, milliseconds = claim): string {
  return isoOf(clock() + milliseconds)
}

/** A failure, and when the carrier is asked again: not before so many milliseconds have passed. */
export function unclearAfter(
  { clock }: Pick<Context, 'clock'>,
  failures: number,
  { failure }: { readonly failure: CarrierFailure },
  least = 0,
) {
  return { at: isoOf(clock()), failure, next_at: isoOf(clock() + Math.max(least, pauseAfter(failures))) }
}

/**
 * The context of the account that asked for something, also for work that is done later. If the account is gone, its business
 * asks.
 */
export async function contextOf(context: Context, by: number, businessId: number): Promise<Context> {
  const person = await context.directory.person(context, by)
  if (person?.isActive) return { ...context, caller: callerOf(person) }
  return { ...context, caller: { kind: 'operator', name: 'labels', scopes: [], businessId } }
}

/**
 * Asks the carrier for what a label waits for, if it is time and nobody else does. Whatever happens meanwhile, the carrier
 * gets the same key again, and so sells one label.
 */
export async function workOnLabel(context: Context, id: number): Promise<void> {
  const tried = { type: 'LabelTried', at: isoOf(context.clock()), until: claimedUntil(context) } as const
  if (!(await recorded(context, id, tried))) return
  const history = (await context.store.read(labelStream(id))) as readonly RecordedEvent<LabelEvent>[]
  const label = fold(labels, history)
  if (label === undefined) return
  const { by, business_id } = label.asked
  const outcome = await askFor(await contextOf(context, by, business_id), label).catch(whenRemoved(label))
  const told = outcome === undefined ? undefined : toldBy(context, label, certain(outcome, history))
  if (told !== undefined) await recorded(context, id, told)
}

async function recorded(context: Context, id: number, command: LabelCommand): Promise<boolean> {
  const beside = async (label: Label | undefined) =>
    command.type === 'LabelVoidRefused' && label !== undefined ? returning(context, label) : []
  return (await execute(context.store, labels, labelStream(id), command, toNewEvent(context), beside)).length > 0
}

type Outcome = CarrierOutcome<'buy'> | CarrierOutcome<'void'>

/** An account that was removed at the same moment was never asked, unless there was a failure before. */
export function whenRemoved({ failures }: Pick<Label, 'failures'>) {
  return (error: unknown): Exclude<CarrierOutcome<CarrierMethod>, { readonly kind: 'answered' }> => {
    if (!isEngineError(error, 'carrier_account_not_found')) throw error
    if (failures > 0) return { kind: 'failed', failure: 'broken' }
    return { kind: 'refused', refusal: { code: 'wrong_credentials', message: plainText(error.code, error.params) } }
  }
}

/**
 * What is certain of an outcome. A carrier that refuses the credentials has not looked whether an earlier try has bought the label, so
 * that try stays unclear.
 */
function certain(outcome: Outcome, history: readonly RecordedEvent<LabelEvent>[]): Outcome {
  const asked = history.findLastIndex(({ type }) => type === 'LabelAsked' || type === 'LabelVoidAsked')
  const tries = history.slice(asked).filter(({ type }) => type === 'LabelTried').length
  const isUnseen = outcome.kind === 'refused' && outcome.refusal.code === 'wrong_credentials' && tries > 1
  return isUnseen ? { kind: 'failed', failure: 'broken' } : outcome
}

async function askFor(context: Context, { status, asked, bought }: Label): Promise<Outcome | undefined> {
  const { carrier_account_id: account, personal } = asked
  const { ask } = context.ports.labels
  if (status === 'LABEL_VOID_PENDING' && bought !== undefined) {
    const { reference, tracking_numbers } = bought
    return ask(context, account, 'void', { reference, tracking_numbers }, workDeadline)
  }
  if (personal === undefined) return undefined
  const { key, at: asked_at, service, amount, currency, rate_reference: reference, parcels } = asked
  const { from, to } = personal
  const chosen = { service, amount, currency, ...omitUndefined({ reference }) }
  return ask(context, account, 'buy', { key, asked_at, ...chosen, from, to, parcels }, workDeadline)
}

function toldBy(context: Context, { status, failures }: Label, outcome: Outcome): LabelCommand | undefined {
  const at = isoOf(context.clock())
  if (outcome.kind === 'failed') return { type: 'LabelUnclear', ...unclearAfter(context, failures, outcome) }
  if (outcome.kind === 'refused') {
    const type = status === 'LABEL_PENDING' ? 'LabelPurchaseFailed' : 'LabelVoidRefused'
    const { code: refusal, message } = outcome.refusal
    return { type, at, refusal, personal: { message } }
  }
  if (!('label' in outcome.answer)) return { type: 'LabelVoided', at }
  const { document, ...label } = outcome.answer.label
  return { type: 'LabelBought', at, label, ...(document && { personal: { document } }) }
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

/** Labels whose carrier is to be asked before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueLabels = dueWork(labelModel)

/** Whether a carrier is yet to answer for a label, or for a pickup of labels, of an account. */
export async function isWaitedFor({ models }: Pick<Context, 'models'>, carrier_account_id: number): Promise<boolean> {
  const where = { carrier_account_id, is_waiting: 1 }
  const found = await Promise.all([labelModel, pickupModel].map((model) => models.rows(model, where, 1)))
  return found.flat().length > 0
}
