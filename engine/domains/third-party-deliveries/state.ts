import type { Reducer } from '../../kernel/decider.ts'
import type { BookedLeg, ThirdPartyAssigned, ThirdPartyEvent } from './events.ts'
import type { AssignmentSource, AssignmentStatus, CancelReason, PackageOutcome } from './status.ts'

/** A package of an assignment. */
export interface Package {
  readonly trackingNumber: string
  readonly outcome: PackageOutcome
}

/** An order that a provider is to deliver; instants are ISO 8601 in UTC. */
export interface Assignment {
  readonly id: number
  readonly businessId: number
  readonly orderId: number
  readonly orderReference?: string | undefined
  readonly provider: string
  readonly source: AssignmentSource
  readonly status: AssignmentStatus
  readonly packages: readonly Package[]
  readonly legs: readonly BookedLeg[]
  readonly assignedAt: string
  readonly handedOverAt?: string
  readonly endedAt?: string
  readonly cancelReason?: CancelReason
}

/** The assignments of an order, oldest first: all but the last have ended. */
export type AssignmentsState = readonly Assignment[]

/** The assignment with this id; nothing where the order never had it. */
export function assignmentIn(state: AssignmentsState, id: number): Assignment | undefined {
  return state.find((one) => one.id === id)
}

/** What follows from a fact about the assignments of an order. */
export const evolve: Reducer<AssignmentsState, ThirdPartyEvent> = (state, event) => {
  if (event.type === 'ThirdPartyAssigned') return [...state, assigned(event.data)]
  return state.map((one) => (one.id === event.data.assignment_id ? { ...one, ...changed(one, event) } : one))
}

function assigned(data: ThirdPartyAssigned['data']): Assignment {
  return {
    id: data.assignment_id,
    businessId: data.business_id,
    orderId: data.order_id,
    orderReference: data.order_reference,
    provider: data.provider,
    source: data.source,
    status: 'assigned',
    packages: data.packages.map((trackingNumber) => ({ trackingNumber, outcome: 'in_progress' })),
    legs: [],
    assignedAt: data.at,
  }
}

function changed(state: Assignment, fact: Exclude<ThirdPartyEvent, ThirdPartyAssigned>): Partial<Assignment> {
  switch (fact.type) {
    case 'ThirdPartyHandedOver':
      return { status: 'handed_over', handedOverAt: fact.data.at }
    case 'ThirdPartyLegsBooked':
      return { legs: [...state.legs, ...fact.data.legs] }
    case 'ThirdPartyPackagesReported': {
      const { at, to, packages } = fact.data
      const reported = new Map(packages.map(({ tracking_number, outcome }) => [tracking_number, outcome]))
      const outcomes = state.packages.map((one) => ({
        ...one,
        outcome: reported.get(one.trackingNumber) ?? one.outcome,
      }))
      const hasEnded = to === 'delivered' || to === 'undelivered'
      return { status: to, packages: outcomes, ...(hasEnded ? { endedAt: at } : {}) }
    }
    case 'ThirdPartyCancelled':
      return { status: 'cancelled', endedAt: fact.data.at, cancelReason: fact.data.reason }
    default: {
      // An event of a later version changes nothing here.
      void (fact satisfies never)
      return {}
    }
  }
}
