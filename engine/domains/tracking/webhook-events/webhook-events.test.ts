import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { parcel, profiles } from '../../../../profiles/index.ts'
import { deriveId, type StreamName } from '../../../index.ts'
import { eventNamesOf, phraseLanguages, type StatusCode } from '../../../kernel/profile.ts'
import { deliveredNames } from '../../../kernel/proof-file.ts'
import { runs } from '../../../testing/runs.test.fixture.ts'
import { descriptionOf } from './describe.ts'
import { webhookEventSources, webhookEventTypes } from './index.ts'
import { createWorld, passDeadlines, proof, reportsIn, start } from './world.test.fixture.ts'

const [source] = webhookEventSources
const [eventType] = webhookEventTypes
if (source === undefined || eventType === undefined) throw new Error('nothing is told')
const { webhookEventsOf } = source

const scan = (tracking_number: string, more: object = {}) => ({
  ...{ subject: { tracking_number }, status_code: 'arrival_scan', occurred_at: '2026-06-10T12:00:00+02:00' },
  ...{ location: { name: 'Lyon hub', unlocode: 'FRLYS' }, ...more },
})

t.test('given the codes of the profiles, then each has its names and a description in every language', async (t) => {
  const known = profiles.flatMap(({ codes }) => Object.values<StatusCode>(codes))
  t.equal(phraseLanguages.join(), 'en,fr,chs,cht,es,de,nl,pt,it,sr,hu,pl,sk,cs')
  t.equal(new Set(known.map(({ webhook }) => webhook.statusId)).size, known.length)
  t.equal(new Set(known.map(({ webhook }) => webhook.key)).size, known.length)
  for (const { webhook, phrases } of known) {
    t.match(webhook.key, /^[a-z]+(-[a-z]+)*$/)
    for (const said of Object.values(phrases)) t.match(said, /^\S.{1,60}\S$/, webhook.key)
  }
  t.match(eventNamesOf(profiles, 'delivered'), { key: 'delivery-success', type: 'D' })
  t.same(eventNamesOf(profiles, 'x-drone_landed'), { statusId: 0, key: 'x-drone-landed', type: 'X' })
  t.equal(descriptionOf(profiles, 'x-drone_landed', '').fr, 'X drone landed')
  t.match(descriptionOf(profiles, 'delivered', 'Lyon'), { en: 'Delivered (Lyon)', de: 'Delivered (Lyon)' })
  const codes = {
    ...parcel.codes,
    delivered: { ...parcel.codes.delivered, phrases: { en: 'Delivered', de: 'Zugestellt' } },
  }
  t.equal(descriptionOf([{ ...parcel, codes }], 'delivered', 'Lyon').de, 'Zugestellt (Lyon)')
})

t.test('given the webhook event, then its example is valid', async (t) => {
  t.same(v.parse(eventType.data, eventType.example), eventType.example)
  t.same(deliveredNames, eventNamesOf(profiles, 'delivered'))
  const { en } = descriptionOf(profiles, 'delivered', 'Lyon hub')
  t.match(eventType.example, { description: { en } })
})

t.test(
  'given a carrier that has the order, when it tells where, then a customer is not told of the place',
  async (t) => {
    const world = createWorld()
    await world.create(1, { customer_id: 3 })
    await world.create(2, { customer_id: 3 })
    await world.report(scan('TN1', { occurred_at: '2026-06-10T09:00:00Z' }))
    await world.command(1, { type: 'HandToCarrier', provider: 'acme' })
    await world.report(scan('TN1', { status_code: 'in_transit' }))
    await world.report(scan('TN2'))
    const [before, carried, own] = await world.told()
    const place = { location_name: 'Lyon hub', description: { en: 'Arrived at a facility (Lyon hub)' } }
    t.match([before?.business, before?.customer, own?.customer], [place, place, place], 'no other carrier had it')
    t.match(carried?.business, { location_name: 'Lyon hub', description: { fr: 'In transit (Lyon hub)' } })
    t.match(carried?.customer, {
      location_name: '',
      location_id: 0,
      description: { en: 'In transit', cs: 'In transit' },
    })
    t.notMatch(JSON.stringify(carried?.customer), /Lyon hub|"acme"/)
    t.equal(carried?.occurredAt, '2026-06-10T10:00:00.000Z')
    t.not(carried?.business.location_id, 0)
    t.equal(carried?.business.location_id, own?.business.location_id, 'one place has one number')
    await world.command(1, { type: 'TakeBack' })
    t.match((await world.told())[0]?.customer, place, 'told again later, it is the same')
  },
)

t.test(
  'given an order that nobody handed to a carrier yet, when one tells where, then a customer is not told of the place',
  async (t) => {
    const world = createWorld()
    await world.create(1, { customer_id: 3 })
    const kinds = ['third_party_delivery', 'node_scan'] as const
    for (const type of kinds) await world.report(scan('TN1', { event_id: type, source: { type } }))
    const [carried, own] = await world.told()
    t.match([carried?.business, own?.business, own?.customer], Array(3).fill({ location_name: 'Lyon hub' }))
    t.match(carried?.customer, { location_name: '', location_id: 0, description: { en: 'Arrived at a facility' } })
    t.notMatch(JSON.stringify(carried?.customer), 'Lyon hub')
  },
)

t.test(
  'given a parcel, when it is named otherwise than by its number, then its order is found all the same',
  async (t) => {
    const world = createWorld()
    await world.create(1)
    const subject = { tracking_number: 'TN1', gs1_sscc: '106141412345678908' }
    await world.report({ ...scan('TN1'), subject })
    await world.report({ ...scan('TN1'), subject: { gs1_sscc: subject.gs1_sscc }, status_code: 'in_transit' })
    await world.report({ ...scan(''), subject: { order_id: 1, tracking_number: 'OTHER' } })
    await world.report({ ...scan(''), subject: { order_id: 99 } })
    await world.report(scan('NOBODYS'))
    const all = await world.told()
    t.same(
      all.map(({ business }) => [business.order_id, business.otep_status, business.tracking_number]),
      [
        [1, 'arrival_scan', ['TN1']],
        [1, 'in_transit', ['TN1']],
        [1, 'arrival_scan', ['OTHER']],
      ],
    )
    t.equal(new Set(all.map(({ business }) => business.id)).size, 3)
  },
)

t.test('given a meal, when its courier has it, then it is announced in the words of its own trade', async (t) => {
  const world = createWorld()
  await world.create(1)
  await world.report({ ...scan('TN1', { status_code: 'picked_up' }), profile: 'food' })
  const [{ business } = { business: undefined }] = await world.told()
  t.match(business, {
    ...{ otep_status: 'picked_up', tracking_event_status_id: 307, tracking_event_key: 'food-picked-up' },
    description: { en: 'Picked up by the courier (Lyon hub)', de: 'Picked up by the courier (Lyon hub)' },
  })
})

t.test('given an event, when it is enriched or withdrawn, then nothing more is announced', async (t) => {
  const world = createWorld()
  await world.create(1)
  const one = scan('TN1', { event_id: 'e1' })
  await world.report(one)
  await world.report({ ...one, description: 'At the gate' })
  await world.report({ ...one, withdrawn: { declared_at: '2026-06-10T13:00:00Z' } })
  t.equal((await world.told()).length, 1)
  const [other] = await world.store.read('tracking-tracking_number:TN1', { from: 1 })
  t.same(other && (await webhookEventsOf(world.parts, other)), [])
})

t.test(
  'given a timeline that was forgotten, when it is told, then its files are missing and nothing else',
  async (t) => {
    const world = createWorld()
    await world.create(1)
    await world.report(scan('TN1', { status_code: 'delivered', pod: proof }))
    const [whole] = await world.told()
    t.equal(whole?.business.proof_files?.length, 3)
    await world.forget('TN1')
    const [left, ...more] = await world.told()
    t.same(left?.business, { ...whole?.business, proof_files: [], proof_files_detail: [] })
    t.same(more, [])
  },
)

t.test('given any reports, when they are announced, then the data is valid for both readers', async (t) => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((one) => /^\S[^\p{C}]*\S$/u.test(one))
  const reports = fc.array(
    fc.record(
      {
        status_code: fc.oneof(fc.constantFrom(...Object.keys(parcel.codes)), fc.constantFrom('x-a', 'x-drone')),
        occurred_at: fc
          .date({ min: new Date(start - 1e9), max: new Date(start), noInvalidDate: true })
          .map((date) => date.toISOString()),
        location: fc.record({ name: word }),
        pod: fc.record({ photo_urls: fc.array(fc.webUrl(), { maxLength: 3 }), signature_url: fc.webUrl() }),
        source: fc.record({ type: fc.constantFrom('carrier_tracking', 'self_delivery', 'node_scan') }),
      },
      { requiredKeys: ['status_code', 'occurred_at'] },
    ),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(reports, fc.boolean(), async (list, isByCarrier) => {
      const world = createWorld()
      await world.create(1)
      if (isByCarrier) await world.command(1, { type: 'HandToCarrier', provider: 'acme' })
      const lines = list.map((one, index) => ({ ...one, event_id: `e${index}`, subject: { tracking_number: 'TN1' } }))
      await world.report({ lines })
      const all = await world.told()
      if (all.length !== list.length) throw new Error('an event was not told')
      if (isByCarrier && all.some(({ customer }) => customer.location_name !== '')) throw new Error('a place was told')
    }),
    { numRuns: runs(t, 10) },
  )
  t.pass()
})

t.test('given a stream of another kind, when one of its events is announced, then there is nothing', async (t) => {
  const world = createWorld()
  const stream: StreamName = 'tracking-tracking_number:TN5'
  const event = { type: 'SomethingLater', data: {}, id: deriveId('one'), metadata: { schemaVersion: 1 } }
  await world.store.append(stream, [event], 'no-stream')
  const [recorded] = await world.store.read(stream)
  t.same(recorded && (await webhookEventsOf(world.parts, recorded)), [])
})

const sscc = { pallet: '106141412345678908', other: '106141412345678915', truck: '106141412345678922' }
const at = (hour: number) =>
  `2026-06-${String(10 + Math.floor(hour / 24)).padStart(2, '0')}T${String(hour % 24).padStart(2, '0')}:00:00Z`
const named = (thing: string) => (/^TN/.test(thing) ? { tracking_number: thing } : { gs1_sscc: thing })
const happened = (thing: string, status_code: string, hour: number, more: object = {}) => ({
  ...{ subject: named(thing), status_code, occurred_at: at(hour), ...more },
})
const packed = (thing: string, container: string, hour: number, action = 'ADD', more: object = {}) =>
  happened(thing, 'x-packed', hour, { aggregation: { action, parent: named(container) }, ...more })

type World = ReturnType<typeof createWorld>

/** What is reported about containers: order, code and container. What is made again has the same id, and is sent once. */
const inheritedIn = (all: Awaited<ReturnType<World['told']>>) =>
  [...new Map(all.map((one) => [one.id, one])).values()].flatMap(
    ({ business: { order_id, otep_status, inherited_from } }) =>
      inherited_from === undefined ? [] : [`${order_id} ${otep_status} ${Object.values(inherited_from)[0]}`],
  )

t.test('given parcels on a pallet, when it moves, then the orders of all of them are told, each once', async (t) => {
  const world = createWorld()
  for (const order of [1, 2, 3]) await world.create(order)
  for (const order of [1, 2]) await world.report(packed(`TN${order}`, sscc.pallet, 8))
  await world.report(happened('TN3', 'in_transit', 8))
  await world.report(happened(sscc.pallet, 'in_transit', 9, { location: { name: 'Lyon hub' } }))
  await world.report(happened(sscc.pallet, 'delivered', 10))
  await world.report(packed('TN1', sscc.pallet, 11, 'DELETE'))
  await world.report(happened(sscc.pallet, 'arrival_scan', 12))
  const all = await world.told()
  t.same(inheritedIn(all).sort(), [
    `1 in_transit ${sscc.pallet}`,
    `2 arrival_scan ${sscc.pallet}`,
    `2 in_transit ${sscc.pallet}`,
  ])
  const ids = all.map(({ id }) => id)
  const own = new Set(all.map(({ business }) => business.id))
  t.equal(own.size, new Set(ids).size, 'in each timeline an event is another one')
  const departed = all.find(({ business }) => business.inherited_from !== undefined)
  t.match(departed, { subject: 'order/1', occurredAt: '2026-06-10T09:00:00.000Z' })
  t.match(departed?.business, { location_name: 'Lyon hub', tracking_number: ['TN1'] })
  t.same(
    (await world.told()).map(({ id }) => id),
    ids,
    'told again, it is the same',
  )
})

t.test('given a pallet that departed, when it is said later what was on it, then that is told as well', async (t) => {
  const world = createWorld()
  await world.create(1)
  await world.report(happened(sscc.pallet, 'picked_up', 7))
  await world.report(happened(sscc.pallet, 'in_transit', 9))
  await world.report(happened(sscc.truck, 'arrival_scan', 10))
  t.same(await world.told(), [])
  await world.report(packed('TN1', sscc.pallet, 8))
  t.same(inheritedIn(await world.told()), [`1 in_transit ${sscc.pallet}`])
  const before = await world.store.latest()
  await world.report(packed(sscc.pallet, sscc.truck, 9))
  t.same(
    inheritedIn(await world.told(before)).sort(),
    [`1 arrival_scan ${sscc.truck}`, `1 x-packed ${sscc.pallet}`],
    'through the pallet',
  )
})

t.test('given an aggregation that was an error, or a parcel that was forgotten, then nothing is told', async (t) => {
  const world = createWorld()
  for (const order of [1, 2]) await world.create(order)
  const wrong = { event_id: 'wrong' }
  await world.report(packed('TN1', sscc.pallet, 8, 'ADD', wrong))
  const withdrawn = { declared_at: at(9), reason: 'wrong pallet' }
  await world.report(packed('TN1', sscc.pallet, 8, 'ADD', { ...wrong, withdrawn }))
  await world.report(packed('TN2', sscc.pallet, 8))
  await world.report(happened(sscc.pallet, 'in_transit', 9))
  t.same(inheritedIn(await world.told()), [`2 in_transit ${sscc.pallet}`])
  await world.forget('TN2')
  t.same(inheritedIn(await world.told()), [])
})

t.test('given a parcel that another carrier has, then a customer is told neither place nor container', async (t) => {
  const world = createWorld()
  await world.create(1, { customer_id: 3 })
  await world.command(1, { type: 'HandToCarrier', provider: 'acme' })
  await world.report(packed('TN1', sscc.pallet, 8))
  await world.report(happened(sscc.pallet, 'in_transit', 9, { location: { name: 'Lyon hub' } }))
  const told = (await world.told()).at(-1)
  t.match(told?.business, { location_name: 'Lyon hub', inherited_from: { gs1_sscc: sscc.pallet } })
  t.notMatch(JSON.stringify(told?.customer), /Lyon hub|10614141/)
})

t.test(
  'given any history of containers in containers, then what is told is what the timelines have inherited',
  async (t) => {
    const [pallet, other, truck] = Object.values(sscc) as [string, string, string]
    const hour = fc.nat(40)
    const into = fc.constantFrom(
      ...([
        ['TN1', pallet],
        ['TN1', other],
        ['TN2', pallet],
        ['TN2', truck],
        [pallet, truck],
        [other, pallet],
      ] as const),
    )
    const change = fc.tuple(into, hour, fc.constantFrom('ADD', 'ADD', 'DELETE'))
    const move = fc.tuple(
      fc.constantFrom('TN1', pallet, other, truck),
      hour,
      fc.constantFrom('in_transit', 'delivered'),
    )
    const step = fc.oneof(
      change.map(([[thing, container], at, action]) => packed(thing, container, at, action)),
      move.map(([thing, at, code]) => happened(thing, code, at)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const world = createWorld()
        for (const order of [1, 2]) await world.create(order)
        const live = new Set<string>()
        for (const one of steps) {
          const before = await world.store.latest()
          await world.report(one)
          for (const { id } of await world.told(before)) live.add(id)
        }
        const told = await world.told()
        const due: string[] = []
        for (const order of [1, 2])
          for (const { status_code, occurred_at, inherited_from } of await world.events(`TN${order}`))
            if (inherited_from !== undefined && status_code !== 'delivered')
              due.push(`${order} ${status_code} ${Date.parse(occurred_at)} ${Object.values(inherited_from)[0]}`)
        const found = told.flatMap(({ business: { order_id, otep_status, inherited_from }, occurredAt, id }) =>
          inherited_from === undefined
            ? []
            : [
                [
                  id,
                  `${order_id} ${otep_status} ${Date.parse(occurredAt)} ${Object.values(inherited_from)[0]}`,
                ] as const,
              ],
        )
        t.same([...new Map(found).values()].sort(), due.sort(), JSON.stringify(steps))
        t.same(
          told.filter(({ id }) => !live.has(id)).map(({ business }) => business),
          [],
          'whoever listened all the time was told everything',
        )
      }),
      { numRuns: runs(t, 15) },
    )
  },
)

t.test(
  'given events ahead of their time, when that comes, then each is told once, and none that was withdrawn',
  async (t) => {
    const world = createWorld()
    for (const order of [1, 2]) await world.create(order)
    const later = '2026-06-20T10:00:00Z'
    const wrong = scan('TN1', { event_id: 'wrong', status_code: 'delivered', occurred_at: later })
    const right = scan('TN1', { event_id: 'right', status_code: 'delivered', occurred_at: later, pod: proof })
    await world.report({ lines: [scan('TN1'), wrong, right] })
    await world.report({ ...wrong, withdrawn: { declared_at: '2026-06-10T12:00:00Z' } })
    await world.report(packed('TN2', sscc.pallet, 8))
    await world.report(happened(sscc.pallet, 'in_transit', 24 * 10))
    await passDeadlines(world.parts)
    const codes = async () => (await world.told()).map(({ business }) => `${business.order_id} ${business.otep_status}`)
    t.same(await codes(), ['1 arrival_scan', '2 x-packed'])
    world.moveTo(Date.parse('2026-06-19T10:00:00Z'))
    for (let pass = 0; pass < 2; pass++) await passDeadlines(world.parts)
    t.same((await codes()).sort(), ['1 arrival_scan', '1 delivered', '2 in_transit', '2 x-packed'])
    const delivered = (await world.told()).find(({ business }) => business.otep_status === 'delivered')
    t.equal(delivered?.business.proof_files?.length, 3)
    const reports = await reportsIn(world.parts)
    t.same(reports, ['TN1 arrival_scan', 'TN2 x-packed', 'TN1 delivered'], 'so are the orders moved')
  },
)

t.test('given events of one timeline whose time comes together, then they become due at once, each once', async (t) => {
  const world = createWorld()
  await world.create(1)
  const future = (id: number) => scan('TN1', { event_id: `f${id}`, occurred_at: '2026-06-20T10:00:00Z' })
  await world.report({ lines: [1, 2, 3, 4, 5].map(future) })
  await world.report(scan('TN1', { event_id: 'later', occurred_at: '2026-06-21T10:00:00Z' }))
  world.moveTo(Date.parse('2026-06-19T10:00:00Z'))
  await passDeadlines(world.parts, 1)
  t.equal((await world.told()).length, 5, 'the first one brings the others of its timeline')
  await passDeadlines(world.parts)
  const [first] = await world.told()
  const facts = await world.store.read(String(first?.event.stream) as StreamName)
  t.equal(facts.filter(({ type }) => type === 'TrackingEventBecameDue').length, 5)
})
