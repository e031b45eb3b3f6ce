import type { Kept } from './kept.ts'

/** A call, and what of its answer is expected. */
interface NextMove {
  readonly by: string
  readonly method?: 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly answers: object
}

type Written = readonly [by: string, path: string, status: string, body?: object]

const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
const location = { grid_id: 31, grid_code: 'A-07' }
const compartments = [{ grid_id: 31, compartment_number: 7 }]

/** The next move of everything that is open in the history. */
export function nextMoves(kept: Kept): readonly NextMove[] {
  const moves = [...orderMoves(kept), ...lockerMoves(kept), ...partnerMoves(kept)]
  return [
    ...moves.map(([by, path, status, body = {}]) => ({ by, path: `/api/v1/${path}`, body, answers: { status } })),
    ...otherCalls(kept),
  ]
}

function orderMoves({ things, ids }: Kept): readonly Written[] {
  const order = (name: string, verb: string) => `orders/${things[name]}/${verb}`
  const driver_id = ids.driver
  return [
    ['admin', order('held', 'release'), 'NEW_ORDER'],
    ['admin', order('numbered', 'assign-driver'), 'ASSIGNED', { driver_id }],
    ['admin', order('unassigned', 'assign-driver'), 'ASSIGNED', { driver_id }],
    ['customer', order('plain', 'cancel'), 'CANCELLED'],
    ['admin', order('rejected', 'hold'), 'HOLD'],
    ['driver', order('assigned', 'accept'), 'ACCEPTED'],
    ['driver', order('accepted', 'start-pickup'), 'PICKUP_STARTED'],
    ['driver', order('started', 'pick-up'), 'PICKED_UP'],
    ['driver', order('pickedUp', 'depart'), 'ON_THE_WAY'],
    ['driver', order('underway', 'complete'), 'DELIVERED', { recipient: 'Ann' }],
    ['admin', order('failed', 'return'), 'RETURNED'],
    ['admin', order('withCarrier', 'carrier-delivered'), 'DELIVERED_BY_CARRIER'],
    ['admin', order('carrierFailed', 'take-back'), 'NEW_ORDER'],
    ['admin', order('takenBack', 'hand-to-carrier'), 'WITH_CARRIER', { provider: 'slow-lane' }],
    ['admin', order('paid', 'cancel'), 'CANCELLED'],
    ['driver', order('startedOrder', 'pick-up'), 'PICKED_UP'],
    ['second', `routes/${things.openRoute}/start`, 'started'],
    ['contractor', `routes/${things.contractorRoute}/cancel`, 'cancelled'],
  ]
}

function lockerMoves({ things }: Kept): readonly Written[] {
  const device = (name: string, verb: string) => `device-orders/${things[name]}/${verb}`
  const locker = (name: string, verb: string) => `partner-lockers/deliveries/${things[name]}/${verb}`
  return [
    ['admin', device('devicePending', 'store'), 'stored'],
    ['admin', device('deviceStored', 'exceptions/1/resolve'), 'stored', { resolution_action: 'door_closed' }],
    ['admin', device('deviceStored', 'remove'), 'removed', { removal_reason: 'handover' }],
    ['customer', device('deviceRenewed', 'collect'), 'collected', { pickup_code: things.deviceCode }],
    ['admin', device('deviceOverdue', 'remove'), 'removed', { removal_reason: 'overdue_return' }],
    ['provider', locker('lockerPending', 'open'), 'opened', { access_code: '4711', compartments }],
    ['provider', locker('lockerOpened', 'confirm'), 'delivered'],
    ['provider', locker('lockerCorrecting', 'confirm'), 'delivered'],
    ['provider', locker('lockerDelivered', 'pickup'), 'collected', { pickup_code: things.lockerCode }],
  ]
}

function partnerMoves({ things }: Kept): readonly Written[] {
  const carried = (name: string, verb: string) => `carrier-packages/${things[name]}/${verb}`
  const third = (name: string, verb: string) => `third-party-deliveries/${things[name]}/${verb}`
  const packages = ['T-1', 'T-2'].map((tracking_number) => ({ tracking_number, outcome: 'delivered' }))
  return [
    ['admin', carried('packageListed', 'receive'), 'listed', { origin: { location_name: 'North' } }],
    ['admin', carried('packageReceived', 'distribute'), 'ordered', { order_id: things.full }],
    ['admin', carried('packageDistributed', 'load'), 'in_transit'],
    ['admin', carried('packageLoaded', 'deliver'), 'delivered'],
    ['admin', carried('packageDelivered', 'shelve'), 'shelved', { location }],
    ['admin', third('thirdAssigned', 'hand-over'), 'handed_over'],
    ['provider', `provider/${third('thirdHandedOver', 'outcomes')}`, 'delivered', { packages }],
    ['admin', third('thirdPartly', 'outcomes'), 'delivered', { packages: packages.slice(1) }],
    ['admin', `handoffs/${things.handoffProposed}/accept`, 'accepted'],
    ['admin', `handoffs/${things.handoffAccepted}/amendments/${things.handoffAmendment}/accept`, 'accepted'],
    ['admin', `handoffs/${things.handoffAccepted}/tracking`, 'completed', { status_code: 'delivered' }],
    ['admin', `approvals/${things.proposal}/approve`, 'approved'],
  ]
}

function otherCalls({ things, ids }: Kept): readonly NextMove[] {
  const event = { event_id: 'e-9', occurred_at: '2026-03-03T20:00:00.000Z', status_code: 'out_for_delivery' }
  const timeline = { subject: { tracking_number: things.timeline }, events: [event] }
  const path = `/api/v1/orders/${things.delivered}/proof-files`
  const order = { type: 'D', delivery }
  const reroute = { address: { street: '9 New Street' } }
  const board = (name: string, verb: string, status: string, body: object = {}) => {
    return { by: 'admin', path: `/api/v1/route-boards/${things[name]}/${verb}`, body, answers: { board: { status } } }
  }
  return [
    board('boardOpen', 'award', 'open', { driver_id: ids.driver }),
    board('boardOpen', 'close', 'closed'),
    board('boardClosed', 'settle', 'settled'),
    {
      by: 'customer',
      path: `/api/v1/orders/${things.partlyPaid}/pay`,
      body: {},
      answers: { remaining_amount: '0.00' },
    },
    { by: 'admin', path, body: { kind: 'photo', url: 'https://files.example/late.jpg' }, answers: { file: {} } },
    { by: 'customer', path: `/api/v1/orders/${things.full}/reroute`, body: reroute, answers: { status: 'NEW_ORDER' } },
    {
      ...{ by: 'admin', method: 'PATCH', path: `/api/v1/orders/${things.released}` },
      body: { reference: 'R-9', delivery: { phone: '+1 416 555 0199' } },
      answers: { status: 'NEW_ORDER', reference: 'R-9' },
    },
    { by: 'admin', path: '/api/v1/orders', body: order, answers: { status: 'NEW_ORDER' } },
    { by: 'driver', path: '/api/v1/drivers/on-duty', body: { on_duty: false }, answers: { on_duty: false } },
    { by: 'admin', method: 'PUT', path: '/api/v1/webhook-settings', body: {}, answers: { result: true } },
    { by: 'provider', path: '/api/v1/otep/ingest', body: timeline, answers: { data: { accepted: 1 } } },
  ]
}
