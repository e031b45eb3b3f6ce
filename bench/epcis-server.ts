import { createApp, createParts } from '../adapters/main.ts'
import { addProvider, call, en, type Storage } from '../engine/index.ts'
import { modelNamed } from './models.ts'

/** The EPCIS interface on a store, without a socket, to a provider. */
interface EpcisServer {
  /** Captures a document. */
  capture(text: string): Promise<void>
  /** The text of the answer to a query. */
  query(path: string): Promise<string>
  /** Brings what events are found by up to date. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Opens the interface on a store; the read models are in this file. */
export async function openEpcis(store: Storage, modelsFile: string): Promise<EpcisServer> {
  const parts = createParts({ store, publicView: 'full', modelsFile: { file: modelsFile, name: 'bench' } })
  const following = new AbortController()
  parts.models.start(following.signal)
  const app = createApp({ store, parts })
  const caller = { kind: 'operator', name: 'bench', scopes: ['providers:write'] } as const
  const context = { ...parts, caller, messages: en, requestId: parts.randomId() }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const answered = async (status: number, path: string, init: RequestInit = {}) => {
    const response = await app.request(path, { headers, ...init })
    const text = await response.text()
    if (response.status !== status) throw new Error(`${path.slice(0, 60)} answers ${response.status}: ${text}`)
    return text
  }
  return {
    capture: async (body) => void (await answered(202, '/epcis/capture', { method: 'POST', body })),
    query: (path) => answered(200, `/epcis${path}`),
    settle: async () => void (await parts.models.rebuild(modelNamed('epcis_events'), following.signal)),
    close: () => {
      following.abort()
      return parts.models.close()
    },
  }
}

/** Events of each thing. */
export const eventsOfThing = 10

/** The EPC of a thing. */
export function epcOf(thing: number): string {
  return `urn:epc:id:sgtin:4012345.011111.${thing}`
}

/** An event by its number: each thing has ten, which lie far apart. `things` is how many there are. */
export function eventAt(number: number, things: number): object {
  return {
    type: 'ObjectEvent',
    eventID: `urn:uuid:00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
    eventTime: new Date(Date.parse('2024-01-01T00:00:00Z') + number * 1_000).toISOString(),
    eventTimeZoneOffset: '+01:00',
    epcList: [epcOf(number % things)],
    action: 'OBSERVE',
    bizStep: number % 2 === 0 ? 'departing' : 'arriving',
    disposition: 'in_transit',
    readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' },
    bizTransactionList: [{ type: 'po', bizTransaction: `https://example.org/orders/${number % things}` }],
    sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 21.5, uom: 'CEL' }] }],
  }
}

/** A document with these events. */
export function documentOf(eventList: readonly object[]): string {
  return JSON.stringify({
    '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-06-10T14:00:00Z',
    epcisBody: { eventList },
  })
}

/** The events from a number on. */
export function eventsFrom(first: number, count: number, things: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => eventAt(first + index, things))
}
