import assert from 'node:assert/strict'
import { type Business, codes, type Family, type Model, type Order } from './model.test.fixture.ts'
import { carriers, type Office, type Person, type Scan } from './office.test.fixture.ts'

export const names = ['Ann Lee', 'Bob Roe'] as const
export const references = ['R-1', 'R-2', 'R-3'] as const
/** The clock begins on the second of these days. */
export const days = ['2026-06-09', '2026-06-10', '2026-06-11'] as const
export const minute = 60_000

/** The work of one history, and what it has to remember beside the orders. */
export interface Work {
  readonly office: Office
  readonly model: Model
  /** Everything that a carrier reported, so that it can report it again. */
  readonly told: (() => Promise<void>)[]
  events: number
}

/** Chances of a command: whatever it chooses, it chooses by these. */
export interface Chances {
  readonly which: number
  readonly how: number
  readonly who: number
}

export function among<Item>(list: readonly Item[], chance: number): Item {
  return list[chance % list.length] as Item
}

/** What somebody is shown of the orders: staff those of their business, a customer what it has ordered. */
export function isShown({ business, isDeleted, isOfCustomer }: Order, who: Person): boolean {
  if (isDeleted || who === 'driver') return false
  return who === 'customer' ? isOfCustomer : business === who
}

/** Mostly the staff of an order; sometimes the other business, or the customer. */
export function callerOn({ business }: Order, chance: number): Business | 'customer' {
  if (chance % 9 === 0) return business === 'one' ? 'two' : 'one'
  return chance % 9 === 1 ? 'customer' : business
}

export type Command = (work: Work, chances: Chances) => Promise<void>

/** A command on some order, mostly of a family; nothing happens while there is none. */
export function onOrder(act: (work: Work, order: Order, chances: Chances) => Promise<void>, wanted?: Family): Command {
  return async (work, chances) => {
    const all = [...work.model.orders].reverse()
    const some = all.filter(({ family }) => wanted === undefined || family === wanted)
    const orders = some.length > 0 && chances.which % 6 !== 5 ? some : all
    if (orders.length > 0) await act(work, among(orders, chances.which), chances)
  }
}

/** Asks for something that is answered as the model says, and changes nothing where that is a refusal. */
export async function asked({ office }: Work, expected: string, ...question: Parameters<Office['ask']>) {
  const before = await office.store.latest()
  const { body, code } = await office.ask(...question)
  assert.equal(code, expected, `${question.slice(0, 3).join(' ')}: ${JSON.stringify(body)}`)
  // An attempt to cancel is recorded.
  if (expected !== 'ok' && expected !== 'cancel_refused') assert.equal(await office.store.latest(), before)
  return body
}

/** What the path of a move takes. */
export function bodyOf(verb: string, { office }: Work, { how }: Chances) {
  if (verb === 'assign-driver') return { driver_id: office.people.driver }
  if (verb === 'hand-to-carrier') return { provider: among(carriers, how) }
  if (verb === 'fail') return { reason: how % 2 === 0 ? 'refused' : 'deliver_later' }
  return {}
}

/** Why an order is out of reach for an operation on local deliveries; undefined if it is not. */
export function outOfReach(order: Order, who: Person): string | undefined {
  if (!isShown(order, who)) return 'order_not_found'
  return order.family === 'local_delivery' ? undefined : 'not_a_self_delivery_order'
}

/** A name for what a carrier reports, and an instant that nothing else has: mostly now, and sometimes long ago. */
export function scanOf(work: Work, { how, who }: Chances): Scan {
  const late = who % 4 === 0 ? (1 + (how % 7)) * minute : 0
  const number = ++work.events
  return { id: `e${number}`, at: work.office.clock.now - late - 1_000 - number, code: among(codes, how) }
}
