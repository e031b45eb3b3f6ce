import type { EntityEvent } from '../../entity/machine.ts'
import type { CarrierFailure } from '../../kernel/carrier.ts'
import { ownFleetName } from '../../kernel/carrier.ts'
import type { CarrierScan, CarrierWarnings } from '../../kernel/carrier-scan.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { isTerminal, profileNamed } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import {
  type FollowedNumber,
  followedNumber,
  followedNumberModel,
  followedNumbers,
  labelNumberStream,
  longestWay,
} from './followed.ts'
import { type Label, labels } from './label.ts'
import { longestSilence, pollAges } from './poll-times.ts'
import type { LabelScan } from './ports.ts'
import { label } from './table.ts'

/** Milliseconds that a carrier has to say what became of a parcel. */
export const trackDeadline = 10_000

const day = 86_400_000

/** The profile of the timelines of labels. */
const profile = 'parcel'

/** What the timeline of a parcel refused, by their codes. */
type Refusals = readonly string[]

/**
 * Opens the timelines of a label that was bought, ends those of one that was voided, and erases those of one that was forgotten.
 * May be repeated.
 */
export async function followLabel(context: Context, event: RecordedEvent<EntityEvent>): Promise<Refusals> {
  const { type, data } = event
  const { buy, void: voided, forget } = label.moves
  if (![buy.event, voided.event, forget.event].some((one) => one === type)) return []
  const history = await context.store.read(event.stream as StreamName, { limit: event.revision + 1 })
  const state = fold(labels, history as readonly RecordedEvent<EntityEvent>[])
  if (state?.label === undefined || state.carrier === ownFleetName) return []
  const at = String(data.at)
  const refusals: string[] = []
  for (const number of state.label.tracking_numbers) {
    if (type === buy.event) await follow(context, state, number)
    const followed = await followedNumber(context, number)
    if (followed === undefined || !isNumberOf(followed, state)) continue
    if (type === buy.event) refusals.push(...(await tell(context, followed, 'information_submitted', at)))
    if (type === voided.event) {
      refusals.push(...(await tell(context, followed, 'cancelled', at)))
      await leave(context, number)
    }
    if (type === forget.event) await context.ports.labels.forgetTimeline(context, followed.followed.business_id, number)
  }
  return refusals
}

/**
 * Takes a number for a label, if no other label has it and nobody has told of it before: a carrier that a business runs itself may
 * sell any number. Labels of a time before carriers were followed are left alone.
 */
async function follow(context: Context, { purchased_at, ...label }: Label, tracking_number: string): Promise<void> {
  const now = context.clock()
  if (purchased_at === undefined || Date.parse(purchased_at) < now - longestSilence) return
  const isFirst = (await followedNumber(context, tracking_number)) === undefined
  if (isFirst && (await context.ports.labels.isPublic(context, tracking_number))) return
  const { order_id, business_id, carrier_account_id, carrier } = label
  const data = { at: isoOf(now), tracking_number, order_id, business_id, carrier_account_id, carrier }
  await change(context, tracking_number, { type: 'Follow', ...data })
}

function leave(context: Context, number: string): Promise<void> {
  return change(context, number, { type: 'Leave', at: isoOf(context.clock()) })
}

async function change(
  context: Context,
  number: string,
  command: Parameters<typeof followedNumbers.decide>[0],
): Promise<void> {
  await execute(context.store, followedNumbers, labelNumberStream(number), command, toNewEvent(context))
}

/** Tells the timeline of a parcel what became of its label. */
function tell(context: Context, followed: FollowedNumber, status_code: string, occurred_at: string): Promise<Refusals> {
  const { tracking_number: number, order_id } = followed.followed
  const event_id = deriveId('label', String(order_id), number, status_code)
  return report(context, followed, [{ event_id, status_code, occurred_at }])
}

function report(context: Context, { followed }: FollowedNumber, events: readonly LabelScan[]): Promise<Refusals> {
  const { business_id: businessId, carrier, tracking_number } = followed
  return context.ports.labels.report(context, { businessId, carrier, profile, tracking_number, events })
}

/**
 * What a carrier tells, under ids by which it is known again: a carrier tells the same again and again. What it says of the
 * purchase is left out, because the timeline begins with that, unless it says when the parcel is expected.
 */
export function scansOf(trackingNumber: string, told: readonly CarrierScan[]): readonly LabelScan[] {
  return told
    .filter(({ status_code, estimated_delivery_at: at }) => status_code !== 'information_submitted' || at !== undefined)
    .map(({ event_id, ...scan }) => {
      const { status_code, occurred_at, locality = '', country = '' } = scan
      const name = event_id === undefined ? [locality, country] : [event_id]
      const when = isoOf(Date.parse(occurred_at))
      return { event_id: deriveId('label scan', trackingNumber, status_code, when, ...name), ...scan }
    })
}

/** Records what a carrier tells of a parcel: in its timeline, and for the clock if it is new. */
export async function recordScans(
  context: Context,
  followed: FollowedNumber,
  told: readonly CarrierScan[],
): Promise<Refusals> {
  const now = context.clock()
  const { tracking_number: number } = followed.followed
  // A time in the future would hide all that follows.
  const scans = scansOf(number, told).filter(({ occurred_at }) => Date.parse(occurred_at) < now + day)
  // A status without a time of its own is news only when it changes.
  const news = scans.filter(
    ({ synthesized, status_code }) => !synthesized || status_code !== followed.last?.status_code,
  )
  const last = [...news].sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at)).at(-1)
  if (followed.isLeft || last === undefined) return []
  const refusals = await report(context, followed, scans)
  const { status_code, occurred_at } = last
  const is_over = isTerminal(profileNamed(context.profiles, profile), status_code)
  await change(context, number, { type: 'Report', at: isoOf(now), status_code, occurred_at, is_over })
  return refusals
}

/** Whether a number is followed for a label, under whichever id it had then. */
export function isNumberOf(
  { followed }: FollowedNumber,
  { order_id, former_id }: Pick<Label, 'order_id' | 'former_id'>,
): boolean {
  return [order_id, former_id].includes(followed.order_id)
}

/** What came of asking a carrier about a parcel. */
export interface Asked {
  /** Why the carrier does not answer for its account. */
  readonly failure?: CarrierFailure | 'wrong_credentials'
  readonly refusals: Refusals
  /** What of its answer could not be read. */
  readonly warnings?: CarrierWarnings
}

/** Asks the carrier of a parcel that is followed, and records what it tells. Does nothing for others. */
export async function askForScans(context: Context, trackingNumber: string): Promise<Asked> {
  const followed = await followedNumber(context, trackingNumber)
  if (followed === undefined || followed.isOver) return { refusals: [] }
  const { business_id: businessId, carrier_account_id: account, tracking_number, at } = followed.followed
  const isOld = Date.parse(at) < context.clock() - longestWay
  const asking: Context = { ...context, caller: { kind: 'operator', name: 'labels', scopes: [], businessId } }
  const outcome = isOld ? undefined : await trackOrUndefined(asking, account, tracking_number)
  if (outcome === undefined) {
    await leave(context, tracking_number)
    return { refusals: [] }
  }
  if (outcome.kind === 'failed') return { failure: outcome.failure, refusals: [] }
  if (outcome.kind === 'answered') {
    const { events, warnings } = outcome.answer
    return { refusals: await recordScans(context, followed, events), ...(warnings && { warnings }) }
  }
  const { code } = outcome.refusal
  return { ...(code === 'wrong_credentials' && { failure: code }), refusals: [] }
}

/** The answer of a carrier about a parcel; undefined if the account is removed. */
async function trackOrUndefined(context: Context, account: number, tracking_number: string) {
  try {
    return await context.ports.labels.ask(context, account, 'track', { tracking_number }, trackDeadline)
  } catch (error) {
    if (isEngineError(error, 'carrier_account_not_found')) return undefined
    throw error
  }
}

/** A parcel whose carrier is to be asked. */
export interface DueNumber {
  readonly tracking_number: string
  readonly carrier_account_id: number
}

const pageSize = 500

/** The parcels whose carriers are to be asked after one instant and up to another (epoch milliseconds), at most `limit`. */
export async function dueNumbers(
  { models }: Pick<Context, 'models'>,
  after: number,
  upTo: number,
  limit: number,
): Promise<readonly DueNumber[]> {
  const found = new Map<string, DueNumber>()
  // Most servers follow no parcel, and so need one look-up instead of one for each age.
  const any = { where: { is_followed: 1 }, limit: 1, offset: 0, uncounted: true } as const
  if ((await models.page(followedNumberModel, any)).rows.length === 0) return []
  for (const age of pollAges) {
    const news_at = [isoOf(after - age + 1), isoOf(upTo - age)] as const
    for (let offset = 0; found.size < limit; offset += pageSize) {
      const query = {
        where: { is_followed: 1 },
        between: { news_at },
        limit: pageSize,
        offset,
        uncounted: true,
      } as const
      const { rows } = await models.page(followedNumberModel, query)
      for (const { tracking_number, carrier_account_id } of rows)
        found.set(String(tracking_number), {
          tracking_number: String(tracking_number),
          carrier_account_id: Number(carrier_account_id),
        })
      if (rows.length < pageSize) break
    }
  }
  return [...found.values()]
}

/** How the parcels of a label are, as far as their carrier has told. */
export async function trackingOf(context: Pick<Context, 'store'>, label: Label) {
  const numbers = label.label?.tracking_numbers ?? []
  const found = await Promise.all(numbers.map((number) => followedNumber(context, number)))
  return found.flatMap((one) =>
    one?.last !== undefined && isNumberOf(one, label)
      ? [{ tracking_number: one.followed.tracking_number, ...one.last }]
      : [],
  )
}
