import { nearestCode, type Profile, type Target, type Timeline, type TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { carrierShown, numberShown, pageShown } from '../shared/fold.ts'
import { profileOf } from '../shared/profile.ts'
import { nameOf } from '../shared/subject.ts'
import { constant, documents, list, number, object, only, plain, streamedList, text } from '../shared/template/index.ts'
import { type EventType, typeOf } from './codes.ts'
import { type Adjustment, type LineItem, type UcpDocument, type UcpEvent, ucpVersion } from './schema.ts'

/** What a timeline knows of an order is its parcel: the only line. */
const parcelLine = 'parcel'

interface Input {
  readonly timeline: Timeline
  readonly target: Target
}

interface EventInput {
  readonly event: TimelineEvent
  readonly type: EventType
  readonly profile: Profile
  /** Of the whole parcel. */
  readonly parcel: { readonly number: string | undefined; readonly page: string; readonly carrier: string | undefined }
}

/** Ids are those of the providers, so the provider belongs to the name of an event. */
function idOf({ event: { event_id, source } }: Pick<EventInput, 'event'>): string {
  return source?.provider === undefined ? event_id : `${source.provider}:${event_id}`
}

const wordsOf = ({ event, profile }: Pick<EventInput, 'event' | 'profile'>) =>
  event.description || meaningOf(profile, event.status_code)

const fulfilled = only(
  object<EventInput, UcpEvent['line_items'][number]>({ id: constant(parcelLine), quantity: constant(1) }),
)

const event = object<EventInput, UcpEvent>({
  id: text(idOf),
  occurred_at: text(({ event }) => event.occurred_at),
  type: plain(({ type }) => type),
  line_items: fulfilled,
  tracking_number: text(({ parcel }) => parcel.number),
  tracking_url: text(({ parcel }) => parcel.page),
  carrier: text(({ parcel }) => parcel.carrier),
  description: text(wordsOf),
})

type AdjustmentInput = Pick<EventInput, 'event' | 'profile'> & Pick<Adjustment, 'type'>

const adjustment = object<AdjustmentInput, Adjustment>({
  id: text(idOf),
  type: plain(({ type }) => type),
  occurred_at: text(({ event }) => event.occurred_at),
  status: constant('completed'),
  line_items: only(
    object<AdjustmentInput, Adjustment['line_items'][number]>({ id: constant(parcelLine), quantity: constant(-1) }),
  ),
  description: text(wordsOf),
})

/** Nothing is known of prices. `XXX` means that no currency is involved (ISO 4217). */
const totals = constant<UcpDocument['totals']>([
  { type: 'subtotal', amount: 0 },
  { type: 'total', amount: 0 },
])

const line = object<Input, LineItem>({
  id: constant(parcelLine),
  item: object<Input, LineItem['item']>({
    id: text(numberOf),
    title: constant('Parcel'),
    price: constant(0),
  }),
  quantity: object<Input, LineItem['quantity']>({
    original: constant(1),
    total: number((input) => (isRemoved(input) ? 0 : 1)),
    fulfilled: number(({ timeline }) => (timeline.delivered ? 1 : 0)),
  }),
  totals,
  status: plain((input) => (isRemoved(input) ? 'removed' : input.timeline.delivered ? 'fulfilled' : 'processing')),
})

/** A timeline as the order of its parcel (Universal Commerce Protocol, dev.ucp.shopping.order). */
export const { project, steps, write, pieces } = documents(
  (timeline, target): Input => ({ timeline, target }),
  object<Input, UcpDocument>({
    ucp: constant({ version: ucpVersion, capabilities: { 'dev.ucp.shopping.order': [{ version: ucpVersion }] } }),
    id: text(({ timeline: { subject } }) => String(subject.order_id ?? nameOf(subject).value)),
    checkout_id: constant(''),
    permalink_url: text(({ timeline, target }) => pageShown(timeline, target)),
    line_items: only(line),
    fulfillment: object<Input, UcpDocument['fulfillment']>({ events: streamedList(eventInputs, event) }),
    adjustments: list(adjustmentInputs, adjustment),
    currency: constant('XXX'),
    totals,
  }),
)

function numberOf({ timeline: { subject } }: Input): string {
  return numberShown(subject) ?? nameOf(subject).value
}

/** What became of the parcel, if its buyer does not get it any more. */
function adjustmentOf(profile: Profile, code: string): Adjustment['type'] | undefined {
  const nearest = nearestCode(profile, code)
  if (nearest === 'cancelled') return 'cancellation'
  return nearest === 'return_to_sender' ? 'return' : undefined
}

function isRemoved({ timeline, target }: Input): boolean {
  const { current_status: code } = timeline
  return code !== undefined && adjustmentOf(profileOf(timeline, target), code) !== undefined
}

function* eventInputs({ timeline, target }: Input): Generator<EventInput> {
  const profile = profileOf(timeline, target)
  const parcel = {
    number: numberShown(timeline.subject),
    page: pageShown(timeline, target),
    carrier: carrierShown(timeline),
  }
  let hasReturned = false
  for (const event of timeline.events) {
    const type = typeOf(profile, event.status_code)
    // A returned parcel is received by its sender, which is no delivery.
    if (type !== undefined)
      yield { event, profile, parcel, type: hasReturned && type === 'delivered' ? 'returned_to_sender' : type }
    hasReturned ||= nearestCode(profile, event.status_code) === 'return_to_sender'
  }
}

/** An order is cancelled or returned once: what only repeats that is no second adjustment. */
function adjustmentInputs({ timeline, target }: Input): readonly AdjustmentInput[] {
  const profile = profileOf(timeline, target)
  const last = timeline.events.findLast(({ status_code }) => status_code === timeline.current_status)
  const type = last && adjustmentOf(profile, last.status_code)
  return last === undefined || type === undefined ? [] : [{ event: last, profile, type }]
}
