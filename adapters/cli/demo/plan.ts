import { type Place, places, streets } from './places.ts'
import { type Random, randomFrom } from './random.ts'
import type { Move, PlannedOrder, Scan, Stay, Step } from './step.ts'

/** A day that can be played: always the same for the same seed. */
export interface Plan {
  /** In the order in which they are created. */
  readonly orders: readonly PlannedOrder[]
  readonly stays: readonly Stay[]
  /** In the order in which they happen. */
  readonly steps: readonly Step[]
}

/** How many of each there are. */
export const amounts = { orders: 200, byDrivers: 140, drivers: 6, stays: 24 } as const

/** Minutes of the day: it begins at eight, and what happens before ten has happened when the server is ready. */
export const day = { ready: 120, end: 600 } as const

/** Makes the day of a seed. */
export function planOf(seed: number): Plan {
  const random = randomFrom(seed)
  const homes = Array.from({ length: amounts.orders }, () => homeOf(random))
  const orders = homes.map((home, index) => orderOf(random, seed, index, home))
  const stays = Array.from({ length: amounts.stays }, (_, index) => ({ index, locker: random.whole(1, 3) }))
  const rounds = Array.from({ length: amounts.drivers }, (_, driver) => roundOf(random, driver, homes))
  const parcels = Array.from({ length: amounts.orders - amounts.byDrivers }, (_, index) =>
    journeyOf(random, orders[amounts.byDrivers + index] as PlannedOrder, homes[amounts.byDrivers + index] as Place),
  )
  const steps = [...rounds.flat(), ...parcels.flat(), ...stays.flatMap((stay) => stayOf(random, stay))]
  return { orders, stays, steps: steps.sort((one, other) => one.at - other.at) }
}

const names = ['Ana', 'Ben', 'Chloe', 'Dev', 'Eli', 'Fatima', 'Gus', 'Hana', 'Ines', 'Jun', 'Kofi', 'Lena'] as const
const families = ['Adams', 'Brook', 'Chen', 'Diaz', 'Eriksen', 'Fofana', 'Garcia', 'Haddad', 'Ito', 'Jansen'] as const

/** A door near the middle of the town. */
function homeOf(random: Random): Place {
  const { latitude, longitude } = places.depot
  return {
    name: `${random.whole(1, 180)} ${random.pick(streets)}`,
    latitude: round(latitude + (random.next() - 0.5) * 0.09),
    longitude: round(longitude + (random.next() - 0.5) * 0.13),
  }
}

function orderOf(random: Random, seed: number, index: number, home: Place): PlannedOrder {
  const number = String(index + 1).padStart(4, '0')
  const address = { street: home.name, locality: 'Lyon', postal_code: `6900${random.whole(1, 9)}`, country: 'FR' }
  const { latitude, longitude } = home
  return {
    type: 'D',
    tracking_number: `DEMO${seed}-${number}`,
    reference: `SHOP-${number}`,
    items: random.whole(1, 4),
    delivery: {
      name: `${random.pick(names)} ${random.pick(families)}`,
      address: { ...address, latitude, longitude },
    },
    price: { shipping_price: `${random.whole(4, 18)}.${random.pick(['00', '50', '90'])}`, currency: 'EUR' },
    ...(index < amounts.byDrivers && { due: random.next() < 0.1 ? 'before' : 'today' }),
  }
}

/** The round of a driver: takes its orders from the depot, and drives from door to door. */
function roundOf(random: Random, driver: number, homes: readonly Place[]): readonly Step[] {
  const own = Array.from({ length: amounts.byDrivers }, (_, index) => index).filter(
    (index) => index % amounts.drivers === driver,
  )
  const move = (at: number, order: number, operation: Move['operation'], input: object = {}): Step => ({
    ...{ at, kind: 'move', driver, order, operation },
    input,
  })
  const steps: Step[] = [{ at: 5, kind: 'duty', driver }]
  for (const order of own)
    steps.push(move(10, order, 'assign_driver'), move(15, order, 'accept_order'), move(30, order, 'pick_up_order'))
  let here: Place = places.depot
  let at: number = 40 + driver
  for (const order of own) {
    const home = homes[order] ?? places.depot
    steps.push(move(at, order, 'depart_with_order', positionOf(here)))
    for (const share of [0.25, 0.5, 0.75]) {
      const position = positionOf(between(here, home, share))
      steps.push({ at: at + share * 12, kind: 'position', driver, ...position })
    }
    at += random.whole(12, 20)
    const isMissed = random.next() < 0.08
    const end = isMissed
      ? move(at, order, 'fail_order', {
          ...positionOf(home),
          reason: random.pick(['deliver_later', 'reschedule', 'refused']),
        })
      : move(at, order, 'complete_order', { ...positionOf(home), recipient: random.pick(names) })
    steps.push(end)
    here = home
  }
  return steps
}

/** What a carrier reports of a parcel: it began days ago, and some are late, lost on the way or refused. */
function journeyOf(random: Random, order: PlannedOrder, home: Place): readonly Step[] {
  const fate = random.next()
  const isLate = fate < 0.2
  const began = -random.whole(1_500, 2_600)
  const due = isLate ? -random.whole(60, 900) : day.end + random.whole(0, 90)
  const scan = (at: number, status_code: string, place: Place, more: object = {}): Step => {
    const event: Scan = { status_code, location: { ...place }, ...more }
    return { at, kind: 'scan', tracking_number: order.tracking_number, event }
  }
  const early = [
    scan(began, 'picked_up', places.shop, { estimated_delivery_in: due }),
    scan(began + random.whole(200, 400), 'received', places.hub),
    scan(began + random.whole(600, 900), 'in_transit', places.hub),
  ]
  if (fate < 0.06) return [...early, scan(random.whole(0, 300), 'delivery_failed', places.hub, trouble)]
  const arrived = random.whole(-200, 90)
  const out = random.whole(100, 240)
  const end = random.whole(out + 40, isLate ? day.end + 300 : day.end)
  const last =
    fate > 0.93
      ? scan(end, 'delivery_failed', home, { incident_reason: 'recipient_unavailable' })
      : scan(end, 'delivered', home)
  const onTheWay = [scan(arrived, 'arrival_scan', places.depot), scan(out, 'out_for_delivery', places.depot)]
  return [...early, ...onTheWay, ...(end > day.end ? [] : [last])]
}

const trouble = { incident_reason: 'damaged', description: 'The parcel is damaged and waits at the hub.' }

/** A stay in a locker: announced, put in, and taken out by most people. */
function stayOf(random: Random, { index }: Stay): readonly Step[] {
  const stored = random.whole(0, 300)
  const fate = random.next()
  const step = (at: number, what: 'announce' | 'store' | 'collect' | 'problem'): Step => ({
    at,
    kind: 'stay',
    stay: index,
    what,
  })
  return [
    step(Math.max(0, stored - 30), 'announce'),
    ...(fate < 0.1 ? [] : [step(stored, 'store')]),
    ...(fate >= 0.1 && fate < 0.2 ? [step(stored + 20, 'problem')] : []),
    ...(fate >= 0.2 && fate < 0.85 ? [step(stored + random.whole(30, 280), 'collect')] : []),
  ]
}

function positionOf({ latitude, longitude }: Place) {
  return { latitude, longitude }
}

function between(from: Place, to: Place, share: number): Place {
  const at = (one: number, other: number) => round(one + (other - one) * share)
  return { name: '', latitude: at(from.latitude, to.latitude), longitude: at(from.longitude, to.longitude) }
}

function round(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}
