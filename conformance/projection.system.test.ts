import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { createApp, createParts } from '../adapters/main.ts'
import { addProvider, call, createMemoryStore, en, type Projection, type Timeline } from '../engine/index.ts'
import { profiles, storage } from '../profiles/index.ts'
import { projections } from '../projections/index.ts'
import { stringified } from '../projections/shared/template/index.ts'
import { projectionSuite, writeGolden } from './suites/index.ts'
import { keep, present } from './suites/projection/kept.ts'
import { linksOf } from './suites/projection/links.ts'
import { baseUrl } from './suites/projection/samples.ts'
import { timelines } from './suites/projection/timelines.ts'
import { projectionRules } from './suites/projection.ts'
import { type ToyDocument, toy } from './toy.ts'

const [native] = projections
const parcel = toy.codes(profiles[0])

/** A toy of which something is otherwise. */
function broken(over: Partial<Projection<ToyDocument>>): Projection<ToyDocument> {
  return { ...toy, ...over }
}

/** A toy format whose documents are modified after they were made. */
function remade(
  change: (document: ToyDocument, timeline: Timeline) => unknown,
  over: Partial<Projection> = {},
): Projection {
  return {
    ...toy,
    schema: v.unknown(),
    ...over,
    ...stringified((timeline, target) => change(toy.project(timeline, target), timeline)),
  }
}

/** A toy that reads events otherwise than they were written. */
function misread(
  change: (event: Readonly<Record<string, unknown>>) => object,
  name = toy.name,
): Projection<ToyDocument> {
  const parse: Projection['parse'] = (document, target) =>
    (toy.parse?.(document, target) ?? []).map((reading) =>
      reading.event === undefined ? reading : { ...reading, event: change({ ...reading.event }) },
    )
  return broken({ parse, name })
}

let runs = 0

const without = (code: string) => Object.fromEntries(Object.entries(parcel).filter(([one]) => one !== code))

function depthOf(value: unknown): number {
  return Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0
}

/** What is broken, the beginning of the sentence that must notice, and the format. */
const plants: readonly (readonly [what: string, sentence: string, format: Projection])[] = [
  ['a name that is no token', 'it has a name', broken({ name: 'Toy 2' })],
  ['no standard', 'it has a name', broken({ standard: ' ' })],
  [
    'two forms of one media type',
    'each of its media types',
    broken({ representations: [...toy.representations, ...toy.representations] }),
  ],
  ['no row for a code', 'its table', broken({ codes: () => without('delivered') })],
  ['no row for x-*', 'its table', broken({ codes: () => without('x-*') })],
  [
    'a value where there is none',
    'its table',
    broken({ codes: () => ({ ...parcel, delivered: { fidelity: 'none', value: 'done' } }) }),
  ],
  [
    'a code that nobody knows',
    'its table',
    broken({ codes: () => ({ ...parcel, exploded: { fidelity: '=', value: 'bang' } }) }),
  ],
  [
    'a loss that is not listed',
    'it tells its losses',
    broken({ losses: [], codes: () => ({ ...parcel, delivered: { fidelity: '~', value: 'done' } }) }),
  ],
  [
    'options that take anything',
    'each value of its options',
    broken({ options: v.object({ words: v.exactOptional(v.picklist(['short'])) }) }),
  ],
  [
    'a text of another document',
    'given any code and any text',
    broken({ write: (timeline, target) => toy.write(timeline, { ...target, baseUrl: '' }) }),
  ],
  [
    'a part that is missing',
    'given random timelines, when they are written',
    broken({ pieces: (timeline, target) => [toy.write(timeline, target).slice(0, -1)] }),
  ],
  [
    'a text that is written without escapes',
    'given a hostile text in any string',
    broken({
      write: (timeline, target) =>
        toy.write(timeline, target).replace(JSON.stringify(timeline.profile), `"${timeline.profile}"`),
    }),
  ],
  [
    'an address that is written without escapes',
    'given a hostile address',
    broken({
      write: (timeline, target) =>
        toy.write(timeline, target).replace(JSON.stringify(target.baseUrl), `"${target.baseUrl}"`),
    }),
  ],
  ['an option that changes nothing', 'each value of its options', remade(({ words, ...rest }) => rest)],
  [
    'a counter',
    'given a timeline and its copy, when they are projected',
    remade((document) => ({ ...document, run: runs++ })),
  ],
  [
    'a counter in a form',
    'given a timeline and its copy, when they are written',
    broken({ representations: [{ mediaType: 'text/xml', write: () => `<run n="${runs++}"/>` }] }),
  ],
  [
    'the order of members',
    'given a timeline with its members in another order',
    remade((document, { subject }) => ({ ...document, subject })),
  ],
  ['the clock', 'given no clock', remade((document) => ({ ...document, at: Date.now() }))],
  ['the present', 'given no clock', remade((document) => ({ ...document, at: String(new Date()) }))],
  ['chance', 'given no clock', remade((document) => ({ ...document, id: Math.random() }))],
  ['a random id', 'given no clock', remade((document) => ({ ...document, id: crypto.randomUUID() }))],
  ['the environment', 'given no clock', remade((document) => ({ ...document, home: process.env.HOME ?? '' }))],
  [
    'a change to the timeline',
    'given no clock',
    remade((document, { events }) => ({ ...document, last: (events as unknown[]).reverse()[0] ?? null })),
  ],
  [
    'a table with an unknown code',
    'given any code',
    remade((document, { events }) => ({
      ...document,
      codes: events.map(({ status_code }) => (parcel as never)[status_code] ?? 'none'),
    })),
  ],
  [
    'a throw on a code',
    'given any code',
    remade((document, { events }) => ({
      ...document,
      values: events.map(({ status_code }) => (parcel[status_code] as { value: string }).value),
    })),
  ],
  [
    'no number',
    'given any code',
    remade((document, { events }) => ({ ...document, at: events.map(({ location }) => Number(location?.latitude)) })),
  ],
  ['an absent member', 'given any code', remade((document, { current_status }) => ({ ...document, current_status }))],
  [
    'a date that is an object',
    'given any code',
    remade((document, { events }) => ({ ...document, at: events.map((event) => new Date(event.occurred_at)) })),
  ],
  [
    'half of a pair in a URL',
    'given hostile texts',
    remade((document, { subject }) => ({ ...document, url: encodeURIComponent(subject.piece_id ?? '') })),
  ],
  [
    'another schema',
    'given what the engine gives',
    remade((document) => ({ ...document, more: 1 }), { schema: toy.schema }),
  ],
  ['a loose schema', 'given something else', broken({ schema: v.looseObject({}) })],
  [
    'XML that is not escaped',
    'given any document',
    broken({
      representations: [
        { mediaType: 'application/xml', write: ({ events }) => `<toy>${events[0]?.members ?? ''}</toy>` },
      ],
    }),
  ],
  [
    'a search for each event',
    'given ten times',
    remade((document, { events }) => ({
      ...document,
      firsts: events.map(({ event_id }) => events.findIndex((event) => event.event_id === event_id)),
    })),
  ],
  ['a link to nowhere', 'given a document that links', broken({ resource: () => undefined })],
  [
    'a throw on a path',
    'given a link that nobody',
    broken({ resource: (_, path) => ({ path: decodeURIComponent(path) }) }),
  ],
  ['a member that is not read', 'given a document of its own', misread(({ recorded_at, ...event }) => event)],
  ['a refusal of its own', 'given a document of its own', misread(({ occurred_at, ...event }) => event)],
  ['another code', 'given a code whose meaning is kept', misread((event) => ({ ...event, status_code: 'received' }))],
  ['a lost description', 'given a format that loses nothing', misread(({ description, ...event }) => event, 'epcis')],
  [
    'a throw on null',
    'given anything at all',
    broken({ parse: (document) => (document as ToyDocument).events.map(() => ({ path: '' })) }),
  ],
  [
    'a stack that overflows',
    'given anything at all',
    broken({ parse: (document) => Array.from({ length: depthOf(document) - depthOf(document) }) }),
  ],
]

t.test('given a toy that breaks one rule, when the suite looks at it, then that rule notices', async (t) => {
  const setting = (format: Projection) => ({ formats: [native, format] as const, golden: t.testdir() })
  for (const [what, beginning, format] of plants) {
    const [sentence, rule] = Object.entries(projectionRules).find(([one]) => one.startsWith(beginning)) ?? []
    const faults = (await rule?.(format, setting(format) as never)) ?? []
    t.not(faults.length, 0, `${what}: ${sentence}`)
  }
  const noticed = new Set(plants.map(([, beginning]) => beginning))
  const blind = Object.keys(projectionRules).filter((sentence) => ![...noticed].some((one) => sentence.startsWith(one)))
  t.same(
    blind.map((sentence) => sentence.slice(0, 25)),
    ['given the sample journeys', 'given a judge of the form'],
    'each rule is shown to notice, golden files and judges below',
  )
})

t.test('given golden files, when one is missing, differs or is of nothing, then the suite notices', async (t) => {
  const golden = t.testdir()
  const formats = [native, toy] as const
  const [rule] = Object.entries(projectionRules).flatMap(([sentence, one]) =>
    sentence.includes('golden') ? [one] : [],
  )
  const look = async () => (await rule?.(toy, { formats: formats as never, golden })) ?? []
  t.match((await look())[0], /happy-path.json is missing/)
  await writeGolden(toy, golden, formats as never)
  t.same(await look(), [])
  appendFileSync(join(golden, 'toy', 'golden', 'returned.words-long.json'), ' ')
  t.match(await look(), [/returned.words-long.json differs at/, /npm run golden/])
  await writeGolden(toy, golden, formats as never)
  mkdirSync(join(golden, 'toy', 'golden'), { recursive: true })
  writeFileSync(join(golden, 'toy', 'golden', 'old.json'), '{}')
  t.match(await look(), [/old.json is a golden file of nothing/, /npm run golden/])
})

t.test('given a judge that is not content, when the suite asks it, then the suite notices', async (t) => {
  const [rule] = Object.entries(projectionRules).flatMap(([sentence, one]) => (sentence.includes('judge') ? [one] : []))
  const seen = new Set<string>()
  const judge = ({ text, mediaType }: { readonly text: string; readonly mediaType: string }) => {
    seen.add(mediaType)
    return text.includes('locker') ? ['it says locker'] : []
  }
  const formats = [native, toy as Projection] as const
  t.match(await rule?.(toy, { formats, judge }), [/^journey locker-stay.*: it says locker$/])
  t.same([...seen], ['application/json', 'application/xml'])
  t.same(await rule?.(toy, { formats, judge: () => [] }), [])
})

t.test('given a server, when the links of its documents are followed, then the parts are there', async (t) => {
  const shown = timelines.filter(({ name }) => /^(every|odd|one id|extreme)/.test(name))
  for (const { name, timeline: given } of shown) {
    const { store, timeline = given } = await keep(projections, given)
    const app = createApp({ store, baseUrl, publicView: 'full', clock: () => present })
    for (const format of projections.filter(({ resource }) => resource !== undefined)) {
      const links = linksOf(format, timeline)
      t.not(links.length, 0, `${format.name} links to its parts`)
      const lost = await Promise.all(
        links.map(async (link) => ((await app.request(link)).status === 200 ? [] : [link])),
      )
      t.same(lost.flat().slice(0, 3), [], `${format.name}: ${name}`)
    }
  }
})

/** A server with the key of a provider; `post` sends a document with it. */
async function provided() {
  const clock = () => Date.parse('2026-11-21T12:00:00Z')
  const store = createMemoryStore(clock)
  const app = createApp({ store, clock, baseUrl, publicView: 'full' })
  const caller = { kind: 'operator', name: 'example', scopes: ['providers:write'] } as const
  const context = { ...createParts({ store, clock }), caller, messages: en, requestId: 'test' }
  const { key } = await call(addProvider, context, { name: 'lockers', all_businesses: true })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const get = async (path: string): Promise<unknown> => (await app.request(path)).json()
  const post = async (path: string, document: unknown): Promise<unknown> =>
    (await app.request(`/api/v1/otep/${path}`, { method: 'POST', headers, body: JSON.stringify(document) })).json()
  return { app, get, post }
}

/** The events of one stay in a locker: deposited, overdue, and then collected. */
const stay = {
  otep_version: '0.1',
  profile: 'storage',
  subject: { piece_id: 'RENTAL-7' },
  current_status: 'collected',
  delivered: true,
  events: (['deposit_expected', 'stored', 'overdue', 'collected'] as const).map((status_code, index) => ({
    otep_version: '0.1',
    event_id: `DOE-${index}`,
    occurred_at: `2026-11-1${index}T09:30:00-04:00`,
    status_code,
    phase: storage.codes[status_code].phase,
    location: { name: 'Locker 4, Union Station' },
    source: { type: 'node_scan', provider: 'lockers' },
  })),
}

t.test('given a stay in a machine, when it is validated and sent, then it can be read in every format', async (t) => {
  const { app, get, post } = await provided()
  t.match(await post('validate', stay), { conformant: true, level: 2, errors: [], warnings: [] })
  const last = stay.events.slice(0, 3)
  t.match(await post('validate', { ...stay, events: last }), {
    conformant: false,
    errors: [{ path: 'current_status' }, { path: 'delivered' }],
  })
  t.match(await post('ingest', stay), { result: true, data: { accepted: 4, rejected: 0 } })
  const address = '/api/v1/otep/trackings/RENTAL-7'
  t.match(await get(address), { data: { profile: 'storage', current_status: 'collected', delivered: true } })
  for (const { name } of projections) {
    const answer = await app.request(`${address}?format=${name}`)
    t.equal(answer.status, 200, name)
    t.match(await answer.json(), { result: true, format: name })
  }
  const page = await (await app.request('/track/RENTAL-7')).text()
  t.match(page, storage.codes.collected.meaning)
  for (const phase of ['Announced', 'In the machine', 'Collected']) t.match(page, `>${phase}<`)
})

t.test(
  'given a stay in a machine, when its documents are sent to another server, then it is the same stay',
  async (t) => {
    const { get, post } = await provided()
    await post('ingest', stay)
    for (const { name } of projections.filter(({ parse }) => parse !== undefined)) {
      const other = await provided()
      const { data } = (await get(`/api/v1/otep/trackings/RENTAL-7?format=${name}`)) as { readonly data: unknown }
      const answer = await other.post(`ingest?format=${name}`, data)
      // Amazon's format has no profile: all events are read as those of a parcel.
      const profile = name === 'amazon' ? 'parcel' : 'storage'
      t.match(answer, { result: true }, name)
      t.match(await other.get('/api/v1/otep/trackings/RENTAL-7'), { data: { profile, delivered: true } }, name)
    }
  },
)

t.test('given a timeline of one profile, when an event of another comes, then it is refused', async (t) => {
  const { get, post } = await provided()
  const subject = { tracking_number: 'SR1', order_id: 7 }
  const occurred_at = '2026-11-10T09:30:00-04:00'
  await post('ingest', { subject, status_code: 'in_transit', occurred_at })
  const stored = { profile: 'storage', status_code: 'stored', occurred_at }
  t.match(await post('ingest', { subject, ...stored }), {
    result: false,
    data: { events: [{ errors: [{ path: 'profile', code: 'other_profile' }] }] },
  })
  t.match(await post('ingest', { subject: { piece_id: 'RENTAL-8', order_id: 7 }, ...stored }), { result: true })
  t.match(await get('/api/v1/otep/trackings/SR1'), { data: { profile: 'parcel', current_status: 'in_transit' } })
  t.match(await get('/api/v1/otep/trackings/RENTAL-8'), { data: { profile: 'storage', current_status: 'stored' } })
})

const suites = [
  { format: toy, setting: { formats: [native, toy as Projection] as const } },
  ...projections.map((format) => ({ format, setting: { formats: projections, golden: 'projections' } })),
]
for (const { format, setting } of suites) {
  await t.test(`the format ${format.name}`, async (t) => {
    projectionSuite((name, run) => t.test(name, run), format, setting)
  })
}
