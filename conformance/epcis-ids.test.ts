import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { createApp, createParts } from '../adapters/main.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import {
  addProvider,
  type Context,
  call,
  createMemoryStore,
  en,
  otepIngest,
  readTimeline,
  type Storage,
  type StreamName,
  sha256,
  type TimelineEvent,
  withFormerNamespace,
} from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { hashIdOf } from '../projections/epcis/event-hash.ts'
import { epcis } from '../projections/epcis/index.ts'
import { sourceOf } from '../projections/epcis/parse/source.ts'
import { captured, type Event } from './epcis-events.test.fixture.ts'
import * as old from './histories/kept.ts'
import { projectFile } from './program/files.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const baseUrl = 'https://api.example'
const thing = `${baseUrl}/id/tracking_number/G1`
const otep = new Map([
  ['otep', 'https://w3id.org/otep#'],
  ['otep0', 'urn:otep:epcis:'],
])
const prefixes = new Map([...otep, ['ex', 'https://ns.example/epcis/']])

type View = 'full' | 'reduced'

/** A server on a store; opened again on the same store, it is the server after a restart. */
function serverOn(store: Storage, publicView: View = 'full') {
  const options = { store, clock: () => now, baseUrl, publicView } as const
  const parts = createParts(options)
  return { parts, app: createApp({ ...options, parts }) }
}

type Server = ReturnType<typeof serverOn>

async function keyFor({ parts }: Server): Promise<string> {
  const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context: Context = { ...parts, caller, messages: en, requestId: 'test' }
  return String((await call(addProvider, context, { name: 'acme', all_businesses: true })).key)
}

async function get({ app }: Server, path: string, accept: string, key?: string): Promise<string> {
  const headers = { Accept: accept, ...(key !== undefined && { Authorization: `Bearer ${key}` }) }
  return (await app.request(path, { headers })).text()
}

const mediaType = (type: string) => `${type}; profile="urn:otep:format:epcis"`

async function eventsAt(server: Server, path: string, key?: string): Promise<readonly Event[]> {
  const { epcisBody } = JSON.parse(await get(server, path, mediaType('application/ld+json'), key))
  return epcisBody.eventList ?? epcisBody.queryResults.resultsBody.eventList
}

const tracking = '/api/v1/otep/trackings/G1'

/** The events of the timeline, read in every way; throws if two ways give different ids. */
async function readEverywhere(server: Server, key: string): Promise<readonly Event[]> {
  const told = await eventsAt(server, tracking)
  const ids = idsOf(told)
  const xml = await get(server, tracking, mediaType('application/xml'))
  equal(xml.match(/(?<=<eventID>)[^<]*/g), ids, 'XML')
  equal(idsOf(await eventsAt(server, `${tracking}?as=capture`)), ids, 'to be captured')
  const events = `/epcis/epcs/${encodeURIComponent(thing)}/events?perPage=1000&orderDirection=ASC`
  equal([...idsOf(await eventsAt(server, events))].sort(), [...ids].sort(), 'of the thing')
  const own = await eventsAt(server, tracking, key)
  const whole = await eventsAt(server, `${tracking}?as=source`, key)
  equal([...new Set(whole.map(idOfSource))].sort(), [...idsOf(own)].sort(), 'of the sources')
  const [id] = own.filter(isOfSource).map(({ eventID }) => String(eventID))
  if (id !== undefined) {
    const [event] = await eventsAt(server, `/epcis/events/${encodeURIComponent(id)}`, key)
    equal(event && idOfSource(event), id, 'found by its id')
  }
  return told
}

/** The id of an event that came as EPCIS: the one that it came with, or its hash. */
function idOfSource(event: Event): string {
  return String(event.eventID ?? hashIdOf(event, prefixes))
}

/** Whether an event of a timeline was made of an event that came as EPCIS. */
function isOfSource(event: Event): boolean {
  const source = event['otep:source'] ?? event['otep0:source']
  return typeof source === 'object' && Object.keys(source ?? {}).some((name) => name.endsWith(':event'))
}

function idsOf(events: readonly Event[]): readonly string[] {
  return events.map(({ eventID }) => String(eventID))
}

function equal(received: unknown, expected: unknown, of: string): void {
  const [one, other] = [JSON.stringify(received), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${of}\n${one}\n${other}`)
}

/** What an event says, without what may be said of it later. */
function said({ recordTime, errorDeclaration, ...event }: Event): string {
  return JSON.stringify(event)
}

/** Throws unless all events that were reported once are still reported, and each id is that of its content. */
function keptIn(told: readonly Event[], before: Map<string, string>): void {
  const ids = new Set(idsOf(told))
  equal(ids.size, told.length, 'no id is told twice')
  for (const event of told) {
    const id = String(event.eventID)
    equal(said(event), before.get(id) ?? said(event), 'what was told with this id')
    before.set(id, said(event))
    // The id of a source without one is the hash of the source.
    if (!isOfSource(event)) equal(id, hashIdOf(event, otep), 'hash')
    const { correctiveEventIDs = [] } = (event.errorDeclaration ?? {}) as { correctiveEventIDs?: readonly string[] }
    for (const corrective of correctiveEventIDs) if (!ids.has(corrective)) throw new Error(`nobody is ${corrective}`)
  }
  for (const id of before.keys()) if (!ids.has(id)) throw new Error(`${id} is gone`)
}

const details: readonly object[] = [
  { location: { name: 'Hub' } },
  { location: { name: 'Hub', unlocode: 'CATOR' } },
  { description: 'On the belt' },
  { incident_reason: 'weather' },
  { estimated_delivery_at: '2026-06-20T10:00:00Z' },
  { pod: { recipient: 'A. Doe', photo_urls: ['https://photos.example/1'] } },
]

const identifiers: readonly object[] = [
  { gs1_sscc: '106141412345678908' },
  { external_tracking_number: 'EXT1' },
  { piece_id: 'https://pieces.example/1' },
  { order_id: 7 },
]

const codes = ['picked_up', 'arrival_scan', 'in_transit', 'package_outbound']

/** A report about event `n`: the first one records it, later ones enrich it, name its subject or withdraw it. */
const report = fc.record({
  n: fc.nat(3),
  details: fc.subarray([...details], { maxLength: 3 }),
  identifiers: fc.subarray([...identifiers], { maxLength: 2 }),
  isWithdrawn: fc.boolean(),
  kind: fc.constantFrom('native' as const, 'native' as const, 'with id' as const, 'without id' as const),
})

/** A history in which an event is enriched, its subject gets an identifier, and one comes late that came as EPCIS. */
const enrichedAndLate: readonly Report[] = [
  { n: 1, details: [], identifiers: [], isWithdrawn: false, kind: 'native' },
  {
    ...{ n: 1, details: [{ incident_reason: 'weather' }], identifiers: [{ gs1_sscc: '106141412345678908' }] },
    ...{ isWithdrawn: false, kind: 'native' },
  },
  { n: 0, details: [], identifiers: [], isWithdrawn: false, kind: 'with id' },
]

type Report = typeof report extends fc.Arbitrary<infer Value> ? Value : never

const occurred = (n: number) => `2026-06-1${n}T08:00:00+02:00`

function bodyOf({ n, details, identifiers, isWithdrawn, kind }: Report): {
  readonly path: string
  readonly body: object
} {
  if (kind === 'native') {
    const subject = Object.assign({ tracking_number: 'G1' }, ...identifiers)
    const withdrawn = isWithdrawn ? { withdrawn: { declared_at: '2026-06-30T00:00:00Z' } } : {}
    const event = { event_id: `e-${n}`, status_code: codes[n], occurred_at: occurred(n), ...withdrawn }
    return { path: '/api/v1/otep/ingest', body: Object.assign({ subject, ...event }, ...details) }
  }
  const id = `urn:uuid:5f0a6a0e-5c53-4c3e-9d0f-2f6f4f6f0a0${n}`
  const event = {
    ...{ type: 'ObjectEvent', eventTime: occurred(n + 4), eventTimeZoneOffset: '+02:00', epcList: [thing] },
    ...{ action: 'OBSERVE', bizStep: 'loading', 'ex:n': n, ...(kind === 'with id' && { eventID: id }) },
    ...(kind === 'with id' && isWithdrawn && { errorDeclaration: { declarationTime: '2026-06-30T00:00:00Z' } }),
  }
  return { path: '/api/v1/otep/ingest/epcis', body: captured([event]) }
}

async function post({ app }: Server, key: string, { path, body }: ReturnType<typeof bodyOf>): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status >= 400) throw new Error(await answer.text())
}

for (const view of ['full', 'reduced'] as const) {
  t.test(
    `given any history, when more is learnt of its events, then no id changes in the ${view} view, nor after a restart`,
    async (t) => {
      const seen = { enriched: 0, source: 0, late: 0 }
      const property = fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 8 }), async (reports) => {
        const store = createMemoryStore(() => now)
        let server = serverOn(store, view)
        const key = await keyFor(server)
        const before = new Map<string, string>()
        let last = -1
        for (const [at, one] of reports.entries()) {
          await post(server, key, bodyOf(one))
          if (at % 3 === 2) server = serverOn(store, view)
          const told = await readEverywhere(server, key)
          keptIn(told, before)
          if (told.some(({ errorDeclaration }) => JSON.stringify(errorDeclaration)?.includes('corrective')))
            seen.enriched++
          if (told.some(({ eventID }) => String(eventID).startsWith('urn:uuid:'))) seen.source++
          if (one.n < last) seen.late++
          last = one.n
        }
      })
      await fc.assert(property, { numRuns: runs(t, 3), examples: [[[...enrichedAndLate]]] })
      for (const [kind, count] of Object.entries(seen)) t.ok(count > 0, `${count} times ${kind}`)
    },
  )
}

t.test(
  'given the database of an earlier version, when more is learnt of all of its timelines, then all ids stay as that version served them',
  async (t) => {
    const file = join(t.testdir({}), 'otep.db')
    writeFileSync(file, brotliDecompressSync(readFileSync(projectFile('conformance', 'histories', 'history.db.br'))))
    const store = createSqliteStore({ file, clock: () => now })
    t.teardown(() => store.close())
    const parts = createParts({ store, clock: () => now, baseUrl: old.baseUrl, secret: secretOf(old.secretKey) })
    const context: Context = {
      ...parts,
      caller: { kind: 'operator', name: 'ops', scopes: ['otep:ingest'] },
      messages: en,
      requestId: 'test',
    }
    const streams = new Set<StreamName>()
    for await (const { stream } of parts.store.readAll()) if (isTracking(stream)) streams.add(stream)
    const before = new Map<StreamName, Map<string, string>>()
    for (const stream of streams) {
      const told = new Map<string, string>()
      keptIn(await eventsOf(parts, stream), told)
      before.set(stream, told)
    }
    const ids = [...before.values()].flatMap((told) => [...told.keys()])
    t.equal(sha256(ids.join('\n')), '5036b3dd27c94628dcc8d7e5ec2999702ec3ab93c824caa694a608bdf61f473d')

    for (const [index, stream] of [...streams].entries()) {
      const { subject, profile, events } = (await readTimeline(parts, stream)).timeline
      const [{ phase, source, ...event }] = events as [TimelineEvent]
      const { provider } = source ?? {}
      const known = { ...event, incident_reason: `r${index}`, source: { type: 'carrier_tracking', provider } }
      const news = { ...event, event_id: `news-${index}`, occurred_at: '2026-11-20T00:00:00Z', source: known.source }
      for (const one of [known, news]) {
        const named = { piece_id: `piece-${index}`, ...subject }
        await call(otepIngest, context, { document: { ...one, subject: named, profile } })
      }
    }
    let further = 0
    for (const [stream, told] of before) {
      keptIn(await eventsOf(parts, stream), told)
      further += told.size
    }
    t.ok(further >= ids.length + 2 * streams.size, `${further} events, ${ids.length} before`)
  },
)

t.test(
  'given an event without eventID that was recorded with the id of an earlier version, when it comes again, then it is the same event',
  async (t) => {
    const server = serverOn(createMemoryStore(() => now))
    const key = await keyFor(server)
    const event = {
      ...{ type: 'ObjectEvent', eventTime: occurred(1), eventTimeZoneOffset: '+02:00', epcList: [thing] },
      ...{ action: 'OBSERVE', bizStep: 'loading' },
    }
    const kept = { binding: 'json', version: '2.0', context: [], body: event } as const
    const { id, formerId } = sourceOf(event, prefixes, { kept })
    const path = '/api/v1/otep/ingest/epcis'
    await post(server, key, { path, body: captured([{ ...event, eventID: formerId }]) })
    await post(server, key, { path, body: captured([event]) })
    t.same(idsOf(await eventsAt(server, tracking)), [formerId])
    t.not(id, formerId)
    t.same((await eventsAt(server, `${tracking}?as=source`, key)).length, 1, 'nor is it kept twice')
  },
)

t.test(
  'given a document with the former namespace, when another server records its events, then their ids stay there as well',
  async (t) => {
    const event = {
      ...{ event_id: 'e-1', otep_version: '0.1', occurred_at: occurred(1), recorded_at: occurred(2) },
      ...{ status_code: 'in_transit', phase: 'transit', source: { type: 'carrier_tracking', provider: 'acme' } },
    }
    const subject = { tracking_number: 'G1' }
    const timeline = {
      ...{ otep_version: '0.1', profile: 'parcel', subject, delivered: false },
      events: [withFormerNamespace(event), { ...event, event_id: 'e-2' }],
    }
    const document = epcis.project(timeline, { baseUrl, options: { as: 'capture' } })
    const ids = idsOf(epcis.events?.(document) as readonly Event[])
    const store = createMemoryStore(() => now)
    const server = serverOn(store)
    const key = await keyFor(server)
    await post(server, key, { path: '/api/v1/otep/ingest/epcis', body: document })
    t.same(idsOf(await readEverywhere(server, key)), ids)
    const news = { subject, event_id: 'e-1', status_code: 'in_transit', occurred_at: occurred(1), description: 'Late' }
    await post(server, key, { path: '/api/v1/otep/ingest', body: news })
    const told = await readEverywhere(serverOn(store), key)
    t.equal(told.length, 3)
    keptIn(told, new Map(ids.map((id) => [id, said(told.find(({ eventID }) => eventID === id) as Event)])))
    t.same(
      told.map((one) => ['otep0:event_id' in one, 'otep:event_id' in one]),
      [
        [true, false],
        [true, false],
        [false, true],
      ],
    )
  },
)

/** The events of a stream, as a document tells them. */
async function eventsOf(parts: Server['parts'], stream: StreamName): Promise<readonly Event[]> {
  const { timeline } = await readTimeline(parts, stream)
  return epcis.events?.(epcis.project(timeline, { baseUrl: old.baseUrl, options: {} })) as readonly Event[]
}

function isTracking(stream: string): stream is StreamName {
  return stream.startsWith('tracking-')
}
