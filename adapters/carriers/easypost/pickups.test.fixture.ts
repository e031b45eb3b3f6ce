import type { IAddress, IPickup, IPickupRate, IShipment } from '@easypost/api'
import type { Told } from '../servers.test.fixture.ts'
import { dated, described, error, wrong } from './described.test.fixture.ts'

/** What a double knows of pickups. */
export interface Pickups {
  readonly faults: string[]
  readonly shipments: ReadonlyMap<string, Partial<IShipment>>
  readonly pickups: Map<string, Partial<IPickup>>
}

interface PickupRequest {
  readonly pickup: {
    readonly address: Partial<IAddress>
    readonly shipment: { readonly id: string }
    readonly carrier_accounts?: readonly { readonly id: string }[]
    readonly reference?: string
    readonly min_datetime: string
    readonly max_datetime: string
    readonly instructions?: string
  }
}

function makePickup(double: Pickups, { pickup }: PickupRequest): Told {
  wrong(double, 'a pickup', pickup, described.pickup)
  wrong(double, 'an address', pickup.address, described.address)
  const { shipment, carrier_accounts = [], reference, min_datetime, max_datetime, instructions } = pickup
  const bought = double.shipments.get(shipment.id)
  if (!bought?.postage_label) return error(422, 'PICKUP.SHIPMENT.INVALID', 'The shipment has no label.')
  if (bought.selected_rate?.carrier_account_id !== carrier_accounts[0]?.id)
    return error(422, 'PICKUP.CARRIER_ACCOUNTS.INVALID', 'This account did not sell the label.')
  const id = `pickup_${double.pickups.size + 1}`
  const isServed = pickup.address.zip !== '99999'
  const rates = [
    { carrier: 'USPS', service: 'NextDay', rate: '6.00' },
    { carrier: 'USPS', service: 'Later', rate: '4.25' },
  ]
  const made: Partial<IPickup> = {
    ...{ id, object: 'Pickup', ...dated, status: 'unknown', reference: reference ?? null, min_datetime, max_datetime },
    instructions: instructions ?? null,
    pickup_rates: (isServed
      ? rates.map((one) => ({ object: 'PickupRate', currency: 'USD', pickup_id: id, ...one }))
      : []) as IPickupRate[],
    messages: isServed ? [] : ([{ carrier: 'USPS', message: 'Nobody comes there.' }] as unknown as IPickup['messages']),
  }
  double.pickups.set(id, made)
  return { status: 201, json: made }
}

function movePickup(double: Pickups, id: string, status: 'scheduled' | 'canceled'): Told {
  const pickup = double.pickups.get(id)
  if (pickup === undefined) return error(404, 'NOT_FOUND', 'The requested resource could not be found.')
  const isLate = status === 'canceled' && pickup.instructions === 'be quick'
  if (pickup.status !== (status === 'canceled' ? 'scheduled' : 'unknown') || isLate)
    return error(422, 'PICKUP.STATUS', isLate ? 'The driver is on the way.' : `The pickup is ${pickup.status}.`)
  const moved: Partial<IPickup> = { ...pickup, status, confirmation: `C${id}` }
  double.pickups.set(id, moved)
  return { status: 200, json: moved }
}

/** Answers a request about pickups; undefined if it is about something else. */
export function answerPickup(double: Pickups, name: string, id: string, body: unknown): Told | undefined {
  switch (name) {
    case 'POST /pickups':
      return makePickup(double, body as PickupRequest)
    case 'POST /pickups/:/buy':
      return movePickup(double, id, 'scheduled')
    case 'POST /pickups/:/cancel':
      return movePickup(double, id, 'canceled')
    case 'GET /pickups/:':
      return double.pickups.has(id)
        ? { status: 200, json: double.pickups.get(id) }
        : error(404, 'NOT_FOUND', 'The requested resource could not be found.')
    case 'GET /pickups':
      return { status: 200, json: { pickups: [...double.pickups.values()].reverse(), has_more: false } }
    default:
      return undefined
  }
}
