import { type EntityEvent, timeIn } from '../../entity/machine.ts'
import { moves } from './moves.ts'
import type { DeviceOrder } from './rules.ts'

/** The tracking event of an event of a device order, in the storage profile. */
export interface TrackedStay {
  readonly status_code: string
  /** ISO 8601, UTC. */
  readonly occurred_at: string
  readonly location: { readonly name: string }
  readonly incident_reason?: string
}

/** The status codes of the moves that the timeline shows. It never shows pickup codes or people. */
const statusCodes = {
  create: 'deposit_expected',
  store: 'stored',
  become_overdue: 'overdue',
  collect: 'collected',
  remove: 'removed',
  cancel: 'deposit_cancelled',
  open_exception: 'exception_opened',
  resolve_exception: 'exception_resolved',
  dismiss_exception: 'exception_resolved',
} as const satisfies Partial<Record<keyof typeof moves, string>>

const shown = Object.keys(statusCodes) as readonly (keyof typeof statusCodes)[]

/**
 * The tracking event of an event, where `state` is the device order after it. The exception of an overdue stay is left
 * out, because the status says the same.
 */
export function trackedStay({ type, data }: EntityEvent, order: DeviceOrder): TrackedStay | undefined {
  const move = shown.find((name) => moves[name].event === type)
  if (move === undefined) return undefined
  const problem = order.exceptions.find(({ exception_id }) => exception_id === data.exception_id)?.type
  if (problem === 'overdue') return undefined
  const incident_reason = move === 'remove' ? order.removal_reason : problem
  return {
    status_code: statusCodes[move],
    occurred_at: timeIn(moves[move], data),
    location: { name: order.device_name },
    ...(incident_reason !== undefined && { incident_reason }),
  }
}
