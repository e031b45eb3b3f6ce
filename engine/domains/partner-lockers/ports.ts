import type { Facts } from '../../kernel/context.ts'

/** What partner lockers need of other domains. */
export interface PartnerLockerPorts {
  /** Whether a business has an order of this id. */
  isOrderOf(facts: Facts, businessId: number, order: number): Promise<boolean>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly partnerLockers: PartnerLockerPorts
  }
}
