import fc from 'fast-check'
import t from 'tap'
import { createParts } from '../adapters/engine.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { becomeOverdue } from '../engine/domains/device-orders/overdue.ts'
import {
  announced,
  createWorld as createLockerWorld,
  first,
} from '../engine/domains/device-orders/world.test.fixture.ts'
import { provingTypes } from '../engine/domains/orders/for-proof.ts'
import { proofWebhookEventSource } from '../engine/domains/proof/webhook-events.ts'
import {
  createWorld as createOrderWorld,
  type Given,
  proof,
} from '../engine/domains/tracking/webhook-events/world.test.fixture.ts'
import { call, deriveId, en, isEngineError, messageOf, otepTracking } from '../engine/index.ts'
import { areMany, runs } from '../engine/testing/runs.test.fixture.ts'

const driven: readonly Given[] = [
  { type: 'AssignDriver', driver: 9, source: 'manual' },
  { type: 'TakeStep', step: 'pick_up', driver_id: 9 },
  { type: 'TakeStep', step: 'complete', driver_id: 9, circumstances: proof },
]

t.test('given a delivered order, when its timeline is updated, then it has each event with its files', async (t) => {
  const world = createOrderWorld(createParts)
  await world.create(1, { customer_id: 3, external_tracking_number: 'EXT-1' })
  for (const given of driven) await world.command(1, given)
  await runPoliciesOnce(world.parts)
  const all = await world.told()
  t.same(
    all.map(({ business }) => [business.otep_status, business.tracking_event_type, business.tracking_event_key]),
    [
      ['information_submitted', 'I', 'information-submitted'],
      ['picked_up', 'P', 'pickup-success'],
      ['delivered', 'D', 'delivery-success'],
    ],
  )
  for (const { id, event, business, customer, ...webhookEvent } of all) {
    t.equal(id, `EVT-${deriveId('tracking.event', event.id)}`)
    t.match(webhookEvent, {
      ...{ type: 'tracking.event', subject: 'order/1', occurredAt: /Z$/ },
      audience: { kind: 'tenant', businessId: 1, customerId: 3 },
    })
    t.same(customer, business, 'the business itself carries it')
    t.match(business, { order_id: 1, order_ref: 'PO-1', location_id: 0, location_name: '' })
    t.match(business, { tracking_number: ['TN1'], external_tracking_number: ['EXT-1'] })
  }
  const [announced, pickedUp, delivered] = all.map(({ business }) => business)
  t.equal(announced?.proof_files, undefined)
  t.same(pickedUp?.proof_files, [])
  t.same(delivered?.proof_files, ['/a/p.jpg', '/q.jpg', '/s.png'])
  const context = {
    tracking_event_id: delivered?.id,
    tracking_event_status_id: 15,
    tracking_event_key: 'delivery-success',
  }
  t.match(delivered?.proof_files_detail, [
    { type: 1, url: '/a/p.jpg', full_url: proof.photo_urls[0], signed_url: proof.photo_urls[0], ...context },
    { type: 1, url: '/q.jpg', signed_url_expires_at: null, service_type: 1, service_status: 1 },
    { type: 2, url: '/s.png', ...context },
  ])
  t.equal(new Set(all.map(({ business }) => business.id)).size, 3)
})

t.test(
  'given proof of drivers, when orders and timelines tell it, then files and events have the same numbers',
  async (t) => {
    const world = createOrderWorld(createParts)
    await world.create(1)
    for (const given of driven) await world.command(1, given)
    await runPoliciesOnce(world.parts)
    const pod = proofWebhookEventSource(provingTypes)
    const files: unknown[] = []
    for await (const event of world.store.readAll(undefined, { category: 'order' }))
      for (const { data } of await pod.webhookEventsOf(world.parts, event)) files.push(data('business').file)
    const delivered = (await world.told()).at(-1)?.business
    t.equal(files.length, 3)
    t.same(files, delivered?.proof_files_detail)
  },
)

t.test(
  'given a device order, when the policies have caught up, then its stay is tracked in the storage profile',
  async (t) => {
    const world = createLockerWorld(createParts)
    const pass = (milliseconds: number) => {
      world.clock.now += milliseconds
    }
    await world.as(1, 'create_device_order', { ...announced, order_id: 9, recipient: { name: 'Ann Lee' } })
    t.equal((await world.as(3, 'otep_client_locker_storage', { rental_id: 1 })).timeline, null)
    pass(1_000)
    const { pickup_code } = await world.as(1, 'store_device_order', first)
    pass(1_000)
    await world.as(1, 'open_device_exception', { ...first, type: 'door_left_open', note: 'Ann left it open' })
    pass(1_000)
    await world.as(1, 'resolve_device_exception', { ...first, exception_id: 1, resolution_action: 'door_closed' })
    world.clock.now = Date.parse(announced.due_at)
    await becomeOverdue(world.context, 1)
    await runPoliciesOnce(world.parts)
    const late = (await world.as(3, 'otep_client_locker_storage', { rental_id: 1 })).timeline as TimelineAnswer
    t.equal(late.current_status, 'overdue')
    pass(1_000)
    await world.as(3, 'collect_device_order', { ...first, pickup_code })
    await runPoliciesOnce(world.parts)
    const last = await world.parts.store.latest()
    await runPoliciesOnce(world.parts)
    t.equal(await world.parts.store.latest(), last, 'a second run adds nothing')
    const { timeline: found, device_order } = await world.as(3, 'otep_client_locker_storage', { rental_id: 1 })
    t.match(device_order, { id: 1, status: 'collected' })
    const timeline = found as TimelineAnswer
    t.same(
      timeline.events.map(({ status_code }) => status_code),
      ['deposit_expected', 'stored', 'exception_opened', 'exception_resolved', 'overdue', 'collected'],
    )
    t.match(timeline, { profile: 'storage', current_status: 'collected', delivered: true })
    t.same(Object.keys(timeline.subject), ['piece_id'], 'nothing that leads to the parcel')
    t.match(timeline.events[0], { location: { name: 'Locker Main St' }, source: { type: 'node_scan' } })
    t.notMatch(JSON.stringify(timeline), 'Ann ')
    for (const tracking_number of ['9', '1', 'urn:otep:device_order:1'])
      await t.rejects(call(otepTracking, world.context, { tracking_number }), { code: 'timeline_not_found' })
  },
)

interface TimelineAnswer {
  readonly current_status: string
  readonly subject: object
  readonly events: readonly { readonly status_code: string }[]
}

t.test('given any history of calls, when all stored and sent data is searched, then it contains no code', async (t) => {
  const names = ['store_device_order', 'issue_pickup_code', 'collect_device_order', 'get_device_order'] as const
  const more = ['list_device_orders', 'open_device_exception', 'remove_device_order'] as const
  const calls = fc.array(fc.constantFrom(...names, ...names, ...more), { maxLength: 12 })
  let searched = 0
  await fc.assert(
    fc.asyncProperty(calls, async (taken) => {
      const world = createLockerWorld(createParts)
      const codes = new Set<string>()
      const answers: object[] = []
      await world.as(1, 'create_device_order', announced, 'key')
      for (const [index, name] of ['store_device_order', ...taken].entries()) {
        const known = [...codes].at(-1) ?? '0'
        const input = {
          ...(name === 'list_device_orders' ? {} : first),
          ...(name === 'collect_device_order' ? { pickup_code: index % 2 === 0 ? known : [...codes][0] } : {}),
          ...(name === 'open_device_exception' ? { type: 'other' } : {}),
          ...(name === 'remove_device_order' ? { removal_reason: 'relay' } : {}),
        }
        try {
          const { pickup_code, ...answer } = await world.as(1, name, input, `key ${index}`)
          if (pickup_code !== undefined) codes.add(pickup_code)
          answers.push(answer)
        } catch (error) {
          if (!isEngineError(error)) throw error
          answers.push({ message: messageOf(error.code, error.params, en), params: error.params })
        }
        world.clock.now += 60_000
      }
      await runPoliciesOnce(world.parts)
      answers.push(await world.as(1, 'otep_client_locker_storage', { rental_id: 1 }))
      const everything = JSON.stringify([answers, await world.events()])
      for (const code of codes) {
        searched++
        if (new RegExp(`\\b${code}\\b`).test(everything)) throw new Error(`${code} in ${everything}`)
      }
    }),
    { numRuns: runs(t, 4) },
  )
  t.ok(searched > 0 && (!areMany || searched > 40))
})
