import type { Json, Named } from './kept.ts'
import type { Office } from './office.ts'

const toronto = { street: '1 Main Street', locality: 'Toronto', region: 'ON', postal_code: 'M5V 2T6', country: 'CA' }
const zoe = {
  ...{ name: 'Zoë Ångström', phone: '+1 416 555 0101', email: 'zoe@people.example' },
  address: { ...toronto, latitude: 43.65, longitude: -79.38 },
}
const bo = { name: 'Bo', address: { street: '2 Side Street', country: 'CA' } }
const price = {
  ...{ shipping_price: '10.00', currency: 'CAD', tax: '1.30' },
  surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }],
}
const photo = (name: string) => `https://files.example/${name}.jpg`

/** Orders of every type and status, with all that may be done with one. */
export async function orderHistory(office: Office, ids: Readonly<Record<string, number>>): Promise<Named> {
  const named = {
    ...(await newOrders(office, ids)),
    ...(await drivenOrders(office, ids)),
    ...(await endedOrders(office, ids)),
    ...(await carriedOrders(office)),
    ...(await paidOrders(office, ids)),
  }
  await manyOrders(office)
  return { ...named, ...(await contractedOrders(office, ids)), ...(await plannedOrders(office, ids)) }
}

async function created(office: Office, name: string, more: object = {}): Promise<number> {
  const body = { type: 'D', delivery: zoe, ...more }
  return (await office.ask(name, 'POST', '/api/v1/orders', body)).order_id
}

/** A move of an order: its verb, with its body if it has one. */
type Move = string | readonly [verb: string, body: object]

/** Makes moves of an order, one after the other. */
async function moved(office: Office, name: string, order: number, ...moves: readonly Move[]) {
  for (const move of moves) {
    const [verb, body] = typeof move === 'string' ? [move, undefined] : move
    await office.ask(name, 'POST', `/api/v1/orders/${order}/${verb}`, body)
  }
}

async function newOrders(office: Office, { customer }: Readonly<Record<string, number>>): Promise<Named> {
  const full = await created(office, 'admin', {
    ...{ type: 'P2P', pickup: bo, customer_id: customer, reference: 'R-1', external_tracking_number: 'EXT-1' },
    ...{ schedule_date: '2026-03-03', time_window: { start: '14:00', end: '16:00' }, items: 3, price },
    ...{ delivery_instruction: 'Ring twice', note: 'A good customer' },
  })
  const plain = await created(office, 'customer', { type: 'P', pickup: bo, delivery: undefined, reference: 'R-2' })
  const numbered = await created(office, 'employee', { tracking_number: 'OWN-1', reference: 'R-3' })
  await moved(office, 'admin', numbered, 'ready', ['note', { note: 'Fragile' }])
  await moved(office, 'admin', numbered, ['delivery-instruction', { delivery_instruction: 'At the back' }])
  const updates = [{ ref: 'R-3', time_window: { start: '09:00', end: '10:30' }, schedule_date: '2026-03-04' }]
  await office.ask('admin', 'POST', '/api/v1/orders/time-windows', { updates })
  const held = await created(office, 'admin', { reference: 'R-4' })
  await moved(office, 'admin', held, 'hold')
  const released = await created(office, 'admin')
  await moved(office, 'admin', released, 'hold', 'release')
  const rerouted = await created(office, 'customer', { reference: 'R-5', delivery_instruction: 'Call' })
  await moved(office, 'admin', rerouted, ['reroute', { address: { ...toronto, street: '9 New Street' } }])
  return { full, plain, numbered, held, released, rerouted }
}

async function drivenOrders(office: Office, { driver }: Readonly<Record<string, number>>): Promise<Named> {
  const place = { latitude: 43.66, longitude: -79.39, note: 'On time', photo_urls: [photo('stop')] }
  const assigned = async (...moves: readonly Move[]) => {
    const order = await created(office, 'admin', { price, schedule_date: '2026-03-02' })
    await moved(office, 'admin', order, 'ready', ['assign-driver', { driver_id: driver }])
    await moved(office, 'driver', order, ...moves)
    return order
  }
  const start: readonly Move[] = [['accept', place], 'start-pickup', ['pick-up', place]]
  const underway = await assigned(...start, 'depart')
  const delivered = await assigned(...start, ['depart', place])
  const proof = { ...place, recipient: 'Zoë', signature_url: photo('signature') }
  await moved(office, 'driver', delivered, ['complete', proof])
  await office.refused('admin', 'POST', `/api/v1/orders/${delivered}/cancel`)
  await proofHistory(office, delivered)
  const failed = await assigned(...start, 'depart', ['fail', { ...place, reason: 'deliver_later' }])
  const returned = await assigned('pick-up', ['fail', { reason: 'refused' }])
  await moved(office, 'admin', returned, 'return')
  const rejected = await assigned(['reject', { note: 'Too heavy' }])
  const unassigned = await assigned('accept')
  await moved(office, 'admin', unassigned, 'unassign-driver')
  return {
    ...{ assigned: await assigned(), accepted: await assigned('accept'), started: await assigned('start-pickup') },
    ...{ pickedUp: await assigned('pick-up'), underway, delivered, failed, returned, rejected, unassigned },
  }
}

async function proofHistory({ ask }: Office, order: number): Promise<void> {
  const path = `/api/v1/orders/${order}/proof-files`
  const add = async (kind: string): Promise<string> =>
    `${path}/${(await ask('admin', 'POST', path, { kind, url: photo(kind) })).file.file_id}`
  const kept = await add('photo')
  await ask('admin', 'PUT', kept, { url: photo('better') })
  await ask('admin', 'POST', `${kept}/restore`, { version: 1 })
  await ask('admin', 'DELETE', await add('signature'))
}

async function endedOrders(office: Office, { driver }: Readonly<Record<string, number>>): Promise<Named> {
  const cancelled = await created(office, 'customer', { reference: 'R-6' })
  await moved(office, 'customer', cancelled, 'cancel')
  const cancelledLate = await created(office, 'admin')
  await moved(office, 'admin', cancelledLate, ['assign-driver', { driver_id: driver }], 'cancel')
  const deleted = await created(office, 'admin')
  await moved(office, 'admin', deleted, 'cancel', 'delete')
  const erased = await created(office, 'admin', { reference: 'R-7', note: 'Secret', delivery_instruction: 'Secret' })
  await moved(office, 'admin', erased, ['assign-driver', { driver_id: driver }])
  await moved(office, 'driver', erased, 'pick-up', ['complete', { recipient: 'Zoë', photo_urls: [photo('door')] }])
  await office.otep('forget', '--order', String(erased), '--yes')
  return { cancelled, cancelledLate, deleted, erased }
}

async function carriedOrders(office: Office): Promise<Named> {
  const carried = async (...moves: readonly string[]) => {
    const order = await created(office, 'admin')
    await moved(office, 'admin', order, ['hand-to-carrier', { provider: 'fast-lane' }], ...moves)
    return order
  }
  const failed = await carried()
  await moved(office, 'admin', failed, ['fail', { reason: 'reschedule' }])
  return {
    withCarrier: await carried(),
    takenBack: await carried('take-back'),
    carrierDelivered: await carried('carrier-delivered'),
    carrierFailed: failed,
  }
}

async function paidOrders(office: Office, { customer }: Readonly<Record<string, number>>): Promise<Named> {
  await office.ask('admin', 'POST', `/api/v1/accounts/${customer}/top-ups`, { amount: '60.00' })
  const order = () => created(office, 'admin', { customer_id: customer, price })
  const [paid, partlyPaid, refunded] = [await order(), await order(), await order()]
  await moved(office, 'customer', paid, 'pay')
  await moved(office, 'customer', partlyPaid, ['pay', { amount: '5.00' }])
  await moved(office, 'customer', refunded, 'pay')
  await moved(office, 'admin', refunded, 'cancel')
  return { paid, partlyPaid, refunded }
}

async function manyOrders({ ask }: Office): Promise<void> {
  const good = (reference: string) => ({ type: 'D', delivery: bo, reference })
  await ask('admin', 'POST', '/api/v1/orders/bulk', { orders: [good('B-1'), { type: 'D' }, good('B-2')] })
  const orders = [good('C-1'), { type: 'D' }, good('C-2')]
  await ask('admin', 'POST', '/api/v1/client/batchOrderCreateAsync', { orders })
}

async function contractedOrders(office: Office, { contractor }: Readonly<Record<string, number>>): Promise<Named> {
  const { ask } = office
  const path = '/api/v1/broker-order-assignments'
  const order_ids = await Promise.all([0, 1, 2, 3].map(() => created(office, 'admin', { note: 'Ring twice' })))
  await ask('admin', 'POST', path, { order_ids, broker_id: contractor, note: 'With care' })
  const [contracted = 0, released = 0, revoked = 0, routed = 0] = order_ids.toSorted((one, other) => one - other)
  await ask('contractor', 'POST', `${path}/release`, { order_id: released, reason: 'No van today' })
  await ask('admin', 'POST', `${path}/revoke`, { order_ids: [revoked], reason: 'Changed plans' })
  const route = await ask('contractor', 'POST', '/api/v1/routes', { schedule_date: '2026-03-05', order_ids: [routed] })
  return { contracted, contractorRoute: route.route_id }
}

async function plannedOrders(office: Office, { driver, second }: Readonly<Record<string, number>>): Promise<Named> {
  const { ask } = office
  const planned = async (more: object, count = 3): Promise<Json> => {
    const order_ids = []
    for (let made = 0; made < count; made++) order_ids.push(await created(office, 'admin'))
    const body = { schedule_date: '2026-03-02', order_ids, ...more }
    const { route_id } = await ask('admin', 'POST', '/api/v1/routes', body)
    return { order_ids, path: `/api/v1/routes/${route_id}`, route_id }
  }
  const open = await planned({ name: 'North' })
  await ask('admin', 'POST', `${open.path}/driver`, { driver_id: driver })
  await ask('admin', 'POST', `${open.path}/driver`, { driver_id: second })
  await ask('admin', 'POST', `${open.path}/remove`, { order_id: open.order_ids[1] })
  await ask('admin', 'POST', `${open.path}/orders`, { order_ids: [await created(office, 'admin')] })
  const started = await planned({ driver_id: driver })
  await ask('driver', 'POST', `${started.path}/start`)
  await moved(office, 'driver', started.order_ids[0], 'pick-up', 'complete')
  const done = await planned({ driver_id: driver }, 1)
  await ask('driver', 'POST', `${done.path}/start`)
  await moved(office, 'driver', done.order_ids[0], 'pick-up', 'complete')
  await ask('driver', 'POST', `${done.path}/complete`)
  await ask('admin', 'POST', `${(await planned({})).path}/cancel`)
  await ask('driver', 'POST', '/api/v1/drivers/on-duty', { on_duty: true })
  await ask('driver', 'POST', '/api/v1/drivers/location', { latitude: 43.6, longitude: -79.4 })
  await ask('second', 'POST', '/api/v1/drivers/on-duty', { on_duty: true })
  await ask('second', 'POST', '/api/v1/drivers/on-duty', { on_duty: false })
  return { openRoute: open.route_id, startedRoute: started.route_id, startedOrder: started.order_ids[1] }
}
