import { allowsMove, isWriting, type Operation, orderTable } from '../../../engine/index.ts'
import { type Members, membersOfInput } from '../signed-in/schema.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
import type { Order } from './shown.ts'
import type { OrderTexts } from './texts.ts'

/** Something that a visitor can do with an order: an operation of the interface that names one. */
export interface Action {
  readonly operation: Operation
  /** The member of its input that names the order, or a list with the order. */
  readonly names: 'order_id' | 'order_ids'
  /** The other members of its input. */
  readonly members: Members
  /** Where it is offered. */
  readonly group: keyof Pick<OrderTexts['actions'], 'next' | 'change' | 'hand'>
  /** Whether it corrects what is there, so that its form begins with that. */
  readonly isCorrection: boolean
}

const moves: Readonly<Record<string, Move>> = orderTable.moves

interface Move {
  readonly event: string
  readonly to?: string
  readonly call?: { readonly operation: string }
}

function moveOf({ name }: Operation): string | undefined {
  return Object.keys(moves).find((move) => moves[move]?.call?.operation === name)
}

/** The member by which an operation names one order of the business; undefined if it names none. */
function namingOf({ ids = {} }: Operation): Action['names'] | undefined {
  const [one, many] = [ids.order_id, ids['order_ids.*']]
  if (typeof one === 'object' ? one.noun === 'order' : one === 'rule' || one === 'part') return 'order_id'
  return (typeof many === 'object' ? many.noun === 'order' : many === 'each') ? 'order_ids' : undefined
}

/** All operations that change an order, no matter who may call them. */
function actionsOf(operations: readonly Operation[]): readonly Action[] {
  return operations.flatMap((operation) => {
    const { rest } = operation
    const names = isWriting(operation) && rest !== undefined && !rest.isBinary ? namingOf(operation) : undefined
    if (names === undefined) return []
    const { [names]: order, ...members } = membersOfInput(operation)
    return order?.isRequired ? [actionOf(operation, names, members)] : []
  })
}

const known = new WeakMap<readonly Operation[], readonly Action[]>()

/** All operations that change an order, no matter who may call them; found once for each list of operations. */
export function actionsIn(operations: readonly Operation[]): readonly Action[] {
  const found = known.get(operations) ?? actionsOf(operations)
  known.set(operations, found)
  return found
}

function actionOf(operation: Operation, names: Action['names'], members: Members): Action {
  const move = moveOf(operation)
  const to = move === undefined ? undefined : moves[move]?.to
  const isCorrection = move !== undefined && to === undefined && Object.keys(members).some(isField)
  const isOwn = move !== undefined || operation.rest?.path.startsWith('/api/v1/orders/{order_id}/')
  return { operation, names, members, isCorrection, group: to !== undefined ? 'next' : isOwn ? 'change' : 'hand' }
}

function isField(name: string): boolean {
  return Object.hasOwn(orderTable.fields, name)
}

/** Whether a visitor can take an action on an order now. */
export function isOpen(action: Action, order: Order, visitor: Visitor): boolean {
  const move = moveOf(action.operation)
  return mayNow(visitor, action.operation) && (move === undefined || allowsMove(orderTable, order.status, move))
}

/** Whether an action is about a part of the order, which its link has to name. */
export function isOfPart({ operation: { ids = {} } }: Action): boolean {
  return ids.file_id === 'part'
}

/** The members whose values the visitor may give: a customer corrects less of an order than the staff. */
export function membersFor({ members, isCorrection }: Action, { account }: Visitor): Members {
  const fields: Readonly<Record<string, { readonly setBy: readonly string[] }>> = orderTable.fields
  const isOpen = (name: string) => !isCorrection || (fields[name]?.setBy.includes(account.role) ?? true)
  return Object.fromEntries(Object.entries(members).filter(([name]) => isOpen(name)))
}
