import type { Domain } from '../kernel/domain.ts'
import { accountsDomain } from './accounts/index.ts'
import { addressesDomain } from './addresses/index.ts'
import { approvalsDomain } from './approvals/index.ts'
import { deviceOrdersDomain } from './device-orders/index.ts'
import { addressBook } from './orders/addresses/book.ts'
import { ordersDomain } from './orders/index.ts'
import { providersDomain } from './providers/index.ts'
import { trackingDomain } from './tracking/index.ts'
import { walletsDomain } from './wallets/index.ts'

/** THE LIST of domains. */
export const domains: readonly Domain[] = [
  trackingDomain,
  providersDomain,
  accountsDomain,
  walletsDomain,
  ordersDomain,
  addressesDomain(addressBook),
  approvalsDomain,
  deviceOrdersDomain,
]
