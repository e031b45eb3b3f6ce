import type { Json, Live } from './live.test.fixture.ts'
import { type Format, nasty, order } from './tenant-script.test.fixture.ts'

/** The ways in which partners receive events. */
export const partnerChannels = ['provider_locker', 'third_party_delivery'] as const

/** A partner who receives events in one format. */
export interface Partner {
  readonly name: string
  readonly key: string
  readonly format: Format
  /** Of its handoff subscription. */
  readonly secret: string
}

const minute = 60_000

/** What a partner may subscribe to, by document 3. */
const handoffEvents = [
  ...['handoff.accepted', 'handoff.rejected', 'handoff.expired', 'handoff.cancelled'],
  ...['amendment.accepted', 'amendment.rejected', 'handoff.tracking', 'settlement_line.created'],
] as const

/** A partner who receives all events in one format, at the paths `/<channel>/<format>`. */
export async function partnerOf(live: Live, format: Format): Promise<Partner> {
  const { ask, tokens, receiver } = live
  const name = format.replace('_', '-')
  const key = await live.addProvider(name)
  for (const channel of partnerChannels) {
    const url = receiver.urlOf(`/${channel}/${format}`)
    const body = { url, format, standard_signature: true }
    await ask(tokens.client_admin, 'PUT', `/api/v1/webhook-endpoints/${channel}/${name}`, body)
  }
  const secret = `a secret for the handoffs of ${name}`
  const url = receiver.urlOf(`/order_handoff/${format}`)
  const body = { url, secret, events: handoffEvents, format, signature: 'standard' }
  await ask(key, 'POST', '/api/v1/ohp/subscriptions', body)
  return { name, key, format, secret }
}

/** Causes every event that partners receive. */
export async function causePartnerEvents(live: Live, partner: Partner): Promise<void> {
  await causeLockerEvents(live, partner)
  await causePackageEvents(live, partner)
  await causeAssignmentEvents(live, partner)
  await causeHandoffEvents(live, partner)
}

/** Announces a delivery into a locker; returns its path. */
export async function lockerDelivery(live: Live, { key }: Pick<Partner, 'key'>, more: object = {}): Promise<string> {
  const from = (minutes: number) => new Date(live.clock.now + minutes * minute).toISOString()
  const body = {
    ...{ parcels: [{ reference_number: nasty.reference }], device_id: 4, device_name: 'Locker', access_code: '4711' },
    ...{ delivery_expires_at: from(10), pickup_expires_at: from(1440), ...more },
  }
  const { delivery_id } = await live.ask(key, 'POST', '/api/v1/partner-lockers/deliveries', body)
  return `/api/v1/partner-lockers/deliveries/${delivery_id}`
}

async function causeLockerEvents(live: Live, partner: Partner): Promise<void> {
  const { ask, clock } = live
  const { key } = partner
  const compartments = [{ grid_id: 31, compartment_number: 7, pickup_locker_number: 3, shelf_code: 'A' }]
  const collected = await lockerDelivery(live, partner)
  const { pickup_code } = await ask(key, 'POST', `${collected}/open`, { access_code: '4711', compartments })
  await ask(key, 'POST', `${collected}/confirm`)
  await ask(key, 'POST', `${collected}/reopen`, { grid_ids: [31] })
  await ask(key, 'POST', `${collected}/confirm`)
  await ask(key, 'POST', `${collected}/pickup`, { pickup_code })
  const rotated = await lockerDelivery(live, partner)
  await ask(key, 'POST', `${rotated}/rotate-code`, { code: 'access', recipient_notified: true })
  await ask(key, 'POST', `${rotated}/cancel`)
  const failed = await lockerDelivery(live, partner)
  const packages = [{ reference_number: nasty.reference, failure_code: 'too_large' }]
  await ask(key, 'POST', `${failed}/fail`, { packages })
  await lockerDelivery(live, partner)
  await live.settled()
  clock.now += 11 * minute
  await ask(key, 'POST', '/api/v1/partner-lockers/expire-deliveries', {})
}

async function causePackageEvents(live: Live, { key }: Partner): Promise<void> {
  const { ask, tokens } = live
  const { client_admin: admin } = tokens
  const { order_id } = await order(live)
  const advised = async () => {
    const body = { package_number: 'PK-ß', member_number: 'M-1', destination: { location_name: 'Locker ß' } }
    const { package_id } = await ask(key, 'POST', '/api/v1/carrier-packages', body)
    const path = `/api/v1/carrier-packages/${package_id}`
    await ask(admin, 'POST', `${path}/receive`, { origin: { location_id: 1, location_name: 'North' } })
    await ask(admin, 'POST', `${path}/distribute`, { order_id, order_ref: nasty.reference })
    return path
  }
  const shelved = await advised()
  for (const step of ['load', 'deliver']) await ask(admin, 'POST', `${shelved}/${step}`)
  await ask(admin, 'POST', `${shelved}/shelve`, { location: { grid_id: 31, grid_code: 'A-07' } })
  await ask(admin, 'POST', `${await advised()}/remove`, { reason: 'removed' })
}

async function causeAssignmentEvents(live: Live, { key, name }: Partner): Promise<void> {
  const { ask, tokens } = live
  const { client_admin: admin } = tokens
  const assigned = async (): Promise<number> => {
    const { order_id } = await order(live)
    const body = { order_id, provider: name, order_reference: nasty.reference, packages: ['TN-1', nasty.number] }
    return (await ask(admin, 'POST', '/api/v1/third-party-deliveries', body)).assignment_id
  }
  const carried = await assigned()
  await ask(admin, 'POST', `/api/v1/third-party-deliveries/${carried}/hand-over`)
  const own = `/api/v1/provider/third-party-deliveries/${carried}`
  await ask(key, 'POST', `${own}/legs`, { legs: [{ external_order_id: 'X-ß', tracking_numbers: ['TN-1'] }] })
  await ask(key, 'POST', `${own}/outcomes`, { packages: [{ tracking_number: 'TN-1', outcome: 'delivered' }] })
  const withdrawn = `/api/v1/third-party-deliveries/${await assigned()}/cancel`
  await ask(admin, 'POST', withdrawn, { reason: 'fallback_to_self_delivery' })
}

async function causeHandoffEvents(live: Live, { key }: Partner): Promise<void> {
  const { ask, tokens, clock } = live
  const { client_admin: admin } = tokens
  let count = 0
  const proposed = async (): Promise<number> => {
    const delivery = { name: 'Zoë', address: { street: '1 Rue', country: 'FR' } }
    const order = { delivery, items: [{ description: 'Box', quantity: 1 }] }
    const expires_at = new Date(clock.now + 10 * minute).toISOString()
    const body = { partner_reference: `${nasty.reference} ${++count}`, order, expires_at }
    return (await ask(key, 'POST', '/api/v1/ohp/handoffs', body)).handoff_id
  }
  const staff = (id: number, verb: string, body?: object) => ask(admin, 'POST', `/api/v1/handoffs/${id}/${verb}`, body)
  const accepted = await proposed()
  await staff(accepted, 'accept', {})
  const amended = async (): Promise<Json> =>
    (await ask(key, 'POST', `/api/v1/ohp/handoffs/${accepted}/amendments`, { changes: { instructions: 'Ring' } }))
      .amendment_id
  await staff(accepted, `amendments/${await amended()}/accept`)
  await staff(accepted, `amendments/${await amended()}/reject`, { reason: 'window', note: nasty.note })
  const update = { status_code: 'out_for_delivery', tracking_number: nasty.number }
  await staff(accepted, 'tracking', update)
  await staff(accepted, 'settlement-lines', { kind: 'delivery_fee', amount: '12.5', currency: 'EUR' })
  await ask(key, 'POST', `/api/v1/ohp/handoffs/${accepted}/cancel`, { reason: 'other', note: nasty.note })
  await staff(await proposed(), 'reject', { reason: 'capacity' })
  await proposed()
  await live.settled()
  clock.now += 11 * minute
  await ask(admin, 'POST', '/api/v1/handoffs/expire', {})
}
