import fc from 'fast-check'
import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { reportedSteps } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { parcel } from '../profiles/parcel.ts'
import { toldIn } from './told.test.fixture.ts'

const delivery = { name: 'Ann', phone: '+1 416 555 0123', address: { street: '1 Main Street', country: 'CA' } }

/** A business that two carriers deliver for, with the keys of both. */
async function shop() {
  const made = await world()
  const { send, tokens, parts, clock } = made
  const ask = async (method: string, path: string, body?: object, token = tokens.client_admin) =>
    (await send(method, `/api/v1/${path}`, { token, ...(body && { body }) })).body
  const keyOf = async (name: string): Promise<string> => (await ask('POST', 'providers', { name })).key
  const keys = { swift: await keyOf('swift'), slow: await keyOf('slow') }
  const order = async (more: object = {}) => {
    const { order_id, tracking_number } = await ask('POST', 'orders', { type: 'D', delivery, ...more })
    await runPoliciesOnce(parts)
    return { id: Number(order_id), tracking_number: String(tracking_number) }
  }
  const hand = (id: number, provider = 'swift') => ask('POST', `orders/${id}/hand-to-carrier`, { provider })
  let events = 0
  /** A carrier reports a status as of so many minutes from now. */
  const report = async (
    tracking_number: string,
    code: string,
    who: keyof typeof keys = 'swift',
    minutes = 0,
    more: object = {},
  ) => {
    clock.now += 60_000
    const event = {
      ...{ event_id: `e${++events}`, status_code: code },
      occurred_at: new Date(clock.now + minutes * 60_000).toISOString(),
      ...more,
    }
    const body = { profile: 'parcel', subject: { tracking_number }, events: [event] }
    const answer = await send('POST', '/api/v1/otep/ingest', { token: keys[who], body })
    t.equal(answer.status, 200, JSON.stringify(answer.body))
    await runPoliciesOnce(parts)
  }
  const status = async (id: number, token?: string) => (await ask('GET', `orders/${id}`, undefined, token)).order.status
  const trail = async (id: number) => (await ask('GET', `orders/${id}/operation-events`)).events
  const codes = async (number: string) =>
    (await send('GET', `/api/v1/otep/trackings/${number}`)).body.data.events.map(
      (event: { readonly status_code: string }) => event.status_code,
    )
  const told = (type: string) => toldIn(made, type)
  return { ...made, ask, order, hand, report, status, trail, codes, told }
}

t.test('given the codebook, then each status says what it does to the order that a carrier has', async (t) => {
  t.same(Object.keys(reportedSteps), Object.keys(parcel.codes))
})

t.test('given an order that a carrier has, when the carrier reports, then the order goes the same way', async (t) => {
  const { order, hand, report, status, trail, codes, told, tokens, ids, ask } = await shop()
  const { id, tracking_number } = await order({ customer_id: ids.customer })
  await hand(id)
  const way = [
    ...[
      ['out_for_delivery', 'WITH_CARRIER'],
      ['delivery_failed', 'FAILED'],
      ['delivery_failed', 'FAILED'],
    ],
    ...[
      ['information_submitted', 'FAILED'],
      ['out_for_delivery', 'WITH_CARRIER'],
      ['delivered', 'DELIVERED_BY_CARRIER'],
    ],
    ...[['in_transit', 'DELIVERED_BY_CARRIER']],
  ] as const
  for (const [code = '', after] of way) {
    await report(tracking_number, code)
    t.equal(await status(id), after, code)
  }
  t.equal(await status(id, tokens.customer), 'DELIVERED', 'a customer does not see who carried')
  t.same(
    (await trail(id)).map((event: Record<string, unknown>) => [event.type, event.reported_by, event.reason]),
    [
      ['OrderCreated', undefined, undefined],
      ['OrderHandedToCarrier', undefined, undefined],
      ['OrderFailed', 'swift', 'deliver_later'],
      ['OrderHandedToCarrier', 'swift', undefined],
      ['OrderDeliveredByCarrier', 'swift', undefined],
    ],
  )
  t.match(await ask('GET', `orders/${id}/operation-events`, undefined, tokens.customer), { total: 5 })
  t.notMatch(JSON.stringify(await ask('GET', `orders/${id}/operation-events`, undefined, tokens.customer)), /"swift"/)
  t.same(
    (await codes(tracking_number)).filter((code: string) => code === 'delivered' || code === 'delivery_failed'),
    ['delivery_failed', 'delivery_failed', 'delivered'],
    'the timeline has what the carrier reported, and no second word of the platform',
  )
  const changes = await told('order.status_change')
  t.same(
    changes.map((one) => [one.data('business').operation_type, one.data('customer').operation_type]),
    [
      [6007, 1001],
      [6008, 6002],
      [6007, 1001],
      [2009, 2002],
    ],
  )
})

t.test('given an order that a provider is to deliver, when it reports a scan, then it has the order', async (t) => {
  const { order, report, status, ask } = await shop()
  const { id, tracking_number } = await order()
  await ask('POST', 'third-party-deliveries', { order_id: id, provider: 'swift', packages: ['P1'] })
  await report(tracking_number, 'booking_confirmed')
  t.equal(await status(id), 'NEW_ORDER', 'an announcement is no scan')
  await report(tracking_number, 'picked_up', 'slow')
  t.equal(await status(id), 'NEW_ORDER', 'another carrier does not have it')
  await report(tracking_number, 'delivered')
  t.equal(await status(id), 'DELIVERED_BY_CARRIER')
})

t.test('given reports that come late, or of strangers, then the order is where the timeline says', async (t) => {
  const { order, hand, report, status, ask, tokens } = await shop()
  const { id, tracking_number } = await order()
  await report(tracking_number, 'information_submitted')
  t.match(await ask('GET', 'analytics/today'), { exceptions: { reported: 0 } }, 'an announcement is no scan')
  await report(tracking_number, 'picked_up')
  t.equal(await status(id), 'NEW_ORDER', 'nobody gave it to that carrier')
  t.match(await ask('GET', 'orders?reported=true'), { total: 1, orders: [{ order_id: id, reported_by: 'swift' }] })
  t.match(await ask('GET', 'orders?reported=true', undefined, tokens.customer), { total: 0 })
  t.match(await ask('GET', 'analytics/today'), { exceptions: { reported: 1 } })
  await hand(id)
  t.match(await ask('GET', 'orders?reported=true'), { total: 0 })
  await report(tracking_number, 'out_for_delivery')
  await report(tracking_number, 'delivery_failed', 'swift', -30)
  t.equal(await status(id), 'WITH_CARRIER', 'the attempt was before')
  await report(tracking_number, 'delivered', 'slow')
  t.equal(await status(id), 'WITH_CARRIER')
  const refused = await order()
  await hand(refused.id)
  await report(refused.tracking_number, 'rejected_by_recipient')
  t.match((await ask('GET', `orders/${refused.id}/operation-events`)).events.at(-1), { reason: 'refused' })
  await report(refused.tracking_number, 'return_to_sender')
  t.equal(await status(refused.id), 'RETURNED')
  const back = await order()
  await hand(back.id)
  await report(back.tracking_number, 'cancelled')
  t.equal(await status(back.id), 'NEW_ORDER', 'the carrier does not take it')
  await hand(back.id)
  await report(back.tracking_number, 'in_transit')
  t.equal(await status(back.id), 'WITH_CARRIER', 'it has got it again')
  await report(back.tracking_number, 'delivered')
  t.equal(await status(back.id), 'DELIVERED_BY_CARRIER')
  const named = await order()
  await hand(named.id, 'SWIFT')
  await report(named.tracking_number, 'delivered')
  t.equal(await status(named.id), 'DELIVERED_BY_CARRIER', 'people write names in any case')
})

t.test(
  'given an order whose own driver failed, when a provider is to deliver it, then its reports move it',
  async (t) => {
    const { order, report, status, trail, ask, ids } = await shop()
    const { id, tracking_number } = await order()
    await ask('POST', `orders/${id}/assign-driver`, { driver_id: ids.driver })
    for (const [verb, body] of [
      ['pick-up', {}],
      ['depart', {}],
      ['fail', { reason: 'deliver_later' }],
    ] as const)
      await ask('POST', `orders/${id}/${verb}`, body)
    t.equal(await status(id), 'FAILED')
    await ask('POST', 'third-party-deliveries', { order_id: id, provider: 'swift', packages: ['P1'] })
    await report(tracking_number, 'in_transit')
    t.equal(await status(id), 'WITH_CARRIER')
    await report(tracking_number, 'delivered')
    t.equal(await status(id), 'DELIVERED_BY_CARRIER')
    t.match(
      (await trail(id)).slice(-3).map((event: { readonly type: string }) => event.type),
      ['OrderUnassigned', 'OrderHandedToCarrier', 'OrderDeliveredByCarrier'],
      'no driver has it any more',
    )
  },
)

t.test(
  'given what a person has decided since, when a report is seen again or late, then the person is right',
  async (t) => {
    const { order, report, status, ask, parts, clock } = await shop()
    const { id, tracking_number } = await order()
    await ask('POST', 'third-party-deliveries', { order_id: id, provider: 'swift', packages: ['P1'] })
    await report(tracking_number, 'in_transit')
    t.equal(await status(id), 'WITH_CARRIER')
    clock.now += 60_000
    await ask('POST', `orders/${id}/take-back`)
    await runPoliciesOnce(parts)
    t.equal(await status(id), 'NEW_ORDER', 'the scan is from before')
    await report(tracking_number, 'out_for_delivery')
    t.equal(await status(id), 'WITH_CARRIER', 'the carrier has it all the same')
  },
)

t.test('given any reports, when policies see them again, then nothing changes, and an end stays the end', async (t) => {
  const { order, hand, report, status, trail, parts, store } = await shop()
  const anyCodes = fc.array(fc.constantFrom(...Object.keys(parcel.codes)), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(anyCodes, async (codes) => {
      const { id, tracking_number } = await order()
      await hand(id)
      let ended: string | undefined
      for (const code of codes) {
        await report(tracking_number, code)
        const now = await status(id)
        if (ended !== undefined) t.equal(now, ended)
        if (['DELIVERED_BY_CARRIER', 'RETURNED'].includes(now)) ended = now
      }
      const [length, last] = [(await trail(id)).length, await store.latest()]
      await runPoliciesOnce(parts)
      t.equal((await trail(id)).length, length)
      t.equal(await store.latest(), last)
    }),
    { numRuns: runs(t, 15) },
  )
})

t.test('given two carriers that contradict each other, then the order needs somebody until they do not', async (t) => {
  const { order, report, ask, tokens, trail } = await shop()
  const { id, tracking_number } = await order()
  const day = 24 * 60
  const at = (country: string, more: object = {}) => ({ location: { address: { country } }, ...more })
  await report(tracking_number, 'out_for_delivery', 'swift', -4 * day, at('FR'))
  await report(tracking_number, 'delivered', 'swift', -3 * day, at('FR'))
  t.match(await ask('GET', 'analytics/today'), { exceptions: { contradicting: 0 } })
  await report(tracking_number, 'in_transit', 'slow', -1 * day, at('JP', { event_id: 'osaka' }))
  t.match(await ask('GET', 'analytics/today'), { exceptions: { contradicting: 1 } })
  const listed = { total: 1, orders: [{ order_id: id, contradicting: 'slow, swift' }] }
  t.match(await ask('GET', 'orders?contradicting=true'), listed)
  t.match(await ask('GET', 'orders?contradicting=true', undefined, tokens.customer), { total: 0 })
  await report(tracking_number, 'arrival_scan', 'slow', -1 * day + 30, at('JP'))
  t.equal((await trail(id)).filter(({ type }: { type: string }) => type === 'OrderContradicted').length, 1)
  for (const code of ['in_transit', 'arrival_scan']) {
    const told = (await ask('GET', `otep/trackings/${tracking_number}`)).data.events
    const known = told.find((one: { status_code: string }) => one.status_code === code)
    const withdrawn = { declared_at: '2026-11-30T00:00:00Z' }
    await report(tracking_number, code, 'slow', 0, { ...known, source: undefined, phase: undefined, withdrawn })
  }
  t.match(await ask('GET', 'analytics/today'), { exceptions: { contradicting: 0 } })
  t.match(await ask('GET', 'orders?contradicting=true'), { total: 0 })
})

t.test(
  'given an order whose number another parcel has, when staff split it, then the order has its own again',
  async (t) => {
    const { order, report, ask, send, tokens, codes, told } = await shop()
    const { id, tracking_number } = await order()
    const day = 24 * 60
    const at = (country: string) => ({ location: { address: { country } } })
    await report(tracking_number, 'out_for_delivery', 'swift', -4 * day, at('FR'))
    await report(tracking_number, 'in_transit', 'slow', -5 * day, at('JP'))
    await report(tracking_number, 'delivered', 'slow', -3 * day, at('JP'))
    await report(tracking_number, 'out_for_delivery', 'swift', -1 * day, at('FR'))
    t.match(await ask('GET', 'orders?contradicting=true'), { total: 1, orders: [{ contradicting: 'slow, swift' }] })
    const events = (await told('order.tracking_event')).length
    const path = `/api/v1/shared-numbers/${tracking_number}/split`
    const split = (token = tokens.client_admin, providers = ['slow']) =>
      send('POST', path, { token, body: { providers } })
    t.match(await split(tokens.customer), { status: 403 })
    t.match(await split(tokens.client_admin, ['west']), { status: 409, body: { code: 'provider_not_in_timeline' } })
    const all = ['slow', 'swift', 'self-delivery']
    t.match(await split(tokens.client_admin, all), { status: 409, body: { code: 'nothing_left_of_timeline' } })
    const done = { timeline: `tracking_number:${tracking_number}`, moved: 2, state: 'split' }
    const { body } = await split()
    t.match(body, done)
    t.match((await split()).body, { ...body, state: 'already_split' })
    await report(tracking_number, 'in_transit', 'slow', 0, at('JP'))
    t.same((await codes(tracking_number)).sort(), ['information_submitted', 'out_for_delivery', 'out_for_delivery'])
    t.match(await ask('GET', 'analytics/today'), { exceptions: { contradicting: 0 } })
    t.equal((await told('order.tracking_event')).length, events, 'nobody gets what moved, nor what is of a stranger')
    const other = (await ask('GET', `otep/trackings/${encodeURIComponent(body.split_off)}`)).data
    t.equal(other.events.length, 3)
    const link = (name: string) => ask('POST', `otep/trackings/${encodeURIComponent(name)}/link`, {})
    t.match(await link(body.split_off), { code: 'timeline_not_found' }, 'the parcel is not of this business')
    t.match(await link(body.timeline), { result: true })
    t.match(await ask('GET', `orders/${id}`), { order: { tracking_number } })
  },
)
