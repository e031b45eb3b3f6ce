import { createApp, createParts } from '../adapters/main.ts'
import {
  addProvider,
  type Context,
  call,
  createMemoryStore,
  en,
  otepForget,
  type PublicView,
  type Storage,
  type TimelineEvent,
} from '../engine/index.ts'

/** The clock of the servers, in epoch milliseconds. */
const clock = { now: Date.parse('2026-06-20T12:00:00Z') }

/** What a server answers. */
export type Json = ReturnType<typeof JSON.parse>

/** The caller who adds providers and erases. */
export const operating = { kind: 'operator', name: 'test', scopes: ['providers:write', 'otep:erase'] } as const

/** A server with a provider for every business. */
export async function server(
  { publicView = 'full', store = createMemoryStore(() => clock.now) as Storage } = {} as {
    publicView?: PublicView
    store?: Storage
  },
) {
  const options = { store, clock: () => clock.now, publicView }
  const parts = createParts({ ...options, baseUrl: 'http://localhost' })
  const app = createApp({ ...options, parts })
  const operator: Context = {
    ...parts,
    caller: operating,
    messages: en,
    requestId: 'test',
  }
  const { key } = await call(addProvider, operator, { name: 'carrier', all_businesses: true })
  const send = async (path: string, init: RequestInit = {}) => app.request(`/api/v1/otep${path}`, init)
  const post = async (path: string, body: unknown) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer: Json = await response.json()
    if (response.status !== 200 || answer.data.rejected > 0) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  const capture = (...eventList: readonly object[]) =>
    post('/ingest/epcis', {
      '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
      ...{ type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-06-01T00:00:00Z' },
      epcisBody: { eventList },
    })
  const timeline = async (name: string, query = ''): Promise<Json> =>
    ((await (await send(`/trackings/${encodeURIComponent(name)}${query}`)).json()) as Json).data
  const told = async (name: string): Promise<readonly string[]> =>
    (await timeline(name)).events.map(
      ({ status_code, inherited_from }: TimelineEvent) =>
        `${status_code}${inherited_from === undefined ? '' : ` < ${Object.values(inherited_from)[0]}`}`,
    )
  const tagOf = async (name: string) => (await send(`/trackings/${encodeURIComponent(name)}`)).headers.get('etag')
  const page = async (name: string) => (await app.request(`/track/${encodeURIComponent(name)}`)).text()
  const forget = (tracking_number: string) => call(otepForget, operator, { tracking_number })
  return { send, post, capture, timeline, told, tagOf, page, forget }
}

/** The SSCC of the pallet. */
export const sscc = '040123450000000108'

/** The EPC of a carton. */
export const carton = (number: number) => `urn:epc:id:sgtin:4012345.066666.${number}`
/** A pallet. */
export const pallet = 'urn:epc:id:sscc:4012345.0000000010'
/** A container that can be used again. */
export const container = 'urn:epc:id:grai:4012345.77777.c1'
/** An hour of the day of the test. */
export const at = (hour: number) => `2026-06-10T${String(hour).padStart(2, '0')}:00:00Z`

const when = (hour: number, more: object) => ({ eventTime: at(hour), eventTimeZoneOffset: '+00:00', ...more })

/** An event that puts children on a parent, or takes them off. */
export const aggregation = (action: string, hour: number, parentID: string, childEPCs: readonly string[], more = {}) =>
  when(hour, {
    ...{ type: 'AggregationEvent', action, parentID, childEPCs },
    ...{ bizStep: action === 'ADD' ? 'packing' : 'unpacking', ...more },
  })

/** An event in which one thing is observed. */
export const moved = (bizStep: string, hour: number, epc: string, more = {}) =>
  when(hour, { type: 'ObjectEvent', action: 'OBSERVE', bizStep, epcList: [epc], ...more })

/** The cartons of the pallet. */
export const cartons = Array.from({ length: 100 }, (_, index) => carton(index + 1))

/** What names the event that packs the pallet. */
export const packed = { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001' }

/** The pallet is packed, departs, arrives, is broken up, and departs without its cartons. */
export const journey = [
  aggregation('ADD', 8, pallet, cartons, packed),
  moved('departing', 9, pallet, { readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' } }),
  moved('arriving', 12, pallet),
  aggregation('DELETE', 14, pallet, cartons),
  moved('departing', 16, pallet),
]

/** What each carton tells of the journey. */
export const shownOf = ['x-packing', `package_outbound < ${sscc}`, `arrival_scan < ${sscc}`, 'x-unpacking']
