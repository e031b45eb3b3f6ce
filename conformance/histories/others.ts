import type { Json, Named } from './kept.ts'
import type { Office } from './office.ts'

const minute = 60_000
const day = 24 * 60 * minute
const party = { name: 'Zoë', phone: '+33 6 12 34 56 78', address: { street: '1 Rue', country: 'FR' } }

/** Everything but orders of the business: packages, lockers, deliveries by others, boards, proposals, timelines, webhooks. */
export async function otherHistory(office: Office, ids: Readonly<Record<string, number>>): Promise<Named> {
  await webhookHistory(office)
  return {
    ...(await deviceHistory(office, ids)),
    ...(await lockerHistory(office)),
    ...(await packageHistory(office)),
    ...(await assignmentHistory(office)),
    ...(await handoffHistory(office)),
    ...(await boardHistory(office, ids)),
    ...(await proposalHistory(office)),
    ...(await trackingHistory(office)),
  }
}

async function order({ ask }: Office): Promise<number> {
  return (await ask('admin', 'POST', '/api/v1/orders', { type: 'D', delivery: party, items: 2 })).order_id
}

function isoIn({ now }: Office, milliseconds: number): string {
  return new Date(now() + milliseconds).toISOString()
}

async function webhookHistory({ ask, receiver }: Office): Promise<void> {
  const url = receiver.urlOf('/all')
  const settings = { order_lifecycle_webhook_url: url, tracking_event_webhook_url: url, order_create_webhook_url: url }
  const url_formats = [{ field: 'order_create_webhook_url', url, format: 'ce_structured', standard_signature: true }]
  await ask('admin', 'PUT', '/api/v1/webhook-settings', { ...settings, url_formats })
  await ask('customer', 'PUT', '/api/v1/webhook-settings', { order_create_webhook_url: url })
  await ask('admin', 'POST', '/api/v1/webhook-settings/secret/rotate', {})
  for (const channel of ['provider_locker', 'third_party_delivery'])
    await ask('admin', 'PUT', `/api/v1/webhook-endpoints/${channel}/fast-lane`, { url, format: 'ce_binary' })
}

async function deviceHistory(office: Office, { customer }: Readonly<Record<string, number>>): Promise<Named> {
  const { ask } = office
  let compartments = 0
  const announced = async (more: object = {}): Promise<Json> => {
    compartments++
    const machine = { kind: 'delivery', device_type: 'locker', device_id: 4, device_name: 'Locker Main St' }
    const about = {
      grid_code: `A-${compartments}`,
      reference_number: 'DEV-1',
      recipient: { name: 'Zoë', phone: '+1 416 555 0101' },
    }
    const due_at = isoIn(office, 10 * day)
    const body = { ...machine, ...about, customer_id: customer, due_at, ...more }
    const { device_order_id: id } = await ask('admin', 'POST', '/api/v1/device-orders', body)
    return { id, path: `/api/v1/device-orders/${id}` }
  }
  const stored = async (more: object = {}): Promise<Json> => {
    const one = await announced(more)
    return { ...one, ...(await ask('admin', 'POST', `${one.path}/store`)) }
  }
  const pending = await announced({ kind: 'return', external_order_id: 'X-1', order_id: await order(office) })
  const waiting = await stored()
  await ask('admin', 'POST', `${waiting.path}/exceptions`, { type: 'door_left_open', severity: 'high', note: 'Wide' })
  const collected = await stored()
  const problem = await ask('admin', 'POST', `${collected.path}/exceptions`, { type: 'item_damaged' })
  const settled = `${collected.path}/exceptions/${problem.exception_id}/resolve`
  await ask('admin', 'POST', settled, { status: 'dismissed', resolution_action: 'looked_at' })
  await office.refused('customer', 'POST', `${collected.path}/collect`, { pickup_code: 'wrong!' })
  await ask('customer', 'POST', `${collected.path}/collect`, { pickup_code: collected.pickup_code })
  const renewed = await stored({ kind: 'storage' })
  const { pickup_code } = await ask('admin', 'POST', `${renewed.path}/pickup-code`)
  await ask('admin', 'POST', `${(await stored()).path}/remove`, { removal_reason: 'handover' })
  await ask('admin', 'POST', `${(await announced()).path}/cancel`)
  const erased = await announced({ kind: 'send' })
  await ask('admin', 'POST', `${erased.path}/cancel`)
  await ask('admin', 'POST', `${erased.path}/erase`)
  const overdue = await stored({ due_at: isoIn(office, 60 * minute), device_type: 'kiosk' })
  return {
    ...{ devicePending: pending.id, deviceStored: waiting.id, deviceRenewed: renewed.id, deviceCode: pickup_code },
    deviceOverdue: overdue.id,
  }
}

async function lockerHistory(office: Office): Promise<Named> {
  const { ask } = office
  const root = '/api/v1/partner-lockers/deliveries'
  const announced = async (more: object = {}): Promise<number> => {
    const body = {
      ...{ parcels: [{ reference_number: 'LK-1' }], device_id: 4, device_name: 'Locker', access_code: '4711' },
      ...{ delivery_expires_at: isoIn(office, 3 * day), pickup_expires_at: isoIn(office, 9 * day), ...more },
    }
    return (await ask('provider', 'POST', root, body)).delivery_id
  }
  const compartments = [{ grid_id: 31, compartment_number: 7, pickup_locker_number: 3, shelf_code: 'A' }]
  const opened = async (): Promise<Json> => {
    const id = await announced()
    const body = { access_code: '4711', compartments }
    return { id, ...(await ask('provider', 'POST', `${root}/${id}/open`, body)) }
  }
  const confirmed = async (): Promise<Json> => {
    const one = await opened()
    await ask('provider', 'POST', `${root}/${one.id}/confirm`)
    return one
  }
  const lockerPending = await announced({ order_id: await order(office), correction_minutes: 30 })
  const lockerOpened = (await opened()).id
  const remote = await announced()
  await ask('admin', 'POST', `${root}/${remote}/open`, { compartments })
  await ask('admin', 'POST', `${root}/${remote}/door-closed`, { grid_id: 31 })
  const delivered = await confirmed()
  const correcting = (await confirmed()).id
  await ask('provider', 'POST', `${root}/${correcting}/reopen`, { grid_ids: [31] })
  const { id: collected, pickup_code } = await confirmed()
  await ask('provider', 'POST', `${root}/${collected}/pickup`, { pickup_code })
  await ask('provider', 'POST', `${root}/${await announced()}/cancel`)
  const packages = [{ reference_number: 'LK-1', failure_code: 'too_large' }]
  await ask('provider', 'POST', `${root}/${await announced()}/fail`, { packages })
  await ask('provider', 'POST', `${root}/${await announced()}/rotate-code`, {
    code: 'access',
    recipient_notified: true,
  })
  await announced({ delivery_expires_at: isoIn(office, 60 * minute), mock: true })
  return {
    ...{ lockerPending, lockerOpened, lockerCorrecting: correcting },
    ...{ lockerDelivered: delivered.id, lockerCode: delivered.pickup_code },
  }
}

async function packageHistory(office: Office): Promise<Named> {
  const { ask } = office
  const root = '/api/v1/carrier-packages'
  const origin = { location_id: 1, location_name: 'North' }
  const location = { grid_id: 31, grid_code: 'A-07', shelf_code: 'S1' }
  const steps = [
    ['receive', { origin }],
    ['distribute', { order_id: await order(office), order_ref: 'R-9' }],
    ...[['load'], ['deliver'], ['shelve', { location }]],
  ] as const
  const advised = async (done: number, more: object = {}): Promise<number> => {
    const destination = { location_id: 2, location_name: 'Locker South' }
    const body = { package_number: 'PK-1', carrier_reference: 'CR-1', member_number: 'M-1', destination, ...more }
    const { package_id } = await ask('provider', 'POST', root, body)
    for (const [verb, given] of steps.slice(0, done))
      await ask('admin', 'POST', `${root}/${package_id}/${verb}`, given as object)
    return package_id
  }
  const packageListed = await advised(0)
  const packageReceived = await advised(1)
  const packageDistributed = await advised(2)
  const packageLoaded = await advised(3)
  const packageDelivered = await advised(4)
  await ask('admin', 'POST', `${root}/${await advised(4)}/shelve`, { location: { shelf_code: 'S2' } })
  await ask('admin', 'POST', `${root}/${await advised(2)}/remove`, { reason: 'cancelled' })
  await ask('admin', 'POST', `${root}/${await advised(2)}/remove`, { reason: 'removed' })
  await ask('admin', 'POST', `${root}/${await advised(5, { package_number: 'PK-2' })}/erase`)
  return { packageListed, packageReceived, packageDistributed, packageLoaded, packageDelivered }
}

async function assignmentHistory(office: Office): Promise<Named> {
  const { ask } = office
  const root = '/api/v1/third-party-deliveries'
  const own = '/api/v1/provider/third-party-deliveries'
  const assigned = async (...steps: readonly string[]): Promise<number> => {
    const body = {
      order_id: await order(office),
      provider: 'fast-lane',
      order_reference: 'TP',
      packages: ['T-1', 'T-2'],
    }
    const { assignment_id } = await ask('admin', 'POST', root, { ...body, source: 'rule' })
    for (const step of steps) await ask('admin', 'POST', `${root}/${assignment_id}/${step}`)
    return assignment_id
  }
  const legs = [{ external_order_id: 'X-ß', tracking_numbers: ['T-1'] }]
  const told = (id: number, ...outcomes: readonly string[]) => {
    const packages = outcomes.map((outcome, index) => ({ tracking_number: `T-${index + 1}`, outcome }))
    return ask('provider', 'POST', `${own}/${id}/outcomes`, { packages })
  }
  const thirdAssigned = await assigned()
  await ask('provider', 'POST', `${own}/${thirdAssigned}/legs`, { legs })
  const thirdHandedOver = await assigned('hand-over')
  await ask('admin', 'POST', `${root}/${thirdHandedOver}/legs`, { legs })
  const thirdPartly = await assigned('hand-over')
  await told(thirdPartly, 'delivered')
  await told(await assigned('hand-over'), 'delivered', 'delivered')
  await told(await assigned('hand-over'), 'delivered', 'failed')
  await ask('admin', 'POST', `${root}/${await assigned()}/cancel`, { reason: 'fallback_to_self_delivery' })
  await ask('admin', 'POST', `${root}/${await assigned()}/reassign`, { provider: 'slow-lane', packages: ['T-9'] })
  return { thirdAssigned, thirdHandedOver, thirdPartly }
}

async function handoffHistory(office: Office): Promise<Named> {
  const { ask } = office
  const events = ['handoff.accepted', 'handoff.tracking', 'settlement_line.created']
  const subscription = { url: office.receiver.urlOf('/handoffs'), secret: 'a secret of long ago', events }
  await ask('provider', 'POST', '/api/v1/ohp/subscriptions', subscription)
  let count = 0
  const proposed = async (expires_at = isoIn(office, 9 * day)): Promise<number> => {
    const items = [{ description: 'Box', quantity: 1, weight_grams: 900 }]
    const window = { from: isoIn(office, day), to: isoIn(office, 2 * day) }
    const offer = { pickup: party, delivery: party, items, instructions: 'Ring', window }
    const body = { partner_reference: `PR-${++count}`, order: offer, expires_at }
    return (await ask('provider', 'POST', '/api/v1/ohp/handoffs', body)).handoff_id
  }
  const staff = (id: number, verb: string, body?: object) =>
    ask('admin', 'POST', `/api/v1/handoffs/${id}/${verb}`, body)
  const accepted = async (body: object = {}) => {
    const id = await proposed()
    await staff(id, 'accept', body)
    return id
  }
  const amended = async (id: number, changes: object): Promise<number> =>
    (await ask('provider', 'POST', `/api/v1/ohp/handoffs/${id}/amendments`, { changes })).amendment_id
  const handoffAccepted = await accepted({ order_id: await order(office) })
  await staff(handoffAccepted, `amendments/${await amended(handoffAccepted, { instructions: 'Knock' })}/accept`)
  const refused = await amended(handoffAccepted, { delivery: { ...party, name: 'Ann' } })
  await staff(handoffAccepted, `amendments/${refused}/reject`, { reason: 'window', note: 'Too late' })
  const handoffAmendment = await amended(handoffAccepted, { items: [{ description: 'Bag', quantity: 2 }] })
  await staff(handoffAccepted, 'tracking', { status_code: 'out_for_delivery', tracking_number: 'H-1', note: 'Soon' })
  await staff(handoffAccepted, 'settlement-lines', {
    kind: 'surcharge',
    amount: '12.50',
    currency: 'EUR',
    note: 'Heavy',
  })
  await staff(await accepted(), 'tracking', { status_code: 'delivered' })
  await staff(await proposed(), 'reject', { reason: 'capacity', note: 'Full' })
  const cancelled = await proposed()
  await ask('provider', 'POST', `/api/v1/ohp/handoffs/${cancelled}/cancel`, { reason: 'duplicate', note: 'Sorry' })
  await staff(cancelled, 'erase')
  await proposed(isoIn(office, 60 * minute))
  return { handoffProposed: await proposed(), handoffAccepted, handoffAmendment }
}

async function boardHistory({ ask }: Office, { driver, second }: Readonly<Record<string, number>>): Promise<Named> {
  const posted = async (more: object = {}): Promise<Json> => {
    const body = { seats: 1, name: 'Saturday', schedule_date: '2026-03-07', ...more }
    const { board } = await ask('admin', 'POST', '/api/v1/route-boards', body)
    return { id: board.board_id, path: `/api/v1/route-boards/${board.board_id}` }
  }
  const open = await posted({ seats: 2 })
  await ask('driver', 'POST', `${open.path}/claim`)
  await ask('second', 'POST', `${open.path}/pool`)
  const displaced = await posted()
  await ask('driver', 'POST', `${displaced.path}/claim`)
  await ask('admin', 'POST', `${displaced.path}/assign`, { driver_id: second })
  const promoted = await posted()
  await ask('driver', 'POST', `${promoted.path}/claim`)
  await ask('second', 'POST', `${promoted.path}/claim`)
  await ask('driver', 'POST', `${promoted.path}/withdraw`)
  await ask('admin', 'POST', `${promoted.path}/veto`, { driver_id: driver })
  await ask('admin', 'POST', `${promoted.path}/award`, { driver_id: second })
  await ask('admin', 'POST', `${promoted.path}/close`)
  const settled = await posted({ seats: 2 })
  await ask('driver', 'POST', `${settled.path}/claim`)
  await ask('admin', 'POST', `${settled.path}/replace`, { driver_id: driver, replacement_id: second })
  await ask('admin', 'POST', `${settled.path}/close`)
  await ask('admin', 'POST', `${settled.path}/settle`)
  await ask('admin', 'POST', `${(await posted()).path}/cancel`)
  return { boardOpen: open.id, boardClosed: promoted.id }
}

async function proposalHistory(office: Office): Promise<Named> {
  const { ask } = office
  const proposed = async (reference: string): Promise<string> => {
    // Without an explicit number, every preview would generate another one.
    const given = { type: 'D', delivery: party, reference, tracking_number: reference }
    const body = { tool: 'create_order', arguments: given, reason: 'A call came' }
    return (await ask('employee', 'POST', '/api/v1/approvals', { ...body, expires_in_hours: 168 })).proposal_id
  }
  await ask('admin', 'POST', `/api/v1/approvals/${await proposed('AP-1')}/approve`)
  await ask('admin', 'POST', `/api/v1/approvals/${await proposed('AP-2')}/reject`, { reason: 'Not now' })
  return { proposal: await proposed('AP-3') }
}

async function trackingHistory(office: Office): Promise<Named> {
  const { ask } = office
  const codes = ['information_submitted', 'picked_up', 'arrival_scan', 'out_for_delivery', 'delivered']
  const events = codes.map((status_code, index) => ({
    ...{ event_id: `e-${index}`, occurred_at: isoIn(office, (index - 10) * 60 * minute), status_code },
    location: { name: 'Hamburg', address: { locality: 'Hamburg', country: 'DE' } },
    ...(status_code === 'delivered' && { pod: { recipient: 'A. Muster', signed_at: isoIn(office, -day / 4) } }),
  }))
  const told = (tracking_number: string, facts: readonly object[]) =>
    ask('provider', 'POST', '/api/v1/otep/ingest', { subject: { tracking_number }, events: facts })
  await told('SR-1', events)
  await told('SR-1', events.slice(0, 2))
  await told('SR-2', events.slice(0, 3).toReversed())
  await told('SR-3', events)
  await office.otep('forget', 'SR-3', '--yes')
  return { timeline: 'SR-2' }
}
