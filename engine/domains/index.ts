import type { Domain } from '../kernel/domain.ts'
import { accountsDomain } from './accounts/index.ts'
import { addressesDomain } from './addresses/index.ts'
import { approvalsDomain } from './approvals/index.ts'
import { carrierPackagesDomain } from './carrier-packages/index.ts'
import { deviceOrdersDomain } from './device-orders/index.ts'
import { handoffsDomain } from './handoffs/index.ts'
import { ordersDomain } from './orders/index.ts'
import { partnerLockersDomain } from './partner-lockers/index.ts'
import { providersDomain } from './providers/index.ts'
import { routeBoardDomain } from './route-board/index.ts'
import { thirdPartyDeliveriesDomain } from './third-party-deliveries/index.ts'
import { trackingDomain } from './tracking/index.ts'
import { walletsDomain } from './wallets/index.ts'
import { webhooksDomain } from './webhooks/index.ts'

/** All but the one that sends what the others tell. */
const telling: readonly Domain[] = [
  trackingDomain,
  providersDomain,
  accountsDomain,
  walletsDomain,
  ordersDomain,
  addressesDomain,
  approvalsDomain,
  deviceOrdersDomain,
  partnerLockersDomain,
  carrierPackagesDomain,
  thirdPartyDeliveriesDomain,
  handoffsDomain,
  routeBoardDomain,
]

/** THE LIST of domains. */
export const domains: readonly Domain[] = [...telling, webhooksDomain(telling.flatMap(({ notices = [] }) => notices))]
