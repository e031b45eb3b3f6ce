import { zonedIso } from '../../engine/index.ts'
import { carrierName, type People, timeZone } from './demo/people.ts'
import { lockers } from './demo/places.ts'
import { amounts, day, type Plan } from './demo/plan.ts'
import type { PlannedOrder, Step } from './demo/step.ts'
import { fixedCredentials } from './remote/credentials.ts'
import { operationNamed, requestFor } from './remote/requests.ts'
import { type Server, serverAt } from './remote/server.ts'

/** What plays the steps of a plan over the REST interface, each with the key of who does it. */
export interface Play {
  /** Creates the orders of the day. */
  begin(): Promise<void>
  /** Plays steps; those of one order, driver or locker in their order. */
  play(steps: readonly Step[]): Promise<void>
}

/** When a minute of the day is (epoch milliseconds). */
type Clock = (minute: number) => number

/** A clock that reaches the minute at which the server is ready now, and then runs so many times faster. */
export function clockFrom(now: number, speed: number): Clock {
  return (minute) => {
    const minutes = minute - day.ready
    return now + minutes * 60_000 * (minutes < 0 ? 1 : 1 / speed)
  }
}

type Input = Readonly<Record<string, unknown>>

/** Plays a plan at a server. */
export function playOf(url: string, plan: Plan, people: People, clock: Clock): Play {
  const { orders } = plan
  const as = (key: string): Server =>
    serverAt({
      url,
      credentials: fixedCredentials('the key of the demo', key),
      language: '',
      userAgent: 'otep-demo',
      waiting: () => {},
    })
  const admin = as(people.admin.key)
  const [carrier, drivers] = [as(people.carrierKey), people.drivers.map(({ key }) => as(key))]
  const orderIds: number[] = []
  const stay = stayingIn(admin, plan, people)

  async function begin(): Promise<void> {
    for (let from = 0; from < orders.length; from += 100) {
      const page = orders.slice(from, from + 100).map((order) => createdOf(order, people.customer.id))
      const answer = await admin.call('bulk_create_orders', { orders: page, all_or_nothing: true })
      for (const { order_id } of answer.orders as readonly { order_id: number }[]) orderIds.push(order_id)
    }
    await giveToCarrier(admin, orders, orderIds)
  }

  /** Many scans are one call. */
  async function report(steps: readonly Step[]): Promise<void> {
    const lines = steps.flatMap((step) => (step.kind === 'scan' ? [JSON.stringify(eventOf(step, clock))] : []))
    const { headers, ...request } = requestFor(operationNamed('otep_ingest'), { document: undefined }, '')
    const body = lines.join('\n')
    await carrier.json({ ...request, body, headers: { ...headers, 'Content-Type': 'application/x-ndjson' } })
  }

  async function one(step: Single): Promise<void> {
    if (step.kind === 'stay') return stay(step.stay, step.what)
    const driver = drivers[step.driver]
    const call = async (name: string, input: Input) => void (await driver?.call(name, input))
    if (step.kind === 'duty') return call('set_driver_duty', { on_duty: true })
    if (step.kind === 'position')
      return call('tell_driver_location', { latitude: step.latitude, longitude: step.longitude })
    const asked = { ...step.input, order_id: orderIds[step.order] }
    if (step.operation !== 'assign_driver') return call(step.operation, asked)
    await admin.call('assign_driver', { ...asked, driver_id: people.drivers[step.driver]?.id })
  }

  return {
    begin,
    async play(steps) {
      const scans = steps.filter(({ kind }) => kind === 'scan')
      const chains = new Map<string, Promise<void>>()
      for (const step of steps.filter(isSingle)) {
        const before = chains.get(chainOf(step)) ?? Promise.resolve()
        chains.set(
          chainOf(step),
          before.then(() => one(step)),
        )
      }
      await Promise.all([...chains.values(), ...(scans.length > 0 ? [report(scans)] : [])])
    },
  }
}

/** The carrier delivers what no driver does, and has it from its first scan on. */
async function giveToCarrier(admin: Server, orders: Plan['orders'], ids: readonly number[]): Promise<void> {
  for (const [index, { tracking_number }] of orders.entries())
    if (index >= amounts.byDrivers)
      await admin.call('assign_third_party', {
        ...{ order_id: ids[index], provider: carrierName },
        packages: [tracking_number],
      })
}

/** What happens to the stays in lockers, by their index. */
function stayingIn(admin: Server, { stays }: Plan, { customer }: People) {
  const ids = new Map<number, number>()
  const codes = new Map<number, unknown>()
  return async (index: number, what: Extract<Step, { kind: 'stay' }>['what']): Promise<void> => {
    const device_order_id = ids.get(index)
    if (what === 'announce') {
      const { locker = 1 } = stays[index] ?? {}
      const device = { device_type: 'locker', device_id: locker, device_name: lockers[locker - 1] }
      const asked = { kind: 'delivery', ...device, grid_code: `A-${index + 1}`, customer_id: customer.id }
      ids.set(index, Number((await admin.call('create_device_order', asked)).id))
    } else if (what === 'store') {
      codes.set(index, (await admin.call('store_device_order', { device_order_id })).pickup_code)
    } else if (what === 'problem') {
      await admin.call('open_device_exception', { device_order_id, type: 'door_left_open', severity: 'high' })
    } else {
      await admin.call('collect_device_order', { device_order_id, pickup_code: codes.get(index) })
    }
  }
}

type Single = Exclude<Step, { kind: 'scan' }>

function isSingle(step: Step): step is Single {
  return step.kind !== 'scan'
}

/** Steps of one chain happen one after the other; different ones do not depend on each other. */
function chainOf(step: Single): string {
  if (step.kind === 'stay') return 'stays'
  return step.kind === 'move' ? `order ${step.order}` : `driver ${step.driver}`
}

function eventOf({ at, tracking_number, event }: Extract<Step, { kind: 'scan' }>, clock: Clock): object {
  const { estimated_delivery_in: due, ...told } = event
  const iso = (minute: number) => new Date(clock(minute)).toISOString()
  return {
    ...{ subject: { tracking_number }, event_id: `${tracking_number}-${event.status_code}`, occurred_at: iso(at) },
    ...{ source: { type: 'node_scan', provider: carrierName }, ...told },
    ...(due === undefined ? {} : { estimated_delivery_at: iso(due) }),
  }
}

/** The input that creates an order of a customer. */
function createdOf({ due, ...order }: PlannedOrder, customer_id: number): object {
  return { ...order, customer_id, ...(due && scheduleOf(due)) }
}

/** The day on which an order is due, in the time zone of the business, and the window that is over. */
function scheduleOf(due: 'today' | 'before') {
  const [schedule_date] = zonedIso(Date.now(), timeZone).split('T')
  const end = zonedIso(Date.now() - 3_600_000, timeZone).slice(11, 16)
  return { schedule_date, ...(due === 'before' && end > '00:00' && { time_window: { start: '00:00', end } }) }
}
