import * as v from 'valibot'
import {
  anonymous,
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  en,
  execute,
  isEngineError,
  isoOf,
  type OrderCommand,
  orders,
  otepForget,
  otepIngest,
  type Reader,
  readVisible,
  type TimelineEvent,
  toNewEvent,
} from '../../../index.ts'
import { createTestParts } from '../../../testing/parts.test.fixture.ts'
import { becomeDue, dueEvents } from '../future-model.ts'
import { reportIn } from '../report-in.ts'
import { webhookEventSources } from './index.ts'
import { type TrackingEventData, trackingEventData } from './tracking-event.ts'

const [source] = webhookEventSources
if (source === undefined) throw new Error('nothing is told')
const { webhookEventsOf, furtherEventsOf, category, types } = source

/** When the clock of the world starts, in epoch milliseconds. */
export const start = Date.parse('2026-06-10T10:00:00.000Z')

const acme: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }
const root: Caller = { kind: 'operator', name: 'root', scopes: ['otep:erase'] }

/** A command of an order; the world adds its time and its author. */
export type Given = { readonly type: string } & Readonly<Record<string, unknown>>

/** Proof of a delivery, with two photos and a signature. */
export const proof = {
  ...{ recipient: 'Ann Lee', signature_url: 'https://files.example/s.png' },
  photo_urls: ['https://files.example/a/p.jpg', 'https://files.example/q.jpg'],
}

/**
 * Timelines and real orders on a store in memory; time goes on by a second with each command. `createParts` makes the
 * parts of the engine.
 */
export function createWorld(createParts = createTestParts) {
  let now = start
  let ids = 0
  const clock = () => now
  const randomId = () => deriveId('notices', String(ids++))
  const parts = createParts({ store: createMemoryStore(clock), clock, randomId })
  const { store } = parts
  const context = (caller: Caller): Context => ({ ...parts, caller, messages: en, requestId: 'test' })

  async function command(order: number, given: Given): Promise<void> {
    now += 1_000
    const whole = { at: isoOf(now), by: 7, ...given } as OrderCommand
    await execute(store, orders, `order-${order}`, whole, toNewEvent(context(anonymous)))
  }

  async function create(order: number, more: object = {}): Promise<void> {
    const data = {
      ...{ at: isoOf(now), by: 7, order_id: order, business_id: 1, type: 'D', to: 'NEW_ORDER', items: 1 },
      ...{ tracking_number: `TN${order}`, source: 'single', reference: `PO-${order}`, ...more },
    }
    await command(order, { type: 'CreateOrder', data })
    const taken = toNewEvent(context(anonymous))({ type: 'OrderNumberTaken', data: { order_id: order } })
    await store.append(`order_number-TN${order}`, [taken], 'no-stream')
  }

  async function report(document: object, caller = acme): Promise<void> {
    const { data } = await call(otepIngest, context(caller), { document })
    const { rejected } = data as { readonly rejected: number }
    if (rejected > 0) throw new Error(JSON.stringify(data))
  }

  /** What the facts of timelines after a position tell, as each reader receives it, checked against the schema. */
  async function told(after?: string) {
    const all = []
    for await (const event of store.readAll(after, { category })) {
      if (!types.includes(event.type)) continue
      const webhookEvents = [...(await webhookEventsOf(parts, event))]
      if (furtherEventsOf) for await (const further of furtherEventsOf(parts, event)) webhookEvents.push(further)
      for (const { data, ...webhookEvent } of webhookEvents) {
        const read = (reader: Reader): TrackingEventData => v.parse(trackingEventData, data(reader))
        all.push({ ...webhookEvent, event, business: read('business'), customer: read('customer') })
      }
    }
    return all
  }

  const events = async (tracking_number: string): Promise<readonly TimelineEvent[]> => {
    try {
      return (await readVisible(context(root), tracking_number)).timeline.events
    } catch (error) {
      if (isEngineError(error, 'timeline_not_found')) return []
      throw error
    }
  }
  const moveTo = (instant: number) => {
    now = instant
  }
  const forget = (tracking_number: string) => call(otepForget, context(root), { tracking_number })
  return { store, parts, command, create, report, told, events, forget, moveTo }
}

type Parts = ReturnType<typeof createWorld>['parts']

/** Passes what is due of timelines, or as many of it. */
export async function passDeadlines(parts: Parts, most = 100): Promise<void> {
  const context: Context = { ...parts, caller: root, messages: en, requestId: 'test' }
  for (const { id } of await dueEvents(parts, parts.clock(), 0, most)) await becomeDue(context, id)
}

/** What carriers report of parcels by the facts of their timelines. */
export async function reportsIn(parts: Parts): Promise<readonly string[]> {
  const found: string[] = []
  for await (const event of parts.store.readAll(undefined, { category })) {
    const report = await reportIn(parts, event)
    if (report !== undefined) found.push(`${report.tracking_number} ${report.status_code}`)
  }
  return found
}
