import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { instantOf } from '../../kernel/time.ts'
import { isSameText } from './code.ts'
import type { DeviceOrderCreated, DeviceOrderEvent, DeviceOrderStored } from './events.ts'
import { type DeviceException, type DeviceOrder, type DeviceOrderState, evolve } from './state.ts'
import { allowsMove, type DeviceMove, type ExceptionType, type RemovalReason, type Severity } from './status.ts'

/** Who commands, and when (ISO 8601, UTC); null for the platform. */
interface Given {
  readonly at: string
  readonly by: number | null
}

type Command<Type extends string, More = object> = Given & { readonly type: Type } & More

/** What can be asked of a device order. Refusals: `device_order_not_found`, `device_order_status_forbids`, and those named at each. */
export type DeviceOrderCommand =
  | { readonly type: 'CreateDeviceOrder'; readonly data: DeviceOrderCreated['data'] }
  /** Its code is issued with it. `due_at_required` where no deadline is known, `due_too_early` where it has passed. */
  | Command<
      'StoreDeviceOrder',
      Pick<DeviceOrderStored['data'], 'next_actor' | 'grid_code'> & {
        readonly due_at?: string
        readonly code_hash: string
      }
    >
  /** The code until now is void. */
  | Command<'IssuePickupCode', { readonly code_hash: string }>
  /**
   * Without a code only where staff empty a smart drop; else `pickup_code_required`. A wrong code is no refusal but a fact,
   * that it may be counted: `too_many_attempts` follows from it.
   */
  | Command<'CollectDeviceOrder', { readonly code_hash?: string; readonly isStaff: boolean }>
  | Command<'RemoveDeviceOrder', { readonly reason: RemovalReason }>
  | Command<'CancelDeviceOrder'>
  /** Nothing follows before its deadline, nor where it does not wait any more. */
  | Command<'BecomeOverdue'>
  | Command<'OpenException', { readonly exception: ExceptionType; readonly severity: Severity; readonly note?: string }>
  /** `device_exception_not_found`, and `device_exception_settled` where it is not open. */
  | Command<
      'ResolveException',
      { readonly exception_id: number; readonly status: 'resolved' | 'dismissed'; readonly resolution_action: string }
    >
  /** Nothing follows where it was done before. */
  | Command<'EraseDeviceOrder'>

function decide(command: DeviceOrderCommand, state: DeviceOrderState): readonly DeviceOrderEvent[] {
  if (command.type === 'CreateDeviceOrder') {
    if (state !== undefined) throw forbidden(state, 'create')
    return [{ type: 'DeviceOrderCreated', data: command.data }]
  }
  if (state === undefined) throw new EngineError('device_order_not_found', { order: 0 })
  const { at, by } = command
  const told = { at, by }
  switch (command.type) {
    case 'StoreDeviceOrder':
      return store(command, state)
    case 'IssuePickupCode':
      demand(state, 'issue_code')
      return [{ type: 'PickupCodeIssued', data: { ...told, code_hash: command.code_hash } }]
    case 'CollectDeviceOrder':
      return collect(command, state)
    case 'RemoveDeviceOrder': {
      demand(state, 'remove')
      const removed = { type: 'DeviceOrderRemoved', data: { ...told, removal_reason: command.reason } } as const
      return [...endOfOverdue(state, told, 'removed'), removed]
    }
    case 'CancelDeviceOrder':
      demand(state, 'cancel')
      return [{ type: 'DeviceOrderCancelled', data: told }]
    case 'BecomeOverdue':
      return becomeOverdue(state, told)
    case 'OpenException':
      demand(state, 'open_exception')
      return [opened(state, told, command.exception, command.severity, command.note)]
    case 'ResolveException': {
      openException(state, command.exception_id)
      const { exception_id, status, resolution_action } = command
      return [{ type: 'DeviceExceptionResolved', data: { ...told, exception_id, status, resolution_action } }]
    }
    case 'EraseDeviceOrder':
      return state.isForgotten ? [] : [{ type: 'DeviceOrderPersonalDataErased', data: told }]
    default:
      return command satisfies never
  }
}

function store(
  { at, by, next_actor, code_hash, due_at, grid_code }: Extract<DeviceOrderCommand, { type: 'StoreDeviceOrder' }>,
  state: DeviceOrder,
): readonly DeviceOrderEvent[] {
  demand(state, 'store')
  const due = due_at ?? state.dueAt
  if (due === undefined) throw new EngineError('due_at_required')
  if (instantOf(due) <= instantOf(at)) throw new EngineError('due_too_early', { due })
  const data = { by, stored_at: at, due_at: due, next_actor, ...(grid_code === undefined ? {} : { grid_code }) }
  return [
    { type: 'DeviceOrderStored', data },
    { type: 'PickupCodeIssued', data: { at, by, code_hash } },
  ]
}

function collect(
  { at, by, code_hash, isStaff }: Extract<DeviceOrderCommand, { type: 'CollectDeviceOrder' }>,
  state: DeviceOrder,
): readonly DeviceOrderEvent[] {
  demand(state, 'collect')
  const told = { at, by }
  if (code_hash === undefined) {
    if (!isStaff || state.deviceType !== 'smart_drop') throw new EngineError('pickup_code_required')
  } else {
    const seconds = Math.ceil((state.lockedUntil - instantOf(at)) / 1000)
    if (seconds > 0) throw new EngineError('too_many_attempts', { seconds })
    if (!isSameText(code_hash, state.codeHash ?? '')) return [{ type: 'PickupCodeRefused', data: told }]
  }
  return [...endOfOverdue(state, told, 'collected'), { type: 'DeviceOrderCollected', data: told }]
}

function becomeOverdue(state: DeviceOrder, told: Given): readonly DeviceOrderEvent[] {
  const { status, dueAt } = state
  if (!allowsMove(status, 'become_overdue') || dueAt === undefined || instantOf(told.at) < instantOf(dueAt)) return []
  return [
    { type: 'DeviceOrderBecameOverdue', data: { by: told.by, overdue_at: told.at, next_actor: 'operator' } },
    opened(state, told, 'overdue', 'medium'),
  ]
}

function opened(
  { exceptions, isForgotten }: DeviceOrder,
  told: Given,
  type: ExceptionType,
  severity: Severity,
  note?: string,
): DeviceOrderEvent {
  const personal = note === undefined || isForgotten ? {} : { personal: { note } }
  const data = { ...told, exception_id: exceptions.length + 1, type, severity, ...personal }
  return { type: 'DeviceExceptionOpened', data }
}

/** What comes to an end with the stay by itself; it is told before the end, after which nothing counts. */
function endOfOverdue(
  { exceptions }: DeviceOrder,
  told: Given,
  resolution_action: 'collected' | 'removed',
): readonly DeviceOrderEvent[] {
  return exceptions
    .filter(({ type, status }) => type === 'overdue' && status === 'open')
    .map(({ id: exception_id }) => ({
      type: 'DeviceExceptionResolved',
      data: { ...told, exception_id, status: 'resolved', resolution_action },
    }))
}

function openException({ id: order, exceptions }: DeviceOrder, id: number): DeviceException {
  const found = exceptions.find((exception) => exception.id === id)
  if (found === undefined) throw new EngineError('device_exception_not_found', { order, exception: id })
  if (found.status !== 'open') throw new EngineError('device_exception_settled', { order, exception: id })
  return found
}

function demand(state: DeviceOrder, move: DeviceMove): void {
  if (!allowsMove(state.status, move)) throw forbidden(state, move)
}

function forbidden({ id, status }: DeviceOrder, move: string): EngineError {
  return new EngineError('device_order_status_forbids', { order: id, status, move })
}

/** The decider of a device order, one stream each. */
export const deviceOrders: Decider<DeviceOrderState, DeviceOrderCommand, DeviceOrderEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}
