import type { Reducer } from '../../kernel/decider.ts'
import type { CarrierPackageAdvised, CarrierPackageEvent, Location, ShelfPlace } from './events.ts'
import type { CarrierPackageStatus, DistributionOrderStatus, DistributionStatus, RemovalReason } from './status.ts'

/** The way of a package on one distribution order; instants are ISO 8601 in UTC. */
export interface Distribution {
  readonly orderId: number
  readonly orderRef: string | null
  readonly orderStatus: DistributionOrderStatus
  readonly status: DistributionStatus
  readonly reason?: RemovalReason | undefined
  readonly loadedAt?: string | undefined
  readonly deliveredAt?: string | undefined
}

/** A carrier package as its facts have it. */
export interface CarrierPackage {
  readonly id: number
  readonly businessId: number
  readonly provider: string
  readonly status: CarrierPackageStatus
  readonly packageNumber: string
  readonly carrierReference: string | null
  /** Missing where nobody said it, and once it was erased. */
  readonly memberNumber?: string | undefined
  readonly origin?: Location | undefined
  readonly destination: Location
  /** The last one, which the package may have been taken off. */
  readonly distribution?: Distribution | undefined
  readonly location?: ShelfPlace | undefined
  readonly isForgotten: boolean
}

/** Nothing before the package was announced. */
export type CarrierPackageState = CarrierPackage | undefined

/** What follows from a fact about a carrier package. */
export const evolve: Reducer<CarrierPackageState, CarrierPackageEvent> = (state, event) => {
  if (event.type === 'CarrierPackageAdvised') return advised(event.data)
  return state === undefined ? state : { ...state, ...changed(state, event) }
}

function advised(data: CarrierPackageAdvised['data']): CarrierPackage {
  return {
    id: data.package_id,
    businessId: data.business_id,
    provider: data.provider,
    status: 'advised',
    packageNumber: data.package_number,
    carrierReference: data.carrier_reference,
    memberNumber: data.personal?.member_number,
    destination: data.destination,
    isForgotten: false,
  }
}

function changed(
  { distribution }: CarrierPackage,
  fact: Exclude<CarrierPackageEvent, CarrierPackageAdvised>,
): Partial<CarrierPackage> {
  switch (fact.type) {
    case 'CarrierPackageReceived':
      return { status: 'listed', origin: fact.data.origin }
    case 'CarrierPackageDistributed': {
      const { order_id: orderId, order_ref: orderRef } = fact.data
      return { status: 'ordered', distribution: { orderId, orderRef, orderStatus: 'created', status: 'created' } }
    }
    case 'CarrierPackageLoaded': {
      const way = { orderStatus: 'in_transit', status: 'in_transit', loadedAt: fact.data.at } as const
      return { status: 'in_transit', distribution: distribution && { ...distribution, ...way } }
    }
    case 'CarrierPackageHandedOver': {
      const way = { orderStatus: 'delivered', status: 'delivered', deliveredAt: fact.data.at } as const
      return { status: 'delivered', distribution: distribution && { ...distribution, ...way } }
    }
    case 'CarrierPackageShelved':
      return { status: 'shelved', location: fact.data.location }
    case 'CarrierPackageTakenOff': {
      const { reason } = fact.data
      const order = reason === 'cancelled' ? ({ orderStatus: 'cancelled' } as const) : {}
      return {
        status: 'listed',
        distribution: distribution && { ...distribution, ...order, status: 'removed', reason },
      }
    }
    case 'CarrierPackagePersonalDataErased':
      return { memberNumber: undefined, isForgotten: true }
    default: {
      // An event of a later version changes nothing here.
      void (fact satisfies never)
      return {}
    }
  }
}
