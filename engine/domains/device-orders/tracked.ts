import type { DeviceOrderEvent } from './events.ts'
import type { DeviceOrder } from './state.ts'

/** What a timeline in the storage profile tells of a fact. */
export interface TrackedStay {
  readonly status_code: string
  /** ISO 8601, UTC. */
  readonly occurred_at: string
  readonly location: { readonly name: string }
  readonly incident_reason?: string
}

/**
 * What the timeline of a stay tells of a fact, the device order being as it stands after it; nothing of codes and of
 * people, and of the exception that comes with being overdue nothing twice.
 */
export function trackedStay(fact: DeviceOrderEvent, order: DeviceOrder): TrackedStay | undefined {
  const told = (status_code: string, occurred_at: string, incident_reason?: string): TrackedStay => ({
    ...{ status_code, occurred_at, location: { name: order.deviceName } },
    ...(incident_reason === undefined ? {} : { incident_reason }),
  })
  switch (fact.type) {
    case 'DeviceOrderCreated':
      return told('deposit_expected', fact.data.at)
    case 'DeviceOrderStored':
      return told('stored', fact.data.stored_at)
    case 'DeviceOrderBecameOverdue':
      return told('overdue', fact.data.overdue_at)
    case 'DeviceOrderCollected':
      return told('collected', fact.data.at)
    case 'DeviceOrderRemoved':
      return told('removed', fact.data.at, fact.data.removal_reason)
    case 'DeviceOrderCancelled':
      return told('deposit_cancelled', fact.data.at)
    case 'DeviceExceptionOpened':
    case 'DeviceExceptionResolved': {
      const exception = order.exceptions.find(({ id }) => id === fact.data.exception_id)
      if (exception === undefined || exception.type === 'overdue') return undefined
      const code = fact.type === 'DeviceExceptionOpened' ? 'exception_opened' : 'exception_resolved'
      return told(code, fact.data.at, exception.type)
    }
    default:
      return undefined
  }
}
