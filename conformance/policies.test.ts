import t from 'tap'
import { createParts } from '../adapters/engine.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { provingTypes } from '../engine/domains/orders/for-proof.ts'
import { proofNoticeSource } from '../engine/domains/proof/notices.ts'
import { createWorld, type Given, proof } from '../engine/domains/tracking/notices/world.test.fixture.ts'
import { deriveId } from '../engine/index.ts'

const driven: readonly Given[] = [
  { type: 'AssignDriver', driver: 9, source: 'manual' },
  { type: 'TakeStep', step: 'pick_up', driver_id: 9 },
  { type: 'TakeStep', step: 'complete', driver_id: 9, circumstances: proof },
]

t.test(
  'given an order that was delivered, when its timeline is told, then each event is, with its files',
  async (t) => {
    const world = createWorld(createParts)
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
    for (const { id, event, business, customer, ...announcement } of all) {
      t.equal(id, `EVT-${deriveId('tracking.event', event.id)}`)
      t.match(announcement, {
        ...{ notice: 'tracking.event', subject: 'order/1', occurredAt: /Z$/ },
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
  },
)

t.test(
  'given proof of drivers, when orders and timelines tell it, then files and events have the same numbers',
  async (t) => {
    const world = createWorld(createParts)
    await world.create(1)
    for (const given of driven) await world.command(1, given)
    await runPoliciesOnce(world.parts)
    const pod = proofNoticeSource(provingTypes)
    const files: unknown[] = []
    for await (const event of world.store.readAll(undefined, { category: 'order' }))
      for (const { data } of await pod.announce(world.parts, event)) files.push(data('business').file)
    const delivered = (await world.told()).at(-1)?.business
    t.equal(files.length, 3)
    t.same(files, delivered?.proof_files_detail)
  },
)
