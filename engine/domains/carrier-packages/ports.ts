import type { Facts } from '../../kernel/context.ts'

/** What carrier packages need of other domains. */
export interface CarrierPackagePorts {
  /** Whether a business has an order of this id. */
  isOrderOf(facts: Facts, businessId: number, order: number): Promise<boolean>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly carrierPackages: CarrierPackagePorts
  }
}
