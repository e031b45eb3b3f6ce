import { type Loaded, load, loadOwn, type Named, ownId } from '../../entity/access.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import type { NewEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { localDelivery, type OrderFamily, type RegisteredOrder } from '../../kernel/order-family.ts'
import type { Row } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { OrderCommand } from './commands.ts'
import { orders } from './decider.ts'
import type { OrderEvent } from './events.ts'
import { orderTable } from './order.ts'
import { statusFor } from './record.ts'
import { settled } from './settle.ts'
import type { Order } from './state.ts'
import { isStatus } from './status.ts'
import { orderStream } from './streams.ts'

/** An order, and the revision of its stream that it was read at. */
export type LoadedOrder = Loaded<Order>

/**
 * The outcome of a command: the order after it, its events, and the appends that record them (empty if nothing
 * changes).
 */
interface Decided {
  readonly order: Order
  readonly events: readonly NewEvent<OrderEvent>[]
  readonly appends: readonly Append[]
}

/** A command on an existing order. */
export type CommandOnOrder = Exclude<OrderCommand, { readonly type: 'CreateOrder' }>

type Commands = CommandOnOrder | readonly CommandOnOrder[]

/** A command, or a function that makes one, or several, from the current state of the order. */
type CommandOrFunction = CommandOnOrder | ((order: Order) => Commands | Promise<Commands>)

/** Appends that are recorded together with the order's own events, or a function that makes them for each attempt. */
type Extra = readonly Append[] | ((decided: Decided) => Promise<readonly Append[]>)

const kind: Named<Order> = { entity: orderTable, decider: orders }

/** What the member of `orderEntries` names. */
export const orderIds = {
  order_id: { ...ownId(kind), require: (context: Context, id: string | number) => loadOrderAt(context, Number(id)) },
}

/** Whether the caller may see an order. */
export function isVisible(context: Pick<Context, 'caller'>, order: Order): boolean {
  return orderTable.access.belongs(context, order)
}

/** The cells of the rows of `orderModel` that the caller may see; other families need further scopes. */
export function visibleWhere(context: Pick<Context, 'caller' | 'ports'>): Row {
  const { caller, ports } = context
  const mayReadAll = ports.orders.families.every(({ scope }) => caller.scopes.includes(scope))
  return { ...orderTable.access.cells(context), ...(!mayReadAll && { family: localDelivery }) }
}

/** Who commands, when, and from which network address; a driver commands as one. */
export function commandStamp({ caller, clock, source = '' }: Pick<Context, 'caller' | 'clock' | 'source'>) {
  const { account } = caller
  const stamp = { at: isoOf(clock()), ...(isAddress(source) && { ip: source }) }
  if (account === undefined) return { ...stamp, by: null }
  return account.role === 'driver' ? { ...stamp, by: account.id, driver_id: account.id } : { ...stamp, by: account.id }
}

/** Whether a source is an address of a network, or the block of one; a program beside the server has none. */
function isAddress(source: string): boolean {
  return /^[\da-f]*[.:][\da-f.:]*(?:\/\d+)?$/i.test(source)
}

/** An order by its id, even a deleted one, for any caller; nothing if there is none. */
export function findLoaded(context: Facts, id: number): Promise<LoadedOrder | undefined> {
  return load(context, kind, id)
}

/** An order of another family than local delivery, as the caller may see it. */
export interface OfFamily {
  readonly family: OrderFamily
  readonly record: RegisteredOrder
}

/** The order of another family with an id; undefined if the caller may not see one. */
export async function ofFamily(context: Context, id: number): Promise<OfFamily | undefined> {
  for (const family of context.ports.orders.families) {
    const record = await family.find(context, id)
    if (record !== undefined) return { family, record }
  }
  return undefined
}

/**
 * An order that the caller may see, and its revision; refuses with `order_not_found` if there is none, and with
 * `not_a_self_delivery_order` if it is of another family.
 */
export async function loadOrderAt(context: Context, id: number): Promise<LoadedOrder> {
  try {
    return await loadOwn(context, kind, id)
  } catch (error) {
    if (!isEngineError(error, 'order_not_found')) throw error
    const other = (await ofFamily(context, id))?.record
    if (other === undefined) throw error
    throw new EngineError('not_a_self_delivery_order', { order: id, family: other.family, state: other.state })
  }
}

/** An order that the caller may see; refuses with `order_not_found` if there is none. */
export async function loadOrder(context: Context, id: number): Promise<Order> {
  return (await loadOrderAt(context, id)).state
}

/** The result of a rule. If it refuses, the refusal names the status as the caller sees it. */
export function withVisibleStatus<Result>(context: Pick<Context, 'caller'>, rule: () => Result): Result {
  try {
    return rule()
  } catch (error) {
    if (!isEngineError(error) || !isStatus(error.params.status)) throw error
    const params = { ...error.params, status: statusFor(context, error.params.status) }
    throw new EngineError(error.code, params, error.findings)
  }
}

/** Decides a command without recording it. The appends can be recorded in one transaction with others. */
export function decideOn(context: Context, { state: order, revision }: LoadedOrder, command: CommandOnOrder): Decided {
  const events = withVisibleStatus(context, () => orders.decide(command, order)).map(toNewEvent(context))
  const after = fold(orders, events, order)
  if (after === undefined || events.length === 0) return { order, events: [], appends: [] }
  return { order: after, events, appends: [{ stream: orderStream(order.order_id), events, expected: revision }] }
}

/** Decides commands on one order, each on what the one before has left. */
export function decideAll(context: Context, loaded: LoadedOrder, commands: readonly CommandOnOrder[]): Decided {
  let { state } = loaded
  const events: NewEvent<OrderEvent>[] = []
  for (const command of commands) {
    const decided = decideOn(context, { ...loaded, state }, command)
    state = decided.order
    events.push(...decided.events)
  }
  const append = { stream: orderStream(state.order_id), events, expected: loaded.revision }
  return { order: state, events, appends: events.length === 0 ? [] : [append] }
}

/**
 * Runs a command on an order that the caller may see. Payments and `extra` are recorded in the same transaction, and
 * only if the command changes something. Refuses like `loadOrder`, the decider and the wallet.
 */
export async function runOrder(
  context: Context,
  id: number,
  command: CommandOrFunction,
  extra: Extra = [],
): Promise<Decided> {
  return retryOnConflict(async () => {
    const loaded = await loadOrderAt(context, id)
    const wanted = typeof command === 'function' ? await command(loaded.state) : command
    const decided = decideAll(context, loaded, [wanted].flat())
    if (decided.appends.length === 0) return decided
    const more = typeof extra === 'function' ? await extra(decided) : extra
    const moves = await settled(context, decided.order, decided.events)
    await context.store.appendMany([...decided.appends, ...moves, ...more])
    return decided
  })
}
