import {
  type Caller,
  type Context,
  call,
  findTimeline,
  isEngineError,
  isWithoutTracking,
  type Members,
  type OrderEvent,
  otepForget,
  type Policy,
  parcelOf,
  platformProvider,
  progressOf,
  type RecordedEvent,
  type StreamName,
  type Subject,
  timelineEventId,
  trackedBy,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import { contextAfter, refusalsOf } from './report.ts'

const name = 'order-timelines'

/** The platform reports what drivers do. */
const caller: Caller = { kind: 'operator', name: platformProvider, scopes: ['otep:ingest', 'otep:erase'] }

/**
 * Reports orders to the timelines of their parcels, and erases a timeline with its order. An event that the timeline
 * refuses for good is logged and skipped, so that it does not block other orders.
 */
export function orderTimelines(parts: ContextParts, log: Log): Policy {
  return {
    name,
    filter: { category: 'order' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<OrderEvent>
      if (isWithoutTracking(event) && event.type !== 'OrderPersonalDataErased') return
      const context = contextAfter(parts, caller, event)
      const parcel = await parcelBefore(context, event)
      if (parcel === undefined) return
      if (event.type === 'OrderPersonalDataErased') return eraseTimeline(context, parcel.subject)
      const tracked = trackedBy(event, parcel.course)
      if (tracked === undefined) return
      const { at: occurred_at } = event.data
      const told = { event_id: timelineEventId(event), occurred_at, recorded_at: event.recordedAt, ...tracked }
      const codes = await report(context, await namesFor(context, event, parcel.subject), told)
      if (codes.length > 0) log.error({ policy: name, position: event.position, codes }, 'a timeline refused an event')
    },
  }
}

/** The parcel of an order and its progress before an event; `undefined` for other streams. */
async function parcelBefore({ store }: Context, event: RecordedEvent<OrderEvent>) {
  if (event.type === 'OrderCreated') return { subject: parcelOf(event), course: undefined }
  const stream = event.stream as StreamName
  const before = (await store.read(stream, { limit: event.revision })) as readonly RecordedEvent<OrderEvent>[]
  const [created] = before
  return created?.type === 'OrderCreated' ? { subject: parcelOf(created), course: progressOf(before) } : undefined
}

/**
 * The names of a parcel to report an event under. A new order of a customer does not join the timeline that its external
 * number already leads to: a customer may name any number, and would see and change what is somebody else's.
 */
async function namesFor(context: Context, { type, data }: OrderEvent, subject: Subject): Promise<Subject> {
  const { external_tracking_number, ...ownNames } = subject
  const isByCustomer = type === 'OrderCreated' && data.by !== null && data.by === data.customer_id
  if (!isByCustomer || external_tracking_number === undefined) return subject
  return (await isTracked(context, external_tracking_number)) ? ownNames : subject
}

async function isTracked(context: Context, external: string): Promise<boolean> {
  try {
    await findTimeline(context, 'external_tracking_number', external)
    return true
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return false
    throw error
  }
}

/**
 * Reports an event; if it is refused, retries with less of it: another parcel may have had the external number, and a
 * driver's note may violate the protocol. Returns the codes of the last refusal if every attempt was refused.
 */
async function report(context: Context, subject: Subject, event: Members): Promise<readonly string[]> {
  const { external_tracking_number, ...ownNames } = subject
  const { location, pod, ...bare } = event
  const attempts = [
    { subject, event },
    { subject: ownNames, event },
    { subject: ownNames, event: bare },
  ]
  let codes: readonly string[] = []
  for (const { event, ...attempt } of attempts) {
    codes = await refusalsOf(context, { profile: 'parcel', ...attempt, events: [event] })
    if (codes.length === 0) break
  }
  return codes
}

/** Erases the personal data of the parcel's timeline, if there is one. */
async function eraseTimeline(context: Context, { tracking_number = '' }: Subject): Promise<void> {
  try {
    const timeline = await findTimeline(context, 'tracking_number', tracking_number)
    await call(otepForget, context, { tracking_number: timeline })
  } catch (error) {
    if (!isEngineError(error, 'timeline_not_found')) throw error
  }
}
