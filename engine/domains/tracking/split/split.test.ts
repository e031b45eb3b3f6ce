import fc from 'fast-check'
import t from 'tap'
import { parcel, profiles } from '../../../../profiles/index.ts'
import { projections } from '../../../../projections/index.ts'
import {
  type Answer,
  type Caller,
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  en,
  otepForget,
  otepIngest,
  otepTracking,
  otepTrackingsBatch,
  type Timeline,
} from '../../../index.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { outside } from '../../../testing/context.ts'
import { runs } from '../../../testing/runs.test.fixture.ts'
import type { TrackingEvent, TrackingEventRecorded } from '../events.ts'
import { becomeDue, futureModel } from '../future-model.ts'
import { plannedFor } from '../planned.ts'
import { readState } from '../read.ts'
import { keptFrom } from '../snapshot.ts'
import { contradictionsIn } from './contradiction.ts'
import { contradictionIn } from './contradiction-in.ts'
import { splitFamily, splitOff } from './split.ts'

const operator: Caller = { kind: 'operator', name: 'cli', scopes: ['otep:ingest', 'otep:erase'] }
const provider = (name: string): Caller => ({ kind: 'provider', name, scopes: ['otep:ingest'] })
const nobody: Caller = { kind: 'anonymous', name: 'anonymous', scopes: [] }

const lyon = { latitude: 45.76, longitude: 4.84, address: { locality: 'Lyon', country: 'FR' } }
const paris = { latitude: 48.86, longitude: 2.35, address: { locality: 'Paris', country: 'FR' } }
const osaka = { latitude: 34.69, longitude: 135.5, address: { locality: 'Osaka', country: 'JP' } }
const tokyo = { unlocode: 'JPTYO' }
const inCountry = (country: string, locality?: string) => ({ address: { country, ...(locality && { locality }) } })

/** An event of a carrier on a day of June, `10` or `10T08:00`. */
function event(name: string, code: string, at: string, location?: object, more: object = {}) {
  const occurred_at = `2026-06-${at.length > 2 ? `${at}:00` : `${at}T12:00:00`}Z`
  return {
    ...{
      event_id: `${name} ${code} ${at}`,
      occurred_at,
      status_code: code,
      recorded_at: occurred_at,
      otep_version: '0.1',
    },
    ...(location && { location }),
    source: { type: 'carrier_tracking', provider: name },
    ...more,
  }
}

type Told = ReturnType<typeof event>

/** The providers that contradict each other, in events in any order. */
function judged(...events: readonly Told[]): readonly string[] {
  const ordered = [...events].sort((one, other) => one.occurred_at.localeCompare(other.occurred_at))
  return contradictionsIn(ordered, parcel).map(({ providers }) => providers.join(' and '))
}

const two: readonly (readonly [string, readonly Told[]])[] = [
  [
    'one is delivered in Lyon, and the other goes on in Osaka',
    [
      event('north', 'picked_up', '08', paris),
      event('north', 'out_for_delivery', '10T07:00', lyon),
      event('north', 'delivered', '10', lyon),
      event('south', 'picked_up', '11', osaka),
      event('south', 'in_transit', '12', osaka),
    ],
  ],
  [
    'one only says that it is delivered, and the other that it is on its way in another country',
    [event('north', 'delivered', '10', inCountry('FR', 'Lyon')), event('south', 'in_transit', '12', tokyo)],
  ],
  [
    'two scans are further apart than a parcel flies in the time between',
    [event('north', 'in_transit', '10T10:00', lyon), event('south', 'arrival_scan', '10T12:00', osaka)],
  ],
  [
    'both deliver it, in different countries',
    [
      event('north', 'in_transit', '09', inCountry('DE')),
      event('south', 'picked_up', '09T13:00', inCountry('ES')),
      event('north', 'delivered', '10', inCountry('DE')),
      event('south', 'delivered', '10T15:00', inCountry('ES')),
    ],
  ],
  [
    'their scans alternate between two countries, and neither is delivered',
    [
      event('north', 'picked_up', '08', { unlocode: 'DEHAM' }),
      event('south', 'picked_up', '09', { unlocode: 'BRSSZ' }),
      event('north', 'arrival_scan', '10', { unlocode: 'DEFRA' }),
      event('south', 'in_transit', '11', { unlocode: 'BRSAO' }),
      event('north', 'in_transit', '12', { unlocode: 'DEMUC' }),
    ],
  ],
  [
    'one was delivered at a door, and the other, which nobody can place, is scanned for days before and after',
    [
      event('south', 'picked_up', '05'),
      event('north', 'out_for_delivery', '10T08:00'),
      event('north', 'delivered', '10'),
      event('south', 'in_transit', '13'),
    ],
  ],
  [
    'one was delivered, and the other is picked up in another country a week later',
    [
      event('north', 'picked_up', '01', inCountry('CA')),
      event('north', 'delivered', '04', inCountry('CA')),
      event('south', 'picked_up', '11', inCountry('IN')),
    ],
  ],
]

const one: readonly (readonly [string, readonly Told[]])[] = [
  [
    'a last mile that takes over from a first mile under its number',
    [
      event('first', 'picked_up', '01', inCountry('CN', 'Shenzhen')),
      event('first', 'package_outbound', '03', inCountry('CN', 'Shenzhen')),
      event('last', 'received', '08', inCountry('US', 'Los Angeles')),
      event('last', 'in_transit', '09', inCountry('US')),
      event('last', 'delivered', '11', inCountry('US', 'Reno')),
    ],
  ],
  [
    'a first mile that calls the handoff to the airline a delivery',
    [
      event('first', 'picked_up', '01', inCountry('CN', 'Shenzhen')),
      event('first', 'delivered', '03', inCountry('CN', 'Shenzhen')),
      event('last', 'arrival_scan', '08', inCountry('US', 'Los Angeles')),
      event('last', 'delivered', '11', inCountry('US', 'Reno')),
    ],
  ],
  [
    'a carrier that delivers to the post office, which delivers to the door',
    [
      event('big', 'in_transit', '01', inCountry('US', 'Memphis')),
      event('big', 'delivered', '03', inCountry('US', 'Reno'), { pod: { recipient: 'Post office' } }),
      event('post', 'received', '03T15:00', inCountry('US', 'reno')),
      event('post', 'out_for_delivery', '07', inCountry('US', 'Sparks')),
      event('post', 'delivered', '07T16:00', inCountry('US', 'Sparks')),
    ],
  ],
  [
    'a marketplace that repeats the scans of a carrier from its own address',
    [
      ...['picked_up', 'in_transit', 'out_for_delivery', 'delivered'].flatMap((code, index) => [
        event('carrier', code, `0${index + 2}T10:00`, lyon),
        event('market', code, `0${index + 2}T10:02`, inCountry('US', 'Seattle')),
      ]),
    ],
  ],
  [
    'an operator that repeats each status hours later, from its office in another country',
    [
      ...['picked_up', 'in_transit', 'arrival_scan', 'out_for_delivery', 'delivered'].flatMap((code, index) => [
        event('carrier', code, `0${index + 2}T10:00`, lyon),
        ...(code === 'delivered' ? [] : [event('office', code, `0${index + 2}T13:00`, osaka)]),
      ]),
    ],
  ],
  [
    'a partner that announces it in its country before it has it',
    [
      event('first', 'picked_up', '02', inCountry('DE')),
      event('last', 'information_submitted', '03', inCountry('FR')),
      event('first', 'in_transit', '04', inCountry('DE')),
      event('last', 'received', '05', inCountry('FR')),
      event('last', 'delivered', '06', inCountry('FR')),
    ],
  ],
  [
    'a return with another carrier after the delivery',
    [
      event('north', 'out_for_delivery', '03T08:00', lyon),
      event('north', 'delivered', '03', lyon),
      event('back', 'picked_up', '09', lyon),
      event('back', 'in_transit', '11', paris),
      event('back', 'delivered', '12', osaka),
    ],
  ],
  [
    'a parcel that goes back to its sender with the carrier that could not deliver it',
    [
      event('north', 'out_for_delivery', '03T08:00', lyon),
      event('south', 'picked_up', '01', paris),
      event('south', 'return_to_sender', '04', lyon),
      event('north', 'delivered', '04', lyon),
      event('south', 'in_transit', '09', paris),
    ],
  ],
  [
    'a scan near the door that is told days after the delivery',
    [
      event('north', 'picked_up', '01', paris),
      event('south', 'in_transit', '02', paris),
      event('north', 'delivered', '05', lyon),
      event('south', 'in_transit', '08', { latitude: 45.7, longitude: 4.9 }),
    ],
  ],
  [
    'a delivery that its carrier takes back by going on itself',
    [
      event('north', 'out_for_delivery', '03T08:00', lyon),
      event('south', 'picked_up', '02', lyon),
      event('north', 'delivered', '03', lyon),
      event('south', 'in_transit', '05', paris),
      event('north', 'out_for_delivery', '06', paris),
    ],
  ],
  [
    'a flight whose two ends tell the time of their own zone as that of the other',
    [
      event('first', 'package_outbound', '03T20:00', { latitude: 31.1, longitude: 121.8 }),
      event('last', 'arrival_scan', '04T02:00', { latitude: 33.9, longitude: -118.4 }),
    ],
  ],
  [
    'the driver of the business, who has it beside the carrier',
    [
      event('carrier', 'in_transit', '03', osaka),
      event('own', 'delivered', '03T13:00', lyon, { source: { type: 'self_delivery', provider: 'own' } }),
      event('carrier', 'in_transit', '06', osaka),
    ],
  ],
  [
    'a status that only a source without history tells',
    [event('north', 'delivered', '03', lyon), event('poller', 'in_transit', '09', osaka, { synthesized: true })],
  ],
  [
    'one provider that is anywhere',
    [event('north', 'delivered', '03', lyon), event('north', 'in_transit', '03T13:00', osaka)],
  ],
]

for (const [what, events] of two) {
  t.test(`given that ${what}, then two parcels have the number`, async (t) => {
    t.same(judged(...events), ['north and south'])
    t.same(judged(...events.filter(({ source }) => source.provider === 'north')), [])
  })
}

for (const [what, events] of one) {
  t.test(`given ${what}, then it is one parcel`, async (t) => {
    t.same(judged(...events), [])
  })
}

t.test('given many providers of one number, then only the first ones are compared, and nothing fails', async (t) => {
  const many = Array.from({ length: 500 }, (_, index) =>
    event(`p${index}`, 'in_transit', '10', index % 2 ? lyon : osaka),
  )
  t.ok(judged(...many).length <= 200)
})

const now = Date.parse('2026-06-20T12:00:00Z')

function engine() {
  const time = { now }
  const store = createMemoryStore(() => time.now)
  const models = createMemoryModels(store)
  let request = 0
  const contextOf = (caller: Caller, more: Partial<Context> = {}): Context => ({
    ...{ store, models, clock: () => time.now, randomId: () => crypto.randomUUID() },
    ...outside,
    ...{ profiles, formats: projections, baseUrl: 'https://otep.example', caller, messages: en },
    requestId: `request-${request++}`,
    ...more,
  })
  const subject = { tracking_number: 'TWO1' }
  return {
    time,
    store,
    contextOf,
    /** Each provider sends its events by itself. */
    push: async (events: readonly Told[], of: object = subject) => {
      for (const one of events) {
        const { recorded_at, otep_version, ...told } = one
        const document = { lines: [{ subject: of, ...told }] }
        const answer = (await call(otepIngest, contextOf(provider(one.source.provider)), { document })) as {
          data?: unknown
        }
        if (JSON.stringify(answer).includes('rejected":1')) throw new Error(JSON.stringify(answer.data))
      }
    },
    read: async (number: string, caller = operator, more: Partial<Context> = {}) =>
      (await call(otepTracking, contextOf(caller, more), { tracking_number: number })) as unknown as {
        data: Timeline
        warnings?: Answer[]
      },
  }
}

const [, lyonAndOsaka] = two[0] as (typeof two)[number]
const contradictory = { code: 'providers_contradict', path: 'events[3]' }

t.test(
  'given two parcels under one number, then those who see the providers are told, and others are not',
  async (t) => {
    const { push, read, contextOf } = engine()
    await push(lyonAndOsaka)
    t.match((await read('TWO1')).warnings?.at(-1), contradictory)
    t.match((await read('TWO1', provider('north'))).warnings?.at(-1), {
      message: /north and south contradict each other/,
    })
    t.notMatch(JSON.stringify(await read('TWO1', nobody, { publicView: 'reduced' })), /providers_contradict/)
    t.match(
      (await read('TWO1', nobody, { publicView: 'full' })).warnings?.at(-1),
      contradictory,
      'they see the providers',
    )
    const input = { tracking_numbers: ['TWO1'] }
    const batch = (await call(otepTrackingsBatch, contextOf(operator), input)) as { data?: unknown }
    t.match(batch.data, [{ warnings: [{}, {}, contradictory] }])
  },
)

const stream = (name: string): StreamName => `tracking-${name}`
const first = stream('tracking_number:TWO1')
const second = stream('tracking_number:TWO1#2')

/** What a timeline consists of, whatever its number is. */
async function stateOf({ contextOf }: ReturnType<typeof engine>, name: StreamName): Promise<unknown> {
  const { state } = await readState(contextOf(operator), name)
  const { origin, isSplitOff, ...kept } = keptFrom(state)
  return JSON.parse(JSON.stringify(kept).replaceAll('OTHER1', 'TWO1'))
}

const report = fc.record({
  of: fc.constantFrom('north', 'south'),
  day: fc.integer({ min: 1, max: 9 }),
  code: fc.constantFrom('picked_up', 'in_transit', 'delivered', 'out_for_delivery'),
  also: fc.constantFrom('nothing', 'an identifier', 'an order', 'a detail', 'a withdrawal', 'a container'),
})

/** A report as a line; both parcels have the number unless another one is given. */
function lineOf({ of, day, code, also }: typeof report extends fc.Arbitrary<infer One> ? One : never, number = 'TWO1') {
  const own = of === 'north' ? { piece_id: 'urn:north:1' } : { external_tracking_number: 'SOUTH1' }
  const { recorded_at, otep_version, ...told } = event(of, code, `0${day}`)
  return {
    ...told,
    subject: {
      tracking_number: number,
      ...(also === 'an identifier' && own),
      ...(also === 'an order' && { order_id: 7 }),
    },
    // What a provider repeats of another one, in an event that is known, nobody can tell apart later.
    ...(also === 'an order' && { event_id: `${told.event_id} with an order` }),
    ...(also === 'a detail' && { description: `${of} has it` }),
    ...(also === 'a withdrawal' && { withdrawn: { declared_at: '2026-06-19T00:00:00Z' } }),
    ...(also === 'a container' && { aggregation: { action: 'ADD', parent: { tracking_number: 'PALLET' } } }),
  }
}

t.test(
  'given the events of two providers in any order, when one is split off at any moment, then both timelines are as if there had been two numbers',
  async (t) => {
    const opened = [
      { of: 'north', day: 1, code: 'picked_up', also: 'nothing' } as const,
      { of: 'south', day: 1, code: 'picked_up', also: 'nothing' } as const,
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(report, { maxLength: 12 }),
        fc.array(report, { maxLength: 6 }),
        async (before, after) => {
          const [merged, apart] = [engine(), engine()]
          const send = async (to: typeof merged, line: object, of: string) =>
            call(otepIngest, to.contextOf(provider(of)), { document: { lines: [line] } })
          for (const one of [...opened, ...before]) {
            await send(merged, lineOf(one), one.of)
            await send(apart, lineOf(one, one.of === 'north' ? 'TWO1' : 'OTHER1'), one.of)
          }
          await splitOff(merged.contextOf(operator), first, ['south'])
          for (const one of after) {
            await send(merged, lineOf(one), one.of)
            await send(apart, lineOf(one, one.of === 'north' ? 'TWO1' : 'OTHER1'), one.of)
          }
          t.same(await stateOf(merged, first), await stateOf(apart, first), 'of north')
          t.same(await stateOf(merged, second), await stateOf(apart, stream('tracking_number:OTHER1')), 'of south')
        },
      ),
      { numRuns: runs(t, 40) },
    )
  },
)

t.test('given a split timeline', async (t) => {
  async function split() {
    const made = engine()
    await made.push(lyonAndOsaka)
    const done = await splitOff(made.contextOf(operator), first, ['south'])
    t.match(done, { splitOff: second, moved: 2, left: 3, isNew: true })
    return made
  }
  const codes = ({ data }: { data: Timeline }) => data.events.map(({ status_code }) => status_code)

  t.test('then the number leads to the others, its name to the one, and neither is contradicted', async (t) => {
    const { read } = await split()
    const north = await read('TWO1')
    t.same(codes(north), ['picked_up', 'out_for_delivery', 'delivered'])
    t.equal(north.data.delivered, true)
    const south = await read('tracking_number:TWO1#2')
    t.same(codes(south), ['picked_up', 'in_transit'])
    t.match(south.data, { subject: { tracking_number: 'TWO1' }, current_status: 'in_transit', delivered: false })
    t.notMatch(JSON.stringify([north, south]), /providers_contradict/)
  })
  t.test('then a provider finds its own by the number, and so do its later events, also repeated ones', async (t) => {
    const { read, push, contextOf } = await split()
    t.same(codes(await read('TWO1', provider('south'))), ['picked_up', 'in_transit'])
    t.same(codes(await read('TWO1', provider('north'))), ['picked_up', 'out_for_delivery', 'delivered'])
    const [, , , ...south] = lyonAndOsaka
    await push([...south, event('south', 'delivered', '15', osaka), event('third', 'arrival_scan', '10T03:00', lyon)])
    t.same(codes(await read('tracking_number:TWO1#2')), ['picked_up', 'in_transit', 'delivered'])
    t.same(codes(await read('TWO1')), ['picked_up', 'arrival_scan', 'out_for_delivery', 'delivered'])
    const { recorded_at, otep_version, event_id, ...nameless } = event('south', 'arrival_scan', '13', osaka)
    const line = { subject: { tracking_number: 'TWO1' }, ...nameless }
    for (const outcome of ['accepted', 'duplicate'])
      t.match(await call(otepIngest, contextOf(provider('south')), { document: { lines: [line] } }), {
        data: { [outcome]: 1 },
      })
  })
  t.test('when it is split in the same way again, then nothing is recorded, and the answer is the same', async (t) => {
    const { store, contextOf } = await split()
    const end = await store.latest()
    const again = await splitOff(contextOf(operator), first, ['south', 'south'])
    t.match(again, { splitOff: second, moved: 2, left: 3, isNew: false })
    t.equal(await store.latest(), end)
  })
  t.test('when another provider is split off, too, then there are three, and an erasure is of all', async (t) => {
    const { push, read, contextOf, store } = await split()
    await push([event('east', 'in_transit', '09', tokyo, { description: 'At the door of Ann' })])
    await splitOff(contextOf(operator), first, ['east'])
    t.same(codes(await read('tracking_number:TWO1#3')), ['in_transit'])
    t.same(codes(await read('TWO1')), ['picked_up', 'out_for_delivery', 'delivered'])
    t.equal((await splitFamily(store, second)).length, 3)
    await call(otepForget, contextOf(operator), { tracking_number: 'tracking_number:TWO1#2' })
    for (const name of [first, second, stream('tracking_number:TWO1#3')])
      t.equal((await readState(contextOf(operator), name)).state.isErased, true, name)
    t.notMatch(JSON.stringify(await read('tracking_number:TWO1#3')), /door of Ann/)
  })
  t.test('when an event lies ahead, then it becomes due once, in the timeline that has it', async (t) => {
    const made = engine()
    const future = { ...event('south', 'delivered', '15', osaka), occurred_at: '2027-06-15T12:00:00Z' }
    await made.push([...lyonAndOsaka, future])
    await splitOff(made.contextOf(operator), first, ['south'])
    t.same(codes(await made.read('tracking_number:TWO1#2')), ['picked_up', 'in_transit'])
    made.time.now = Date.parse('2027-06-15T12:00:00Z')
    const pass = async () => {
      const context = made.contextOf(operator)
      const due = (await context.models.rows(futureModel, {})) as unknown as readonly { readonly id: number }[]
      for (const { id } of due) await becomeDue(context, id)
      return due.length
    }
    t.equal(await pass(), 1, 'no row is left of the timeline that it has left')
    t.equal(await pass(), 0)
    t.same(codes(await made.read('tracking_number:TWO1#2')), ['picked_up', 'in_transit', 'delivered'])
    t.same(codes(await made.read('TWO1')), ['picked_up', 'out_for_delivery', 'delivered'])
  })
  t.test('when a parcel gets the number of the one again, and is withdrawn, then all is as before', async (t) => {
    const { push, read, time } = await split()
    await push([event('south', 'delivered', '15', osaka)])
    time.now = Date.parse('2026-10-02T00:00:00Z')
    const later = { ...event('south', 'picked_up', '16', osaka), event_id: 'next', occurred_at: '2026-10-01T00:00:00Z' }
    await push([later, { ...later, withdrawn: { declared_at: '2026-10-01T01:00:00Z' } } as Told])
    t.same(codes(await read('TWO1', provider('south'))), ['picked_up', 'in_transit', 'delivered'])
    await push([event('south', 'delivered', '15', osaka, { description: 'At the door' })])
    t.match((await read('TWO1', provider('south'))).data.events.at(-1), { description: 'At the door' })
  })
  t.test('when all events of the one are withdrawn, then its provider still has a timeline of its own', async (t) => {
    const { push, read } = await split()
    const [, , , ...south] = lyonAndOsaka
    await push(south.map((one) => ({ ...one, withdrawn: { declared_at: '2026-06-19T01:00:00Z' } })))
    await push([event('south', 'arrival_scan', '13', osaka)])
    t.same(codes(await read('tracking_number:TWO1#2')), ['arrival_scan'])
    t.same(codes(await read('TWO1')), ['picked_up', 'out_for_delivery', 'delivered'])
  })
  t.test('when a parcel gets the number of one of them again, then the other one keeps it', async (t) => {
    const { push, read, time } = await split()
    await push([event('south', 'delivered', '15', osaka)])
    time.now = Date.parse('2026-10-02T00:00:00Z')
    const later = { ...event('south', 'picked_up', '16', osaka), event_id: 'next', occurred_at: '2026-10-01T00:00:00Z' }
    await push([later])
    t.same(codes(await read('TWO1', provider('south'))), ['picked_up'])
    t.same(codes(await read('tracking_number:TWO1#2')), ['picked_up', 'in_transit', 'delivered'])
    t.same(codes(await read('TWO1')), ['picked_up', 'out_for_delivery', 'delivered'])
  })
})

t.test(
  'given an event whose time came while nobody looked, when it is split off, then it becomes due there',
  async (t) => {
    const { push, contextOf, time, store } = engine()
    await push([...lyonAndOsaka, { ...event('south', 'delivered', '15'), occurred_at: '2027-06-15T12:00:00Z' }])
    time.now = Date.parse('2027-06-15T12:00:00Z')
    await splitOff(contextOf(operator), first, ['south'])
    const due = async () =>
      (await contextOf(operator).models.rows(futureModel, {})) as unknown as readonly { id: number; stream: string }[]
    t.match(await due(), [{ stream: second }])
    for (const { id } of await due()) await becomeDue(contextOf(operator), id)
    t.same(await due(), [])
    const facts = [...(await store.read(first)), ...(await store.read(second))]
    t.match(
      facts.filter(({ type }) => type === 'TrackingEventBecameDue'),
      [{ stream: second }],
    )
  },
)

t.test(
  'given a future event that an earlier version told at once, when it is split off, then it is not told again',
  async (t) => {
    const { push, contextOf, store } = engine()
    await push(lyonAndOsaka)
    const last = (await store.read(first)).at(-1) as RecordedEvent<TrackingEventRecorded>
    const future = { ...last.data.event, event_id: 'former', occurred_at: '2027-06-15T12:00:00Z' }
    const data = { ...last.data, event: future }
    const { type, metadata } = last
    await store.append(first, [{ type, data, metadata, id: 'former' }], last.revision)
    await splitOff(contextOf(operator), first, ['south'])
    t.same(await contextOf(operator).models.rows(futureModel, {}), [])
  },
)

t.test(
  'given two parcels that only an event in the future shows, then orders are told when its time comes',
  async (t) => {
    const { push, contextOf, time, store } = engine()
    const [, , , ...south] = lyonAndOsaka
    await push([event('north', 'out_for_delivery', '10T08:00', lyon), ...south])
    const future = { ...event('north', 'delivered', '14', lyon), occurred_at: '2026-06-25T12:00:00Z' }
    const onwards = {
      ...event('south', 'in_transit', '19', tokyo),
      occurred_at: '2026-06-28T12:00:00Z',
      event_id: 'on',
    }
    await push([future, onwards])
    const told = async () => {
      const fact = (await store.read(first)).at(-1) as RecordedEvent<TrackingEvent>
      return contradictionIn(contextOf(operator), fact)
    }
    t.match(await told(), { tracking_number: 'TWO1', contradicting: undefined })
    time.now = Date.parse('2026-06-28T12:00:00Z')
    const due = (await contextOf(operator).models.rows(futureModel, {})) as unknown as readonly { id: number }[]
    for (const { id } of due) await becomeDue(contextOf(operator), id)
    t.match(await told(), { tracking_number: 'TWO1', contradicting: 'north, south' })
  },
)

t.test(
  'given an order that is planned, when its timeline is split, then the other parcel is not planned',
  async (t) => {
    const { push, contextOf } = engine()
    await push(lyonAndOsaka)
    await splitOff(contextOf(operator), first, ['south'])
    const planned = { estimated_delivery_at: '2026-06-21T12:00:00Z', zone: 'UTC', since: '2026-06-20T12:00:00Z' }
    const { ports } = outside
    const plannedDelivery = async () => ({ ...planned, estimated_delivery_from: '2026-06-21T10:00:00Z' })
    const context = contextOf(nobody, { ports: { ...ports, tracking: { ...ports.tracking, plannedDelivery } } })
    t.match(await plannedFor(context, first), planned)
    t.equal(await plannedFor(context, second), undefined)
  },
)

t.test(
  'given a timeline, when what is not there or all of it is split off, then it is refused, and stays',
  async (t) => {
    const { push, contextOf, store } = engine()
    await push(lyonAndOsaka)
    const end = await store.latest()
    const refused = (...providers: string[]) => splitOff(contextOf(operator), first, providers)
    await t.rejects(refused('west'), { code: 'provider_not_in_timeline', params: { expected: 'north, south' } })
    await t.rejects(refused('south', 'north'), { code: 'nothing_left_of_timeline' })
    t.equal(await store.latest(), end)
  },
)

t.test('given two equal splits and an event at once, then one split is made, and no event is lost', async (t) => {
  const { push, contextOf, read } = engine()
  await push(lyonAndOsaka)
  const split = () => splitOff(contextOf(operator), first, ['south'])
  const both = await Promise.all([split(), push([event('south', 'arrival_scan', '13', osaka)]), split()])
  t.same([both[0].isNew, both[2].isNew].sort(), [false, true])
  t.equal((await read('tracking_number:TWO1#2')).data.events.length, 3)
  t.equal((await read('TWO1')).data.events.length, 3)
})

t.test('given an erased timeline, when it is split, then what is split off is erased, too', async (t) => {
  const { push, contextOf } = engine()
  await push(lyonAndOsaka)
  await call(otepForget, contextOf(operator), { tracking_number: 'TWO1' })
  await splitOff(contextOf(operator), first, ['south'])
  for (const name of [first, second]) t.equal((await readState(contextOf(operator), name)).state.isErased, true)
})

t.test(
  'given an order that both name, when one is split off that alone names another number, then that one leads to it',
  async (t) => {
    const { push, contextOf, read } = engine()
    const [north, , , south] = lyonAndOsaka as readonly [Told, Told, Told, Told]
    await push([north], { tracking_number: 'TWO1' })
    await push([south], { tracking_number: 'TWO1', external_tracking_number: 'SOUTH1', order_id: 9 })
    await splitOff(contextOf(operator), first, ['south'])
    for (const number of ['SOUTH1', '9'])
      t.equal((await read(number)).data.events[0]?.source?.provider, 'south', number)
    await push([event('north', 'in_transit', '14', lyon)], { external_tracking_number: 'SOUTH1' })
    t.equal((await read('SOUTH1')).data.events.length, 2, 'nobody else has that number')
  },
)
