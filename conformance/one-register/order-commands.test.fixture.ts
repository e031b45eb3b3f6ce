import assert from 'node:assert/strict'
import {
  among,
  asked,
  bodyOf,
  type Command,
  callerOn,
  days,
  minute,
  names,
  onOrder,
  outOfReach,
  references,
  scanOf,
} from './command.test.fixture.ts'
import { moveOrder, refusalOf, reportOrder } from './local.test.fixture.ts'
import { begin, touch } from './model.test.fixture.ts'
import { type Carrier, carriers } from './office.test.fixture.ts'

export const create: Command = async (work, { which, how, who }) => {
  const caller = among(['one', 'one', 'customer', 'two'] as const, who)
  const [name, day] = [among(names, how), among([undefined, undefined, ...days], which)]
  const reference = among(references, how)
  const isOfCustomer = caller === 'customer' || (caller === 'one' && how % 3 === 0)
  const body = {
    ...{ type: 'D', delivery: { name, address: { street: '2 Side Street', country: 'CA' } }, reference },
    ...(day !== undefined && { schedule_date: day }),
    ...(isOfCustomer && caller === 'one' && { customer_id: work.office.people.customer }),
  }
  const made = await asked(work, 'ok', caller, 'POST', 'orders', body)
  const business = caller === 'two' ? 'two' : 'one'
  const begun = { business, family: 'local_delivery', name, reference, day, isOfCustomer } as const
  begin(work.model, begun, made.order_id, [made.tracking_number])
}

export const move = (...verbs: readonly string[]): Command =>
  onOrder(async (work, order, chances) => {
    const { how, who } = chances
    const verb = among(verbs, how)
    const someone = callerOn(order, who)
    const caller = someone === 'customer' && verb !== 'cancel' ? order.business : someone
    // There is one driver, of the first business.
    if (verb === 'assign-driver' && caller === 'two') return
    const body = bodyOf(verb, work, chances)
    const refusal = outOfReach(order, caller) ?? refusalOf(order, verb)
    await asked(work, refusal ?? 'ok', caller, 'POST', `orders/${order.id}/${verb}`, body)
    if (refusal === 'cancel_refused') touch(work.model, order)
    const { provider } = body as { readonly provider?: string }
    const more = { ...(provider !== undefined && { provider }), isRefused: how % 2 === 0 }
    if (refusal === undefined) moveOrder(work.model, order, verb, more)
  }, 'local_delivery')

export const drive: Command = onOrder(async (work, order, { how }) => {
  const verb = among(['accept', 'reject', 'start-pickup', 'pick-up'], how)
  const isTheirs = order.hasDriver && !order.isDeleted
  const refusal = isTheirs ? refusalOf(order, verb) : 'order_not_found'
  await asked(work, refusal ?? 'ok', 'driver', 'POST', `orders/${order.id}/${verb}`, {})
  if (refusal === undefined) moveOrder(work.model, order, verb)
}, 'local_delivery')

/** Takes an order from its first move to its last but one, so that there is something to come to its end. */
export const carry: Command = onOrder(async (work, order, chances) => {
  const verbs = ['assign-driver', 'pick-up', 'depart', chances.how % 2 === 0 ? 'fail' : 'complete']
  const isPossible = order.status === 'NEW_ORDER' && order.business === 'one' && outOfReach(order, 'one') === undefined
  if (!isPossible) return
  for (const verb of verbs.slice(0, 2 + (chances.who % 3))) {
    work.office.clock.now += minute
    await asked(work, 'ok', 'one', 'POST', `orders/${order.id}/${verb}`, bodyOf(verb, work, chances))
    moveOrder(work.model, order, verb, { isRefused: chances.how % 2 === 0 })
  }
}, 'local_delivery')

export const remove: Command = onOrder(async (work, order, { who }) => {
  const caller = callerOn(order, who) === order.business ? order.business : 'two'
  const isOpen = !['NEW_ORDER', 'HOLD', 'DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED'].includes(
    order.status,
  )
  const refusal = outOfReach(order, caller) ?? (isOpen ? 'order_status_forbids' : undefined)
  await asked(work, refusal ?? 'ok', caller, 'POST', `orders/${order.id}/delete`, {})
  if (refusal === undefined) order.isDeleted = true
}, 'local_delivery')

export const update: Command = onOrder(async (work, order, { how, who }) => {
  const someone = callerOn(order, who)
  const caller = someone === 'customer' ? order.business : someone
  const [refusal, reference] = [outOfReach(order, caller), among(references, how)]
  await asked(work, refusal ?? 'ok', caller, 'PATCH', `orders/${order.id}`, { reference })
  if (refusal !== undefined || order.reference === reference) return
  order.reference = reference
  touch(work.model, order)
}, 'local_delivery')

export const report: Command = onOrder(async (work, order, chances) => {
  const { office, told } = work
  const [parcel] = order.parcels
  if (parcel === undefined || order.family !== 'local_delivery') return
  // Who has it reports, or who is to have it: others do now and then.
  const has = carriers.find((name) => name === (order.provider ?? order.given?.provider))
  const carrier: Carrier = has === undefined || chances.which % 5 === 0 ? among(carriers, chances.who) : has
  const scan = scanOf(work, chances)
  const expected = order.business === 'one' ? 'ok' : 'other_business'
  assert.equal(await office.report(carrier, parcel.number, scan), expected, `a report on ${order.id}`)
  if (expected !== 'ok') return
  reportOrder(work.model, order, parcel, carrier, scan.code, scan.at)
  told.push(async () => assert.equal(await office.report(carrier, parcel.number, scan), 'ok'))
}, 'local_delivery')

export const give: Command = onOrder(async (work, order, { how, who }) => {
  const someone = callerOn(order, who)
  // Only the first business has carriers.
  if (someone !== 'one') return
  const [provider, path] = [among(carriers, how), 'third-party-deliveries']
  if (order.given !== undefined && !order.isDeleted && how % 2 === 0) {
    await asked(work, 'ok', someone, 'POST', `${path}/${order.given.assignment}/cancel`, { reason: 'cancelled' })
    order.given = undefined
    return
  }
  const isThere = outOfReach(order, someone) === undefined
  const refusal = !isThere ? 'order_not_found' : order.given === undefined ? 'ok' : 'third_party_order_taken'
  const body = { order_id: order.id, provider, packages: ['P-1'] }
  const { assignment_id } = await asked(work, refusal, someone, 'POST', path, body)
  if (refusal === 'ok') order.given = { provider, assignment: assignment_id }
}, 'local_delivery')
