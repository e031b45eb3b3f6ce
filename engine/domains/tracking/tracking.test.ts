import fc from 'fast-check'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { parcel, profiles } from '../../../profiles/index.ts'
import { projections } from '../../../projections/index.ts'
import {
  type Answer,
  type Caller,
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  EngineError,
  type EventStore,
  en,
  fold,
  isTerminal,
  otepForget,
  otepIngest,
  otepIngestEpcis,
  otepTracking,
  otepTrackingEvents,
  otepTrackingsBatch,
  otepValidate,
  parse,
  phaseOf,
  plannedAfter,
  stepBetween,
  type Timeline,
  trackPackage,
} from '../../index.ts'
import type { SourceEvent } from '../../kernel/projection.ts'
import { createPauses } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { sealedStore } from '../../store/sealed.ts'
import { outside } from '../../testing/context.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { specificationOf } from '../../testing/spec.ts'
import { anyCharacter } from '../../testing/texts.test.fixture.ts'
import { createMemoryVault } from '../../testing/vault.test.fixture.ts'
import { changesOf } from './changes.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import { findStream, findTimeline } from './find.ts'
import { assignmentAt, identifierKinds } from './identifiers.ts'
import { compare, merge } from './merge.ts'
import type { SourceBook } from './ports.ts'
import { pageSize, readTimeline } from './read.ts'
import type { TrackingState } from './reducer.ts'
import { sampleEvent, sampleJourney, sampleRecorded } from './samples.ts'
import { keptFrom, stateIn } from './snapshot.ts'
import { keepSources } from './sources.ts'
import { cachesOf, createStateCache, heldStates } from './state-cache.ts'
import { inForce, statusOf, statusOfFacts, timelineOf } from './timeline.ts'
import { validate } from './validate.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const acme: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }
const other: Caller = { ...acme, name: 'other' }

/** What a look-up needs of its context, besides the facts. */
const timing = { clock: () => now, pause: async () => {} }

function engine(store: EventStore = createMemoryStore(() => now), parts: Partial<Context> = {}) {
  let request = 0
  const models = createMemoryModels(store)
  const contextOf = (caller: Caller, clock = () => now): Context => ({
    store,
    models,
    clock,
    randomId: () => crypto.randomUUID(),
    ...outside,
    ...parts,
    profiles,
    formats: projections,
    baseUrl: 'https://otep.example',
    caller,
    messages: en,
    requestId: `request-${request++}`,
  })
  const ingest = async (document: unknown, caller = acme, atomic = false, clock = () => now) =>
    (await call(otepIngest, contextOf(caller, clock), { document, atomic })) as unknown as IngestAnswer
  return {
    store,
    models,
    context: () => contextOf(acme),
    ingest,
    /** Ingests lines one call each, and answers the outcomes. */
    push: async (...lines: readonly object[]) => {
      const outcomes: string[] = []
      for (const line of lines) outcomes.push((await ingest({ lines: [line] })).data.events[0]?.outcome ?? '')
      return outcomes
    },
    read: async (number: string) =>
      (await call(otepTracking, contextOf(acme), { tracking_number: number })) as unknown as {
        data: Timeline
        warnings?: Answer[]
      },
    refusedRead: (number: string) =>
      call(otepTracking, contextOf(acme), { tracking_number: number }).then(
        () => undefined,
        (error: EngineError) => error.code,
      ),
  }
}

interface Remark {
  path: string
  code: string
  message: string
  requirement?: string
}

interface IngestAnswer {
  result: boolean
  code?: string
  data: {
    accepted: number
    duplicate: number
    enriched: number
    rejected: number
    withheld: number
    events: { path: string; outcome: string; event_id: string; errors?: Remark[]; warnings?: Remark[] }[]
  }
}

const subject = { tracking_number: 'SR1' }

/** As messages list them. */
const profileNames = profiles.map(({ name }) => name).join(', ')

function line(status_code: string, occurred_at: string, more: object = {}) {
  return { subject, occurred_at, status_code, ...more }
}

const codesOf = ({ data }: { data: Timeline }) => data.events.map(({ status_code }) => status_code)

t.test(
  'given a provider of one business, when it reports on the order of another, then each such event is refused',
  async (t) => {
    const asked: object[] = []
    const ofOrders = new Map<string | number | undefined, number>([
      ['ONE', 1],
      ['TWO', 2],
      [22, 2],
    ])
    const businessesOf: Context['ports']['tracking']['businessesOf'] = async (_, { tracking_number, order_id }) => {
      asked.push({ tracking_number, order_id })
      return [ofOrders.get(tracking_number), ofOrders.get(order_id)].filter((id) => id !== undefined)
    }
    const { ingest, read, refusedRead } = engine(undefined, {
      ports: { ...outside.ports, tracking: { ...outside.ports.tracking, businessesOf } },
    })
    const bound: Caller = { ...acme, businessId: 1 }
    const event = (subject: object, hour = 10) => ({
      ...{ subject, status_code: 'received', occurred_at: `2026-06-10T${hour}:00:00Z` },
    })
    await ingest(event({ tracking_number: 'TWO', piece_id: 'P2' }))
    t.same(asked, [], 'who is bound by nothing costs nothing')
    const lines = [
      ...[{ tracking_number: 'ONE' }, { tracking_number: 'TWO' }, { tracking_number: 'NOBODYS' }, { piece_id: 'P2' }],
      ...[{ tracking_number: 'ONE', order_id: 22 }, { tracking_number: 'ONE' }],
    ].map((subject, index) => event(subject, 10 + index))
    const { data } = await ingest({ lines }, bound)
    t.same(
      data.events.map(({ outcome, errors = [] }) => [outcome, ...errors.map(({ path, code }) => `${path} ${code}`)]),
      [
        ['accepted'],
        ['rejected', 'lines[1].subject other_business'],
        ['accepted'],
        ['rejected', 'lines[3].subject other_business'],
        ['rejected', 'lines[4].subject other_business'],
        ['accepted'],
      ],
    )
    t.equal(new Set(asked.map((one) => JSON.stringify(one))).size, asked.length, 'each is asked for once a call')
    t.equal((await read('TWO')).data.events.length, 1)
    const { data: none } = await ingest({ lines: [event({ tracking_number: 'NEW' }), lines[1]] }, bound, true)
    t.same(
      none.events.map(({ outcome }) => outcome),
      ['withheld', 'rejected'],
    )
    t.equal(await refusedRead('NEW'), 'timeline_not_found')
  },
)

t.test(
  'given the parcel of another business, when a provider names it in part, then it learns and takes nothing',
  async (t) => {
    const businessesOf: Context['ports']['tracking']['businessesOf'] = async (_, { tracking_number }) =>
      [['ONE', 1] as const, ['TWO', 2] as const].flatMap(([number, id]) => (number === tracking_number ? [id] : []))
    const { ingest, read } = engine(undefined, {
      ports: { ...outside.ports, tracking: { ...outside.ports.tracking, businessesOf } },
    })
    const bound: Caller = { ...acme, businessId: 1 }
    const sscc = '106141412345678908'
    const event = (subject: object, rest: object = {}) => ({
      ...{ subject, status_code: 'received', occurred_at: '2026-06-10T10:00:00Z', ...rest },
    })
    const foreign = { tracking_number: 'TWO', external_tracking_number: 'EXT', gs1_sscc: sscc, package_id: 4242 }
    await ingest(event(foreign, { status_code: 'delivered' }))
    await ingest(event({ piece_id: 'OWN' }), bound)
    const refusalOf = async (line: object) =>
      (await ingest(line, bound)).data.events[0]?.errors?.map(({ code }) => code)
    for (const line of [
      event({ gs1_sscc: sscc, order_id: 99 }),
      event({ gs1_sscc: sscc, package_id: 99 }),
      event({ external_tracking_number: 'EXT', tracking_number: 'OTHER' }),
      event({ package_id: 4242, piece_id: 'OWN' }),
      { ...event({ package_id: 4242 }, { status_code: 'order_placed' }), profile: 'food' },
      event({ gs1_sscc: sscc }, { occurred_at: '2027-06-10T10:00:00Z' }),
      event({ tracking_number: 'EXT' }),
      event({ piece_id: sscc }),
      event({ piece_id: `https://id.gs1.org/00/${sscc}` }),
      event({ external_tracking_number: 'two' }),
    ])
      t.same(await refusalOf(line), ['other_business'], JSON.stringify(line.subject))
    t.equal((await read('EXT')).data.subject.tracking_number, 'TWO')
    await ingest(event({ tracking_number: 'NOBODYS', external_tracking_number: 'ONE', piece_id: 'TWOS' }))
    t.same(await refusalOf(event({ tracking_number: 'ONE' })), undefined, 'an own number is not lost to another’s')
  },
)

t.test('the decider of a timeline', async (t) => {
  const { given } = specificationOf(t, tracking)
  const command = { now: Date.parse('2026-06-20T10:00:00Z'), profile: parcel, subject, provider: 'acme' }
  const name = { provider: 'acme', event_id: 'e-1' }

  t.test('given no events, when an event is reported, then it is recorded', async () => {
    given()
      .when({ type: 'RecordEvent', ...command, event: sampleEvent() })
      .then(sampleRecorded())
  })
  t.test('given an event, when it is reported again, then nothing is recorded', async () => {
    given(sampleRecorded())
      .when({ type: 'RecordEvent', ...command, event: sampleEvent({ recorded_at: '2026-07-01T00:00:00Z' }) })
      .thenNothing()
  })
  t.test('given an event, when it is reported with more details, then the new ones are added', async () => {
    given(sampleRecorded({ location: { name: 'Depot' } }))
      .when({
        type: 'RecordEvent',
        ...command,
        event: sampleEvent({ location: { name: 'Depot', unlocode: 'CATOR' }, pod: { recipient: 'J' } }),
      })
      .then({
        type: 'TrackingEventEnriched',
        data: { ...name, added: { location: { unlocode: 'CATOR' } }, personal: { pod: { recipient: 'J' } } },
      })
  })
  t.test(
    'given an event, when it is reported by another name of the subject, then the subject is identified',
    async () => {
      given(sampleRecorded())
        .when({ type: 'RecordEvent', ...command, subject: { ...subject, order_id: 7 }, event: sampleEvent() })
        .then({ type: 'SubjectIdentified', data: { subject: { order_id: 7 }, provider: 'acme' } })
    },
  )
  t.test('given an event, when its id is used with another status, then it is refused', async () => {
    given(sampleRecorded())
      .when({ type: 'RecordEvent', ...command, event: sampleEvent({ status_code: 'delivered' }) })
      .thenRefused('event_id_conflict')
  })
  t.test(
    'given an event, when its id comes with another moment, then that is refused, and the same moment elsewhere is not',
    async () => {
      const spec = given(sampleRecorded())
      spec
        .when({ type: 'RecordEvent', ...command, event: sampleEvent({ occurred_at: '2026-06-10T09:31:00-04:00' }) })
        .thenRefused('event_id_conflict')
      spec
        .when({ type: 'RecordEvent', ...command, event: sampleEvent({ occurred_at: '2026-06-10T15:30:00+02:00' }) })
        .thenNothing()
    },
  )
  t.test('given an event, when it is withdrawn, then that is recorded once', async () => {
    const withdrawn = { declared_at: '2026-06-11T00:00:00Z', reason: 'wrong parcel' }
    const withdraw = { type: 'RecordEvent', ...command, event: sampleEvent(), withdrawn } as const
    given(sampleRecorded())
      .when(withdraw)
      .then({
        type: 'TrackingEventWithdrawn',
        data: {
          ...name,
          withdrawn: { declared_at: withdrawn.declared_at },
          personal: { withdrawn: { reason: withdrawn.reason } },
        },
      })
    given(sampleRecorded(), { type: 'TrackingEventWithdrawn', data: { ...name, withdrawn } })
      .when(withdraw)
      .thenNothing()
  })
  t.test('given no events, when a withdrawn event is reported, then both are recorded', async () => {
    const withdrawn = { declared_at: '2026-06-11T00:00:00Z' }
    given()
      .when({ type: 'RecordEvent', ...command, event: sampleEvent(), withdrawn })
      .then(sampleRecorded(), { type: 'TrackingEventWithdrawn', data: { ...name, withdrawn } })
  })
  t.test('given a reported status, when it is repeated, then nothing is recorded; a change is', async () => {
    const report = (status_code: string) =>
      ({ type: 'ReportStatus', ...command, event: sampleEvent({ event_id: 'e-2', status_code }) }) as const
    given(sampleRecorded()).when(report('picked_up')).thenNothing()
    given(sampleRecorded())
      .when(report('in_transit'))
      .then(sampleRecorded({ event_id: 'e-2', status_code: 'in_transit' }))
  })
  t.test('given a reported status that was withdrawn, when it is reported again, then it is recorded', async () => {
    const withdrawn = { declared_at: '2026-06-11T00:00:00Z' }
    const event = sampleEvent({ event_id: 'e-2' })
    given(sampleRecorded(), { type: 'TrackingEventWithdrawn', data: { ...name, withdrawn } })
      .when({ type: 'ReportStatus', ...command, event })
      .then(sampleRecorded({ event_id: 'e-2' }))
  })
  t.test(
    'given an event without a location, when a report differs in other members, then its location is added',
    async () => {
      given(sampleRecorded({ incident_reason: 'weather' }))
        .when({
          type: 'RecordEvent',
          ...command,
          event: sampleEvent({ incident_reason: 'strike', location: { name: 'Depot' } }),
        })
        .then({ type: 'TrackingEventEnriched', data: { ...name, added: { location: { name: 'Depot' } } } })
    },
  )
  t.test('given an event, when 20 photos or other details are added at once, then they are recorded', async () => {
    const photo_urls = Array.from({ length: 20 }, (_, index) => `https://example.com/${index}`)
    given(sampleRecorded())
      .when({ type: 'RecordEvent', ...command, event: sampleEvent({ pod: { photo_urls } }) })
      .then({ type: 'TrackingEventEnriched', data: { ...name, added: {}, personal: { pod: { photo_urls } } } })
    given(sampleRecorded({ pod: { photo_urls } }))
      .when({
        type: 'RecordEvent',
        ...command,
        event: sampleEvent({ incident_reason: 'weather', pod: { photo_urls } }),
      })
      .then({ type: 'TrackingEventEnriched', data: { ...name, added: { incident_reason: 'weather' } } })
  })
  t.test('given two sources of statuses, when each repeats its own, then nothing is recorded', async () => {
    const report = (provider: string, status_code: string) =>
      ({ type: 'ReportStatus', ...command, provider, event: sampleEvent({ event_id: 'e-9', status_code }) }) as const
    const fromOther = sampleRecorded({
      event_id: 'e-2',
      occurred_at: '2026-06-11T09:30:00-04:00',
      status_code: 'received',
    })
    const spec = given(sampleRecorded(), { ...fromOther, data: { ...fromOther.data, provider: 'other' } })
    spec.when(report('acme', 'picked_up')).thenNothing()
    spec.when(report('other', 'received')).thenNothing()
    spec.when(report('third', 'received')).thenNothing()
  })
  t.test('given a timeline, when its personal data is erased, then that is recorded once', async () => {
    const erase = { type: 'ErasePersonalData', at: '2026-07-01T00:00:00.000Z' } as const
    const erased = { type: 'PersonalDataErased', data: { at: erase.at } } as const
    given(sampleRecorded()).when(erase).then(erased)
    given(sampleRecorded(), erased).when(erase).thenNothing()
  })
  t.test('given an erased timeline, when events are reported, then their personal data is not recorded', async () => {
    const erased = { type: 'PersonalDataErased', data: { at: '2026-07-01T00:00:00.000Z' } } as const
    const pod = { recipient: 'J', signed_at: '2026-06-10T09:30:00-04:00' }
    const withdrawn = { declared_at: '2026-06-11T00:00:00Z' }
    const spec = given(sampleRecorded({ pod }), erased)
    spec.when({ type: 'RecordEvent', ...command, event: sampleEvent({ pod }) }).thenNothing()
    spec
      .when({
        type: 'RecordEvent',
        ...command,
        event: sampleEvent({ pod }),
        withdrawn: { ...withdrawn, reason: 'J moved' },
      })
      .then({ type: 'TrackingEventWithdrawn', data: { ...name, withdrawn } })
    spec
      .when({ type: 'RecordEvent', ...command, event: sampleEvent({ event_id: 'e-2', pod, description: 'To J' }) })
      .then(sampleRecorded({ event_id: 'e-2', pod: { signed_at: pod.signed_at } }))
    spec
      .when({ type: 'ReportStatus', ...command, event: sampleEvent({ event_id: 'e-2', status_code: 'received', pod }) })
      .then(sampleRecorded({ event_id: 'e-2', status_code: 'received', pod: { signed_at: pod.signed_at } }))
  })
  t.test('an event that was recorded twice exists once, wherever it is', async (t) => {
    const fact = (event_id: string, day: string) =>
      sampleRecorded({ event_id, occurred_at: `2026-06-${day}T10:00:00Z`, status_code: 'received' })
    for (const order of [
      ['10', '11', '10'],
      ['11', '10', '11', '10'],
      ['10', '10', '11', '12', '11'],
    ]) {
      const state = fold(
        tracking,
        order.map((day) => fact(`e-${day}`, day)),
      )
      t.same(
        inForce(state, parcel, Number.POSITIVE_INFINITY).map(({ event_id }) => event_id),
        [...new Set(order)].sort().map((day) => `e-${day}`),
      )
    }
  })
  t.test('changes of an unknown event, and events of an unknown type, change nothing', async (t) => {
    const state = tracking.evolve(tracking.initial(), { type: 'TrackingEventEnriched', data: { ...name, added: {} } })
    tracking.evolve(state, { type: 'TrackingEventWithdrawn', data: { ...name, withdrawn: { declared_at: '' } } })
    t.same(tracking.evolve(state, { type: 'FromTheFuture', data: {} } as never), {
      ...tracking.initial(),
      keepsVersions: true,
    })
  })
})

t.test('events are put into order', async (t) => {
  t.test('out of order and late events are sorted by occurrence, not by arrival', async (t) => {
    const { push, read } = engine()
    await push(
      line('delivered', '2026-06-12T10:00:00-04:00'),
      line('picked_up', '2026-06-10T10:00:00-04:00'),
      line('in_transit', '2026-06-11T10:00:00-04:00'),
    )
    t.same(codesOf(await read('SR1')), ['picked_up', 'in_transit', 'delivered'])
    t.equal((await read('SR1')).data.current_status, 'delivered')
  })
  t.test('events are ordered by instant, whatever their offsets', async (t) => {
    const { push, read } = engine()
    await push(line('received', '2026-06-10T08:00:00-09:00'), line('picked_up', '2026-06-10T23:00:00+08:00'))
    const { data } = await read('SR1')
    t.same(
      data.events.map(({ occurred_at }) => occurred_at),
      ['2026-06-10T23:00:00+08:00', '2026-06-10T08:00:00-09:00'],
    )
  })
  t.test('events of one instant are in the order in which they can follow each other, however they came', async (t) => {
    const at = '2026-06-11T00:00:00Z'
    const before = [line('picked_up', '2026-06-10T00:00:00Z'), line('in_transit', '2026-06-10T10:00:00Z')]
    const cases: readonly (readonly string[])[] = [
      ['out_for_delivery', 'delivered'],
      ['in_transit', 'out_for_delivery', 'delivery_failed'],
      ['arrival_scan', 'out_for_delivery', 'delivered'],
      ['out_for_delivery', 'rejected_by_recipient', 'return_to_sender'],
      ['x-photo', 'delivered'],
      ['picked_up', 'delivered'],
      ['delivered', 'return_to_sender'],
      ['cancelled', 'return_to_sender'],
    ]
    for (const expected of cases) {
      for (const given of [expected, expected.toReversed(), [...expected.slice(1), ...expected.slice(0, 1)]]) {
        const { push, read } = engine()
        for (const code of given) {
          const recorded_at = `2026-06-12T0${given.indexOf(code)}:00:00Z`
          await push(line(code, at, { recorded_at, event_id: `e${expected.length - expected.indexOf(code)}` }))
        }
        await push(...before)
        const { data } = await read('SR1')
        t.same(codesOf({ data }).slice(2), expected, given.join())
        t.equal(data.current_status, expected.at(-1), given.join())
      }
    }
  })
  t.test('what the table does not decide is decided by the event before, and then by event_id', async (t) => {
    const at = '2026-06-11T00:00:00Z'
    const failed = line('delivery_failed', at, { event_id: 'a' })
    const out = line('out_for_delivery', at, { event_id: 'b' })
    for (const given of [
      [failed, out],
      [out, failed],
    ]) {
      const { push, read } = engine()
      for (const one of given) await push(one)
      t.same(codesOf(await read('SR1')), ['out_for_delivery', 'delivery_failed'], 'nothing is before')
      await push(line('delivery_failed', '2026-06-10T10:00:00Z'))
      t.same(codesOf(await read('SR1')), ['delivery_failed', 'delivery_failed', 'out_for_delivery'])
      await push(line('in_transit', '2026-06-10T11:00:00Z'))
      t.same(codesOf(await read('SR1')).slice(2), ['out_for_delivery', 'delivery_failed'])
    }
    for (const ids of ['ab', 'ba']) {
      const { push, read } = engine()
      for (const event_id of ids) await push(line('x-photo', at, { event_id, location: { name: event_id } }))
      t.same(
        (await read('SR1')).data.events.map(({ event_id }) => event_id),
        ['a', 'b'],
      )
    }
  })
  t.test('an event of the same instant that is withdrawn changes nothing in the order of the others', async (t) => {
    const at = '2026-06-11T00:00:00Z'
    const { push, read } = engine()
    await push(line('arrival_scan', at, { event_id: 'a' }), line('in_transit', at, { event_id: 'b' }))
    const before = codesOf(await read('SR1'))
    const wrong = line('picked_up', at, { event_id: 'c' })
    await push(wrong, { ...wrong, withdrawn: { declared_at: at } })
    t.same(codesOf(await read('SR1')), before)
  })
  t.test('the phase is derived, and a wrong one is refused', async (t) => {
    const { ingest, push, read } = engine()
    await push(line('picked_up', '2026-06-10T10:00:00Z', { phase: 'pickup' }))
    t.equal((await read('SR1')).data.events[0]?.phase, 'pickup')
    const { data } = await ingest({ lines: [line('delivered', '2026-06-11T10:00:00Z', { phase: 'transit' })] })
    t.match(data.events[0]?.errors, [{ path: 'lines[0].phase', code: 'phase_mismatch' }])
  })
})

t.test('given a list with events of one instant, when it is validated, then an impossible order is a warning', (t) => {
  const at = '2026-06-10T00:00:00Z'
  const found = (...listed: readonly (readonly [code: string, at?: string])[]) => {
    const events = listed.map(([status_code, occurred_at = at]) => ({ status_code, occurred_at }))
    const document = { otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'SR1' }, events }
    const { warnings, errors } = validate(document, { profiles: [parcel], formats: [], clock: () => Date.parse(at) })
    return [...warnings, ...errors].filter(({ code }) => code === 'order_contradicted')
  }
  const params = { code: 'out_for_delivery', later: 'delivered', first: 'events[0]' }
  t.match(found(['delivered'], ['out_for_delivery']), [{ path: 'events[1].occurred_at', params }])
  t.match(found(['delivered', '2026-06-10T02:00:00+02:00'], ['out_for_delivery']), [{ params }], 'in another zone')
  t.equal(found(['return_to_sender'], ['rejected_by_recipient'], ['out_for_delivery']).length, 2)
  t.equal(found(['delivered'], ['x-photo']).length, 1)
  t.equal(found(['picked_up'], ['booking_confirmed']).length, 1)
  t.same(found(['out_for_delivery'], ['delivered']), [])
  t.same(found(['delivery_failed'], ['out_for_delivery']), [], 'either may follow the other')
  t.same(found(['delivered', '2026-06-10T00:00:00.001Z'], ['out_for_delivery']), [], 'that is another instant')
  t.end()
})

t.test('a repeated report', async (t) => {
  t.test('without event_id is recognized by its subject, time, code, location and source', async (t) => {
    const { push, read } = engine()
    const one = line('received', '2026-06-10T10:00:00-04:00', { location: { name: 'Depot' } })
    const sameInstant = { ...one, occurred_at: '2026-06-10T16:00:00+02:00' }
    const elsewhere = { ...one, location: { name: 'Hub' } }
    t.same(await push(one, one, sameInstant, elsewhere), ['accepted', 'duplicate', 'duplicate', 'accepted'])
    t.equal((await read('SR1')).data.events.length, 2)
  })
  t.test('with more fields enriches the existing event', async (t) => {
    const { push, read } = engine()
    const one = line('delivered', '2026-06-10T10:00:00-04:00', { event_id: 'd' })
    t.same(await push(one, { ...one, pod: { recipient: 'J. Doe' } }, { ...one, pod: { recipient: 'J. Doe' } }), [
      'accepted',
      'enriched',
      'duplicate',
    ])
    t.match((await read('SR1')).data.events, [{ event_id: 'd', pod: { recipient: 'J. Doe' } }])
  })
  t.test('with other values changes nothing and has a warning with its path', async (t) => {
    const { ingest, read } = engine()
    const one = line('received', '2026-06-10T10:00:00-04:00', {
      event_id: 'r',
      description: 'In',
      location: { name: 'A', unlocode: 'CATOR' },
    })
    await ingest({ lines: [one] })
    const { data } = await ingest({
      lines: [{ ...one, description: 'Out', location: { name: 'B', unlocode: 'CATOR' } }],
    })
    t.equal(data.events[0]?.outcome, 'duplicate')
    t.same(
      data.events[0]?.warnings?.map(({ path }) => path),
      ['lines[0].location.name', 'lines[0].description'],
    )
    t.equal((await read('SR1')).data.events[0]?.description, 'In')
  })
  t.test('with the id of another event is refused, and the refusal names the difference', async (t) => {
    const { ingest } = engine()
    const one = line('received', '2026-06-10T10:00:00-04:00', { event_id: 'r' })
    await ingest({ lines: [one] })
    for (const [field, other] of [
      ['status_code', 'in_transit'],
      ['occurred_at', '2026-06-10T11:00:00-04:00'],
    ] as const) {
      const { data } = await ingest({ lines: [{ ...one, [field]: other }] })
      t.match(data.events[0]?.errors, [{ path: 'lines[0].event_id', code: 'event_id_conflict' }], field)
      t.match(data.events[0]?.errors?.[0]?.message, field)
    }
  })
  t.test('of another provider with the same id is another event', async (t) => {
    const { ingest, read } = engine()
    const one = { lines: [line('received', '2026-06-10T10:00:00-04:00', { event_id: 'same' })] }
    await ingest(one)
    t.equal((await ingest(one, other)).data.accepted, 1)
    t.same(
      (await read('SR1')).data.events.map(({ source }) => source?.provider),
      ['acme', 'other'],
    )
  })
  t.test('by an operator who names no provider is that of the one who reported it', async (t) => {
    const { ingest, read } = engine()
    const cli: Caller = { kind: 'operator', name: 'cli', scopes: ['otep:ingest'] }
    const one = line('received', '2026-06-10T10:00:00-04:00', { event_id: 'same' })
    await ingest({ lines: [one] })
    t.equal(
      (await ingest({ lines: [{ ...one, occurred_at: '2026-06-10T16:00:00+02:00' }] }, cli)).data.events[0]?.outcome,
      'duplicate',
    )
    const others = [
      { ...one, status_code: 'in_transit' },
      { ...one, event_id: 'another' },
      { ...one, source: { type: 'carrier_tracking', provider: 'other' } },
    ]
    t.equal(
      (await ingest({ lines: others }, cli)).data.accepted,
      3,
      'what differs, or is of a named provider, is another event',
    )
    t.same((await read('SR1')).data.events.map(({ source }) => source?.provider).sort(), [
      'acme',
      'cli',
      'cli',
      'other',
    ])
  })
  t.test('within one call is a duplicate too', async (t) => {
    const { ingest } = engine()
    const one = line('received', '2026-06-10T10:00:00-04:00')
    t.same(
      (await ingest({ lines: [one, one] })).data.events.map(({ outcome }) => outcome),
      ['accepted', 'duplicate'],
    )
  })
})

t.test('the state cache', async (t) => {
  const at = (hour: number) => `2026-06-10T${hour}:00:00-04:00`
  const scan = (hour: number, more = {}) => line('in_transit', at(hour), { event_id: `e${hour}`, ...more })

  const other = { subject: { tracking_number: 'SR2' } }

  t.test('is brought up to date if another process has written in between', async (t) => {
    const store = createMemoryStore(() => now)
    const [one, two] = [engine(store), engine({ ...store })]
    t.same(await one.push(scan(10)), ['accepted'])
    t.same(await two.push(scan(11), scan(10)), ['accepted', 'duplicate'])
    t.same(await one.push(scan(11), scan(12)), ['duplicate', 'accepted'])
    t.same(await two.push(scan(12, { description: 'Hub' }), scan(13)), ['enriched', 'accepted'])
    const again = await one.ingest({ lines: [scan(12, { description: 'Depot' })] })
    t.match(again.data.events, [{ outcome: 'duplicate', warnings: [{ code: 'field_differs' }] }])
    t.equal((await one.read('SR1')).data.events.length, 4)
  })

  t.test('is dropped if the store is not at the expected revision', async (t) => {
    const store = createMemoryStore(() => now)
    const behind = createMemoryStore(() => now)
    let current = store
    const moved = { ...store, read: ((...args) => current.read(...args)) as typeof store.read }
    moved.appendMany = (appends) => current.appendMany(appends)
    const { push } = engine(moved)
    t.same(await push(scan(10), scan(11)), ['accepted', 'accepted'])
    current = behind
    t.same(await push(scan(12), scan(10)), ['accepted', 'accepted'], 'as after a restore of an earlier history')
  })

  t.test('contains no personal data', async (t) => {
    const store = createMemoryStore(() => now)
    const { push } = engine(store)
    await push(scan(10, { description: 'Ada L.', pod: { recipient: 'Ada L.' } }), scan(11))
    const left = cachesOf(store).timelines.take('tracking-tracking_number:SR1')
    t.equal(left?.state.entries.length, 2)
    t.notMatch(JSON.stringify(left?.state), 'Ada L.')
  })

  t.test('has the room that the store says', async (t) => {
    const store = { ...createMemoryStore(() => now), roomForStates: { bytes: 1_800 } }
    const { push } = engine(store)
    t.same(await push(scan(10), scan(11)), ['accepted', 'accepted'])
    t.same(await push(scan(10, other), scan(11, other)), ['accepted', 'accepted'])
    const { timelines } = cachesOf(store)
    t.equal(timelines.take('tracking-tracking_number:SR1'), undefined)
    t.equal(timelines.take('tracking-tracking_number:SR2')?.state.entries.length, 2)
    t.same(await push(scan(11), scan(12)), ['duplicate', 'accepted'])
  })

  t.test('tells how many bytes it holds, within its room', async (t) => {
    const store = { ...createMemoryStore(() => now), roomForStates: { bytes: 10_000 } }
    const { push } = engine(store)
    for (let parcel = 0; parcel < 50; parcel++) await push(scan(10, { subject: { tracking_number: `SR${parcel}` } }))
    for (const { bytes, most } of heldStates(store)) t.ok(bytes > most / 2 && bytes <= 10_000, `${bytes} of ${most}`)
  })

  t.test('is one for all stores with the same room', async (t) => {
    const store = { ...createMemoryStore(() => now), roomForStates: { bytes: 10_000 } }
    t.equal(cachesOf({ ...store }), cachesOf(store))
  })

  t.test('is that of the store in all of its views', async (t) => {
    const store = createMemoryStore(() => now)
    const view = () => ({ ...store, origin: store })
    t.same(await engine(view()).push(scan(10)), ['accepted'])
    t.same(await engine(view()).push(scan(11)), ['accepted'])
    t.equal(cachesOf(view()).timelines.take('tracking-tracking_number:SR1')?.state.entries.length, 2)
  })

  t.test('has a limit, and evicts the oldest entries first', async (t) => {
    const known = createStateCache<string>(5, (state) => state.length)
    for (const [stream, state] of [
      ['a-1', 'xx'],
      ['a-2', 'xx'],
      ['a-1', 'xxx'],
      ['a-3', 'xx'],
    ] as const)
      known.put(stream, { state, revision: 0 })
    t.equal(known.take('a-2'), undefined)
    t.match(known.take('a-1'), { state: 'xxx' })
    t.equal(known.take('a-1'), undefined, 'who has it may change it')
    t.match(known.take('a-3'), { state: 'xx' })
  })

  t.test('makes room for others where a state was taken and never put back', async (t) => {
    const known = createStateCache<string>(5, (state) => state.length)
    known.put('a-1', { state: 'xxxxx', revision: 0 })
    t.match(known.take('a-1'), { state: 'xxxxx' })
    known.put('a-2', { state: 'xxx', revision: 0 })
    known.put('a-3', { state: 'xx', revision: 0 })
    t.equal(known.take('a-1'), undefined)
    t.match(known.take('a-2'), { state: 'xxx' })
    t.match(known.take('a-3'), { state: 'xx' })
  })
})

t.test('a correction', async (t) => {
  const wrong = line('delivered', '2026-06-11T10:00:00-04:00', { event_id: 'w' })
  const withdrawal = {
    ...wrong,
    withdrawn: { declared_at: '2026-06-11T12:00:00-04:00', reason: 'scanned the wrong parcel' },
  }

  t.test('withdraws an event without deleting it, and the status goes back', async (t) => {
    const { push, read } = engine()
    t.same(await push(line('in_transit', '2026-06-10T10:00:00-04:00'), wrong, withdrawal), [
      'accepted',
      'accepted',
      'accepted',
    ])
    const { data } = await read('SR1')
    t.equal(data.current_status, 'in_transit')
    t.equal(data.delivered, false)
    t.match(data.withdrawn_events, [{ event_id: 'w', withdrawn: { reason: 'scanned the wrong parcel' } }])
  })
  t.test('that comes before its event takes effect when the event comes', async (t) => {
    const { push, read } = engine()
    t.same(await push(withdrawal, wrong), ['accepted', 'duplicate'])
    t.same(codesOf(await read('SR1')), [])
    t.equal((await read('SR1')).data.current_status, undefined)
  })
  t.test('of one provider does not affect the event of another', async (t) => {
    const { ingest, read } = engine()
    await ingest({ lines: [wrong] })
    await ingest({ lines: [withdrawal] }, other)
    t.same(codesOf(await read('SR1')), ['delivered'])
  })
  t.test('is required for events that a document lists as withdrawn', async (t) => {
    const { ingest, refusedRead } = engine()
    const { data } = await ingest({
      subject,
      withdrawn_events: [{ occurred_at: wrong.occurred_at, status_code: 'delivered' }],
    })
    t.match(data.events[0]?.errors, [{ path: 'withdrawn_events[0].withdrawn', code: 'required' }])
    t.equal(await refusedRead('SR1'), 'timeline_not_found')
  })
  t.test('of every event leaves a timeline without a status', async (t) => {
    const { context, push, read } = engine()
    await push(withdrawal)
    const { data } = await read('SR1')
    t.match(data, { delivered: false, events: [] })
    t.match(await call(otepValidate, context(), { document: data }), { conformant: true })
  })
})

t.test('a terminal status', async (t) => {
  t.test('holds against later non-terminal events, which are recorded with a warning', async (t) => {
    const { ingest, push, read } = engine()
    await push(line('out_for_delivery', '2026-06-10T08:00:00-04:00'), line('delivered', '2026-06-10T10:00:00-04:00'))
    const { data } = await ingest({ lines: [line('arrival_scan', '2026-06-10T11:00:00-04:00')] })
    t.match(data.events[0], { outcome: 'accepted', warnings: [{ code: 'after_terminal' }] })
    const { data: timeline, warnings } = await read('SR1')
    t.equal(timeline.current_status, 'delivered')
    t.equal(timeline.events.length, 3)
    t.match(warnings, [{ path: 'events[2].status_code', code: 'after_terminal' }])
  })
  t.test('is replaced by a later terminal one', async (t) => {
    const { push, read } = engine()
    await push(
      line('rejected_by_recipient', '2026-06-10T10:00:00-04:00'),
      line('return_to_sender', '2026-06-11T10:00:00-04:00'),
    )
    t.equal((await read('SR1')).data.current_status, 'return_to_sender')
  })
  t.test(
    'does not give way to a terminal one that cannot follow: what comes back to its sender is not delivered',
    async (t) => {
      const { push, read } = engine()
      await push(
        line('return_to_sender', '2026-06-10T10:00:00-04:00'),
        line('in_transit', '2026-06-11T10:00:00-04:00'),
        line('delivered', '2026-06-12T10:00:00-04:00'),
      )
      t.match((await read('SR1')).data, { current_status: 'return_to_sender', delivered: false })
    },
  )
})

t.test('a source that only knows its current status', async (t) => {
  const report = (current_status: string, more: object = {}) => ({ subject, current_status, ...more })

  t.test('gives one synthesized event per change', async (t) => {
    const { push, read } = engine()
    const outcomes = await push(report('received'), report('received'), report('in_transit'), report('in_transit'))
    t.same(outcomes, ['accepted', 'duplicate', 'accepted', 'duplicate'])
    const { data } = await read('SR1')
    t.same(
      data.events.map(({ status_code, synthesized }) => [status_code, synthesized]),
      [
        ['received', true],
        ['in_transit', true],
      ],
    )
  })
  t.test('may repeat its status at a later time without a second event', async (t) => {
    const { ingest, read } = engine()
    for (const hours of [0, 1]) await ingest(report('received'), acme, false, () => now + hours * 3_600_000)
    t.same(codesOf(await read('SR1')), ['received'])
  })
  t.test('gets no id if it reported nothing new, and warnings are at its own member', async (t) => {
    const { ingest } = engine()
    const first = (await ingest({ lines: [report('in_transit')] })).data.events[0]
    t.match(first, { warnings: [{ path: 'lines[0].current_status', code: 'first_step_skipped' }] })
    t.notOk('event_id' in ((await ingest({ lines: [report('in_transit')] })).data.events[0] ?? {}))
  })
  t.test('may report a time; otherwise the event is of now', async (t) => {
    const { push, read } = engine()
    await push(report('received', { current_status_at: '2026-06-10T10:00:00+02:00' }), report('in_transit'))
    const { data } = await read('SR1')
    t.same(
      data.events.map(({ occurred_at }) => occurred_at),
      ['2026-06-10T10:00:00+02:00', '2026-11-21T12:00:00.000Z'],
    )
  })
  t.test('may also report a timeline without events', async (t) => {
    const { ingest, read } = engine()
    const { data } = await ingest({
      otep_version: '0.1',
      profile: 'parcel',
      subject,
      current_status: 'received',
      events: [],
    })
    t.equal(data.accepted, 1)
    t.equal((await read('SR1')).data.current_status, 'received')
  })
  t.test('may repeat its history without a second event', async (t) => {
    const { ingest, read } = engine()
    const story = ['received', 'in_transit', 'delivered'].map((status, day) =>
      report(status, { current_status_at: `2026-06-1${day}T10:00:00Z` }),
    )
    await ingest({ lines: story })
    t.equal((await ingest({ lines: story })).data.duplicate, 3)
    t.equal((await read('SR1')).data.events.length, 3)
  })
  t.test('gets findings under the names that it used', async (t) => {
    const { ingest } = engine()
    const { data } = await ingest({ subject, current_status: 'nonsense', current_status_at: '2026-06-10' })
    t.same(
      data.events[0]?.errors?.map(({ path, code }) => [path, code]),
      [
        ['current_status_at', 'not_a_date_time'],
        ['current_status', 'unknown_status_code'],
      ],
    )
  })
})

t.test('identifiers', async (t) => {
  const all = {
    tracking_number: 'SR1',
    external_tracking_number: '1Z 999',
    gs1_sscc: '106141412345678908',
    piece_id: 'https://1r.example.com/pieces/1',
    package_id: 67890,
    order_id: 12345,
  }
  t.test('all find the timeline, ignoring case and white space', async (t) => {
    const { push, read } = engine()
    await push({ ...line('received', '2026-06-10T10:00:00Z'), subject: all })
    for (const value of [...Object.values(all).map(String), 'sr1', ' s r 1 ', '1z999']) {
      t.same((await read(value)).data.subject, all, value)
    }
  })
  t.test('that come later belong to the timeline too, and are shown', async (t) => {
    const { push, read } = engine()
    const one = line('received', '2026-06-10T10:00:00Z')
    t.same(await push(one, { ...one, subject: { ...subject, package_id: 9 } }), ['accepted', 'enriched'])
    t.same((await read('9')).data.subject, { tracking_number: 'SR1', package_id: 9 })
  })
  t.test('keep their first spelling when a later event spells them differently and adds one', async (t) => {
    const { push, read } = engine()
    await push({ ...line('received', '2026-06-10T10:00:00Z'), subject: { tracking_number: 'AB 123' } })
    await push({ ...line('in_transit', '2026-06-11T10:00:00Z'), subject: { tracking_number: 'ab123', order_id: 7 } })
    t.same((await read('7')).data.subject, { tracking_number: 'AB 123', order_id: 7 })
  })
  t.test('of two timelines in one subject are refused, and the refusal names them', async (t) => {
    const { ingest, push } = engine()
    await push(line('received', '2026-06-10T10:00:00Z'), {
      ...line('received', '2026-06-10T10:00:00Z'),
      subject: { external_tracking_number: 'X9' },
    })
    const mixed = {
      ...line('in_transit', '2026-06-11T10:00:00Z'),
      subject: { tracking_number: 'SR1', external_tracking_number: 'X9' },
    }
    const { data } = await ingest({ lines: [mixed] })
    t.match(data.events[0], {
      outcome: 'rejected',
      errors: [{ path: 'lines[0].subject', code: 'identifiers_disagree' }],
    })
    t.match(data.events[0]?.errors?.[0]?.message, /SR1.*X9/)
  })
  t.test('are refused if one of them names a second parcel', async (t) => {
    const { push } = engine()
    const carried = (tracking_number: string) => ({
      ...line('received', '2026-06-10T10:00:00Z'),
      subject: { tracking_number, external_tracking_number: 'X9' },
    })
    t.same(await push(carried('SR1'), carried('SR2')), ['accepted', 'rejected'])
  })
  t.test('of an order are shared by its parcels', async (t) => {
    const { push, read, refusedRead, ingest } = engine()
    const parcelOf = (tracking_number: string) => ({
      ...line('received', '2026-06-10T10:00:00Z'),
      subject: { tracking_number, order_id: 5 },
    })
    await push(parcelOf('SR1'))
    t.equal((await read('5')).data.subject.tracking_number, 'SR1')
    await push(parcelOf('SR2'))
    t.equal(await refusedRead('5'), 'ambiguous_identifier')
    const { data } = await ingest({
      lines: [{ ...line('in_transit', '2026-06-11T10:00:00Z'), subject: { order_id: 5 } }],
    })
    t.match(data.events[0]?.errors, [{ code: 'ambiguous_identifier', message: /SR1, tracking_number SR2/ }])
  })
  t.test('of an order with more than 20 parcels are refused with the names of 20', async (t) => {
    const { ingest, push } = engine()
    const parcelOf = (index: number, more: object = {}) =>
      line('received', '2026-06-10T10:00:00Z', { event_id: `e-${index}`, ...more })
    for (let index = 1; index <= 21; index++)
      await push(parcelOf(index, { subject: { tracking_number: `P${index}`, order_id: 5 } }))
    const again = (index: number) => ingest({ lines: [parcelOf(index, { subject: { order_id: 5 } })] })
    t.match((await again(2)).data.events, [{ outcome: 'duplicate' }], 'one of the latest 20 holds this event')
    const { data } = await again(1)
    t.match(data.events, [{ outcome: 'rejected', errors: [{ code: 'ambiguous_identifier' }] }])
    t.equal(data.events[0]?.errors?.[0]?.message.match(/tracking_number P\d+/g)?.length, 20)
  })
  t.test('of a timeline with one profile are refused with codes of another', async (t) => {
    const { ingest, push, read } = engine()
    await push(line('received', '2026-06-10T10:00:00Z'))
    const { data } = await ingest({ lines: [line('stored', '2026-06-11T10:00:00Z', { profile: 'storage' })] })
    t.match(data.events, [{ outcome: 'rejected', errors: [{ path: 'lines[0].profile', code: 'other_profile' }] }])
    t.same(codesOf(await read('SR1')), ['received'])
  })
  t.test('of an order without parcels are used for its first parcel', async (t) => {
    const { push, read } = engine()
    await push(
      { ...line('booking_confirmed', '2026-06-10T10:00:00Z'), subject: { order_id: 5 } },
      { ...line('received', '2026-06-11T10:00:00Z'), subject: { order_id: 5, tracking_number: 'SR1' } },
    )
    t.same(codesOf(await read('SR1')), ['booking_confirmed', 'received'])
  })
  t.test('that a spreadsheet has shortened, or could not calculate, are refused', async (t) => {
    const { ingest, push } = engine()
    const reported = (tracking_number: string) => ({
      ...line('received', '2026-06-10T10:00:00Z'),
      subject: { tracking_number },
    })
    const codes = {
      shortened_number: ['9.40551E+21', '9,40551E+21', '1.23457E+11', '1E+05', '9.4e+21', '1.0E10', ' 9.40551E+21 '],
      decimal_number: ['123456789012.0', "'12345678.0"],
      spreadsheet_error: ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#NV', '#ZAHL!', '######'],
    }
    for (const [code, values] of Object.entries(codes))
      for (const value of values) {
        const { data } = await ingest({ lines: [reported(value)] })
        t.match(data.events[0]?.errors, [{ path: 'lines[0].subject.tracking_number', code }], value)
      }
    const whole = ['12E5', '1E10', '1E-05', '3E+5', '9.40551', 'A9.4E+21', '940551E+21', '#1', 'N/A1']
    t.same(await push(...whole.map(reported)), Array(whole.length).fill('accepted'))
  })
  t.test('that are unknown are not found', async (t) => {
    const { refusedRead } = engine()
    for (const value of ['nothing', '../../etc/passwd', '💣', '\u0000', '%', '#'])
      t.equal(await refusedRead(value), 'timeline_not_found')
  })

  /** What comes with numbers that are copied out of pages, mails, chats and spreadsheets. */
  const unseen = [
    ...[
      '\u200b',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u200e',
      '\u202c',
      '\u2068',
      '\u061c',
      '\ufe0f',
      '\u{e0031}',
    ],
    ...['\u00a0', '\u202f', '\u3000', '\u2028', '\u180e', '\u2800', '\u001d', '\u0085', '\u3164'],
  ]

  t.test('are found with any characters that nobody can see', async (t) => {
    const { push, read } = engine()
    await push({ ...line('received', '2026-06-10T10:00:00Z'), subject: { tracking_number: 'IV1', order_id: 7 } })
    for (const one of unseen)
      for (const value of [`IV1${one}`, `${one}IV1`, `I${one}V1`, `tracking_number:IV1${one}`, `${one}7`])
        t.equal((await read(value)).data.subject.tracking_number, 'IV1', encodeURIComponent(value))
    t.equal((await read('\uff29\uff36\uff11')).data.subject.tracking_number, 'IV1', 'and in full width')
  })
  t.test('that differ by what nobody can see are of one timeline, which keeps the first form', async (t) => {
    const { push, read } = engine()
    const reported = (tracking_number: string, hour: number) => ({
      ...line('in_transit', `2026-06-10T${String(hour).padStart(2, '0')}:00:00Z`),
      subject: { tracking_number },
    })
    await push(reported('\u202dIV 1\u202c', 0))
    const visible = unseen.filter((one) => !/\p{Cc}/u.test(one))
    t.same(
      await push(...visible.map((one, at) => reported(`IV1${one}`, at + 1))),
      Array(visible.length).fill('accepted'),
    )
    const { data } = await read('IV1')
    t.equal(data.events.length, visible.length + 1)
    t.same(data.subject, { tracking_number: '\u202dIV 1\u202c' })
    t.same(await push(reported('\u200b\u2060', 1)), ['rejected'], 'nothing to see is no number')
  })
  t.test('of an earlier version that has kept what nobody can see are found as they were given', async (t) => {
    const { push, store, read, refusedRead } = engine()
    const given = 'IV1\u200b'
    const report = (tracking_number: string, day: number) => ({
      ...line('in_transit', `2026-06-${10 + day}T10:00:00Z`),
      subject: { tracking_number },
    })
    const former = engine()
    await former.push(report('OTHER', 0))
    for (const stream of ['identifier-tracking_number:', 'tracking-tracking_number:'] as const) {
      const [event] = await former.store.read(`${stream}OTHER`)
      const text = JSON.stringify(event).replaceAll('tracking_number:OTHER', 'tracking_number:IV1%E2%80%8B')
      const old = JSON.parse(text.replaceAll('OTHER', given))
      await store.append(`${stream}IV1%E2%80%8B`, [old], 'no-stream')
    }
    t.equal((await read(given)).data.events.length, 1)
    t.equal(await refusedRead('IV1'), 'timeline_not_found')
    t.same(await push(report(given, 1)), ['accepted'])
    t.equal((await read(given)).data.events.length, 2, 'and go on')
    t.same(await push(report('IV1', 2)), ['accepted'])
    t.equal((await read('IV1')).data.events.length, 1)
    t.equal((await read('tracking_number:IV1%E2%80%8B')).data.events.length, 2)
  })

  /** An engine whose numbers are of every kind, with one that is used again and an order of two parcels. */
  async function withNumbers() {
    const { push, store, models } = engine()
    await push(
      { ...line('delivered', '2026-01-01T10:00:00Z'), subject: { tracking_number: 'sr 1', order_id: 7 } },
      { ...line('received', '2026-06-10T10:00:00Z'), subject: { tracking_number: 'SR1' } },
      { ...line('received', '2026-06-10T10:00:00Z'), subject: { tracking_number: 'SR2', order_id: 7 } },
      { ...line('received', '2026-06-10T10:00:00Z'), subject: { external_tracking_number: 'ß/ x', package_id: 9 } },
      { ...line('received', '2026-06-10T10:00:00Z'), subject: { piece_id: '9', order_id: 8 } },
    )
    return { ...timing, store, models }
  }
  const refused = (error: EngineError) => error.code
  const values = ['SR1', ' sr1', 'sr2', 'ß/x', '9', '7', '8', 'tracking_number:SR1', 'order_id:7', 'nobody', '\u0000']

  t.test('are looked up in the read model, which leads to their streams', async (t) => {
    const parts = await withNumbers()
    const streams = { ...timing, store: parts.store, models: { rows: async () => [] } }
    for (const value of values) {
      const expected = await findStream(streams, value).catch(refused)
      t.equal(await findStream(parts, value).catch(refused), expected, value)
      for (const kind of [...identifierKinds, 'name']) {
        const name = await findTimeline(streams, kind, value).catch(refused)
        t.equal(await findTimeline(parts, kind, value).catch(refused), name, `${kind} ${value}`)
      }
    }
    t.equal(await findStream(parts, 'SR1'), 'tracking-tracking_number:SR1#2')
    t.equal(await findStream(parts, '7').catch(refused), 'ambiguous_identifier')
    t.equal(await findTimeline(parts, 'package_id', '9'), 'external_tracking_number:SS%2FX')
  })
  t.test('in the read model are found without reading a stream', async (t) => {
    const { store, models } = await withNumbers()
    const read = () => Promise.reject(new Error('a stream was read'))
    t.equal(await findStream({ ...timing, store: { ...store, read }, models }, '8'), 'tracking-piece_id:9')
    t.equal(await findTimeline({ ...timing, store: { ...store, read }, models }, 'order_id', '8'), 'piece_id:9')
  })
  t.test('are found while their read model is being built, but not if it fails', async (t) => {
    const { store } = await withNumbers()
    const failing = (error: Error) => ({ ...timing, store, models: { rows: () => Promise.reject(error) } })
    t.equal(await findStream(failing(new EngineError('store_unavailable')), '8'), 'tracking-piece_id:9')
    await t.rejects(findStream(failing(new Error('broken')), '8'), { message: 'broken' })
  })
})

t.test('given a thing with a GS1 key, when it is looked up', async (t) => {
  const sscc = { tracking_number: 'K1', gs1_sscc: '106141412345678908' }
  const event = { status_code: 'received', occurred_at: '2026-06-10T08:00:00Z' }
  const found = async (spellings: readonly string[], subject: object) => {
    const { ingest, read } = engine()
    await ingest({ lines: [{ subject, ...event }] })
    for (const spelling of spellings) t.same((await read(spelling)).data.subject, subject, spelling)
  }
  t.test('then every way of writing an SSCC finds it', async () => {
    await found(
      [
        ...['106141412345678908', '(00)106141412345678908', '00106141412345678908', ']C100106141412345678908'],
        ...['urn:epc:id:sscc:0614141.1234567890', 'https://id.gs1.org/00/106141412345678908'],
        ...['https://brand.example/track/00/106141412345678908?x=1', 'HTTP://id.gs1.org/00/106141412345678908'],
      ],
      sscc,
    )
  })
  t.test('then every way of writing a serial number finds it, however it was recorded', async () => {
    const spellings = [
      ...['urn:epc:id:sgtin:0614141.107346.2017', 'https://id.gs1.org/01/10614141073464/21/2017'],
      ...['https://brand.example/01/10614141073464/10/L7/21/2017?17=270101', '(01)10614141073464(21)2017'],
      '(01)10614141073464(10)L7(21)2017',
    ]
    for (const piece_id of spellings.slice(0, 3)) await found(spellings, { piece_id })
  })
  t.test('then another key, or one with a wrong check digit, does not', async (t) => {
    const { ingest, refusedRead } = engine()
    await ingest({ lines: [{ subject: sscc, ...event }] })
    for (const other of ['(00)106141412345678907', '00106141412345678907', '(00)', '(414)106141412345678908'])
      t.equal(await refusedRead(other), 'timeline_not_found', other)
  })
})

t.test('a number that is reused', async (t) => {
  const first = [line('picked_up', '2026-01-01T10:00:00Z'), line('delivered', '2026-01-05T10:00:00Z')]

  t.test('opens a new timeline 90 days after the terminal event', async (t) => {
    const { push, read } = engine()
    await push(...first, line('information_submitted', '2026-04-05T10:00:00Z'))
    t.same(codesOf(await read('SR1')), ['information_submitted'])
  })
  t.test('does not within 90 days, or by a terminal event', async (t) => {
    const { push, read } = engine()
    await push(...first, line('arrival_scan', '2026-04-05T09:59:59Z'), line('return_to_sender', '2026-08-01T10:00:00Z'))
    t.equal((await read('SR1')).data.events.length, 4)
  })
  t.test('does not while its terminal event is withdrawn', async (t) => {
    const { push, read } = engine()
    const [, delivered] = first
    await push(...first, { ...delivered, withdrawn: { declared_at: '2026-01-06T10:00:00Z' } })
    await push(line('in_transit', '2026-05-01T10:00:00Z'))
    t.same(codesOf(await read('SR1')), ['picked_up', 'in_transit'])
  })
  t.test('leaves late events of the old parcel with the old parcel', async (t) => {
    const { push, read, store, models } = engine()
    await push(
      ...first,
      line('information_submitted', '2026-05-01T10:00:00Z'),
      line('in_transit', '2026-01-03T10:00:00Z'),
    )
    t.same(codesOf(await read('SR1')), ['information_submitted'])
    t.equal(await findStream({ ...timing, store, models }, 'SR1'), 'tracking-tracking_number:SR1#2')
    t.equal((await store.read('tracking-tracking_number:SR1')).length, 3)
  })
  t.test('can be used a third time', async (t) => {
    const { push, read, store, models } = engine()
    await push(
      ...first,
      line('delivered', '2026-01-06T00:00:00Z'),
      line('picked_up', '2026-05-01T10:00:00Z'),
      line('delivered', '2026-05-02T10:00:00Z'),
      line('picked_up', '2026-10-01T10:00:00Z'),
    )
    t.equal(await findStream({ ...timing, store, models }, 'SR1'), 'tracking-tracking_number:SR1#3')
    t.same(codesOf(await read('SR1')), ['picked_up'])
  })
  t.test('means the parcel that used it at the time', async (t) => {
    const assignments = [
      { timeline: 'tracking-a', from: undefined },
      { timeline: 'tracking-b', from: 100 },
      { timeline: 'tracking-c', from: 200 },
    ] as const
    const at = (instant: number) => assignmentAt(assignments, instant)?.timeline.slice(-1)
    t.same([at(-5), at(100), at(199), at(Number.POSITIVE_INFINITY)], ['a', 'b', 'b', 'c'])
    t.equal(
      assignmentAt([...assignments].reverse(), 150)?.timeline,
      'tracking-b',
      'in whatever order they were assigned',
    )
    t.equal(assignmentAt([], 0), undefined)
  })
})

t.test('a hostile or unlucky provider', async (t) => {
  const at = (day: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000).toISOString()
  const of = (tracking_number: string, more: object = {}) => ({ subject: { tracking_number, ...more } })

  t.test('assigns no identifier with a refused event', async (t) => {
    const { push, refusedRead } = engine()
    const known = { ...line('received', at(0), { event_id: 'e1' }), ...of('A') }
    const refused = {
      ...line('in_transit', at(1), { event_id: 'e1' }),
      ...of('A', { external_tracking_number: 'EXT' }),
    }
    t.same(await push(known, refused), ['accepted', 'rejected'])
    t.equal(await refusedRead('EXT'), 'timeline_not_found')
    t.same(await push({ ...line('received', at(0)), ...of('B', { external_tracking_number: 'EXT' }) }), ['accepted'])
  })
  t.test('gets a duplicate if the timeline has the event, even when the number could be reused', async (t) => {
    const { push, read } = engine()
    const late = line('in_transit', at(100), { event_id: 'e1' })
    t.same(await push(line('received', at(0)), late, line('delivered', at(5)), late), [
      'accepted',
      'accepted',
      'accepted',
      'duplicate',
    ])
    t.equal((await read('SR1')).data.events.length, 3)
  })
  t.test('finds the new parcel, whatever the order of events in a call', async (t) => {
    const story = [
      line('delivered', at(205)),
      line('out_for_delivery', at(204)),
      line('received', at(202)),
      line('information_submitted', at(201)),
    ]
    for (const lines of [story, [...story].reverse()]) {
      const { ingest, push, read } = engine()
      await push(line('picked_up', at(0)), line('delivered', at(3)))
      const { data } = await ingest({ lines })
      t.same(
        data.events.map(({ path }) => path),
        lines.map((_, index) => `lines[${index}]`),
      )
      t.same(codesOf(await read('SR1')), ['information_submitted', 'received', 'out_for_delivery', 'delivered'])
    }
  })
  t.test('does not affect the other parcels of an order by reusing a number', async (t) => {
    const { push, refusedRead } = engine()
    await push(
      { ...line('delivered', at(1)), ...of('A', { order_id: 7 }) },
      { ...line('received', at(1)), ...of('B', { order_id: 7 }) },
    )
    await push({ ...line('received', at(100)), ...of('A', { order_id: 7 }) })
    t.equal(await refusedRead('7'), 'ambiguous_identifier')
    t.same(await push({ ...line('delivered', at(101)), subject: { order_id: 7 } }), ['rejected'])
  })
  t.test('gets a duplicate by the order alone, even if the order now has another parcel', async (t) => {
    const { push } = engine()
    const byOrder = { ...line('in_transit', at(1), { event_id: 'e1' }), subject: { order_id: 7 } }
    await push({ ...line('received', at(0)), ...of('A', { order_id: 7 }) }, byOrder, {
      ...line('received', at(0)),
      ...of('B', { order_id: 7 }),
    })
    t.same(await push(byOrder), ['duplicate'])
  })
  t.test('moves the other identifiers of a parcel that come later than its number', async (t) => {
    const { push, read } = engine()
    const both = { external_tracking_number: 'Y' }
    await push({ ...line('delivered', at(1)), ...of('SR1', both) }, line('received', at(100)))
    t.same(await push({ ...line('in_transit', at(102)), ...of('SR1', both) }), ['accepted'])
    t.same(codesOf(await read('Y')), ['received', 'in_transit'])
    t.same(
      await push({ ...line('received', at(0)), ...of('SR1', both) }),
      ['accepted'],
      'and leaves the past where it was',
    )
    t.same(codesOf(await read('Y')), ['received', 'in_transit'])
  })
  t.test('cannot add photos without limit, or mix two locations', async (t) => {
    const { ingest, push, read } = engine()
    const photos = (from: number) => Array.from({ length: 15 }, (_, index) => `https://example.com/${from + index}`)
    const one = line('delivered', at(1), { event_id: 'd', location: { name: 'Toronto', unlocode: 'CATOR' } })
    await push({ ...one, pod: { photo_urls: photos(0) } })
    const { data } = await ingest({ lines: [{ ...one, pod: { photo_urls: photos(100) } }] })
    t.match(data.events[0]?.errors, [{ path: 'lines[0].pod.photo_urls', code: 'too_long' }])
    await push({ ...one, location: { name: 'Montreal', latitude: 45.5, longitude: -73.6 } })
    t.same((await read('SR1')).data.events[0]?.location, { name: 'Toronto', unlocode: 'CATOR' })
  })
  t.test('may add photos until an event has 20', async (t) => {
    const { ingest, push, read } = engine()
    const reportOf = (from: number, count: number) => {
      const photo_urls = Array.from({ length: count }, (_, index) => `https://example.com/${from + index}`)
      return line('delivered', at(1), { event_id: 'd', pod: { photo_urls } })
    }
    t.same(await push(reportOf(0, 12), reportOf(12, 8)), ['accepted', 'enriched'])
    t.equal((await read('SR1')).data.events[0]?.pod?.photo_urls?.length, 20)
    const { data } = await ingest({ lines: [reportOf(20, 1)] })
    t.match(data.events, [{ outcome: 'rejected', errors: [{ path: 'lines[0].pod.photo_urls', code: 'too_long' }] }])
    t.equal((await read('SR1')).data.events[0]?.pod?.photo_urls?.length, 20)
  })
  t.test('gets no warning about members that it did not send', async (t) => {
    const { ingest } = engine()
    const one = line('received', at(1), { event_id: 'r' })
    await ingest({ lines: [{ ...one, source: { type: 'node_scan' } }] })
    t.equal(
      (await ingest({ lines: [one] })).data.events[0]?.warnings?.some(({ code }) => code === 'field_differs') ?? false,
      false,
    )
  })
  t.test('gets pages even if two providers use the same id', async (t) => {
    const { context, ingest } = engine()
    for (const caller of [acme, other])
      await ingest(
        { lines: [line('received', at(1), { event_id: '1' }), line('in_transit', at(2), { event_id: caller.name })] },
        caller,
      )
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = (await call(otepTrackingEvents, context(), {
        tracking_number: 'SR1',
        limit: 1,
        ...(after === undefined ? {} : { after }),
      })) as unknown as { data: { source: { provider: string } }[]; next?: string }
      seen.push(...page.data.map(({ source }) => source.provider))
      after = page.next
    } while (after !== undefined && seen.length < 10)
    t.equal(seen.length, 4)
  })
  t.test('is validated in linear time', async (t) => {
    const { context } = engine()
    const verdict = async (document: unknown) =>
      (await call(otepValidate, context(), { document })) as unknown as { errors: Remark[]; conformant: boolean }
    const lists = await verdict({ events: Array(10_000).fill([]) })
    t.equal(lists.conformant, false)
    t.ok(lists.errors.length <= 1001)
    t.equal((await verdict({ events: Array(10_000).fill({ a: 1, b: 2 }) })).conformant, false)
    await t.rejects(verdict({ events: Array(10_001).fill([]) }), { code: 'too_many_events' })
    t.match(await verdict({ subject, events: [{ pod: { photo_urls: Array(100_000).fill(1) } }] }), {
      errors: [{}, {}, { path: 'events[0].pod.photo_urls', code: 'too_long' }],
    })
  })
  t.test('may use names that every object inherits', async (t) => {
    const { context, ingest } = engine()
    const events = ['constructor', '__proto__', 'toString', 'received'].map((status_code, index) => ({
      status_code,
      occurred_at: at(index),
    }))
    const document = JSON.parse('{"constructor":1,"__proto__":{},"toString":2}')
    const verdict = (await call(otepValidate, context(), {
      document: { ...document, subject, events },
    })) as unknown as { errors: Remark[] }
    t.ok(verdict.errors.every(({ path }) => typeof path === 'string'))
    const root = (await call(otepValidate, context(), { document })) as unknown as { errors: Remark[] }
    t.ok(
      ['constructor', '__proto__', 'toString'].every((name) =>
        root.errors.some(({ path, code }) => path === name && code === 'unknown_field'),
      ),
    )
    t.equal((await ingest({ subject, events })).data.rejected, 3)
  })
})

t.test('an ingest', async (t) => {
  const good = line('received', '2026-06-10T10:00:00Z')
  const bad = line('nonsense', '2026-06-10T10:00:00Z')

  t.test('keeps valid events next to invalid ones and reports the result of each', async (t) => {
    const { ingest } = engine()
    const answer = await ingest({ lines: [good, bad, good] })
    t.match(answer, { result: true, data: { accepted: 1, duplicate: 1, rejected: 1 } })
    t.same(
      answer.data.events.map(({ path, outcome }) => [path, outcome]),
      [
        ['lines[0]', 'accepted'],
        ['lines[1]', 'rejected'],
        ['lines[2]', 'duplicate'],
      ],
    )
  })
  t.test('stores nothing if an all-or-nothing call has an invalid event', async (t) => {
    const { ingest, refusedRead } = engine()
    t.match(await ingest({ lines: [good, bad] }, acme, true), {
      result: false,
      code: 'nothing_stored',
      data: { withheld: 1, rejected: 1 },
    })
    t.equal(await refusedRead('SR1'), 'timeline_not_found')
  })
  t.test('with only invalid events is refused, with the reasons', async (t) => {
    const { ingest } = engine()
    t.match(await ingest({ lines: [bad] }), {
      result: false,
      code: 'nothing_accepted',
      data: { events: [{ errors: [{ path: 'lines[0].status_code', code: 'unknown_status_code' }] }] },
    })
  })
  t.test('accepts a timeline, several timelines, lines, and one event with its subject', async (t) => {
    const timeline = {
      otep_version: '0.1',
      profile: 'parcel',
      subject,
      events: [{ occurred_at: '2026-06-10T10:00:00Z', status_code: 'received' }],
    }
    const documents: [unknown, string][] = [
      [timeline, 'events[0]'],
      [{ timelines: [timeline] }, 'timelines[0].events[0]'],
      [{ lines: [good, timeline] }, 'lines[0]'],
      [good, ''],
    ]
    for (const [document, path] of documents) {
      const { ingest } = engine()
      t.match(await ingest(document), { data: { accepted: 1, events: [{ path }] } })
    }
  })
  t.test('accepts what a read has returned, as duplicates', async (t) => {
    const { ingest, push, read } = engine()
    await push(good, {
      ...line('delivered', '2026-06-11T10:00:00Z', { withdrawn: { declared_at: '2026-06-12T00:00:00Z' } }),
    })
    const { data } = await read('SR1')
    t.match(await ingest(data), { data: { duplicate: 2, accepted: 0 } })
  })
  t.test("only writes under the provider's own name", async (t) => {
    const { ingest, read } = engine()
    const { data } = await ingest({ lines: [{ ...good, source: { type: 'node_scan', provider: 'other' } }] })
    t.match(data.events[0]?.errors, [{ path: 'lines[0].source.provider', code: 'source_mismatch' }])
    await ingest({ lines: [good] })
    t.same((await read('SR1')).data.events[0]?.source, { type: 'carrier_tracking', provider: 'acme' })
  })
  t.test('lets an operator record for a provider', async (t) => {
    const { ingest, read } = engine()
    await ingest(
      { lines: [{ ...good, source: { type: 'node_scan', provider: 'other' } }] },
      { ...acme, kind: 'operator' },
    )
    t.equal((await read('SR1')).data.events[0]?.source?.provider, 'other')
  })
  t.test('warns about skipped steps, impossible steps and the future, and records them', async (t) => {
    const { ingest } = engine()
    const { data } = await ingest({
      lines: [
        line('in_transit', '2026-06-10T10:00:00Z'),
        line('out_for_pickup', '2026-06-11T10:00:00Z'),
        line('delivered', '2026-11-23T10:00:00Z'),
      ],
    })
    t.equal(data.accepted, 3)
    t.same(
      data.events.map(({ warnings = [] }) => warnings.map(({ code }) => code)),
      [['first_step_skipped'], ['impossible_transition'], ['in_future']],
    )
  })
  t.test('warns about times that programs write where they know none, and records no such expected time', async (t) => {
    const { ingest, read } = engine()
    const times = {
      '9999-12-31T00:00:00Z': 'no_date',
      '0001-01-01T00:00:00Z': 'no_date',
      '1900-01-01T00:00:00+01:00': 'no_date',
      '1970-01-01T00:00:00Z': 'no_date',
      '1969-12-31T19:00:00-05:00': 'no_date',
      '2201-01-01T00:00:00Z': 'no_date',
      '2026-12-04T18:00:00Z': undefined,
      '2200-12-31T00:00:00Z': undefined,
    }
    for (const [time, code] of Object.entries(times)) {
      const expected = { estimated_delivery_from: '2026-12-01T00:00:00Z', estimated_delivery_at: time }
      const arrived = line('arrival_scan', '2026-06-11T10:00:00Z', { event_id: `e ${time}`, ...expected })
      const { data } = await ingest({ lines: [arrived] })
      const warned = data.events[0]?.warnings?.filter(({ code }) => code === 'no_date')
      const path = 'lines[0].estimated_delivery_at'
      t.match(
        warned ?? [],
        code === undefined
          ? []
          : [
              {
                path,
                code,
                message: `Systems write ${time.slice(0, 10)} when they know no date. No expected time is recorded.`,
              },
            ],
        time,
      )
      const event = (await read('SR1')).data.events.find(({ event_id }) => event_id === `e ${time}`)
      t.equal(event?.estimated_delivery_at, code === undefined ? time : undefined, time)
      t.equal('estimated_delivery_from' in (event ?? {}), code === undefined, `${time}: no half of a window`)
    }
    const { data } = await ingest({ lines: [line('received', '1970-01-01T00:00:00Z')] })
    t.match(data.events, [{ outcome: 'accepted', warnings: [{ path: 'lines[0].occurred_at', code: 'long_ago' }] }])
  })
  t.test('refuses a window without an end, and one that ends before it begins', async (t) => {
    const { ingest, read, push } = engine()
    const from = { estimated_delivery_from: '2026-06-12T14:00:00Z' }
    const until = (time: string) => ({ ...from, estimated_delivery_at: `2026-06-12T${time}:00:00Z` })
    const at = (more: object) => line('arrival_scan', '2026-06-11T10:00:00Z', { event_id: 'a', ...more })
    const { data } = await ingest({ lines: [at(from), at(until('13')), at(until('14'))] })
    const path = (index: number) => `lines[${index}].estimated_delivery_at`
    t.match(data.events, [
      { errors: [{ path: path(0), code: 'required' }] },
      { errors: [{ path: path(1), code: 'ends_before_start' }] },
      { errors: [{ path: path(2), code: 'ends_before_start' }] },
    ])
    t.same(await push(at({}), at(until('16'))), ['accepted', 'enriched'])
    t.match((await read('SR1')).data.events, [until('16')])
    const other = { estimated_delivery_at: '2026-06-13T16:00:00Z' }
    t.same(await push({ ...at(other), event_id: 'b' }, { ...at(until('16')), event_id: 'b' }), [
      'accepted',
      'duplicate',
    ])
    t.match((await read('SR1')).data.events[1], { ...other, estimated_delivery_from: undefined }, 'no half of a window')
  })
  t.test('accepts unregistered codes', async (t) => {
    const { push, read } = engine()
    t.same(await push(line('x-drone.parked', '2026-06-10T10:00:00Z'), line('x-', '2026-06-10T10:00:00Z')), [
      'accepted',
      'rejected',
    ])
    t.match((await read('SR1')).data, { current_status: 'x-drone.parked', events: [{ phase: 'x-experimental' }] })
  })
  t.test('requires the scope', async (t) => {
    const { context } = engine()
    const refusal = (caller: Caller) =>
      call(otepIngest, { ...context(), caller }, { document: good }).catch((error: EngineError) => error.code)
    t.equal(await refusal({ kind: 'anonymous', name: 'anonymous', scopes: [] }), 'unauthenticated')
    t.equal(await refusal({ ...acme, scopes: [] }), 'forbidden')
  })
  t.test('by many callers at once loses and doubles no event of a timeline', async (t) => {
    const { ingest, read } = engine()
    const journey = sampleJourney('SR1')
    const calls = Array.from({ length: 40 }, (_, index) => ingest({ lines: [journey[index % 10]] }))
    const outcomes = (await Promise.all(calls)).map(({ data }) => data.events[0]?.outcome)
    t.equal(outcomes.filter((outcome) => outcome === 'accepted').length, 10)
    t.equal(outcomes.filter((outcome) => outcome === 'duplicate').length, 30)
    t.equal((await read('SR1')).data.events.length, 10)
  })
  t.test('of two parcels that claim one identifier at once gives it to one of them', async (t) => {
    const { ingest } = engine()
    const claims = ['SR1', 'SR2'].map((tracking_number) =>
      ingest({ lines: [{ ...good, subject: { tracking_number, external_tracking_number: 'X' } }] }),
    )
    const outcomes = (await Promise.all(claims)).map(({ data }) => data.events[0]?.outcome)
    t.same(outcomes.sort(), ['accepted', 'rejected'])
  })
})

t.test('invalid input is refused with its path and code, and does no harm', async (t) => {
  const event = { subject, occurred_at: '2026-06-10T10:00:00Z', status_code: 'received' }
  const cases: [string, unknown, string, string][] = [
    ['an empty subject', { ...event, subject: {} }, 'lines[0].subject', 'no_identifier'],
    ['no subject', { ...event, subject: undefined }, 'lines[0].subject', 'required'],
    ['a subject that is a list', { ...event, subject: [] }, 'lines[0].subject', 'wrong_type'],
    [
      'a number where text belongs',
      { ...event, subject: { tracking_number: 5 } },
      'lines[0].subject.tracking_number',
      'wrong_type',
    ],
    ['a null', { ...event, description: null }, 'lines[0].description', 'wrong_type'],
    ['a blank number', { ...event, subject: { tracking_number: '  ' } }, 'lines[0].subject.tracking_number', 'blank'],
    [
      'an empty number',
      { ...event, subject: { tracking_number: '' } },
      'lines[0].subject.tracking_number',
      'too_short',
    ],
    [
      'a long number',
      { ...event, subject: { tracking_number: 'x'.repeat(101) } },
      'lines[0].subject.tracking_number',
      'too_long',
    ],
    [
      'a number with a control character',
      { ...event, subject: { tracking_number: 'a\u0000b' } },
      'lines[0].subject.tracking_number',
      'control_character',
    ],
    [
      'an order id that is a fraction',
      { ...event, subject: { order_id: 1.5 } },
      'lines[0].subject.order_id',
      'wrong_type',
    ],
    ['an order id below zero', { ...event, subject: { order_id: -1 } }, 'lines[0].subject.order_id', 'too_small'],
    [
      'an SSCC with a wrong check digit',
      { ...event, subject: { gs1_sscc: '106141412345678907' } },
      'lines[0].subject.gs1_sscc',
      'check_digit',
    ],
    [
      'an SSCC of 17 digits',
      { ...event, subject: { gs1_sscc: '10614141234567890' } },
      'lines[0].subject.gs1_sscc',
      'not_sscc',
    ],
    ['no time', { ...event, occurred_at: undefined }, 'lines[0].occurred_at', 'occurred_at_required'],
    ['no offset', { ...event, occurred_at: '2026-06-10T10:00:00' }, 'lines[0].occurred_at', 'offset_missing'],
    ['30 February', { ...event, occurred_at: '2026-02-30T10:00:00Z' }, 'lines[0].occurred_at', 'no_such_date'],
    ['29 February of 2027', { ...event, occurred_at: '2027-02-29T10:00:00Z' }, 'lines[0].occurred_at', 'no_such_date'],
    ['the year 10000', { ...event, occurred_at: '10000-01-01T10:00:00Z' }, 'lines[0].occurred_at', 'not_a_date_time'],
    ['hour 24', { ...event, occurred_at: '2026-06-10T24:00:00Z' }, 'lines[0].occurred_at', 'no_such_date'],
    ['a leap second', { ...event, occurred_at: '2016-12-31T23:59:60Z' }, 'lines[0].occurred_at', 'no_such_date'],
    [
      'an offset of 15 hours',
      { ...event, occurred_at: '2026-06-10T10:00:00+15:00' },
      'lines[0].occurred_at',
      'no_such_date',
    ],
    ['a date alone', { ...event, occurred_at: '2026-06-10' }, 'lines[0].occurred_at', 'not_a_date_time'],
    ['an unknown code', { ...event, status_code: 'Received' }, 'lines[0].status_code', 'unknown_status_code'],
    [
      'a code from the prototype',
      { ...event, status_code: 'constructor' },
      'lines[0].status_code',
      'unknown_status_code',
    ],
    ['a code __proto__', { ...event, status_code: '__proto__' }, 'lines[0].status_code', 'unknown_status_code'],
    ['an unknown source type', { ...event, source: { type: 'bogus' } }, 'lines[0].source.type', 'unknown_value'],
    ['an unknown profile', { ...event, profile: 'cats' }, 'lines[0].profile', 'unknown_profile'],
    ['an unknown version', { ...event, otep_version: '7' }, 'lines[0].otep_version', 'unsupported_version'],
    [
      'a __proto__ member',
      JSON.parse(
        '{"subject":{"tracking_number":"SR1"},"occurred_at":"2026-06-10T10:00:00Z","status_code":"received","__proto__":{"a":1}}',
      ),
      'lines[0].__proto__',
      'unknown_field',
    ],
    [
      'a __proto__ in the subject',
      { ...event, subject: JSON.parse('{"tracking_number":"SR1","__proto__":1}') },
      'lines[0].subject.__proto__',
      'unknown_field',
    ],
    [
      'an unknown member deep down',
      { ...event, location: { address: { planet: 'Mars' } } },
      'lines[0].location.address.planet',
      'unknown_field',
    ],
    ['a lone surrogate', { ...event, description: 'a\ud800' }, 'lines[0].description', 'not_well_formed'],
    [
      'a lone surrogate in a number',
      { ...event, subject: { tracking_number: '\udfff' } },
      'lines[0].subject.tracking_number',
      'not_well_formed',
    ],
    [
      'a link that is script',
      { ...event, pod: { signature_url: 'javascript:alert(1)' } },
      'lines[0].pod.signature_url',
      'not_a_url',
    ],
    ['a latitude of 91', { ...event, location: { latitude: 91 } }, 'lines[0].location.latitude', 'too_large'],
    ['a line that is a list', [], 'lines[0]', 'wrong_type'],
    ['a line that is null', null, 'lines[0]', 'wrong_type'],
    ['a line that is text', 'x', 'lines[0]', 'wrong_type'],
    [
      'nested lists a thousand deep',
      { ...event, description: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) },
      'lines[0].description',
      'wrong_type',
    ],
  ]
  for (const [what, input, path, code] of cases) {
    const { ingest, refusedRead } = engine()
    const { data } = await ingest({ lines: [input] })
    t.match(data.events[0], { outcome: 'rejected', errors: [{ path, code }] }, what)
    t.equal(await refusedRead('SR1'), 'timeline_not_found', `${what}: nothing stored`)
  }
  t.test('everything wrong with an event is reported at once', async (t) => {
    const { ingest } = engine()
    const { data } = await ingest({
      lines: [{ subject: {}, status_code: 'nope', source: { type: 'bogus', a: 1, b: 2 } }],
    })
    const codes = data.events[0]?.errors?.map(({ path, code }) => `${path} ${code}`).sort()
    t.same(codes, [
      'lines[0].occurred_at occurred_at_required',
      'lines[0].source.a unknown_field',
      'lines[0].source.b unknown_field',
      'lines[0].source.type unknown_value',
      'lines[0].status_code unknown_status_code',
      'lines[0].subject no_identifier',
    ])
  })
  t.test('a hostile number of findings is cut', async (t) => {
    const { ingest } = engine()
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`m${index}`, 1]))
    const { data } = await ingest({ lines: [{ ...event, ...many }] })
    t.equal(data.events[0]?.errors?.length, 21)
    const note = data.events[0]?.errors?.at(-1)
    t.equal(note?.code, 'findings_cut')
    t.match(note?.message, /^Only the first 20 findings are listed; \d+ more were found\.$/)
  })
  t.test('a hostile number of findings of the validator is cut, and returned in its own form', async (t) => {
    const { context } = engine()
    const document = { otep_version: '0.1', profile: 'parcel', subject: {}, events: Array(2000).fill({}) }
    const verdict = await call(otepValidate, context(), { document })
    t.match(v.parse(otepValidate.output, verdict).errors.at(-1), {
      path: '',
      code: 'findings_cut',
      requirement: undefined,
    })
  })
  t.test('more than 10,000 events are refused as a whole, and none after those is looked at', async (t) => {
    const { ingest } = engine()
    await t.rejects(ingest({ lines: Array(10_001).fill(event) }), { code: 'too_many_events' })
    let looks = 0
    const look = (lines: unknown[], name: string | symbol) => {
      if (/^\d+$/.test(String(name))) looks++
      return Reflect.get(lines, name)
    }
    const lines = new Proxy(Array(50_000).fill(event), { get: look })
    await t.rejects(ingest({ lines }), { code: 'too_many_events' })
    t.equal(looks, 10_001)
  })
  t.test('others are served after each hundred events or so', async (t) => {
    const { context } = engine()
    let pauses = 0
    const pause = async () => void pauses++
    const lines = Array.from({ length: 2_000 }, (_, index) => ({ ...event, event_id: `${index}` }))
    await call(otepIngest, { ...context(), pause }, { document: { lines } })
    // As records are listed, checked, recorded, and the states are kept.
    t.ok(pauses >= 3 * 20, `${pauses} pauses`)
  })
  t.test('others are served while the sources of a large document are kept', async (t) => {
    const kept: string[] = []
    const records = Array.from({ length: 6 }, (_, index) => {
      const source = { id: `event-${index}`, content: '{}', isHash: false, things: [] } as unknown as SourceEvent
      return { kind: 'source', path: '', source } as const
    })
    const book: SourceBook = {
      compare: async () => 'new',
      keep: async (_, { id }) => void kept.push(id),
      appends: () => [],
    }
    const atPauses: number[] = []
    const pauses = createPauses(async () => void atPauses.push(kept.length), 2)
    const results = records.map(() => ({ outcome: 'ignored' }) as const)
    await keepSources(book, records, results, engine().context().caller, pauses.next)
    t.same(atPauses, [2, 4])
    t.equal(kept.length, 6)
  })
})

t.test('reading', async (t) => {
  t.test('returns answers in the form of the published schemas', async (t) => {
    const { context, ingest } = engine()
    const answer = await ingest({ lines: [...sampleJourney('SR1'), line('nonsense', 'x')] })
    t.same(parse(otepIngest.output, answer).findings, undefined)
    t.same(
      parse(otepTracking.output, await call(otepTracking, context(), { tracking_number: 'SR1' })).findings,
      undefined,
    )
    t.same(
      parse(otepTrackingEvents.output, await call(otepTrackingEvents, context(), { tracking_number: 'SR1', limit: 3 }))
        .findings,
      undefined,
    )
    t.same(
      parse(otepTrackingsBatch.output, await call(otepTrackingsBatch, context(), { tracking_numbers: ['SR1', 'no'] }))
        .findings,
      undefined,
    )
    t.same(parse(otepValidate.output, await call(otepValidate, context(), { document: {} })).findings, undefined)
  })
  t.test('returns events in pages, each after the last one', async (t) => {
    const { context, ingest } = engine()
    await ingest({ lines: sampleJourney('SR1') })
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = (await call(otepTrackingEvents, context(), {
        tracking_number: 'SR1',
        limit: 4,
        ...(after === undefined ? {} : { after }),
      })) as unknown as { data: { event_id: string }[]; next?: string }
      seen.push(...page.data.map(({ event_id }) => event_id))
      after = page.next
    } while (after !== undefined)
    t.same(
      seen,
      sampleJourney('SR1').map(({ event_id }) => event_id),
    )
    await t.rejects(call(otepTrackingEvents, context(), { tracking_number: 'SR1', after: 'nope' }), {
      code: 'invalid_input',
    })
  })
  t.test('returns no further page after the last event, and refuses an unknown one', async (t) => {
    const { context, ingest } = engine()
    await ingest({ lines: sampleJourney('SR1') })
    const page = (more: object) => call(otepTrackingEvents, context(), { tracking_number: 'SR1', ...more })
    const { length } = sampleJourney('SR1')
    for (const more of [{}, { limit: length }, { limit: length + 1 }]) t.notOk('next' in (await page(more)))
    t.ok('next' in (await page({ limit: length - 1 })))
    const params = { received: 'x'.repeat(60) }
    const refusal = await page({ after: 'x'.repeat(61) }).catch((error: EngineError) => error.findings)
    t.same(refusal, [{ path: 'after', code: 'unknown_event', params }])
  })
  t.test('returns many timelines in the requested order, each with its own result', async (t) => {
    const { context, ingest } = engine()
    await ingest({ lines: [...sampleJourney('A'), ...sampleJourney('B')] })
    const { data } = (await call(otepTrackingsBatch, context(), {
      tracking_numbers: ['B', 'none', 'A', 'B'],
    })) as unknown as { data: object[] }
    t.match(data, [
      { tracking_number: 'B', result: true },
      { tracking_number: 'none', result: false, code: 'timeline_not_found' },
      { tracking_number: 'A', result: true },
      { tracking_number: 'B', result: true },
    ])
    await t.rejects(call(otepTrackingsBatch, context(), { tracking_numbers: Array(501).fill('A') }), {
      code: 'invalid_input',
    })
  })
  t.test('has a version that changes with every event and nothing else', async (t) => {
    const { context, push } = engine()
    const around = context()
    const version = otepTracking.version?.(around, { tracking_number: 'SR1' })
    await push(line('received', '2026-06-10T10:00:00Z'))
    const first = await version?.(around)
    t.ok(first)
    await push(line('received', '2026-06-10T10:00:00Z'))
    t.equal(await version?.(around), first)
    await push(line('in_transit', '2026-06-11T10:00:00Z'))
    t.not(await version?.(around), first)
  })
  t.test('refuses an unknown format, with the list of formats', async (t) => {
    const { context, push } = engine()
    await push(line('received', '2026-06-10T10:00:00Z'))
    await t.rejects(call(otepTracking, context(), { tracking_number: 'SR1', format: 'fax' }), {
      code: 'unknown_format',
      message: /otep/,
    })
  })
  t.test('returns every change after a revision, with the status after it', async (t) => {
    const { push, store, models } = engine()
    const one = line('received', '2026-06-10T10:00:00Z', { event_id: 'r' })
    await push(
      one,
      { ...one, description: 'more' },
      { ...one, subject: { ...subject, package_id: 3 } },
      { ...one, withdrawn: { declared_at: '2026-06-11T00:00:00Z' } },
    )
    const ended = new AbortController()
    const seen: unknown[] = []
    for await (const change of changesOf(
      { ...outside, ...timing, store, models, profiles },
      { stream: await findStream({ ...timing, store, models }, 'SR1'), view: 'full' },
      0,
      ended.signal,
    )) {
      seen.push([change.revision, change.change, change.change === 'reset' ? 'reset' : change.current_status])
      if (change.revision === 3) ended.abort()
    }
    t.same(seen, [
      [1, 'enriched', 'received'],
      [2, 'identified', 'received'],
      [3, 'withdrawn', undefined],
    ])
  })
})

t.test('the transitions of the parcel profile', async (t) => {
  const codes = Object.keys(parcel.codes)
  t.test('lead from every code to every code, except to terminal ones outside the four roads', async (t) => {
    for (const from of codes) {
      for (const to of codes) {
        const step = stepBetween(parcel, from, to)
        if (from !== to && isTerminal(parcel, from) && !isTerminal(parcel, to)) t.equal(step, 'after_terminal')
        else t.ok(['planned', 'skipped', 'impossible'].includes(step))
      }
    }
  })
  t.test('reach every code from the start by planned steps only', async (t) => {
    const reached = new Set<string>(parcel.first)
    for (const code of reached) for (const next of plannedAfter(parcel, code)) reached.add(next)
    t.same([...reached].sort(), [...codes].sort())
  })
  t.test(
    'never call a parcel back to its pick-up once the carrier has it, nor cancel it on the doorstep',
    async (t) => {
      const held = [
        'picked_up',
        'received',
        'arrival_scan',
        'in_transit',
        'package_outbound',
        'out_for_delivery',
        'delivery_failed',
      ]
      for (const from of held)
        for (const to of ['awaiting_pickup', 'out_for_pickup', 'pickup_failed', 'pickup_rescheduled'])
          t.equal(stepBetween(parcel, from, to), 'impossible', `${from} -> ${to}`)
      t.equal(stepBetween(parcel, 'out_for_delivery', 'cancelled'), 'impossible')
    },
  )
})

t.test('any history', async (t) => {
  const instants = fc
    .integer({ min: 0, max: 40 })
    .map((hours) => new Date(Date.parse('2026-06-01T00:00:00Z') + hours * 3_600_000).toISOString())
  const events = fc.array(
    fc.record({
      status_code: fc.constantFrom(...Object.keys(parcel.codes), 'x-a'),
      occurred_at: instants,
      recorded_at: instants,
      name: fc.constantFrom('A', 'B'),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const lineOf = ({
    name,
    ...event
  }: {
    status_code: string
    occurred_at: string
    recorded_at: string
    name: string
  }) => ({ subject, ...event, location: { name } })
  const key = (event: { occurred_at: string; status_code: string; location?: { name?: string } }) =>
    `${event.occurred_at} ${event.status_code} ${event.location?.name}`

  /** Read from the back: the last code counts, unless a terminal one before it does not let it follow. */
  const statusByRules = (codes: readonly string[]): string | undefined => {
    const last = codes.at(-1)
    const before = codes.length > 1 ? statusByRules(codes.slice(0, -1)) : undefined
    if (last === undefined || before === undefined || !isTerminal(parcel, before)) return last
    return isTerminal(parcel, last) && stepBetween(parcel, before, last) !== 'impossible' ? last : before
  }
  t.test(
    'gives the same set of events and a status by the rules, in whatever order and however often it arrives',
    async (t) => {
      await fc.assert(
        fc.asyncProperty(events, fc.array(fc.nat(), { maxLength: 12 }), async (history, again) => {
          const lines = history.map(lineOf)
          const { ingest, read } = engine()
          await ingest({ lines })
          await ingest({ lines: again.map((index) => lines[index % lines.length]).reverse() })
          const { data } = await read('SR1')
          const wanted = [...new Set(lines.map(key))].sort()
          if (JSON.stringify(data.events.map(key).sort()) !== JSON.stringify(wanted)) return false
          const ordered = data.events.every(
            (event, index) =>
              index === 0 || Date.parse(event.occurred_at) >= Date.parse(data.events[index - 1]?.occurred_at ?? ''),
          )
          return ordered && data.current_status === statusByRules(data.events.map(({ status_code }) => status_code))
        }),
        { numRuns: runs(t, 15) },
      )
    },
  )
  t.test('conforms when it is read, unless a step is impossible or leaves a terminal status', async (t) => {
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        const { context, ingest, read } = engine()
        await ingest({ lines: history.map(lineOf) })
        const verdict = (await call(otepValidate, context(), { document: (await read('SR1')).data })) as unknown as {
          errors: Remark[]
        }
        const broken = ['otep-1-transition', 'otep-1-terminal']
        return verdict.errors.every(({ requirement = '' }) => broken.includes(requirement))
      }),
      { numRuns: runs(t, 15) },
    )
  })
})

t.test('merging two reports', async (t: Test) => {
  t.test('adds new values, names differences and changes no known value', async (t) => {
    const known = { a: 1, list: ['x'], same: ['s'], deep: { b: 2 } }
    const given = { a: 9, list: ['x', 'y'], same: ['s'], deep: { b: 3, c: 4 }, fresh: true }
    t.same(compare(known, given), { added: { list: ['y'], deep: { c: 4 }, fresh: true }, differing: ['a', 'deep.b'] })
    const merged = { a: 1, list: ['x', 'y'], same: ['s'], deep: { b: 2, c: 4 }, fresh: true }
    t.same(merge(known, compare(known, given).added), merged)
    t.same(merge(known, { a: 9 }), known)
  })
  t.test('with the same values adds nothing the second time', async () => {
    const members = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(fc.integer(), fc.string(), fc.dictionary(fc.constantFrom('x', 'y'), fc.integer())),
    )
    fc.assert(
      fc.property(
        members,
        members,
        (one, two) => Object.keys(compare(merge(one, compare(one, two).added), two).added).length === 0,
      ),
    )
  })
})

t.test(
  'given a document, when it is validated, then each finding names its requirement, place and reason',
  async (t) => {
    const hour = (hour: number) => `2026-06-10T${hour}:00:00Z`
    const source = { type: 'node_scan' }
    const head = { otep_version: '0.1', profile: 'parcel', subject }
    const nothing = 'events: A timeline needs events, or a current_status if its source has no history.'
    const noDateTime = 'is not a date-time: expected ISO 8601 with offset, for example 2026-06-10T09:30:00-04:00.'
    const sources =
      'self_delivery, third_party_delivery, carrier_tracking, proof_of_delivery, exception, node_scan, driver_trajectory'
    const earlier =
      'occurred_at: This event occurred before the one above it. Events are ordered by time of occurrence.'
    const cases: readonly (readonly [document: unknown, errors: readonly string[], warnings: readonly string[]])[] = [
      [
        [],
        [
          'otep-1-version otep_version: otep_version is required.',
          'otep-1-profile profile: profile is required.',
          `otep-1-events ${nothing}`,
          'otep-1-shape : Expected object, got array.',
        ],
        [],
      ],
      [
        { otep_version: 1, profile: 5, subject: { order_id: -1 }, events: 'none', withdrawn_events: {} },
        [
          'otep-1-version otep_version: Expected string, got number.',
          'otep-1-profile profile: Expected string, got number.',
          'otep-1-what subject.order_id: Must be 0 or more.',
          'otep-1-events events: Expected array, got string.',
          'otep-1-shape withdrawn_events: Expected array, got object.',
        ],
        [],
      ],
      [
        {
          ...{ ...head, profile: 'cats', otep_version: '7' },
          events: [
            {
              ...{ occurred_at: '2026-06-10', status_code: 'Received', source: { type: 'bogus' }, phase: 3 },
              ...{ otep_version: '0.9', location: { planet: 'Mars' } },
            },
            'scan',
            {},
          ],
        },
        [
          'otep-1-version otep_version: Protocol version 7 is not supported. Supported: 0.1.',
          'otep-1-version events[0].otep_version: Protocol version 0.9 is not supported. Supported: 0.1.',
          `otep-1-profile profile: There is no profile cats. Profiles: ${profileNames}.`,
          `otep-1-when events[0].occurred_at: occurred_at ${noDateTime}`,
          'otep-1-when events[2].occurred_at: occurred_at is required (ISO-8601 with offset)',
          'otep-1-why events[2].status_code: status_code is required.',
          'otep-1-why events[0].status_code: Received is not a code of the profile parcel. Unregistered codes start with x-. Did you mean received?',
          'otep-1-where events[0].location.planet: There is no field planet here.',
          `otep-1-source events[0].source.type: bogus is not one of: ${sources}.`,
          'otep-1-phase events[0].phase: Expected string, got number.',
          'otep-1-shape events[1]: Expected object, got string.',
        ],
        [
          'otep-1-provenance events[2].source: The event does not say who reported it (source.type).',
          'otep-2-projection events: No projection to an external standard covers every code of this timeline.',
        ],
      ],
      [
        {
          ...{ ...head, current_status: 'in_transit', delivered: true },
          events: [
            {
              ...{ occurred_at: hour(10), status_code: 'received', event_id: 'a', source },
              ...{ phase: 'transit', pod: { recipient: 'J' } },
            },
            { occurred_at: hour(11), status_code: 'in_transit', event_id: 'a', source },
            { occurred_at: '2026-11-22T12:00:00.001Z', status_code: 'x-beamed', event_id: 'a', source },
            {
              occurred_at: '2026-11-22T12:00:00.001Z',
              status_code: 'x-beamed',
              event_id: 'a',
              source: { ...source, provider: 'b' },
            },
          ],
        },
        [
          'otep-1-phase events[0].phase: The phase of received is inbound, not transit.',
          'otep-1-event-id events[1].event_id: event_id a is already used at events[0].',
          'otep-1-event-id events[2].event_id: event_id a is already used at events[0].',
          'otep-1-current-status delivered: According to the events, delivered is false.',
        ],
        [
          'otep-1-present events[2].occurred_at: This is more than a day in the future. It does not count until its time comes.',
          'otep-1-present events[3].occurred_at: This is more than a day in the future. It does not count until its time comes.',
          'otep-1-proof events[0].pod: Events with the code received cannot carry proof.',
          ...[2, 3].map(
            (index) =>
              `otep-2-registered events[${index}].status_code: x-beamed is an unregistered code. It is accepted, but level 2 only allows registered codes.`,
          ),
        ],
      ],
      [
        {
          ...head,
          events: [
            { occurred_at: hour(10), status_code: 'in_transit', source },
            { occurred_at: '2026-11-22T12:00:00Z', status_code: 'out_for_pickup', source },
            { occurred_at: hour(12), status_code: 'delivered', source },
            { occurred_at: hour(11), status_code: 'arrival_scan', source },
            { occurred_at: hour(13), status_code: 'received', source },
          ],
          withdrawn_events: [
            { occurred_at: hour(14), status_code: 'received', source },
            { occurred_at: hour(15), status_code: 'received', pod: {}, withdrawn: { declared_at: hour(16) } },
          ],
        },
        [
          'otep-1-withdrawn withdrawn_events[0].withdrawn: withdrawn is required.',
          'otep-1-terminal events[4].status_code: received comes after the terminal status delivered, which remains in force.',
          'otep-1-terminal events[1].status_code: out_for_pickup comes after the terminal status delivered, which remains in force.',
        ],
        [
          ...[2, 3, 4].map((index) => `otep-1-order events[${index}].${earlier}`),
          `otep-1-skipped events[0].status_code: A timeline does not begin with in_transit; expected one of: ${parcel.first.join(', ')}.`,
          `otep-1-skipped events[2].status_code: arrival_scan -> delivered skips a step; expected one of: ${plannedAfter(parcel, 'arrival_scan').join(', ')}.`,
          'otep-1-provenance withdrawn_events[1].source: The event does not say who reported it (source.type).',
          'otep-1-proof withdrawn_events[1].pod: Events with the code received cannot carry proof.',
        ],
      ],
      [
        { ...head, current_status: 'bogus', current_status_at: '2026-06-10', delivered: false },
        [
          'otep-1-why current_status: bogus is not a code of the profile parcel. Unregistered codes start with x-.',
          `otep-1-current-status current_status_at: current_status_at ${noDateTime}`,
        ],
        ['otep-2-projection events: No projection to an external standard covers every code of this timeline.'],
      ],
      [
        {
          ...head,
          current_status: 'delivered',
          current_status_at: '2026-11-22T12:00:00.001Z',
          delivered: false,
          events: [],
        },
        ['otep-1-current-status delivered: According to the events, delivered is true.'],
        [
          'otep-1-present current_status_at: This is more than a day in the future. It does not count until its time comes.',
        ],
      ],
      [{ ...head, events: [], withdrawn_events: [] }, [`otep-1-events ${nothing}`], []],
      [{ ...head, current_status: 'delivered', delivered: true }, [], []],
    ]
    const { context } = engine()
    for (const [document, errors, warnings] of cases) {
      const verdict = v.parse(otepValidate.output, await call(otepValidate, context(), { document }))
      const words = ({ requirement, path, message }: (typeof verdict.errors)[number]) =>
        `${requirement} ${path}: ${message}`
      t.same(verdict.errors.map(words), errors)
      t.same(verdict.warnings.map(words), warnings)
      t.equal(verdict.level, errors.length > 0 ? 0 : 2)
    }
  },
)

t.test('given announcements that came late, when a document is validated, then each is a warning', async (t) => {
  const { context } = engine()
  const verdictOf = async (...codes: readonly string[]) => {
    const events = codes.map((status_code, index) => ({
      ...{ status_code, occurred_at: `2026-06-10T${10 + index}:00:00Z`, source: { type: 'node_scan' } },
    }))
    const document = { otep_version: '0.1', profile: 'parcel', subject, events }
    return v.parse(otepValidate.output, await call(otepValidate, context(), { document }))
  }
  const late = (index: number, to: string, from: string) => ({
    path: `events[${index}].status_code`,
    code: 'late_announcement',
    message: `${to} is an announcement that came late, after ${from}. The tracking page does not take the journey back.`,
    requirement: 'otep-1-announcement',
  })
  const two = await verdictOf('picked_up', 'information_submitted', 'booking_confirmed', 'in_transit')
  t.match(two, { conformant: true, level: 2, errors: [] })
  t.same(
    two.warnings,
    [late(1, 'information_submitted', 'picked_up'), late(2, 'booking_confirmed', 'picked_up')],
    'it is no step, so none is skipped to it or after it',
  )
  const [impossible] = (await verdictOf('picked_up', 'awaiting_pickup')).errors
  t.equal(impossible?.code, 'impossible_transition')
  const { errors, warnings } = await verdictOf('out_for_delivery', 'delivered', 'information_submitted')
  t.same(
    [errors, warnings].map((found) => found.map(({ code }) => code)),
    [['after_terminal'], ['first_step_skipped']],
  )
  t.same((await verdictOf('information_submitted', 'booking_confirmed', 'awaiting_pickup')).warnings, [])
})

t.test(
  'given the answer of a read, when it is validated, then its document is, in its format, and findings say where',
  async (t) => {
    const { context, ingest } = engine()
    await ingest({ lines: sampleJourney('SR1') })
    const read = (format: string) => call(otepTracking, context(), { tracking_number: 'SR1', format })
    const verdict = async (document: object) =>
      v.parse(otepValidate.output, await call(otepValidate, context(), { document }))
    const found = async (document: object) =>
      (await verdict(document)).errors.map(({ path, code }) => `${path} ${code}`)
    const own = await read('otep')
    t.match(await verdict(own), { conformant: true, level: 2, warnings: [] })
    t.match(await verdict(await read('epcis')), { conformant: true, level: 1 })
    const { events } = own.data as { readonly events: readonly object[] }
    const data = { ...(own.data as object), events: [...events, { ...events[0], status_code: 'teleported' }] }
    t.same((await found({ ...own, data })).slice(0, 2), [
      `data.events[${events.length}].status_code unknown_status_code`,
      `data.events[${events.length}].event_id duplicate_event_id`,
    ])
    t.same(await found({ result: false, code: 'timeline_not_found', message: 'None.' }), [
      ...['result unknown_value', 'format required', 'data required'],
    ])
    t.same(await found({ result: true }), ['format required', 'data required'])
    t.same(await found({ data: own.data }), ['result required', 'format required'])
    const many = await call(otepTrackingsBatch, context(), { tracking_numbers: ['SR1'] })
    t.same(await found(many), ['data wrong_type'], 'one timeline a call')
    const unread = await read('otlp')
    await t.rejects(verdict(unread), { code: 'format_not_read', params: { received: 'otlp' } })
    await t.rejects(verdict({ ...own, format: 'x' }), { code: 'unknown_format' })
  },
)

t.test(
  'given a record that is refused, when it is pushed, then the answer names the place and the reason',
  async (t) => {
    const at = (hour: number) => `2026-06-10T${hour}:00:00Z`
    const received = (more: object = {}) => line('received', at(10), more)
    const noProfile = (name: string) => `profile: There is no profile ${name}. Profiles: ${profileNames}.`
    const identifierNeeded =
      'The subject needs at least one identifier: tracking_number, external_tracking_number, gs1_sscc, piece_id, package_id, order_id.'
    const known = {
      lines: [
        received({ event_id: 'e' }),
        received({ subject: { external_tracking_number: 'X9', order_id: 5 } }),
        received({ subject: { tracking_number: 'SR3', order_id: 5 } }),
      ],
    }
    const cases: readonly (readonly [document: unknown, ...errors: readonly string[]])[] = [
      [null, ': Expected object, got null.'],
      [[], ': Expected object, got array.'],
      [7, ': Expected object, got number.'],
      [{ lines: [received(), 'x'] }, 'lines[1]: Expected object, got string.'],
      [{ timelines: [null] }, 'timelines[0]: Expected object, got null.'],
      [
        { timelines: [{ subject, delivered: 3, events: {} }] },
        'timelines[0].delivered: Expected boolean, got number.',
        'timelines[0].events: Expected array, got object.',
      ],
      [{ lines: [new EngineError('malformed_json', { reason: 'cut' })] }, 'lines[0]: The text is not JSON: cut'],
      [received({ profile: 'cats' }), noProfile('cats')],
      [{ lines: [received({ profile: 'cats' })] }, `lines[0].${noProfile('cats')}`],
      [{ profile: 'cats', subject, events: [{ occurred_at: at(10), status_code: 'received' }] }, noProfile('cats')],
      [received({ profile: 7 }), 'profile: Expected string, got number.'],
      [received({ profile: null }), 'profile: Expected string, got null.'],
      [received({ profile: [] }), 'profile: Expected string, got array.'],
      [{ occurred_at: at(10), status_code: 'received' }, 'subject: subject is required.'],
      [received({ subject: {} }), `subject: ${identifierNeeded}`],
      [received({ subject: null }), 'subject: Expected object, got null.'],
      [
        { lines: [{ subject }] },
        'lines[0].occurred_at: occurred_at is required (ISO-8601 with offset)',
        'lines[0].status_code: status_code is required.',
      ],
      [{ subject, events: [] }, ': A timeline needs events, or a current_status if its source has no history.'],
      [{ subject, events: [7] }, 'events[0]: Expected object, got number.'],
      [
        { otep_version: '7', subject, events: [{ occurred_at: at(10), status_code: 'received' }] },
        'events[0].otep_version: Protocol version 7 is not supported. Supported: 0.1.',
      ],
      [
        { otep_version: '7', subject, current_status: 'received' },
        'otep_version: Protocol version 7 is not supported. Supported: 0.1.',
      ],
      [
        { subject, withdrawn_events: [7, { occurred_at: at(10), status_code: 'received' }] },
        'withdrawn_events[0]: Expected object, got number.',
        'withdrawn_events[1].withdrawn: withdrawn is required.',
      ],
      [
        received({ event_id: 'e', status_code: 'in_transit' }),
        'event_id: event_id e is already recorded with another status_code: received.',
      ],
      [
        received({ event_id: 'e', occurred_at: at(11) }),
        'event_id: event_id e is already recorded with another occurred_at: 2026-06-10T10:00:00Z.',
      ],
      ...(['SR1', 'SR3'] as const).map(
        (tracking_number) =>
          [
            received({ subject: { tracking_number, external_tracking_number: 'X9' } }),
            `subject: tracking_number ${tracking_number} belongs to the timeline of tracking_number ${tracking_number}, but external_tracking_number X9 belongs to the timeline of external_tracking_number X9.`,
          ] as const,
      ),
      [
        line('in_transit', at(11), { subject: { order_id: 5 } }),
        'subject: The order_id 5 belongs to several timelines: external_tracking_number X9, tracking_number SR3. Name one of them.',
      ],
      [
        { lines: [line('stored', at(11), { profile: 'storage' })] },
        'lines[0].profile: The timeline of tracking_number SR1 uses the profile parcel, not storage.',
      ],
      [
        { profile: 'storage', subject, events: [{ occurred_at: at(11), status_code: 'stored' }] },
        'profile: The timeline of tracking_number SR1 uses the profile parcel, not storage.',
      ],
      [
        received({ source: { type: 'node_scan', provider: 'you' } }),
        'source.provider: These credentials can only write as acme, not as you.',
      ],
    ]
    for (const [document, ...errors] of cases) {
      const { ingest } = engine()
      await ingest(known)
      const { events } = (await ingest(document)).data
      t.same(
        events.flatMap(({ errors = [] }) => errors.map(({ path, message }) => `${path}: ${message}`)),
        errors,
      )
    }
  },
)

t.test('given two events without an id, when only their places differ, then both are recorded', async (t) => {
  const places = [
    undefined,
    { name: 'Depot' },
    { name: 'Hub' },
    { unlocode: 'CATOR' },
    { unlocode: 'CAMTR' },
    { gln: '9521321000018' },
    { latitude: 43.5, longitude: -79.5 },
    { latitude: 43.5, longitude: -79.25 },
    { latitude: 43.25, longitude: -79.5 },
    { address: { postal_code: 'M5V', locality: 'Toronto' } },
    { address: { postal_code: 'M5W', locality: 'Toronto' } },
    { address: { locality: 'Toronto' } },
    { address: { locality: 'Montreal' } },
  ]
  const { push, read } = engine()
  const scans = places.map((location) => line('received', '2026-06-10T10:00:00Z', location && { location }))
  t.same(new Set(await push(...scans)), new Set(['accepted']))
  const { events } = (await read('SR1')).data
  t.equal(new Set(events.map(({ event_id }) => event_id)).size, places.length)
  t.same(await push(line('received', '2026-06-10T10:00:00Z', { source: { type: 'node_scan' } })), ['accepted'])
})

t.test('given an erased timeline, when personal data is pushed, then a warning says that it is dropped', async (t) => {
  const { ingest, context, read } = engine()
  await ingest({ lines: [line('received', '2026-06-10T10:00:00Z')] })
  const forget = { ...context(), caller: { ...acme, kind: 'operator', scopes: ['otep:erase'] } as const }
  t.match(await call(otepForget, forget, { tracking_number: 'SR1' }), { state: 'forgotten', events: 1 })
  const answer = await ingest({
    lines: [
      line('delivered', '2026-06-11T10:00:00Z', { event_id: 'd', pod: { recipient: 'Ada Lovelace' } }),
      line('in_transit', '2026-06-10T11:00:00Z'),
    ],
  })
  t.same(
    answer.data.events.map(({ warnings = [] }) => warnings.map(({ path, code }) => `${path} ${code}`)),
    [['lines[0] personal_data_dropped', 'lines[0].status_code step_skipped'], []],
  )
  t.notMatch(JSON.stringify((await read('SR1')).data), 'Ada Lovelace')
})

t.test('given EPCIS events, when they are pushed', async (t) => {
  const list = 'epcisBody.eventList'
  const eventsOf = async (...numbers: readonly string[]) => {
    const { context, ingest } = engine()
    const documents: { epcisBody: { eventList: object[] } }[] = []
    for (const tracking_number of numbers) {
      await ingest(line('received', '2026-06-10T10:00:00Z', { subject: { tracking_number } }))
      const answer = await call(otepTracking, context(), { tracking_number, format: 'epcis', as: 'capture' })
      documents.push((answer as unknown as { data: (typeof documents)[number] }).data)
    }
    const [{ epcisBody, ...head } = { epcisBody: undefined }] = documents
    return { head, items: documents.flatMap((document) => document.epcisBody.eventList) }
  }
  const { head, items } = await eventsOf('SR1', 'SR2', 'SR3')
  const [one, two, three] = items
  const bad = { ...two, eventTime: 'x' }
  const withEvents = (eventList: readonly unknown[]) => ({ ...head, epcisBody: { eventList } })
  const badTime =
    'eventTime: eventTime is not a date-time: expected ISO 8601 with offset, for example 2026-06-10T09:30:00-04:00.'

  const push = async (input: object) => {
    const { context } = engine()
    const { result, code, data } = (await call(otepIngestEpcis, context(), input as never)) as unknown as IngestAnswer
    const events = data.events.map(({ path, outcome, errors = [] }) =>
      [path, outcome, ...errors.map((error) => `${error.path}: ${error.message}`)].join(' '),
    )
    return { result, code, accepted: data.accepted, rejected: data.rejected, events }
  }
  const refused = (input: object) =>
    push(input).then(
      () => 'taken',
      ({ code, params }: EngineError) => ({ code, params }),
    )

  t.test('then the versions in the header must be known', async (t) => {
    const document = withEvents([one])
    const refusalOf = (field: string, received: string, expected: string) => ({
      ...{ code: 'header_not_accepted', params: { field, received, expected } },
    })
    t.same(await refused({ document, epcis_version: '1.2' }), refusalOf('GS1-EPCIS-Version', '1.2', '2.0, 2.0.x'))
    t.same(
      await refused({ document, cbv_version: '7'.repeat(41) }),
      refusalOf('GS1-CBV-Version', '7'.repeat(40), '2.0, 2.0.x, 1.2'),
    )
    t.same(
      await refused({ document, error_behaviour: 'stop' }),
      refusalOf('GS1-Capture-Error-Behaviour', 'stop', 'rollback, proceed'),
    )
    t.match(await push({ document, epcis_version: '2.0', cbv_version: '1.2' }), { accepted: 1 })
    t.match(await push({ document, epcis_version: '2.0.1', cbv_version: '2.0.1' }), { accepted: 1 })
    t.same(
      await refused({ document: '<a/>', epcis_version: '3' }),
      refusalOf('GS1-EPCIS-Version', '3', '2.0, 2.0.x, 1.2'),
    )
  })
  t.test('then a refused one keeps out the others, unless the call says to proceed', async (t) => {
    const document = withEvents([one, bad])
    const events = [`${list}[0] withheld`, `${list}[1] rejected ${list}[1].${badTime}`]
    for (const more of [{}, { error_behaviour: 'rollback' }])
      t.match(await push({ document, ...more }), { result: false, code: 'nothing_stored', events })
    t.match(await push({ document, error_behaviour: 'proceed' }), {
      ...{ result: true, code: undefined },
      events: [`${list}[0] accepted`, events[1]],
    })
  })

  type Part = EngineError | { readonly document: object; readonly offset: number; readonly items: readonly unknown[] }
  const partOf = (offset: number, items: readonly unknown[], document: object = head): Part => ({
    document,
    offset,
    items,
  })
  const parted = (...parts: readonly Part[]) => ({
    document: {
      parts: (async function* () {
        for (const part of parts) {
          if (part instanceof EngineError) throw part
          const document = { ...part.document }
          yield { ...part, list, with: (eventList: readonly unknown[]) => ({ ...document, epcisBody: { eventList } }) }
        }
      })(),
    },
  })
  const { creationDate, ...undated } = head as { creationDate: string }

  t.test('in parts, then the answer covers all of them, with paths in the whole document', async (t) => {
    t.same(await push(parted(partOf(0, [one]), partOf(1, [bad, three]), partOf(3, []))), {
      ...{ result: true, code: undefined, accepted: 2, rejected: 1 },
      events: [`${list}[0] accepted`, `${list}[1] rejected ${list}[1].${badTime}`, `${list}[2] accepted`],
    })
  })
  t.test('in parts, then the members before the events must be there first', async (t) => {
    t.same(await refused(parted(partOf(0, [one], undated))), {
      ...{ code: 'member_too_late', params: { field: 'creationDate', before: 'epcisBody' } },
    })
    const required = ' rejected creationDate: creationDate is required.'
    t.match(await push(parted(partOf(0, [], undated))), { code: 'nothing_accepted', events: [required] })
  })
  t.test('in parts of a query document, then only its context and type must be there first', async (t) => {
    const { '@context': context } = head as { '@context': unknown }
    const type = 'EPCISQueryDocument'
    t.match(await push(parted(partOf(0, [one], { '@context': context, type }))), { code: 'nothing_accepted' })
    t.match(await refused(parted(partOf(0, [one], { type }))), { params: { field: '@context' } })
    t.match(await refused(parted(partOf(0, [one], { '@context': context }))), { params: { field: 'type' } })
  })
  t.test('in parts, then a problem outside of the events ends the call', async (t) => {
    const required = ' rejected creationDate: creationDate is required.'
    t.match(await push(parted(partOf(0, [one]), partOf(1, [two], undated), partOf(2, [three]))), {
      ...{ result: true, accepted: 1 },
      events: [`${list}[0] accepted`, required],
    })
  })
  t.test('in parts with a member that is not taken, then the answer says so once', async (t) => {
    const noted = { ...head, 'https://x.example/note': 'x' }
    const { events } = await push(parted(partOf(0, [one], noted), partOf(1, [two], noted), partOf(2, [], noted)))
    t.same(events, [`${list}[0] accepted`, `${list}[1] accepted`, ' ignored'])
  })
  t.test('in parts that break off, then the answer covers the parts before', async (t) => {
    const broken = new EngineError('malformed_json', { reason: 'cut' })
    t.match(await push(parted(partOf(0, [one]), broken)), { result: false, code: 'malformed_json', accepted: 1 })
    t.match(await push(parted(partOf(0, [bad]), broken)), { result: false, code: 'malformed_json', rejected: 1 })
    t.match(await refused(parted(broken)), { code: 'malformed_json' })
    t.match(await refused(parted(partOf(0, [one]), new EngineError('store_unavailable'))), 'taken')
  })
  t.test('in parts with more than 10,000 refused ones, then the rest is not read', async (t) => {
    const parts = [
      partOf(0, Array(10_000).fill(bad)),
      partOf(10_000, [one]),
      partOf(10_001, [bad]),
      partOf(10_002, [two]),
    ]
    t.match(await push(parted(...parts)), { accepted: 1, rejected: 10_001, code: 'too_many_refused' })
  })
})

t.test('given AfterShip checkpoints, when they are pushed', async (t) => {
  const checkpoint = (more: object = {}) => ({ tag: 'Delivered', checkpoint_time: '2026-06-10T10:00:00Z', ...more })
  const trackingOf = (...checkpoints: readonly unknown[]) => ({ tracking_number: 'SR1', checkpoints })
  const push = async (document: unknown, more: object = {}) => {
    const { context } = engine()
    const answer = await call(otepIngest, context(), { document, format: 'aftership', ...more })
    const { code, data } = answer as unknown as IngestAnswer
    const events = data.events.map(({ path, outcome, errors = [], warnings = [] }) => [
      `${path} ${outcome}`,
      ...[...errors, ...warnings].map((remark) => `${remark.path}: ${remark.message}`),
    ])
    return { code, events, subjects: data.events.map((event) => 'subject' in event) }
  }
  const tooLarge = 'checkpoints[0].coordinate.latitude: Must be 90 or less.'

  t.test('then findings are at the places of the document', async (t) => {
    const wrong = checkpoint({
      ...{ coordinate: { latitude: 91, longitude: 7 }, message: 'x'.repeat(2001), location: 'L'.repeat(201) },
    })
    t.same((await push(trackingOf(wrong))).events, [
      [
        'checkpoints[0] rejected',
        'checkpoints[0].location: At most 200 allowed.',
        tooLarge,
        'checkpoints[0].message: At most 2000 allowed.',
      ],
    ])
    t.same((await push(trackingOf(checkpoint({ tag: 'Nope' }), 7))).events, [
      [
        'checkpoints[0] accepted',
        'checkpoints[0].tag: The meaning of Nope is not known. It was read as x-aftership_nope.',
      ],
      ['checkpoints[1] rejected', 'checkpoints[1]: Expected object, got number.'],
    ])
  })
  t.test('in lines, then each finding is in its line, and what concerns no parcel is ignored', async (t) => {
    const lines = [
      new EngineError('malformed_json', { reason: 'cut' }),
      trackingOf(checkpoint({ coordinate: { latitude: 91 } })),
      trackingOf(checkpoint({ tag: 'Pending' })),
      trackingOf(checkpoint({ tag: 'Nope' })),
      7,
    ]
    t.same(await push({ lines }), {
      code: undefined,
      events: [
        ['lines[0] rejected', 'lines[0]: The text is not JSON: cut'],
        ['lines[1].checkpoints[0] rejected', `lines[1].${tooLarge}`],
        ['lines[2].checkpoints[0] ignored'],
        [
          'lines[3].checkpoints[0] accepted',
          'lines[3].checkpoints[0].tag: The meaning of Nope is not known. It was read as x-aftership_nope.',
        ],
        ['lines[4] rejected', 'lines[4]: Expected object, got number.'],
      ],
      subjects: [false, false, false, true, false],
    })
    t.same((await push({ tracking_number: 'SR1' })).events, [[' ignored']])
  })
  t.test('all or nothing, then a wrong one withholds the others', async (t) => {
    const { code, events } = await push(trackingOf(checkpoint(), { ...checkpoint(), coordinate: { latitude: 91 } }), {
      atomic: true,
    })
    t.equal(code, 'nothing_stored')
    t.same(
      events.map(([first]) => first),
      ['checkpoints[0] withheld', 'checkpoints[1] rejected'],
    )
  })
  t.test('in a format that is not read, then the refusal lists those that are', async (t) => {
    const params = { received: 'shopify', expected: 'otep, epcis, onerecord, aftership, amazon' }
    await t.rejects(push(trackingOf(checkpoint()), { format: 'shopify' }), { code: 'format_not_read', params })
  })
  t.test('in more than 10,000 events, then the call is refused', async (t) => {
    const lines = (count: number) => ({ lines: Array(count).fill({ tracking_number: 'SR1' }) })
    await t.rejects(push(lines(10_001)), { code: 'too_many_events', params: { limit: 10_000 } })
    t.equal((await push(lines(10_000))).events.length, 10_000)
  })
})

t.test(
  'given more results than an answer may have text, when events are pushed, then refused ones are listed first',
  async (t) => {
    const { ingest } = engine()
    const hour = (hour: number) => `2026-06-10T${hour}:00:00Z`
    const fields = Array.from({ length: 20 }, (_, index) => ['x'.repeat(200 + index), 1])
    const wrong = { ...line('received', hour(10)), ...Object.fromEntries(fields) }
    const good = [10, 11, 12].map((at) => line('received', hour(at)))
    const { data } = await ingest({ lines: [...good, ...Array(2500).fill(wrong), ...good] })
    t.match(data, { accepted: 3, duplicate: 3, rejected: 2500 })
    const length = JSON.stringify(data.events).length
    t.ok(length <= 8 * 2 ** 20 && length > 6 * 2 ** 20, `${length} characters`)
    t.same(new Set(data.events.map(({ outcome }) => outcome)), new Set(['rejected']))
    t.same(
      data.events.map(({ path }) => path),
      data.events.map((_, index) => `lines[${index + 3}]`),
    )
  },
)

t.test(
  'given facts that no decision of today makes, when a timeline is folded, then it can still be read',
  async (t) => {
    const name = { provider: 'acme', event_id: 'e-1' }
    const withdrawn = { declared_at: '2026-06-11T00:00:00Z' }
    const recorded = sampleRecorded()
    const ofStorage = { ...sampleRecorded({ event_id: 'e-2' }), data: { ...sampleRecorded().data, profile: 'storage' } }
    t.equal(fold(tracking, [recorded, ofStorage]).profile, 'parcel', 'the first profile stays')
    const erased = fold(tracking, [
      recorded,
      {
        type: 'TrackingEventWithdrawn',
        data: { ...name, withdrawn, personal: { withdrawn: { reason: 'Ada moved' } } },
      },
      { type: 'PersonalDataErased', data: { at: '2026-07-01T00:00:00Z' } },
    ])
    t.same(timelineOf(erased, parcel).withdrawn_events?.[0]?.withdrawn, withdrawn)
    const unknown = timelineOf(fold(tracking, [sampleRecorded({ status_code: 'teleported' })]), parcel)
    t.match(unknown, { current_status: 'teleported', delivered: false, events: [{ phase: 'unknown' }] })
  },
)

t.test(
  'given a timeline, when it is forgotten, then a dry run says what would be erased, and a second call changes nothing',
  async (t) => {
    const { ingest, context, store } = engine()
    const pod = { recipient: 'Ada' }
    await ingest({
      lines: [line('received', '2026-06-10T10:00:00Z'), line('delivered', '2026-06-11T10:00:00Z', { pod })],
    })
    const forget = (more: object = {}) =>
      call(
        otepForget,
        { ...context(), caller: { kind: 'operator', name: 'ops', scopes: ['otep:erase'] } },
        { tracking_number: 'sr1', ...more },
      )
    const answer = { result: true, timeline: 'tracking_number:SR1', subject, events: 2 }
    const dry = { ...answer, personal_events: 1, state: 'not_forgotten' }
    t.same(await forget({ dry_run: true }), dry)
    t.same(await forget({ dry_run: true }), dry, 'a dry run changes nothing')
    t.same(await forget(), { ...answer, personal_events: 1, state: 'forgotten' })
    for (const dry_run of [false, true])
      t.same(await forget({ dry_run }), { ...answer, personal_events: 0, state: 'already_forgotten' })
    const erased = await store.last('tracking-tracking_number:SR1')
    t.equal(erased?.revision, 2, 'the erasure is recorded once')
    const [event] = await store.read('tracking-tracking_number:SR1', { from: 2 })
    t.match(event, {
      type: 'PersonalDataErased',
      metadata: { actor: 'operator:ops', correlationId: /^request-/, schemaVersion: 2 },
    })
    await t.rejects(forget({ tracking_number: 'nobody' }), { code: 'timeline_not_found' })
  },
)

t.test('given a parcel, when it is tracked by the public, then its status, phase and proof are shown', async (t) => {
  const { context, push } = engine()
  const track = async () => {
    const { result, events, subject, ...shown } = await call(trackPackage, context(), { tracking_number: 'sr1' })
    return shown
  }
  const at = (day: number) => `2026-06-1${day}T10:00:00Z`
  const withdrawn = { withdrawn: { declared_at: at(9) } }
  const received = line('received', at(0), { event_id: 'r' })
  await push(received, { ...received, ...withdrawn })
  const none = { tracking_number: 'sr1', proof_of_delivery: null }
  t.same(await track(), { ...none, status: null, phase: null, delivered: false })
  await push(line('in_transit', at(1)))
  t.same(await track(), { ...none, status: 'in_transit', phase: 'transit', delivered: false })
  const failed = line('delivery_failed', at(2), { pod: { note: 'Nobody there' } })
  await push(failed)
  t.match(await track(), { status: 'delivery_failed', proof_of_delivery: null })
  const pod = { recipient: 'Ada' }
  await push(line('delivered', at(3), { event_id: 'd' }))
  t.match(await track(), { delivered: true, proof_of_delivery: null })
  await push(line('delivered', at(3), { event_id: 'd', pod }), line('delivered', at(4), { event_id: 'e' }))
  t.match(await track(), { delivered: true, proof_of_delivery: pod })
  await push(line('delivered', at(5), { event_id: 'f', pod: { recipient: 'Bob' } }))
  t.match(await track(), { status: 'delivered', proof_of_delivery: { recipient: 'Bob' } }, 'the last proof counts')
})

t.test('given a reader of changes, when it falls behind', async (t) => {
  const scans = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      line('arrival_scan', new Date(now + (from + index) * 1000).toISOString(), { event_id: `e-${from + index}` }),
    )
  async function following(count: number, after: number) {
    const { ingest, store, models } = engine()
    await ingest({ lines: scans(0, count) })
    const ended = new AbortController()
    t.teardown(() => ended.abort())
    const stream = await findStream({ ...timing, store, models }, 'SR1')
    const changes = changesOf(
      { ...outside, ...timing, store, models, profiles },
      { stream, view: 'full' },
      after,
      ended.signal,
    )
    const next = async () => {
      const { value } = await changes.next()
      return value && `${value.revision} ${value.change}`
    }
    return { ingest, store, ended, next }
  }
  t.test('by more than 100 changes, then it gets a reset, and the changes after it', async (t) => {
    const { next, ingest } = await following(102, 0)
    t.equal(await next(), '101 reset')
    await ingest({ lines: scans(102, 1) })
    t.equal(await next(), '102 recorded')
  })
  t.test('by 100 changes, then it gets each', async (t) => {
    const { next } = await following(101, 0)
    for (const revision of [1, 2, 3]) t.equal(await next(), `${revision} recorded`)
  })
  t.test('while it reads, then it gets a reset at the next hundred', async (t) => {
    const { next, ingest } = await following(102, 99)
    t.equal(await next(), '100 recorded')
    await ingest({ lines: scans(102, 100) })
    t.equal(await next(), '201 reset')
  })
  t.test('and the store is closed, then it ends', async (t) => {
    const { next, store } = await following(2, 0)
    t.equal(await next(), '1 recorded')
    const coming = next()
    await new Promise((resolve) => setImmediate(resolve))
    await store.close()
    t.equal(await coming, undefined)
  })
})

t.test('given a timeline of thousands of events, when it is read', async (t) => {
  const count = 1_000
  const instant = (index: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + index * 60_000).toISOString()
  const scan = (index: number, at = index) => ({
    subject,
    event_id: `e-${index}`,
    status_code: 'in_transit',
    occurred_at: instant(at),
    description: `Scanned for Adaline ${index}`,
  })
  const sealed = () => {
    const plain = createMemoryStore(() => now)
    const sizes: number[] = []
    const read: EventStore['read'] = async (stream, range) => {
      const events = await plain.read(stream, range)
      sizes.push(events.length)
      return events
    }
    const sealing = { vault: createMemoryVault(), upcasts: {}, erasures: ['PersonalDataErased'] }
    const store = sealedStore({ ...plain, read }, sealing)
    return { ...engine(store), store, sizes, eraser: { ...acme, scopes: ['otep:erase'] } }
  }
  const plainly = async (store: EventStore, stream: StreamName) =>
    timelineOf(fold(tracking, (await store.read(stream)) as readonly TrackingEvent[]), parcel)

  t.test('then others are served after each page, and the timeline is that of all events at once', async (t) => {
    for (const order of ['in order', 'shuffled']) {
      const { ingest, context, store, models, sizes } = sealed()
      const lines = Array.from({ length: count }, (_, index) =>
        scan(index, order === 'shuffled' ? (index * 7_919) % count : index),
      )
      await ingest({ lines })
      await ingest({
        lines: [{ ...scan(count - 1, 5_000), event_id: 'late', withdrawn: { declared_at: instant(6_000) } }],
      })
      const stream = await findStream({ ...timing, store, models }, 'SR1')
      const due = await plainly(store, stream)
      sizes.length = 0
      let turns = 0
      const pause = async () => void turns++
      const { timeline, revision } = await readTimeline({ ...context(), pause }, stream)
      t.strictSame(timeline, due, order)
      t.equal(revision, (await store.last(stream))?.revision)
      t.ok(Math.max(...sizes) <= pageSize, 'a page is short')
      t.ok(turns >= count / pageSize, `${turns} turns`)
    }
  })
  t.test('then events that are recorded meanwhile are left out', async (t) => {
    const { ingest, context, store, models } = sealed()
    await ingest({ lines: Array.from({ length: count }, (_, index) => scan(index)) })
    const stream = await findStream({ ...timing, store, models }, 'SR1')
    const due = await plainly(store, stream)
    let more = count
    const pause = async () => void (await ingest({ lines: [scan(more++)] }))
    const { timeline, revision } = await readTimeline({ ...context(), pause }, stream)
    t.strictSame(timeline, due)
    t.equal(revision, count - 1)
    t.ok(more > count, 'some were')
  })
  t.test('then no personal data is left if it is erased meanwhile, whatever page is being read', async (t) => {
    for (const after of [1, 3, Math.floor(count / pageSize)]) {
      const { ingest, context, store, models, eraser } = sealed()
      await ingest({ lines: Array.from({ length: count }, (_, index) => scan(index)) })
      const stream = await findStream({ ...timing, store, models }, 'SR1')
      let turn = 0
      const pause = async () => {
        if (++turn === after) await call(otepForget, { ...context(), caller: eraser }, { tracking_number: 'SR1' })
      }
      const { timeline } = await readTimeline({ ...context(), pause }, stream)
      t.equal(timeline.events.length, count)
      t.notMatch(JSON.stringify(timeline), /Adaline/, `erased in turn ${after}`)
    }
  })
})

t.test(
  'given any facts, when a timeline is kept after any of them and the others follow, then its state is that of all facts',
  async (t) => {
    const provider = fc.constantFrom('acme', 'other')
    const name = fc.constantFrom('e-1', 'e-2', 'e-3', 'e-4')
    const subjectOf = fc.constantFrom(
      { tracking_number: 'SR1' },
      { tracking_number: 'SR1', order_id: 7 },
      { sscc: '1' },
    )
    const instant = fc.integer({ min: 0, max: 9 }).map((hour) => `2026-06-01T0${hour}:00:00Z`)
    const note = fc.option(fc.string({ minLength: 1, unit: anyCharacter }), { nil: undefined })
    const age = fc.constantFrom({}, {}, { before_versions: true as const })
    const facts: fc.Arbitrary<TrackingEvent & { recordedAt: string }> = fc
      .record({
        kind: fc.constantFrom('event', 'event', 'event', 'more', 'withdrawal', 'subject', 'erasure'),
        ...{ provider, name, subject: subjectOf, at: instant, recorded: instant, note, age },
        isContained: fc.constantFrom(false, false, true),
      })
      .map(({ kind, provider, name: event_id, subject, at, recorded, note, age, isContained }) => {
        const shared = { ...age, ...(isContained ? { contained: true as const } : {}) }
        const personal = note === undefined ? {} : { personal: { description: note } }
        const made = (type: string, data: object) =>
          ({ type, data: { ...shared, ...data }, recordedAt: recorded }) as TrackingEvent & { recordedAt: string }
        if (kind === 'subject') return made('SubjectIdentified', { subject })
        if (kind === 'erasure') return made('PersonalDataErased', { at })
        if (kind === 'more') {
          const added = { location: { name: `at ${recorded}` } }
          return made('TrackingEventEnriched', { provider, event_id, added, ...personal })
        }
        if (kind === 'withdrawal') {
          const reason = note === undefined ? {} : { personal: { withdrawn: { reason: note } } }
          return made('TrackingEventWithdrawn', { provider, event_id, withdrawn: { declared_at: at }, ...reason })
        }
        const event = { event_id, status_code: 'in_transit', occurred_at: at, recorded_at: recorded }
        return made('TrackingEventRecorded', { profile: 'parcel', subject, provider, event, ...personal })
      })
    /** A state with everything that decides what follows from it; subjects are numbered by identity. */
    const seen = ({ byName: _, hashes: __, ...state }: TrackingState) => {
      const subjects: Subject[] = []
      const numbered = (subject: Subject | undefined) => {
        if (subject === undefined) return undefined
        if (!subjects.includes(subject)) subjects.push(subject)
        return [subjects.indexOf(subject), JSON.stringify(subject)]
      }
      const entries = state.entries.map((entry) => ({
        ...entry,
        subject: numbered(entry.subject),
        earlier: entry.earlier?.map((one) => ({ ...one, subject: numbered(one.subject) })),
      }))
      return { ...state, entries, subject: numbered(state.subject) }
    }
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 15 }), fc.nat({ max: 15 }), (all, cut) => {
        const state = fold(tracking, all.slice(0, cut))
        const kept = JSON.stringify(keptFrom(state))
        // What is kept does not change with the state.
        const captured = keptFrom(state)
        const whole = fold(tracking, all.slice(cut), state)
        t.equal(JSON.stringify(captured), kept)
        const brought = fold(tracking, all.slice(cut), stateIn(JSON.parse(kept)))
        t.strictSame(seen(brought), seen(whole))
        t.equal(JSON.stringify(timelineOf(brought, parcel)), JSON.stringify(timelineOf(whole, parcel)))
        return t.passing()
      }),
      { numRuns: runs(t, 30) },
    )
  },
)

t.test('given any facts, when only the status is asked for, then it is that of the folded timeline', async (t) => {
  const codes = fc.constantFrom(...Object.keys(parcel.codes), 'x-a', 'toString')
  const steps = fc.array(
    fc.record({ code: codes, step: fc.constantFrom(60, 60, 60, 60, 0, -90), inherits: fc.boolean() }),
    {
      maxLength: 12,
    },
  )
  const zones = fc.constantFrom('Z', 'Z', '+00:00', '-04:00', '.5Z')
  const facts = fc.tuple(steps, zones, fc.option(fc.nat(11))).map(([history, zone, withdrawn]): TrackingEvent[] => {
    let at = Date.parse('2026-06-10T12:00:00Z')
    const recorded = history.map(({ code, step, inherits }, index): TrackingEvent => {
      at += step * 1_000
      const occurred_at = new Date(at).toISOString().replace('.000Z', index % 3 === 0 ? zone : 'Z')
      const inherited_from = inherits && index % 4 === 3 ? { inherited_from: { gs1_sscc: '106141412345678908' } } : {}
      return sampleRecorded({ event_id: `e${index}`, occurred_at, status_code: code, ...inherited_from })
    })
    const name = { provider: 'acme', event_id: `e${withdrawn}` }
    const withdrawal: TrackingEvent = {
      type: 'TrackingEventWithdrawn',
      data: { ...name, withdrawn: { declared_at: '2026-06-11T12:00:00Z' } },
    }
    return withdrawn === null ? recorded : [...recorded, withdrawal]
  })
  fc.assert(
    fc.property(facts, (given) => {
      t.strictSame(statusOfFacts(given, parcel), statusOf(fold(tracking, given), parcel))
    }),
    { numRuns: 500 },
  )
})

t.test(
  'given any calls of two processes, when states are kept between them or read anew, then answers and facts are the same',
  async (t) => {
    const day = 86_400_000
    const start = now - 250 * day
    const codes = ['picked_up', 'in_transit', 'delivered', 'in_transit', 'delivered', 'out_for_delivery']
    /** Of one id all reports agree on code and time, mostly; the last days are those of the next parcel of a number. */
    const events = fc
      .record({
        ...{ kind: fc.nat({ max: 5 }), late: fc.boolean(), hub: fc.boolean(), is: fc.nat({ max: 9 }) },
        ...{ number: fc.constantFrom('SR1', 'sr 1', 'SR2'), order: fc.constantFrom(undefined, undefined, '7') },
      })
      .map(({ kind, late, hub, is, number, order }) => ({
        subject: { ...(is === 0 ? {} : { tracking_number: number }), ...(order && { order_id: order }) },
        event_id: `e${kind}${late}`,
        status_code: is === 1 ? 'x-odd' : codes[kind],
        occurred_at: new Date(start + (kind + (late ? 120 : 0)) * day + (is === 2 ? 1000 : 0)).toISOString(),
        ...(hub && { location: { name: 'Hub', latitude: 1 }, pod: { recipient: 'Ada' } }),
        ...(is === 3 && { withdrawn: { declared_at: new Date(now).toISOString(), reason: 'wrong' } }),
      }))
    const status = fc
      .record({ number: fc.constantFrom('SR1', 'SR2'), kind: fc.nat({ max: 5 }), daysAgo: fc.nat({ max: 250 }) })
      .map(({ number, kind, daysAgo }) => ({
        subject: { tracking_number: number },
        current_status: codes[kind],
        current_status_at: new Date(now - daysAgo * day).toISOString(),
      }))
    const document = fc.oneof(
      { weight: 5, arbitrary: fc.record({ lines: fc.array(events, { minLength: 1, maxLength: 6 }) }) },
      { weight: 1, arbitrary: status },
    )
    const calls = fc.array(
      fc.record({
        document,
        caller: fc.constantFrom(acme, acme, other),
        atomic: fc.nat({ max: 5 }),
        process: fc.nat(1),
      }),
      { maxLength: 14 },
    )

    async function outcome(
      sent: readonly { document: object; caller: Caller; atomic: number; process: number }[],
      isKept: boolean,
    ) {
      const memory = createMemoryStore(() => now)
      let ids = 0
      const randomId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
      const { knownRevision, ...asked } = memory
      const store = isKept ? memory : { ...asked, roomForStates: { bytes: 0 } }
      const processes = [engine({ ...store }, { randomId }), engine({ ...store }, { randomId })]
      const answers: unknown[] = []
      for (const { document, caller, atomic, process } of sent)
        answers.push(await processes[process]?.ingest(document, caller, atomic === 0))
      const facts: unknown[] = []
      for await (const { metadata, ...fact } of memory.readAll()) facts.push(fact)
      return { answers, facts }
    }

    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(calls, async (sent) => {
        const kept = await outcome(sent, true)
        for (const { data } of kept.answers as IngestAnswer[])
          for (const event of data.events) outcomes.add(event.outcome)
        t.strictSame(kept, await outcome(sent, false))
        return t.passing()
      }),
      { numRuns: runs(t, 15) },
    )
    if (areMany) t.same([...outcomes].sort(), ['accepted', 'duplicate', 'enriched', 'rejected', 'withheld'])
  },
)

/** What sensors noticed, and EPCIS's step for readings of them. */
const notices = ['x-temperature-excursion', 'x-shock-excursion', 'x-sensor_reporting']

t.test(
  'given a notice after any status, then it is listed, and status, order and checks are as without it',
  async (t) => {
    const { ingest, read, context } = engine()
    const codes = Object.keys(parcel.codes)
    for (const [index, code] of codes.entries()) {
      const subject = { tracking_number: `N${index}` }
      const events = [code, ...notices].map((status_code, at) => {
        return { ...line(status_code, `2026-11-20T1${at}:00:00Z`), subject }
      })
      const { data } = await ingest({ lines: events })
      t.match(
        data.events.slice(1).flatMap(({ warnings = [] }) => warnings.map(({ code }) => code)),
        [],
        code,
      )
      const timeline = (await read(subject.tracking_number)).data
      t.equal(timeline.current_status, code)
      t.equal(timeline.delivered, phaseOf(parcel, code) === 'delivered')
      t.same(codesOf({ data: timeline }), [code, ...notices])
      const findings = ({ errors, warnings }: ReturnType<typeof validate>) =>
        [...errors, ...warnings].map(({ code, params }) => [code, params?.from, params?.expected])
      const without = { ...timeline, events: timeline.events.slice(0, 1) }
      t.same(
        findings(validate(timeline, context())).filter(([code]) => code !== 'experimental_code'),
        findings(validate(without, context())),
        code,
      )
    }
  },
)

t.test(
  'given a notice at the instant of other events, then these keep their order, and it comes after them',
  async (t) => {
    const { push, read, context } = engine()
    const at = '2026-11-20T10:00:00Z'
    const [scanned, noticed] = [
      ['delivered', 'picked_up', 'out_for_delivery', 'in_transit'].map((code, id) =>
        line(code, at, { event_id: `${id}` }),
      ),
      notices.map((code, id) => line(code, at, { event_id: `!${id}` })),
    ]
    await push(...noticed, ...scanned)
    const { data } = await read('SR1')
    t.same(codesOf({ data }), ['picked_up', 'in_transit', 'out_for_delivery', 'delivered', ...notices])
    t.equal(data.current_status, 'delivered')
    t.notMatch(validate(data, context()), { warnings: [{ code: 'order_contradicted' }] })
    t.notMatch(JSON.stringify(validate(data, context())), 'order_contradicted')
  },
)

t.test('given nothing but notices, then a timeline has no status, and the next event has to begin it', async (t) => {
  const { ingest, read } = engine()
  const [notice] = notices as [string]
  await ingest({ lines: [line(notice, '2026-11-20T10:00:00Z')] })
  const { data } = await read('SR1')
  t.same([data.current_status, data.delivered, codesOf({ data })], [undefined, false, [notice]])
  const answer = await ingest({ lines: [line('delivered', '2026-11-20T11:00:00Z')] })
  t.match(answer.data.events[0]?.warnings, [{ code: 'first_step_skipped' }])
  t.equal((await read('SR1')).data.current_status, 'delivered')
})

t.test('given a source without history, when it repeats its status after a notice, then nothing is new', async (t) => {
  const { ingest, read } = engine()
  const status = { subject, current_status: 'in_transit' }
  await ingest({ ...status, current_status_at: '2026-11-20T10:00:00Z' })
  await ingest({ lines: [line(notices[0] as string, '2026-11-20T11:00:00Z')] })
  t.match(await ingest({ ...status, current_status_at: '2026-11-20T12:00:00Z' }), { data: { duplicate: 1 } })
  t.equal((await read('SR1')).data.events.length, 2)
})

/** What a document says outside of its lists of events. */
function saidBeside(document: unknown): readonly string[] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return []
  return Object.entries(document).flatMap(([name, value]) => {
    const isStatus = /status|^(state|tag|subtag|delivered)$/i.test(name) && typeof value !== 'object'
    return [...(isStatus ? [`${name}: ${value}`] : []), ...saidBeside(value)]
  })
}

t.test('given a notice, when a timeline is written in each format, then its status is as without it', async (t) => {
  const said = new Set<string>()
  for (const code of Object.keys(parcel.codes)) {
    const events = [line('picked_up', '2026-11-20T10:00:00Z'), line(code, '2026-11-20T11:00:00Z')]
    const noticed = [...events, ...notices.map((notice) => line(notice, '2026-11-20T12:00:00Z'))]
    const [plain, whole] = await Promise.all(
      [events, noticed].map(async (lines) => {
        const { ingest, read } = engine()
        await ingest({ lines })
        return (await read('SR1')).data
      }),
    )
    for (const { name, options, project } of projections) {
      const target = { baseUrl: 'https://otep.example', options: (options && parse(options, {}).value) ?? {}, profiles }
      const [one, other] = [plain, whole].map((timeline) => saidBeside(project(timeline as Timeline, target)))
      if (one?.length !== 0) said.add(name)
      t.same(other, one, `${name} ${code}`)
    }
  }
  for (const name of ['otep', 'aftership', 'woocommerce', 'magento', 'osp']) t.ok(said.has(name), name)
})
