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
  otepIngest,
  otepTracking,
  otepTrackingsBatch,
  type Timeline,
} from '../../../index.ts'
import { outside } from '../../../testing/context.ts'
import { contradictionsIn } from './contradiction.ts'

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

function engine(store = createMemoryStore(() => now)) {
  const models = createMemoryModels(store)
  let request = 0
  const contextOf = (caller: Caller, more: Partial<Context> = {}): Context => ({
    ...{ store, models, clock: () => now, randomId: () => crypto.randomUUID() },
    ...outside,
    ...{ profiles, formats: projections, baseUrl: 'https://otep.example', caller, messages: en },
    requestId: `request-${request++}`,
    ...more,
  })
  const subject = { tracking_number: 'TWO1' }
  return {
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
