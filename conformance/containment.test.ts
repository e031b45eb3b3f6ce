import fc from 'fast-check'
import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { addProvider, type Context, call, en, type TimelineEvent } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { projections } from '../projections/index.ts'
import {
  aggregation,
  at,
  carton,
  cartons,
  container,
  type Json,
  journey,
  moved,
  operating,
  packed,
  pallet,
  server,
  shownOf,
  sscc,
} from './containment.test.fixture.ts'

t.test(
  'given a pallet of 100 cartons, when it departs, arrives and is broken up, then each carton tells it',
  async (t) => {
    const { capture, told, timeline } = await server()
    await capture(...journey)
    for (const one of cartons) t.same(await told(one), shownOf)
    const { events, current_status } = await timeline(carton(7))
    t.match(events[1], { phase: 'transit', location: { gln: '4012345000016' }, inherited_from: { gs1_sscc: sscc } })
    t.equal(current_status, 'x-unpacking')
    t.same(await told(sscc), ['x-packing', 'package_outbound', 'arrival_scan', 'x-unpacking', 'package_outbound'])
  },
)

t.test('given 1,000 things in a container, when it departs, then each of them tells it', async (t) => {
  const { capture, told } = await server()
  const things = Array.from({ length: 1_000 }, (_, index) => carton(index + 1))
  const { accepted } = await capture(aggregation('ADD', 8, pallet, things))
  t.equal(accepted, 1_001)
  await capture(moved('departing', 9, pallet))
  for (const one of [0, 499, 999]) t.same(await told(things[one] ?? ''), ['x-packing', `package_outbound < ${sscc}`])
})

t.test(
  'given events of a pallet, when the aggregation comes later, then its cartons tell them from then on',
  async (t) => {
    const { capture, told, tagOf } = await server()
    const [add, ...later] = journey
    await capture(moved('commissioning', 6, carton(1)), ...later)
    const before = await tagOf(carton(1))
    t.same(await told(carton(1)), ['x-commissioning', 'x-unpacking'])
    await capture(add ?? {})
    t.same(await told(carton(1)), ['x-commissioning', ...shownOf])
    t.not(await tagOf(carton(1)), before)
  },
)

t.test('given an aggregation, when it is declared an error, then what was inherited goes with it', async (t) => {
  const { capture, told, timeline, tagOf } = await server()
  await capture(...journey)
  const before = await tagOf(carton(1))
  const errorDeclaration = { declarationTime: at(20), reason: 'incorrect_data' }
  await capture(aggregation('ADD', 8, pallet, cartons, { ...packed, errorDeclaration }))
  t.same(await told(carton(1)), ['x-unpacking'])
  t.match((await timeline(carton(1))).withdrawn_events, [{ status_code: 'x-packing' }])
  t.equal((await timeline(carton(1))).withdrawn_events.length, 1)
  t.not(await tagOf(carton(1)), before)
})

t.test(
  'given an event of a pallet, when it is declared an error, then its cartons have it among the withdrawn ones',
  async (t) => {
    const { capture, told, timeline } = await server()
    const departing = moved('departing', 9, pallet, { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000002' })
    await capture(aggregation('ADD', 8, pallet, [carton(1)]), departing)
    const errorDeclaration = { declarationTime: at(20), reason: 'did_not_occur' }
    await capture({ ...departing, errorDeclaration })
    t.same(await told(carton(1)), ['x-packing'])
    t.match((await timeline(carton(1))).withdrawn_events, [{ inherited_from: { gs1_sscc: sscc } }])
  },
)

t.test(
  'given cartons on a pallet in a container, when the container moves, then they tell it while they are in it',
  async (t) => {
    const { capture, told } = await server()
    await capture(
      aggregation('ADD', 8, pallet, [carton(1), carton(2)]),
      aggregation('ADD', 10, container, [pallet]),
      moved('departing', 11, container),
      aggregation('DELETE', 12, pallet, [carton(2)]),
      moved('arriving', 13, container),
      aggregation('DELETE', 14, container, [pallet]),
      moved('departing', 15, container),
    )
    const grai = 'https://id.gs1.org/8003/04012345777772c1'
    const inBoth = ['x-packing', `x-packing < ${sscc}`, `package_outbound < ${grai}`]
    t.same(await told(carton(1)), [...inBoth, `arrival_scan < ${grai}`, `x-unpacking < ${sscc}`])
    t.same(await told(carton(2)), [...inBoth, 'x-unpacking'])
  },
)

t.test(
  'given containers within one another, when there are more than five or a circle, then reading ends',
  async (t) => {
    const { capture, told } = await server()
    const boxes = Array.from({ length: 7 }, (_, level) => carton(500 + level))
    await capture(
      ...boxes.slice(1).map((box, level) => aggregation('ADD', 8, box, [boxes[level] ?? ''])),
      ...boxes.map((box) => moved('departing', 9, box)),
    )
    const departures = (await told(boxes[0] ?? '')).filter((one) => one.startsWith('package_outbound'))
    t.equal(departures.length, 6, 'its own one, and those of five containers')
    await capture(aggregation('ADD', 8, carton(1), [carton(2)]), aggregation('ADD', 8, carton(2), [carton(1)]))
    await capture(moved('departing', 9, carton(1)), moved('arriving', 10, carton(2)))
    const name = (number: number) => `https://id.gs1.org/01/04012345666663/21/${number}`
    t.same((await told(carton(1))).slice(-2), ['package_outbound', `arrival_scan < ${name(2)}`])
    t.same((await told(carton(2))).slice(-2), [`package_outbound < ${name(1)}`, 'arrival_scan'])
  },
)

t.test('given a pallet that is emptied without its cartons being named, then they have left it', async (t) => {
  const { capture, told } = await server()
  await capture(aggregation('ADD', 8, pallet, [carton(1)]), moved('departing', 9, pallet))
  await capture(aggregation('DELETE', 10, pallet, []), moved('arriving', 11, pallet))
  t.same(await told(carton(1)), ['x-packing', `package_outbound < ${sscc}`, `x-unpacking < ${sscc}`])
})

t.test(
  'given a pallet that is delivered, when a carton is on it, then only its own delivery ends the carton',
  async (t) => {
    const { capture, post, timeline, send } = await server()
    await capture(aggregation('ADD', 8, pallet, [carton(1)]), moved('departing', 9, pallet))
    const pod = { recipient: 'Ann Lee', signed_at: at(10) }
    const delivered = { status_code: 'delivered', occurred_at: at(10), pod, description: 'To Ann Lee' }
    await post('/ingest', { subject: { gs1_sscc: sscc }, events: [delivered] })
    const { current_status, events } = await timeline(carton(1))
    t.equal(current_status, 'package_outbound')
    t.match(events.at(-1), { status_code: 'delivered', inherited_from: { gs1_sscc: sscc } })
    for (const { name } of projections) {
      const response = await send(`/trackings/${encodeURIComponent(carton(1))}?format=${name}`)
      t.notMatch(await response.text(), 'Ann Lee', name)
    }
    t.notMatch(await (await send(`/trackings/${encodeURIComponent(carton(1))}?format=aftership`)).text(), /"Delivered"/)
    const piece_id = 'https://id.gs1.org/01/04012345666663/21/1'
    await post('/ingest', { subject: { piece_id }, events: [{ ...delivered, occurred_at: at(11) }] })
    t.match(await timeline(carton(1)), { current_status: 'delivered', delivered: true })
  },
)

t.test(
  'given a carton on a pallet, when its documents are read, then inherited events are those of the pallet',
  async (t) => {
    const { capture, timeline, page, post } = await server()
    await capture(...journey)
    const eventsIn = (document: Json): readonly Json[] => document.epcisBody.queryResults.resultsBody.eventList
    const own = eventsIn(await timeline(carton(1), '?format=epcis'))
    const departed = eventsIn(await timeline(sscc, '?format=epcis'))[1]
    t.same(own[1], departed)
    t.same(departed.epcList, [`https://id.gs1.org/00/${sscc}`])
    for (const [format, mark] of [
      ['otlp', 'otep.inherited_from'],
      ['sensorthings', '"inherited_from"'],
      ['uncefact', 'inherited_from'],
    ])
      t.match(JSON.stringify(await timeline(carton(1), `?format=${format}`)), `${mark}`)
    t.match(await page(carton(1)), /In its container[\s\S]*0401/)
    const sent = await timeline(carton(1))
    t.match(await post('/ingest', { subject: sent.subject, events: sent.events }), { ignored: 2, duplicate: 2 })
  },
)

t.test(
  'given a carton on a pallet, when the pallet moves, then the version of the carton changes, and else not',
  async (t) => {
    const { capture, tagOf } = await server()
    await capture(aggregation('ADD', 8, pallet, [carton(1)]), aggregation('ADD', 8, container, [pallet]))
    const before = await tagOf(carton(1))
    t.equal(await tagOf(carton(1)), before)
    await capture(moved('departing', 9, carton(3)))
    t.equal(await tagOf(carton(1)), before)
    await capture(moved('departing', 9, pallet))
    const after = await tagOf(carton(1))
    t.not(after, before)
    await capture(moved('arriving', 10, container))
    t.not(await tagOf(carton(1)), after)
  },
)

t.test(
  'given a reader of the live stream of a carton, when its pallet moves, then it is told to read again',
  async (t) => {
    const { capture, send } = await server()
    await capture(aggregation('ADD', 8, pallet, [carton(1)]))
    const response = await send(`/trackings/${encodeURIComponent(carton(1))}/stream`)
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    const until = async (isThere: (text: string) => boolean) => {
      let text = ''
      while (!isThere(text)) text += decoder.decode((await reader?.read())?.value)
      return text
    }
    await until((text) => text.includes('event: reset'))
    await capture(moved('departing', 9, pallet))
    await until((text) => text.includes('event: reset'))
    await capture(moved('arriving', 10, carton(1)))
    await until((text) => text.includes('"status_code":"arrival_scan"'))
    await capture(aggregation('ADD', 11, container, [pallet]))
    await until((text) => text.includes('event: reset'))
    await capture(moved('arriving', 12, container))
    t.match(await until((text) => text.includes('event: reset')), 'event: reset')
    await reader?.cancel()
  },
)

t.test(
  'given the reduced view, when a carton is read, then its inherited events show what the pallet would',
  async (t) => {
    const { capture, timeline } = await server({ publicView: 'reduced' })
    await capture(...journey)
    const { events } = await timeline(carton(1))
    const { inherited_from, event_id, ...departed } = events[1]
    t.same(inherited_from, { gs1_sscc: sscc })
    t.same({ event_id, ...departed }, (await timeline(sscc)).events[1])
    t.notOk('aggregation' in events[0])
  },
)

t.test('given a pallet or a carton that is forgotten, then nothing is inherited any more', async (t) => {
  const { capture, told, forget, timeline } = await server()
  await capture(...journey)
  await forget('https://id.gs1.org/01/04012345666663/21/2')
  t.same(await told(carton(2)), ['x-packing', 'x-unpacking'])
  t.notMatch(JSON.stringify(await timeline(carton(2))), sscc)
  t.same(await told(carton(1)), shownOf)
  await forget(sscc)
  t.same(await told(carton(1)), ['x-packing', 'x-unpacking'])
})

t.test(
  'given a provider for one business, when it packs its parcel in what others report, then it learns nothing',
  async (t) => {
    const { parts, send, business } = await world({ publicView: 'full' })
    const operator: Context = { ...parts, caller: operating, messages: en, requestId: 'test' }
    const keyOf = async (of: object) => String((await call(addProvider, operator, { ...of })).key)
    const [wide, bound] = [
      await keyOf({ name: 'wide', all_businesses: true }),
      await keyOf({ name: 'bound', business_id: business }),
    ]
    const post = (token: string, subject: object, event: object) =>
      send('POST', '/api/v1/otep/ingest', { token, body: { subject, events: [event] } })
    await post(wide, { gs1_sscc: sscc }, { status_code: 'arrival_scan', occurred_at: at(9) })
    const parent = { gs1_sscc: sscc }
    const add = { status_code: 'x-packing', occurred_at: at(8), aggregation: { action: 'ADD', parent } }
    t.match((await post(bound, { tracking_number: 'MINE1' }, add)).body.data, { accepted: 1 })
    const codes = async (number: string) =>
      (await send('GET', `/api/v1/otep/trackings/${number}`)).body.data.events.map(
        ({ status_code }: TimelineEvent) => status_code,
      )
    t.same(await codes('MINE1'), ['x-packing'])
    await post(wide, { tracking_number: 'MINE2' }, add)
    t.same(await codes('MINE2'), ['x-packing', 'arrival_scan'])
  },
)

type Step = readonly ['add' | 'delete' | 'move', thing: number, container: number, hour: number]

/** What a thing tells, by the plainest rule: the events of each container at the hours at which it was in it. */
function model(steps: readonly Step[], thing: number): readonly string[] {
  const isIn = (inner: number, outer: number, hour: number, depth = 1): boolean =>
    depth <= 5 &&
    things.some((next) => holds(next, inner, hour) && (next === outer || isIn(next, outer, hour, depth + 1)))
  const holds = (container: number, inner: number, hour: number) => {
    const last = steps
      .filter(([kind, one, other, at]) => kind !== 'move' && one === inner && other === container && at <= hour)
      .sort((one, other) => one[3] - other[3])
      .at(-1)
    return last?.[0] === 'add'
  }
  const moves = steps.filter(([kind, , , hour]) => kind === 'move' && hour >= 0)
  return moves
    .filter(([, one, , hour]) => one === thing || isIn(thing, one, hour))
    .map(([, one, , hour]) => `${hour} ${one}`)
    .sort()
}

const things = [0, 1, 2, 3, 4]

t.test('given any history in any order, then a thing tells what its containers did while it was in them', async (t) => {
  const thing = fc.integer({ min: 0, max: 4 })
  const steps = fc.uniqueArray(
    fc.tuple(fc.constantFrom('add', 'delete', 'move', 'move'), thing, thing, fc.integer({ min: 0, max: 500 })),
    { maxLength: 40, selector: ([, , , hour]) => hour },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { capture, timeline } = await server()
      const real = all.filter(([kind, one, other]) => kind === 'move' || one !== other) as readonly Step[]
      const name = (one: number) => carton(900 + one)
      const time = (hour: number) => ({ eventTime: new Date(Date.parse(at(0)) + hour * 60_000).toISOString() })
      for (const [kind, one, other, hour] of real)
        await capture(
          kind === 'move'
            ? moved('departing', 0, name(one), time(hour))
            : aggregation(kind === 'add' ? 'ADD' : 'DELETE', 0, name(other), [name(one)], time(hour)),
        )
      for (const one of things) {
        const read = await timeline(name(one))
        const told = ((read?.events ?? []) as readonly TimelineEvent[])
          .filter(({ status_code }) => status_code === 'package_outbound')
          .map(({ occurred_at, inherited_from }) => {
            const hour = (Date.parse(occurred_at) - Date.parse(at(0))) / 60_000
            return `${hour} ${inherited_from === undefined ? one : Number(inherited_from.piece_id?.at(-1))}`
          })
        const expected = model(real, one)
        if (JSON.stringify(told.toSorted()) !== JSON.stringify(expected))
          throw new Error(`${one}: ${told.join(', ')} instead of ${expected.join(', ')}`)
      }
    }),
    { numRuns: runs(t, 6) },
  )
  t.pass()
})
