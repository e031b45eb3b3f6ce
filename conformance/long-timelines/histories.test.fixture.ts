import { randomBytes } from 'node:crypto'
import { createParts } from '../../adapters/main.ts'
import { secretOf } from '../../adapters/node/secret.ts'
import { createVault } from '../../adapters/vault/index.ts'
import {
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  domains,
  en,
  type NewEvent,
  otepForget,
  otepIngest,
  type RecordedEvent,
  type Representation,
  type Storage,
  type StreamName,
  sealedStore,
  withoutSnapshots,
} from '../../engine/index.ts'
import { createMemoryRows } from '../../engine/testing/snapshots.test.fixture.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const stream: StreamName = 'tracking-tracking_number:SR1'
const operator: Caller = { kind: 'operator', name: 'acme', scopes: ['otep:ingest', 'otep:erase'] }
const anyone: Caller = { kind: 'anonymous', name: '', scopes: [] }

const upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))

/** More events than a timeline has that is read as a whole. */
export const longCount = 4_200

/** How the instants of a history follow each other. */
export const orders = ['ordered', 'late', 'shuffled', 'ties'] as const

/** What may happen to a timeline after it was read. */
export const later = [
  ...(['more', 'a late event', 'a repeated event', 'details', 'a withdrawal'] as const),
  ...([
    'a new identifier',
    'an event with a new identifier',
    'a container',
    'the former namespace',
    'an erasure',
  ] as const),
] as const

/** After these, a timeline is still read in pages. */
export const harmless: readonly string[] = ['more', 'a late event', 'the former namespace']

type Order = (typeof orders)[number]
type Later = (typeof later)[number]

/** What a caller asks for. */
export interface Asked {
  readonly format: string
  readonly representation: Representation | undefined
  readonly view: 'full' | 'reduced'
}

const scanning = (provider: string, latitude: number, longitude: number) => ({
  by: { provider },
  told: { source: { type: 'carrier_tracking', provider }, location: { latitude, longitude } },
})

/** Two providers that scan what cannot be one parcel. */
const [here, elsewhere] = [scanning('acme', 45.76, 4.84), scanning('other', 34.69, 135.5)] as const

/** A node in memory with one event of the timeline. */
async function openNode(storage: Storage) {
  const rows = createMemoryRows()
  const secret = secretOf(randomBytes(32).toString('base64'))
  const erasures = domains.flatMap((domain) => domain.erasures ?? [])
  const vault = createVault({ keys: storage.keys, secret })
  const store = sealedStore(storage, { vault, upcasts, erasures, snapshots: rows })
  const parts = createParts({ store: storage, ...(secret && { secret }), clock: () => now })
  const context: Context = { ...parts, store, caller: operator, messages: en, requestId: 'test' }
  const first = { event_id: 'first', status_code: 'information_submitted', occurred_at: '2026-01-01T00:00:00Z' }
  await call(otepIngest, context, { document: { lines: [{ subject: { tracking_number: 'SR1' }, ...first }] } })
  return { rows, store, context, secret }
}

const named = { provider: 'acme', event_id: 'e-7' }

/** A node with one long timeline. */
export async function createNode(
  random: () => number,
  order: Order,
  count: number,
  storage: Storage = createMemoryStore(() => now),
) {
  const { rows, store, context, secret } = await openNode(storage)
  const [opening] = (await store.read(stream)) as readonly RecordedEvent[]
  let next = 1

  function fact(
    more: { readonly data?: object; readonly event?: object } = {},
    at = instantAt(order, next, random),
  ): NewEvent {
    const { data, metadata, type } = opening as RecordedEvent & { data: { event: object } }
    const index = next++
    const { by, told } = index % 5 === 3 ? elsewhere : here
    const event = { ...data.event, event_id: `e-${index}`, ...told, ...at, ...codeAt(random), ...more.event }
    const personal = random() < 0.3 ? { personal: { description: `For Adaline ${index} é"` } } : {}
    return { type, id: deriveId(`fact ${index}`), metadata, data: { ...data, ...by, event, ...personal, ...more.data } }
  }

  async function append(...events: readonly NewEvent[]) {
    const last = await store.last(stream)
    await store.append(stream, events, last?.revision ?? -1)
  }

  const other = (type: string, data: object): NewEvent => {
    const schemaVersion = 1 + upcasts[type].length
    return { ...fact(), type, data, metadata: { schemaVersion } }
  }
  const changes: Readonly<Record<Later, () => Promise<unknown>>> = {
    more: () => append(...Array.from({ length: 3 }, () => fact({}, lateAt(next)))),
    'a late event': () => append(fact({}, earlyAt(5)), fact({}, lateAt(next))),
    'a repeated event': () => append(fact({ event: { event_id: 'e-7' } }, earlyAt(9))),
    details: () => append(other('TrackingEventEnriched', { ...named, added: { incident_reason: 'Rain' } })),
    'a withdrawal': () =>
      append(other('TrackingEventWithdrawn', { ...named, withdrawn: { declared_at: '2026-06-12T00:00:00Z' } })),
    'a new identifier': () => append(other('SubjectIdentified', { subject: { order_id: 70 } })),
    'an event with a new identifier': () =>
      append(fact({ data: { subject: { tracking_number: 'SR1', external_tracking_number: 'X1' } } })),
    'a container': () => append(fact({ data: { contained: true } })),
    'the former namespace': () => append(fact({ data: { former_namespace: true } }, lateAt(next))),
    'an erasure': () => call(otepForget, context, { tracking_number: 'SR1' }),
  }

  const seen = ({ view }: Pick<Asked, 'view'>, isDue: boolean): Context => ({
    ...context,
    ...{ caller: anyone, publicView: view, store: isDue ? withoutSnapshots(store) : store },
  })

  await append(...Array.from({ length: count - 1 }, () => fact()))
  return {
    secret,
    settled: rows.settled,
    rows: rows.rows,
    change: (what: Later) => changes[what](),
    contextOf: seen,
  }
}

/** Instants before and after all others. */
function earlyAt(index: number) {
  return timesAt(Date.parse('2026-01-01T12:00:00Z') + index * 60_000, 'Z')
}

function lateAt(index: number) {
  return timesAt(Date.parse('2026-06-10T08:00:00Z') + index * 60_000, 'Z')
}

function instantAt(order: Order, index: number, random: () => number) {
  const start = Date.parse('2026-01-02T00:00:00Z')
  if (order === 'ordered') return timesAt(start + index * 1_000, 'Z')
  if (order === 'late') return timesAt(start + (index % 37 === 0 ? index - 90 : index) * 1_000, 'Z')
  if (order === 'shuffled') return timesAt(start + Math.floor(random() * 1e9), 'Z')
  const nanos = random() < 0.5 ? String(Math.floor(random() * 1e6)).padStart(6, '0') : ''
  return timesAt(start + Math.floor(index / 3) * 1_000, random() < 0.5 ? `${nanos}Z` : `${nanos}+02:00`)
}

function timesAt(at: number, end: string) {
  const offset = end.endsWith('Z') ? 0 : 7_200_000
  const text = `${new Date(at + offset).toISOString().slice(0, -1)}${end}`
  return { occurred_at: text, recorded_at: text }
}

const codes = [
  'in_transit',
  'out_for_delivery',
  'delivered',
  'delivery_failed',
  'x-scanned',
  'arrival_scan',
  'return_to_sender',
  'cancelled',
]

function codeAt(random: () => number) {
  return { status_code: codes[Math.floor(random() * codes.length)] }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}
