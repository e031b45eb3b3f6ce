/** How a device order stands. */
export const deviceStatuses = {
  pending: 'The deposit is announced, and nothing lies in the machine yet.',
  stored: 'It lies in the machine and waits to be collected.',
  overdue: 'It lies in the machine after its deadline; its code still works.',
  collected: 'Whoever it waited for has taken it out.',
  removed: 'Staff have taken it out.',
  cancelled: 'The announced deposit will not come.',
} as const satisfies Record<string, string>

/** Name of a status of a device order. */
export type DeviceStatus = keyof typeof deviceStatuses

/** What can be done with a device order that depends on its status; without `to` it stays as it is. */
export const deviceMoves = {
  store: { from: ['pending'], to: 'stored' },
  become_overdue: { from: ['stored'], to: 'overdue' },
  collect: { from: ['stored', 'overdue'], to: 'collected' },
  remove: { from: ['stored', 'overdue'], to: 'removed' },
  cancel: { from: ['pending'], to: 'cancelled' },
  issue_code: { from: ['stored', 'overdue'] },
  open_exception: { from: ['pending', 'stored', 'overdue'] },
} as const satisfies Record<string, { readonly from: readonly DeviceStatus[]; readonly to?: DeviceStatus }>

/** Name of a move. */
export type DeviceMove = keyof typeof deviceMoves

/** Whether a device order of this status can be moved so. */
export function allowsMove(status: DeviceStatus, move: DeviceMove): boolean {
  return (deviceMoves[move].from as readonly DeviceStatus[]).includes(status)
}

/** The statuses by their names. */
export const deviceStatusNames = Object.keys(deviceStatuses) as readonly DeviceStatus[]

/** What a device order is for: a delivery, something sent or returned by the recipient, a rental, a hand-over between couriers. */
export const deviceOrderKinds = ['delivery', 'send', 'return', 'storage', 'relay'] as const

/** What a device order is for. */
export type DeviceOrderKind = (typeof deviceOrderKinds)[number]

/** Kinds of machine. */
export const deviceTypes = ['locker', 'kiosk', 'smart_drop'] as const

/** A kind of machine. */
export type DeviceType = (typeof deviceTypes)[number]

/** Who is to act next. */
export const nextActors = ['recipient', 'courier', 'operator'] as const

/** Who is to act next. */
export type NextActor = (typeof nextActors)[number]

/** Why staff took it out. */
export const removalReasons = [
  ...(['overdue_return', 'handover', 'relay', 'anomaly', 'recovery'] as const),
  ...(['pending_area', 'deleted', 'destroyed'] as const),
] as const

/** Why staff took it out. */
export type RemovalReason = (typeof removalReasons)[number]

/** Problems that are reported; `overdue` is opened by the clock alone. */
export const reportedExceptions = [
  ...(['door_left_open', 'deposit_unverified', 'item_missing'] as const),
  ...(['item_damaged', 'wrong_item', 'device_offline', 'other'] as const),
] as const

/** A kind of problem. */
export type ExceptionType = (typeof reportedExceptions)[number] | 'overdue'

/** How grave a problem is. */
export const severities = ['low', 'medium', 'high'] as const

/** How grave a problem is. */
export type Severity = (typeof severities)[number]
