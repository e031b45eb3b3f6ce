import { gzipSync } from 'node:zlib'
import { type HostileBody, hostileBodies } from '../../conformance/hostile/bodies.ts'
import { eventLine, trackingNumber } from '../timelines.ts'

/** Where and as whom a load is sent. */
export interface Place {
  /** A provider's key. */
  readonly key: string
  /** Number of the run, so that each sends new parcels. */
  readonly run: number
  /** Fraction of the normal size. */
  readonly scale: number
  /** The number of a timeline of thousands of events. */
  readonly long: string
}

/** One request of a load. */
export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Work for the server, hostile or large and legal. */
interface Load {
  readonly name: string
  /** How often the requests are sent, all at a time. */
  readonly times?: number
  /** Milliseconds after which responses that do not end are left; they are read to the end if absent. */
  readonly heldFor?: number
  requests(place: Place): readonly Sent[]
}

const mebibyte = 1024 * 1024
const api = '/api/v1/otep'
const json = { 'Content-Type': 'application/json' }
const gzipped = { ...json, 'Content-Encoding': 'gzip' }

/** Events of a large call: as many as one may have. */
const largeCall = 10_000

/** THE TABLE of loads. */
export const loads: readonly Load[] = [
  validating('unknown members of one object', () => `{${members(mebibyte)}}`),
  validating('objects of 900 unknown members', ({ scale }) => filled('{"events":[', `{${members(8_000)}}`, scale)),
  validating('nested 190 deep', ({ scale }) => filled('{"events":[', '['.repeat(190) + ']'.repeat(190), scale)),
  validating('500,000 numbers', ({ scale }) => filled('{"events":[', '0', scale)),
  validating('events, all of them wrong', ({ scale }) =>
    filled('{"events":[', '{"status_code":1,"x":[],"y":{}}', scale),
  ),
  validating('events, all of them good', ({ scale }) => filled('{"subject":{"order_id":1},"events":[', good, scale)),
  {
    name: 'validate, a bomb of gzip',
    times: 4,
    requests: ({ scale }) => [posted(`${api}/validate`, bomb(scale), gzipped)],
  },
  pushing('10,000 events of 10,000 parcels', (place) => enclosed(parcelLines(place, largeCall))),
  // Fits into a small heap.
  pushing('4,000 events of 4,000 parcels', (place) => enclosed(parcelLines({ ...place, run: place.run + 500 }, 4_000))),
  pushing('10,000 events of one parcel', (place) => ({ body: oneParcel(place, largeCall) })),
  pushing('the same 10,000 events again', (place) => enclosed(parcelLines({ ...place, run: -1 }, largeCall))),
  pushing('10,000 events in NDJSON', (place) => ({
    body: parcelLines(place, largeCall).join('\n'),
    headers: { 'Content-Type': 'application/x-ndjson' },
  })),
  pushing('10,000 refused events', ({ scale }) => ({ body: filled('{"lines":[', '{"x":1}', 0.07 * scale) })),
  pushing('16 MiB of unknown members', ({ scale }) => ({
    body: filled('{"lines":[', `{${members(8_000)}}`, 15 * scale),
  })),
  { ...pushing('a bomb of gzip', ({ scale }) => ({ body: bomb(scale), headers: gzipped })), times: 4 },
  pushingEpcis('EPCIS JSON-LD', 'application/ld+json', 'rollback', epcisJson),
  pushingEpcis('EPCIS JSON-LD', 'application/ld+json', 'proceed', epcisJson),
  pushingEpcis('EPCIS XML', 'application/xml', 'rollback', epcisXml),
  ...Object.entries(hostileBodies).map(([name, body]) => hostile(name, body)),
  {
    name: 'GraphQL, 1 MiB of fields',
    requests: ({ key, scale }) => [
      posted('/graphql', JSON.stringify({ query: `{${'order{id} '.repeat(100_000 * scale)}}` }), keyed(key)),
    ],
  },
  {
    name: 'GraphQL, 6,000 aliases',
    times: 4,
    requests: ({ key, scale }) => [posted('/graphql', JSON.stringify({ query: aliases(6_000 * scale) }), keyed(key))],
  },
  {
    name: 'MCP, 1 MiB of arguments',
    times: 4,
    requests: ({ scale }) => [posted('/mcp', toolCall(filled('{"document":{"events":[', good, 0.9 * scale, ']}}')))],
  },
  {
    name: 'batch of 500 numbers',
    times: 4,
    requests: ({ scale }) => [
      posted(`${api}/trackings/batch`, JSON.stringify({ tracking_numbers: numbers(500 * scale) })),
    ],
  },
  reading('OTEP', ''),
  reading('EPCIS', '?format=epcis'),
  reading('EPCIS XML', '?format=epcis', { Accept: 'application/xml' }),
  reading('OTLP', '?format=otlp'),
  reading('ONE Record', '?format=onerecord'),
  reading('SensorThings', '?format=sensorthings'),
  {
    name: '300 live streams at once',
    times: 300,
    heldFor: 1_000,
    requests: () => [got(`${api}/trackings/${trackingNumber(0)}/stream`, {})],
  },
  {
    name: '100 wrong passwords at once',
    requests: ({ scale }) =>
      Array.from({ length: Math.ceil(100 * scale) }, (_, index) =>
        posted('/api/v1/user/login', JSON.stringify({ email: `f${index}@x.example`, password: 'wrong-password' }), {
          ...json,
          'X-Forwarded-For': `198.19.2.${index}`,
        }),
      ),
  },
]

/** Events of the long timeline, in calls. */
const longCalls = { calls: 20, events: 1_000 }

/** The calls that fill a store with what the loads repeat and read. */
export function beforehand(place: Place): readonly Sent[] {
  const lines = parcelLines({ ...place, run: -1 }, largeCall)
  const repeated = Array.from({ length: 10 }, (_, part) => lines.filter((_, index) => index % 10 === part))
  const longs = Array.from({ length: longCalls.calls }, (_, run) =>
    oneParcel({ ...place, run }, longCalls.events, place.long),
  )
  const calls = [eventLine(0, 0), ...repeated.map((some) => enclosed(some).body), ...longs]
  return calls.map((body) => posted(`${api}/ingest`, body, keyed(place.key)))
}

function posted(path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = json): Sent {
  return { method: 'POST', path, headers, body: Buffer.from(body) }
}

function got(path: string, headers: Readonly<Record<string, string>>): Sent {
  return { method: 'GET', path, headers }
}

function keyed(key: string) {
  return { ...json, Authorization: `Bearer ${key}` }
}

function validating(name: string, bodyOf: (place: Place) => string): Load {
  const requests = (place: Place) => [posted(`${api}/validate`, bodyOf(place))]
  return { name: `validate, 1 MiB: ${name}`, times: 4, requests }
}

interface Pushed {
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

function pushing(name: string, pushedBy: (place: Place) => Pushed): Load {
  const requests = (place: Place) => {
    const { body, headers } = pushedBy(place)
    return [posted(`${api}/ingest`, body, { ...keyed(place.key), ...headers })]
  }
  return { name: `ingest, ${name}`, requests }
}

function pushingEpcis(name: string, type: string, behaviour: string, bodyOf: (place: Place) => string): Load {
  const requests = (place: Place) => [
    posted(`${api}/ingest/epcis`, bodyOf(place), {
      Authorization: `Bearer ${place.key}`,
      'Content-Type': type,
      'GS1-Capture-Error-Behaviour': behaviour,
    }),
  ]
  return { name: `ingest, ${name}, 16 MiB, ${behaviour}`, requests }
}

/** A body of one kind of token, four times at once, as large as any that is accepted. */
function hostile(name: string, { path, type, textOf }: HostileBody): Load {
  const requests = ({ key, scale }: Place) => {
    const headers = { ...keyed(key), 'Content-Type': type, 'Content-Encoding': 'gzip' }
    return [posted(path, gzipSync(textOf(15.9 * mebibyte * scale)), headers)]
  }
  return { name: `ingest, ${name}`, times: 4, requests }
}

function reading(name: string, query: string, headers: Readonly<Record<string, string>> = {}): Load {
  return {
    name: `GET of a long timeline, ${name}`,
    requests: ({ long }) => [got(`${api}/trackings/${long}${query}`, headers)],
  }
}

/** Members with different names, of about this many characters. */
function members(length: number): string {
  return Array.from({ length: length / 9 }, (_, index) => `"${index.toString(36).padStart(4, 'a')}":1`).join(',')
}

/** A text of about so many MiB: a beginning, repeated items and an end. */
function filled(beginning: string, item: string, mebibytes: number, end = ']}'): string {
  const count = Math.max(1, Math.floor((mebibytes * (mebibyte - 1_024)) / (item.length + 1)))
  return `${beginning}${Array.from({ length: count }, () => item).join(',')}${end}`
}

const good =
  '{"event_id":"e","otep_version":"0.1","status_code":"in_transit","phase":"in_transit","occurred_at":"2026-06-10T09:00:00Z","recorded_at":"2026-06-10T09:00:00Z","source":{"type":"carrier_tracking","provider":"acme"}}'

/** Many times its size; gzip may be made of several parts. */
function bomb(scale: number): Buffer {
  const part = gzipSync(Buffer.alloc(16 * mebibyte * scale, ' '), { level: 9 })
  return Buffer.concat(Array.from({ length: 32 }, () => part))
}

/** One event for each of many parcels; the parcels of one run are those of no other. */
function parcelLines({ run, scale }: Pick<Place, 'run' | 'scale'>, count: number): readonly string[] {
  return Array.from({ length: count * scale }, (_, index) => eventLine((run + 2) * 1_000_000 + index, 0))
}

function enclosed(lines: readonly string[]): Pushed {
  return { body: `{"lines":[${lines.join(',')}]}` }
}

function oneParcel({ run, scale }: Pick<Place, 'run' | 'scale'>, count: number, number = `ONE-${run}`): string {
  const events = Array.from({ length: count * scale }, (_, index) => {
    const { subject, ...event } = JSON.parse(eventLine(1, 6)) as Record<string, unknown>
    return JSON.stringify({ ...event, event_id: `one-${run}-${index}`, occurred_at: timeAt(run * count + index) })
  })
  return `{"subject":{"tracking_number":"${number}"},"events":[${events.join(',')}]}`
}

function timeAt(minute: number): string {
  return new Date(Date.parse('2026-01-02T00:00:00Z') + minute * 20_000).toISOString()
}

const header = 'schemaVersion="2.0" creationDate="2026-06-10T14:00:00Z"'

/** Extensions bring 9,900 events to 16 MiB. */
const epcisEvents = 9_900
const fill = 'x'.repeat(1_250)

function epcisJson({ run, scale }: Place): string {
  const events = Array.from({ length: epcisEvents * scale }, (_, index) =>
    JSON.stringify({
      type: 'ObjectEvent',
      eventID: `urn:uuid:${uuid(run, index)}`,
      eventTime: timeAt(index),
      eventTimeZoneOffset: '+00:00',
      epcList: [sscc(run, index)],
      action: 'OBSERVE',
      bizStep: 'departing',
      'example:fill': fill,
    }),
  )
  return `{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{"example":"https://ns.example/epcis/"}],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-06-10T14:00:00Z","epcisBody":{"eventList":[${events.join(',')}]}}`
}

function epcisXml({ run, scale }: Place): string {
  const events = Array.from(
    { length: epcisEvents * scale },
    (_, index) => `<ObjectEvent><eventTime>${timeAt(index)}</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
<eventID>urn:uuid:${uuid(run + 500, index)}</eventID>
<epcList><epc>${sscc(run + 500, index)}</epc></epcList><action>OBSERVE</action>
<bizStep>urn:epcglobal:cbv:bizstep:departing</bizStep><example:fill>${fill}</example:fill></ObjectEvent>`,
  )
  return xmlDocument(events.join('\n'))
}

function xmlDocument(events: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" xmlns:example="https://ns.example/epcis/" ${header}>
<EPCISBody><EventList>${events}</EventList></EPCISBody></epcis:EPCISDocument>`
}

function uuid(run: number, index: number): string {
  return `00000000-0000-4000-8${String(run).padStart(3, '0')}-${String(index).padStart(12, '0')}`
}

/** A serial shipping container code. */
function sscc(run: number, index: number): string {
  return `urn:epc:id:sscc:0614141.1${String(run * 100_000 + index).padStart(9, '0')}`
}

function toolCall(text: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"otep_validate","arguments":${text}}}`
}

/** Aliases in a fragment that each of ten fields has: about as many as are accepted. */
function aliases(count: number): string {
  const own = Array.from({ length: count / 10 }, (_, index) => `b${index}:kind`).join(' ')
  const roots = Array.from({ length: 10 }, (_, index) => `a${index}:__type(name:"Query"){...own}`).join(' ')
  return `{${roots}} fragment own on __Type{${own}}`
}

function numbers(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => trackingNumber(1_000_000 + index))
}
