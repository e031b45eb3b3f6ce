import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { type Received, world } from '../adapters/auth/world.test.fixture.ts'
import { addProvider, type Context, call, en, otepForget } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { captured, type Event } from './epcis-events.test.fixture.ts'

/** Two businesses with two orders each, and two providers that push EPCIS events of their parcels. */
async function server() {
  const made = await world()
  const { send, parts, tokens, other } = made
  const operator: Context = {
    ...parts,
    caller: { kind: 'operator', name: 'test', scopes: ['providers:write', 'otep:erase'] },
    messages: en,
    requestId: 'test',
  }
  const keyOf = async (name: string) => String((await call(addProvider, operator, { name, all_businesses: true })).key)
  const keys = [await keyOf('acme'), await keyOf('speedy')]
  const numberOf = async (token: string) => {
    const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
    return String((await send('POST', '/api/v1/orders', { token, body: { type: 'D', delivery } })).body.tracking_number)
  }
  const numbers = {
    one: [await numberOf(tokens.client_admin), await numberOf(tokens.client_admin)],
    two: [await numberOf(other.tokens.client_admin), await numberOf(other.tokens.client_admin)],
  }
  const uriOf = (number: string) => `${parts.baseUrl}/id/tracking_number/${number}`
  const capture = async (key: string, ...events: readonly Event[]) => {
    const { status, body } = await send('POST', '/api/v1/otep/ingest/epcis', {
      token: key,
      body: captured([...events]),
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  /** Asks again while the node still reads what was captured, as `Retry-After` says. */
  const get = async (path: string, token?: string): ReturnType<typeof send> => {
    for (let tries = 0; ; tries++) {
      const response = await send('GET', `/epcis${path}`, { token })
      if (response.status !== 503 || tries === 60) return response
      await setTimeout(1_000 * Number(response.headers.get('retry-after')))
    }
  }
  /** All pages of a query or a list, or the status of the page that was refused. */
  const pages = async (path: string, token: string) => {
    const all: Received['body'][] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, body, headers } = await get(next, token)
      if (status !== 200) return status
      all.push(body)
      next = /<[^>]*\/epcis([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    return all
  }
  const forget = (tracking_number: string) => call(otepForget, operator, { tracking_number })
  return { ...made, keys, numbers, uriOf, capture, get, forget, ...readingOf(pages) }
}

/** What the pages of queries and lists say. */
function readingOf(pages: (path: string, token: string) => Promise<readonly Received['body'][] | number>) {
  const whole = async (path: string, token: string) => {
    const all = await pages(path, token)
    if (typeof all === 'number') throw new Error(`${path} was refused with ${all}`)
    return all
  }
  const idsIn = (all: readonly Received['body'][]) => all.flatMap(eventsIn).map(({ eventID }) => String(eventID))
  return {
    /** The ids of the events, or the status of the page that was refused. */
    pagesOf: async (path: string, token: string) => {
      const all = await pages(path, token)
      return typeof all === 'number' ? all : idsIn(all)
    },
    idsOf: async (path: string, token: string) => idsIn(await whole(path, token)),
    /** The values of a list, as the server orders them. */
    valuesOf: async (path: string, token: string): Promise<readonly string[]> =>
      (await whole(path, token)).flatMap(({ member }) => member),
  }
}

function eventsIn(body: { epcisBody: { queryResults: { resultsBody: { eventList: readonly Event[] } } } }) {
  return body.epcisBody.queryResults.resultsBody.eventList
}

const uuid = (index: number) => `urn:uuid:00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

const steps = ['departing', 'arriving', 'inspecting'] as const

/** An event of some of five things; the last one is in no order. */
const event = fc.record({
  things: fc.subarray([0, 1, 2, 3, 4], { minLength: 1, maxLength: 3 }),
  provider: fc.nat(1),
  hour: fc.nat(23),
  bizStep: fc.constantFrom(...steps),
})

const query = fc.record({
  bizStep: fc.option(fc.constantFrom(...steps), { nil: undefined }),
  thing: fc.option(fc.nat(4), { nil: undefined }),
  from: fc.option(fc.nat(23), { nil: undefined }),
  order: fc.constantFrom('ASC', 'DESC'),
  perPage: fc.integer({ min: 1, max: 5 }),
})

const timeOf = (hour: number) => `2026-06-10T${String(hour).padStart(2, '0')}:00:00.000Z`

t.test(
  'given events of two businesses, when an account queries, then it gets those of its own orders that match, and no others',
  async (t) => {
    const { keys, numbers, uriOf, capture, idsOf, get, tokens, other } = await server()
    const things = [...numbers.one, ...numbers.two, 'UNKNOWN-1'].map(uriOf)
    let made = 0
    const all: {
      readonly id: string
      readonly things: readonly number[]
      readonly hour: number
      readonly bizStep: string
    }[] = []
    const tell = async ({
      things: of,
      provider,
      hour,
      bizStep,
    }: typeof event extends fc.Arbitrary<infer E> ? E : never) => {
      const id = uuid(++made)
      all.push({ id, things: of, hour, bizStep })
      await capture(keys[provider] ?? '', {
        ...{ type: 'ObjectEvent', action: 'OBSERVE', eventID: id, bizStep, eventTimeZoneOffset: '+00:00' },
        ...{ eventTime: timeOf(hour), epcList: of.map((one) => things[one] ?? '') },
      })
    }
    const [mine, theirs] = [uuid(1), uuid(2)]
    for (const thing of [0, 2]) await tell({ things: [thing], provider: 0, hour: 1, bizStep: 'departing' })
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        async (events, queries) => {
          for (const one of events) await tell(one)
          for (const { bizStep, thing, from, order, perPage } of queries)
            for (const [token, own] of [
              [tokens.client_admin, [0, 1]],
              [other.tokens.client_admin, [2, 3]],
            ] as const) {
              const due = all.filter(
                (one) =>
                  one.things.some((index) => (own as readonly number[]).includes(index)) &&
                  (bizStep === undefined || one.bizStep === bizStep) &&
                  (thing === undefined || one.things.includes(thing)) &&
                  (from === undefined || one.hour >= from),
              )
              const asked = new URLSearchParams({
                ...{ orderDirection: order, perPage: String(perPage) },
                ...(bizStep !== undefined && { EQ_bizStep: bizStep }),
                ...(thing !== undefined && { MATCH_epc: things[thing] ?? '' }),
                ...(from !== undefined && { GE_eventTime: timeOf(from) }),
              })
              const found = await idsOf(`/events?${asked}`, token)
              t.same(
                [...found].sort(),
                due.map(({ id }) => id).sort(),
                JSON.stringify({ query: String(asked), due, own }),
              )
              const times = found.map((id) => all.find((one) => one.id === id)?.hour ?? 0)
              t.same(
                times,
                [...times].sort((one, two) => (order === 'ASC' ? one - two : two - one)),
              )
            }
        },
      ),
      { numRuns: runs(t, 3) },
    )
    for (const [one, token, status] of [
      [mine, tokens.client_admin, 200],
      [mine, other.tokens.client_admin, 404],
      [theirs, other.tokens.client_admin, 200],
      [theirs, tokens.client_admin, 404],
    ] as const)
      t.equal((await get(`/events/${encodeURIComponent(one)}`, token)).status, status)
  },
)

t.test(
  'given an account, then it queries with the scope for orders, and what belongs to providers stays theirs',
  async (t) => {
    const { get, idsOf, valuesOf, send, tokens, capture, keys, numbers, uriOf, forget } = await server()
    const [number = ''] = numbers.one
    const told = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'departing', eventTimeZoneOffset: '+00:00' }
    await capture(keys[0] ?? '', { ...told, eventID: uuid(1), eventTime: timeOf(1), epcList: [uriOf(number)] })
    for (const path of ['/events', '/bizSteps/departing/events', '/eventTypes/ObjectEvent/events'])
      t.same(await idsOf(path, tokens.client_admin), [uuid(1)], path)
    for (const token of [tokens.customer, tokens.driver])
      t.same(await idsOf('/events', token), [], 'of no order of theirs')
    t.equal((await get('/capture', tokens.client_admin)).status, 403)
    const token = tokens.client_admin
    for (const path of ['/events', '/capture'])
      t.equal((await send('POST', `/epcis${path}`, { token, body: {} })).status, 403, path)
    t.equal((await get('/events')).status, 401)
    await forget(number)
    t.same(await idsOf('/events', tokens.client_admin), [])
    t.same(await valuesOf('/epcs', tokens.client_admin), [])
  },
)

t.test(
  'given events of two businesses, when an account lists things and places, then it gets those of the events that it sees, once each',
  async (t) => {
    const { keys, numbers, uriOf, capture, valuesOf, tokens, other } = await server()
    const things = [...numbers.one, ...numbers.two, 'UNKNOWN-1'].map(uriOf)
    const told = { type: 'ObjectEvent', action: 'OBSERVE', eventTimeZoneOffset: '+00:00' }
    const all: { readonly things: readonly number[]; readonly place: string }[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 4 }), fc.nat(3), async (events, places) => {
        for (const { things: of, provider, hour } of events) {
          const place = `https://places.example/${(hour + places) % 5}`
          all.push({ things: of, place })
          await capture(keys[provider] ?? '', {
            ...{ ...told, eventID: uuid(all.length), eventTime: timeOf(hour), readPoint: { id: place } },
            epcList: of.map((one) => things[one] ?? ''),
          })
        }
        for (const [token, own] of [
          [tokens.client_admin, [0, 1]],
          [other.tokens.client_admin, [2, 3]],
        ] as const) {
          const seen = all.filter((one) => one.things.some((index) => (own as readonly number[]).includes(index)))
          const due = (values: readonly string[]) => [...new Set(values)].sort()
          const asThings = seen.flatMap((one) => one.things.map((index) => things[index] ?? ''))
          t.same(await valuesOf('/epcs?perPage=2', token), due(asThings))
          t.same(await valuesOf('/readPoints?perPage=1', token), due(seen.map(({ place }) => place)))
        }
      }),
      { numRuns: runs(t, 1) },
    )
    t.ok((await valuesOf('/bizSteps?perPage=3', tokens.client_admin)).includes('departing'), 'the words of CBV')
  },
)

t.test(
  'given an event of hundreds of things, when an account asks for its own among them, then it gets the event',
  async (t) => {
    const { get, idsOf, tokens, other, capture, keys, numbers, uriOf } = await server()
    const [number = ''] = numbers.one
    const epcList = [...Array.from({ length: 300 }, (_, index) => uriOf(`AAA-${index}`)), uriOf(number)]
    const told = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'departing', eventTimeZoneOffset: '+00:00' }
    for (const index of [1, 2, 3, 4, 5, 6, 7]) {
      const more = index === 7 ? [] : Array.from({ length: 99 }, (_, one) => uriOf(`B${index}-${one}`))
      const list = index === 7 ? [uriOf(number)] : more
      await capture(keys[0] ?? '', { ...told, eventID: uuid(index), eventTime: timeOf(index), epcList: list })
    }
    await capture(keys[0] ?? '', { ...told, eventID: uuid(8), eventTime: timeOf(8), epcList })
    const asked = `/events?MATCH_epc=${encodeURIComponent(uriOf(number))}`
    t.same([...(await idsOf(asked, tokens.client_admin))].sort(), [uuid(7), uuid(8)])
    t.same(await idsOf(asked, other.tokens.client_admin), [])
    const path = '/events?orderDirection=ASC'
    t.same(await idsOf(path, tokens.client_admin), [uuid(7)], 'over several pages')
    const link = (await get(path, tokens.client_admin)).headers.get('link') ?? ''
    const token = /nextPageToken=([^>&]+)/.exec(link)?.[1] ?? ''
    t.ok(token)
    t.notMatch(
      Buffer.from(token, 'base64url').toString('latin1'),
      /epcis_event/,
      'a token does not tell where it stands',
    )
  },
)

t.test(
  'given 2,100 events that an account may not see, when it lists things or asks for at most one event, then only what it sees counts',
  async (t) => {
    const { keys, numbers, uriOf, capture, pagesOf, valuesOf, tokens } = await server()
    const readPoint = { id: 'https://places.example/1' }
    const eventOf = (index: number, number: string): Event => ({
      ...{ type: 'ObjectEvent', action: 'OBSERVE', eventTimeZoneOffset: '+00:00', readPoint },
      ...{ eventID: uuid(index), eventTime: timeOf(index % 24), epcList: [uriOf(number)] },
    })
    const [key = ''] = keys
    const [own = ''] = numbers.one
    const [others = ''] = numbers.two
    await capture(key, ...Array.from({ length: 2_100 }, (_, index) => eventOf(index, others)))
    const idsOf = (path: string) => pagesOf(path, tokens.client_admin)
    t.same(await idsOf('/events?maxEventCount=1'), [], 'those of others are not counted')
    t.same(await valuesOf('/readPoints', tokens.client_admin), [])
    await capture(key, { ...eventOf(3_000, own), eventTime: '2026-06-01T00:00:00.000Z' })
    t.same(await valuesOf('/readPoints', tokens.client_admin), [readPoint.id])
    t.same(await idsOf('/events?maxEventCount=1'), [uuid(3_000)])
    t.same(await idsOf('/events?maxEventCount=1&perPage=1'), [uuid(3_000)])
    const last = { readPoint: { id: 'https://places.example/2' }, eventTime: '2026-06-30T00:00:00.000Z' }
    await capture(key, { ...eventOf(3_001, own), ...last })
    t.same(await valuesOf('/readPoints', tokens.client_admin), [readPoint.id, last.readPoint.id], 'of any page')
    t.same(await valuesOf('/readPoints', tokens.customer), [])
    t.equal(await idsOf('/events?maxEventCount=1'), 413, 'a later page is refused')
    t.equal(((await idsOf('/events?eventCountLimit=1')) as readonly string[]).length, 1)
  },
)

t.test(
  'given a query that an account has named, then it answers with what that account sees, and nobody else has it',
  async (t) => {
    const { get, idsOf, send, tokens, other, capture, keys, numbers, uriOf } = await server()
    const told = { type: 'ObjectEvent', action: 'OBSERVE', eventTimeZoneOffset: '+00:00' }
    const epcList = (party: keyof typeof numbers) => [uriOf(numbers[party][0] ?? '')]
    for (const [index, party] of (['one', 'two', 'one'] as const).entries())
      await capture(keys[0] ?? '', {
        ...{ ...told, eventID: uuid(index), eventTime: timeOf(index), epcList: epcList(party) },
        bizStep: index === 2 ? 'arriving' : 'departing',
      })
    const token = tokens.client_admin
    const body = { name: 'departures', query: { EQ_bizStep: ['departing'] } }
    t.equal((await send('POST', '/epcis/queries', { token, body })).status, 201)
    t.equal((await send('POST', '/epcis/queries', { token, body })).status, 409, 'the name is in use')
    t.same(await idsOf('/queries/departures/events', token), [uuid(0)])
    t.match((await get('/queries', token)).body, [body])
    const foreign = [other.tokens.client_admin, tokens.customer, keys[0]]
    for (const one of foreign) {
      t.equal((await get('/queries/departures', one)).status, 404)
      t.same((await get('/queries', one)).body, [])
    }
    t.equal((await send('POST', '/epcis/queries', { token: other.tokens.client_admin, body })).status, 201)
    t.same(await idsOf('/queries/departures/events', other.tokens.client_admin), [uuid(1)])
    t.equal((await send('DELETE', '/epcis/queries/departures', { token })).status, 204)
    t.equal((await get('/queries/departures', token)).status, 404)
    t.equal((await get('/queries')).status, 401)
  },
)

t.test(
  'given a live response of an account, then it gets the results of its own orders, until its session ends',
  async (t) => {
    const { app, send, tokens, capture, keys, numbers, uriOf } = await server()
    const told = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'departing', eventTimeZoneOffset: '+00:00' }
    const captureOf = (index: number, party: keyof typeof numbers) =>
      capture(keys[0] ?? '', {
        ...{ ...told, eventID: uuid(index), eventTime: timeOf(index), epcList: [uriOf(numbers[party][0] ?? '')] },
      })
    const token = tokens.client_admin
    await send('POST', '/epcis/queries', { token, body: { name: 'departures', query: { EQ_bizStep: ['departing'] } } })
    const path = '/epcis/queries/departures/events?stream=true'
    const live = async (more: Record<string, string>) => {
      const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...more }
      const response = await app.request(path, { headers })
      return { status: response.status, results: resultsIn(response) }
    }
    const { results } = await live({})
    await captureOf(1, 'two')
    await captureOf(2, 'one')
    await captureOf(3, 'one')
    const { value } = await results.next()
    t.equal(value?.eventID, uuid(2), 'not that of the other business')
    await results.return(undefined)
    const again = await live({ 'Last-Event-ID': String(value?.id) })
    t.equal((await again.results.next()).value?.eventID, uuid(3))
    await send('POST', '/api/v1/user/logout', { token })
    await captureOf(4, 'one')
    t.equal((await again.results.next()).done, true, 'it ends with the session')
    t.equal((await live({})).status, 401)
  },
)

t.test(
  'given a live response of an employee, when a staff role leaves it no query, then it ends before the next result',
  async (t) => {
    const { app, send, tokens, ids, capture, keys, numbers, uriOf } = await server()
    const told = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'departing', eventTimeZoneOffset: '+00:00' }
    const epcList = [uriOf(numbers.one[0] ?? '')]
    const captureOf = (index: number) =>
      capture(keys[0] ?? '', { ...told, eventID: uuid(index), eventTime: timeOf(index), epcList })
    const token = tokens.client_employee
    await send('POST', '/epcis/queries', { token, body: { name: 'departures', query: { EQ_bizStep: ['departing'] } } })
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
    const results = resultsIn(await app.request('/epcis/queries/departures/events?stream=true', { headers }))
    await captureOf(1)
    t.equal((await results.next()).value?.eventID, uuid(1))
    const by = { token: tokens.client_admin }
    const terms = { name: 'Desk', scopes: ['orders:read'], operations: ['get_orders'] }
    const { staff_role_id } = (await send('POST', '/api/v1/staff-roles', { ...by, body: terms })).body
    await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, { ...by, body: { staff_role_id } })
    t.equal((await app.request('/epcis/queries/departures/events', { headers })).status, 403)
    await captureOf(2)
    const { done } = await results.next()
    await results.return(undefined)
    t.equal(done, true)
  },
)

/** The results of a live response: the id of each, and that of its event. */
async function* resultsIn({ body }: Response): AsyncGenerator<{ readonly id: string; readonly eventID: string }> {
  let text = ''
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(piece).toString()
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
      if (fields.event !== 'results') continue
      const [event] = eventsIn(JSON.parse(fields.data))
      yield { id: String(fields.id), eventID: String(event?.eventID) }
    }
  }
}
