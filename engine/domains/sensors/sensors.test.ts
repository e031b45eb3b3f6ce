import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { profiles } from '../../../profiles/index.ts'
import { projections } from '../../../projections/index.ts'
import { operationsOf } from '../../entity/operations.ts'
import {
  type Account,
  anonymous,
  type Caller,
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  en,
  findReadings,
  listSeries,
  otepForget,
  otepIngest,
  otepTracking,
  recordReadings,
  sealedStore,
  type Timeline,
} from '../../index.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isNotice } from '../../kernel/notice.ts'
import { converted, gs1TypeOf, sensorKind, sensorKinds, sensorTypes, typeOfGs1 } from '../../kernel/sensor-kinds.ts'
import type { SensorReading } from '../../kernel/sensor-reading.ts'
import { outside } from '../../testing/context.ts'
import { runs } from '../../testing/runs.test.fixture.ts'
import { createMemoryVault } from '../../testing/vault.test.fixture.ts'
import { eraseReadings, positionsErased } from './erase.ts'
import { type BreachFact, type SeriesFact, seriesStream } from './events.ts'
import { limitModel, sensorLimits } from './limit.ts'
import { sensorOperations } from './operations.ts'
import { readSeries, withHours } from './series.ts'
import { breachSource, webhookEventTypes } from './webhook-events.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const acme: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }
const operator: Caller = { kind: 'operator', name: 'office', scopes: ['otep:ingest', 'otep:erase'] }
const [record, summaries, list] = sensorOperations

function engine(parts: Partial<Context> = {}) {
  let request = 0
  const stored = createMemoryStore(() => now)
  const store = sealedStore(stored, {
    vault: createMemoryVault(),
    upcasts: {},
    erasures: [positionsErased, 'PersonalDataErased'],
  })
  const models = createMemoryModels(store)
  const contextOf = (caller: Caller): Context => ({
    ...{ store, models, clock: () => now, randomId: () => crypto.randomUUID() },
    ...outside,
    ...parts,
    ...{ profiles, formats: projections, baseUrl: 'https://otep.example', caller, messages: en },
    requestId: `request-${request++}`,
  })
  return {
    store,
    stored,
    contextOf,
    record: async (readings: readonly object[], tracking_number = 'SR1') =>
      call(record as never, contextOf(acme), { tracking_number, readings }),
    read: async (caller: Caller = acme, number = 'SR1') =>
      ((await call(otepTracking, contextOf(caller), { tracking_number: number })) as unknown as { data: Timeline })
        .data,
    sensors: async (caller: Caller = acme) =>
      call(summaries as never, contextOf(caller), { tracking_number: 'SR1' }) as Promise<{
        series?: readonly object[]
      }>,
    list: async (input: object = {}, caller: Caller = acme) =>
      (await call(list as never, contextOf(caller), { tracking_number: 'SR1', ...input })) as unknown as {
        readings: readonly object[]
        total: number
      },
  }
}

const at = (minute: number) => new Date(now - 10 * 3_600_000 + minute * 60_000).toISOString()
const cold = (minute: number, value: number, more: object = {}) => ({
  ...{ type: 'temperature', value, unit: 'Cel', time: at(minute) },
  ...more,
})

t.test('given all that sensors measure, then each excursion is a notice, and no status of a profile is', async (t) => {
  for (const { excursion } of Object.values(sensorKinds)) t.ok(isNotice(excursion), excursion)
  for (const { codes } of profiles) for (const code of Object.keys(codes)) t.notOk(isNotice(code), code)
})

t.test(
  'given a parcel that nobody knows, when a sensor of it is read, then it has a timeline with a series',
  async (t) => {
    const { record, read, list } = engine()
    t.match(await record([cold(0, 4), cold(70, 6), cold(5, 5)]), {
      result: true,
      timeline: 'tracking_number:SR1',
      accepted: 3,
      duplicate: 0,
    })
    t.same((await read()).sensors, [
      {
        ...{ type: 'temperature', unit: 'Cel', count: 3, minimum: 4, maximum: 6, mean: 5 },
        first: { time: at(0), value: 4 },
        last: { time: at(70), value: 6 },
      },
    ])
    const { readings, total } = await list({ from: at(1), per_page: 1 })
    t.same([readings, total], [[{ type: 'temperature', time: at(5), value: 5, unit: 'Cel' }], 2])
  },
)

t.test('given readings, when they come again, in other units and another order, then each is kept once', async (t) => {
  const { record, read } = engine()
  await record([cold(0, 5), cold(1, 10)])
  const again = [
    { type: 'temperature', value: 50, unit: 'FAH', time: at(1) },
    { type: 'temperature', value: 278.15, unit: 'K', time: at(0) },
  ]
  t.match(await record(again), { accepted: 0, duplicate: 2 })
  t.match((await read()).sensors, [{ count: 2, mean: 7.5 }])
})

t.test('given readings in any order and any batches, then what is known of the series is the same', async (t) => {
  const reading = fc.record({ minute: fc.nat(400), value: fc.integer({ min: -20, max: 20 }), device: fc.nat(1) })
  const property = fc.asyncProperty(
    fc.array(reading, { minLength: 1, maxLength: 30 }),
    fc.integer({ min: 1, max: 10 }),
    async (all, size) => {
      const made = all.map(({ minute, value, device }) => cold(minute, value, { device: `device ${device}` }))
      const [one, other] = [engine(), engine()]
      await one.record(made)
      const reversed = [...made].reverse()
      for (let from = 0; from < reversed.length; from += size) await other.record(reversed.slice(from, from + size))
      const sorted = async (from: typeof one) =>
        ((await from.sensors()).series ?? []).map((s) => JSON.stringify(s)).sort()
      t.same(await sorted(other), await sorted(one))
    },
  )
  await fc.assert(property, { numRuns: runs(t, 20) })
})

t.test(
  'given wrong readings, when they are sent, then each has its path and a code, and nothing is recorded',
  async (t) => {
    const { record, store } = engine()
    const wrong = [
      cold(0, 4),
      { type: 'temperature', value: true, time: at(0) },
      { type: 'temperature', value: 4, unit: 'lx', time: at(0) },
      { type: 'door', value: 1, time: at(0) },
      { type: 'location', value: 1, time: at(0) },
      { type: 'temperature', value: 4 },
      cold(60 * 48, 4),
    ]
    const error = await record(wrong).then(
      () => undefined,
      (refusal) => refusal,
    )
    t.same(
      error.findings.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['readings[1].value', 'reading_value_wrong'],
        ['readings[2].unit', 'unknown_unit'],
        ['readings[3].value', 'reading_value_wrong'],
        ['readings[4].value', 'reading_value_wrong'],
        ['readings[5].time', 'time_required'],
        ['readings[6].time', 'reading_in_future'],
      ],
    )
    t.equal(await store.latest(), undefined)
  },
)

t.test(
  'given positions, when the person is forgotten, then the positions are gone for good and the values stay',
  async (t) => {
    const { record, read, list, stored, contextOf, sensors } = engine()
    const here = { latitude: 48.2, longitude: 16.37 }
    await record([cold(0, 4, { location: here }), { type: 'location', value: here, time: at(90), device: 'urn:d:1' }])
    t.match((await list()).readings, [
      { value: 4, location: here },
      { type: 'location', location: here },
    ])
    const text = async () => {
      const all: unknown[] = []
      for await (const event of stored.readAll()) all.push(event)
      return JSON.stringify(all)
    }
    t.notMatch(await text(), '16.37', 'positions are sealed')
    await call(otepForget, contextOf(operator), { tracking_number: 'SR1' })
    t.same((await list()).readings, [{ type: 'temperature', time: at(0), value: 4, unit: 'Cel' }])
    t.match((await sensors()).series, [{ type: 'temperature', count: 1 }])
    await record([{ type: 'location', value: here, time: at(95) }, cold(95, 5, { location: here })])
    t.match((await list()).readings, [{ value: 4 }, { value: 5, location: undefined }])
    t.match((await read()).sensors, [{ count: 2 }])
    await eraseReadings(contextOf(operator), 'tracking-tracking_number:SR1')
  },
)

t.test('given a reduced view, when a stranger reads, then no device and no position is shown', async (t) => {
  const { record, read, list, sensors } = engine({ publicView: 'reduced' })
  const here = { latitude: 48.2, longitude: 16.37 }
  await record([cold(0, 4, { device: 'urn:d:1', location: here }), { type: 'location', value: here, time: at(1) }])
  const shown = JSON.stringify([await read(anonymous), await list({}, anonymous), await sensors(anonymous)])
  t.notMatch(shown, /16\.37|urn:d:1|location/)
  t.match(await list({}, anonymous), { readings: [{ value: 4 }], total: 1 })
  t.match(JSON.stringify(await read()), 'urn:d:1')
})

t.test(
  'given readings of several things, when they are looked for by value, then those of what is named are found',
  async (t) => {
    const { record, contextOf } = engine()
    await record([cold(0, 4), cold(1, 9)])
    await record([cold(0, 12)], 'SR2')
    const of = (...numbers: readonly string[]) => ({ timelines: numbers.map((number) => `tracking_number:${number}`) })
    const warm = { type: 'temperature', value: [8, undefined] } as const
    const both = await findReadings(contextOf(acme), { ...of('SR1', 'SR2'), ...warm }, { limit: 10, counted: true })
    t.same([both.readings.map(({ value }) => value), both.total], [[12, 9], 2])
    const one = await findReadings(contextOf(acme), { ...of('SR1'), ...warm }, { limit: 10 })
    t.same(
      one.readings.map(({ value }) => value),
      [9],
    )
    const { series } = await listSeries(contextOf(acme), { where: { type: 'temperature' } }, { limit: 10 })
    t.match(series, [{ timeline: 'tracking_number:SR1', count: 2 }, { count: 1 }])
  },
)

t.test(
  'given a parcel with events, when it is measured, then its status stays, and its version changes with each reading',
  async (t) => {
    const { record, contextOf, read } = engine()
    const event = { subject: { tracking_number: 'SR1' }, status_code: 'in_transit', occurred_at: at(0) }
    await call(otepIngest, contextOf(acme), { document: { lines: [event] } })
    const version = async () =>
      (await otepTracking.version?.(contextOf(acme), { tracking_number: 'SR1' })?.(contextOf(acme)))?.text
    const before = await version()
    await record([cold(0, 4)])
    const first = await version()
    await record([cold(1, 4)])
    t.equal(new Set([before, first, await version()]).size, 3)
    t.equal(await version(), await version())
    t.match(await read(), {
      current_status: 'in_transit',
      events: [{ status_code: 'in_transit' }],
      sensors: [{ count: 2 }],
    })
  },
)

t.test(
  'given the parcel of another business, when a provider of one business measures it, then that is refused',
  async (t) => {
    const ports = { ...outside.ports, tracking: { ...outside.ports.tracking, businessesOf: async () => [2] } }
    const { contextOf } = engine({ ports })
    const bound: Caller = { ...acme, businessId: 1 }
    const reading: SensorReading = { type: 'temperature', at: now, value: 4 }
    const recorded = recordReadings(contextOf(bound), { subject: { tracking_number: 'SR1' }, readings: [reading] })
    await t.rejects(recorded, { code: 'other_business' })
  },
)

t.test('given a name of GS1, with or without its prefix, then the kind of measurement is known', async (t) => {
  for (const name of ['Temperature', 'gs1:Temperature', 'gs1:MT-Temperature', 'https://gs1.org/voc/Temperature'])
    t.equal(typeOfGs1(name), 'temperature')
  for (const type of sensorTypes) t.equal(typeOfGs1(gs1TypeOf(type)), type)
  t.equal(typeOfGs1('Colour'), undefined)
  t.equal(converted('temperature', 212, 'FAH'), 100)
  t.ok(sensorTypes.includes('door'))
  t.same(withHours([[1, 3]], [5, 4, 9]), [
    [1, 5],
    [9, 9],
  ])
})

t.test('given a value in each unit of its kind, then it is kept in the first one', (t) => {
  const known: Readonly<Record<string, readonly [code: string, ucum: string, value: number, kept: number][]>> = {
    temperature: [
      ['CEL', 'Cel', -4.5, -4.5],
      ['FAH', '[degF]', 14, -10],
      ['KEL', 'K', 280.65, 7.5],
    ],
    humidity: [
      ['P1', '%', 40, 40],
      ['C62', '1', 0.405, 40.5],
    ],
    absolute_humidity: [
      ['A93', 'g/m3', 12.5, 12.5],
      ['KMQ', 'kg/m3', 0.0125, 12.5],
    ],
    pressure: [
      ['A97', 'hPa', 1013.25, 1013.25],
      ['PAL', 'Pa', 101_325, 1013.25],
      ['KPA', 'kPa', 101.325, 1013.25],
      ['MBR', 'mbar', 1013.25, 1013.25],
      ['BAR', 'bar', 1.01325, 1013.25],
    ],
    shock: [
      ['MSK', 'm/s2', 9.8, 9.8],
      ['K40', '[g]', 2, 19.6133],
    ],
    light: [
      ['LUX', 'lx', 120, 120],
      ['KLX', 'klx', 0.12, 120],
    ],
    speed: [
      ['KMH', 'km/h', 36, 36],
      ['MTS', 'm/s', 10, 36],
      ['HM', '[mi_i]/h', 60, 96.56064],
    ],
    mass: [
      ['KGM', 'kg', 2.5, 2.5],
      ['GRM', 'g', 2500, 2.5],
      ['TNE', 't', 0.0025, 2.5],
      ['LBR', '[lb_av]', 10, 4.535924],
    ],
  }
  for (const type of sensorTypes) {
    const rows = known[type] ?? []
    t.same(
      sensorKind(type).units,
      rows.map(([code, ucum]) => ({ code, ucum })),
      type,
    )
    for (const [code, ucum, value, kept] of rows)
      for (const unit of [code, ucum]) t.equal(converted(type, value, unit), kept, `${value} ${unit}`)
  }
  t.equal(converted('temperature', 1, 'KGM'), undefined)
  t.end()
})

/** An order of business 1 with the tracking number SR1, and limits that an account of that business sets. */
function limited(...limits: readonly object[]) {
  const account = {
    ...{ id: 7, role: 'client_admin', staffRole: undefined, timeZone: 'UTC' },
    business: { id: 1, timeZone: 'UTC', modules: [] },
  } as unknown as Account
  const office: Caller = { kind: 'account', name: '7', scopes: ['orders:read', 'orders:write'], account }
  const sensors = {
    ...outside.ports.sensors,
    businessesOf: async () => [1],
    orderOf: async () => ({ id: 42, service: 'chilled' }),
    isOrderOf: async (_: unknown, business: number, order: number) => business === 1 && order === 42,
  }
  const made = engine({ ports: { ...outside.ports, sensors } })
  const operations = operationsOf(sensorLimits, limitModel)
  const operationNamed = (name: string) => operations.find((one) => one.name === name)
  const ask = (name: string, input: object) => call(operationNamed(name) as never, made.contextOf(office), input)
  return {
    ...made,
    ask,
    set: async () => {
      for (const limit of limits) await ask('set_sensor_limit', limit)
    },
    facts: async () => {
      const all = (await made.store.read(
        seriesStream('tracking-tracking_number:SR1'),
      )) as readonly RecordedEvent<SeriesFact>[]
      return all.filter(
        ({ type }) => type !== 'SensorSeriesSummed' && type !== 'SensorPositionsErased',
      ) as readonly RecordedEvent<BreachFact>[]
    },
  }
}

const chilled = { type: 'temperature', minimum: '2', maximum: '8', tolerated_seconds: 600, service: 'chilled' }

t.test(
  'given a limit, when values are out of it for too long, then that is one breach, with its duration at its end',
  async (t) => {
    const { set, record, facts } = limited(chilled)
    await set()
    await record([cold(0, 5), cold(5, 9), cold(10, 11)])
    t.same(await facts(), [], 'it is tolerated for ten minutes')
    await record([cold(15, 10)])
    t.match(await facts(), [
      {
        type: 'SensorLimitBreached',
        data: { business: 1, measured: 'temperature', breach: { id: 1, from: Date.parse(at(5)) } },
      },
    ])
    await record([cold(20, 10)])
    await record([cold(20, 10), cold(25, 6)])
    const said = await facts()
    t.same(
      said.map(({ type }) => type),
      ['SensorLimitBreached', 'SensorBreachEnded'],
    )
    const events = (await Promise.all(said.map((fact) => breachSource.webhookEventsOf({} as never, fact)))).flat()
    t.match(
      events.map((event) => [event.type, event.data('business')]),
      [
        ['sensor.limit_breached', { breach_id: 1, limit_id: 1, extreme: 11, began_at: at(5), tracking_number: 'SR1' }],
        ['sensor.breach_ended', { breach_id: 1, extreme: 11, ended_at: at(25), seconds: 1200 }],
      ],
    )
    for (const event of events) t.ok(v.is(webhookEventTypes[0]?.data as v.GenericSchema, event.data('business')))
  },
)

t.test(
  'given random readings of several devices, in any order, then the breaches are those of a simple model',
  async (t) => {
    const reading = fc.record({ minute: fc.nat(90), value: fc.integer({ min: 0, max: 10 }), device: fc.nat(1) })
    const property = fc.asyncProperty(
      fc.array(reading, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 30 }),
      async (all, size, tolerated) => {
        const { set, record, store, facts } = limited({ ...chilled, tolerated_seconds: tolerated * 60 })
        await set()
        for (let from = 0; from < all.length; from += size)
          await record(
            all
              .slice(from, from + size)
              .map(({ minute, value, device }) => cold(minute, value, { device: `d${device}` })),
          )
        const { state } = await readSeries({ store }, 'tracking-tracking_number:SR1')
        const told = (state.breaches ?? []).map(({ from, until }) => [minuteOf(from), until && minuteOf(until)])
        const model = modelOf(all, tolerated)
        t.same(told.sort(byText), model.sort(byText))
        // What was reported, one thing after the other, leads to the same.
        const standing = new Map<number, readonly (number | undefined)[]>()
        for (const { type, data } of await facts())
          if (type === 'SensorBreachWithdrawn') standing.delete(data.breach.id)
          else
            standing.set(data.breach.id, [minuteOf(data.breach.from), data.breach.until && minuteOf(data.breach.until)])
        t.same([...standing.values()].sort(byText), model.sort(byText))
      },
    )
    await fc.assert(property, { numRuns: runs(t, 60) })
  },
)

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
const minuteOf = (instant: number) => (instant - (now - 10 * 3_600_000)) / 60_000

/** Goes through the minutes one by one, as a person with a table would. */
function modelOf(all: readonly { minute: number; value: number; device: number }[], tolerated: number) {
  const isOut = (minute: number, device: number) => {
    const some = all.filter((one) => one.minute === minute && one.device === device)
    return some.length === 0 ? undefined : some.some(({ value }) => value < 2 || value > 8)
  }
  const times: (readonly [number, number])[] = []
  for (const device of [0, 1]) {
    let from: number | undefined
    let last = 0
    for (let minute = 0; minute <= 90; minute++) {
      const out = isOut(minute, device)
      if (out === true) {
        from ??= minute
        last = minute
      }
      if (out !== false || from === undefined) continue
      if (minute - from >= tolerated) times.push([from, minute])
      from = undefined
    }
    if (from !== undefined && last - from >= tolerated) times.push([from, Number.POSITIVE_INFINITY])
  }
  const joined: [number, number][] = []
  for (const [from, until] of times.sort(([one], [other]) => one - other)) {
    const before = joined.at(-1)
    if (before !== undefined && from <= before[1]) before[1] = Math.max(before[1], until)
    else joined.push([from, until])
  }
  return joined.map(([from, until]) => [from, until === Number.POSITIVE_INFINITY ? undefined : until])
}

t.test(
  'given a wrong limit, when it is set, then it is refused with its path; an ended one judges nothing',
  async (t) => {
    const { ask, record, facts } = limited()
    const refused = (limit: object) => t.rejects(ask('set_sensor_limit', limit), { code: 'invalid_input' })
    await refused({ type: 'temperature', minimum: '2', service: 'a', order_id: 42 })
    await refused({ type: 'temperature', minimum: '2' })
    await refused({ type: 'temperature', service: 'a' })
    await refused({ type: 'temperature', service: 'a', minimum: '9', maximum: '8' })
    await refused({ type: 'location', service: 'a', minimum: '9' })
    await t.rejects(ask('set_sensor_limit', { type: 'temperature', minimum: '2', order_id: 41 }), {
      code: 'order_not_found',
    })
    await ask('set_sensor_limit', { type: 'temperature', maximum: '8', order_id: 42 })
    t.match(await ask('list_sensor_limits', {}), {
      sensor_limits: [{ type: 'temperature', maximum: '8', status: 'active' }],
    })
    await ask('end_sensor_limit', { limit_id: 1 })
    await record([cold(0, 20)])
    t.same(await facts(), [])
  },
)

t.test(
  'given an event with readings, in OTEP or EPCIS, then they are in the series, and not in the event',
  async (t) => {
    const { contextOf, read, list } = engine()
    const sensors = [
      { type: 'temperature', value: 41, unit: 'FAH' },
      { type: 'door', value: true, device: 'urn:d:1' },
    ]
    const event = {
      subject: { gs1_sscc: '106141412345678908' },
      status_code: 'in_transit',
      occurred_at: at(0),
      sensors,
    }
    const ingest = (document: unknown, format?: string) =>
      call(otepIngest, contextOf(acme), { document, ...(format && { format }) })
    t.match(await ingest({ lines: [event, event] }), { data: { accepted: 1, duplicate: 1 } })
    const foreign = {
      '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
      ...{ type: 'EPCISDocument', schemaVersion: '2.0', creationDate: at(9) },
      epcisBody: {
        eventList: [
          {
            ...{ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'sensor_reporting', eventTime: at(9) },
            ...{ eventTimeZoneOffset: '+00:00', epcList: ['urn:epc:id:sscc:0614141.1234567890'] },
            sensorElementList: [
              {
                sensorMetadata: { startTime: at(1), endTime: at(8), deviceID: 'urn:epc:id:giai:4000001.111' },
                sensorReport: [
                  { type: 'Temperature', minValue: 3, maxValue: 9, meanValue: 6, uom: 'CEL' },
                  { type: 'gs1:RelativeHumidity', value: 0.4, uom: 'C62', time: at(7) },
                  { type: 'Temperature', exception: 'ERROR_CONDITION', value: 99, uom: 'CEL' },
                  { type: 'Angle', component: 'cbv:Comp-latitude', value: 48.2 },
                  { type: 'Angle', component: 'cbv:Comp-longitude', value: 16.4 },
                ],
              },
            ],
          },
        ],
      },
    }
    const answer = await ingest(foreign, 'epcis')
    t.match(answer, { data: { accepted: 1 } })
    const { events, sensors: series = [] } = await read(acme, '106141412345678908')
    t.same(
      events.map((one) => 'sensors' in one),
      [false, false],
    )
    t.match(
      series.map(({ type, minimum, maximum, count }) => [type, minimum, maximum, count]),
      [
        ['temperature', 5, 5, 1],
        ['door', undefined, undefined, 1],
        ['location', undefined, undefined, 1],
        ['temperature', 3, 9, 2],
        ['humidity', 40, 40, 1],
      ],
    )
    t.match(await list({ tracking_number: '106141412345678908', type: 'location' }), {
      readings: [{ location: { latitude: 48.2 }, time: at(8) }],
    })
    const wrong = {
      ...event,
      sensors: [
        { type: 'temperature', value: 'warm' },
        { type: 'sound', value: 1 },
      ],
    }
    t.match((await ingest({ lines: [wrong] })) as object, {
      data: {
        rejected: 1,
        events: [{ errors: [{ path: 'lines[0].sensors[0].value' }, { path: 'lines[0].sensors[1].type' }] }],
      },
    })
  },
)
