import type { Domain } from '../entity/domain.ts'
import { accountsDomain, factorsDomain, grantsDomain, keysDomain, signOnDomain } from './accounts/index.ts'
import { addressesDomain } from './addresses/index.ts'
import { approvalsDomain } from './approvals/index.ts'
import { assignmentRulesDomain } from './assignment-rules/index.ts'
import { assignmentsDomain } from './assignments/index.ts'
import { batchesDomain } from './batches/index.ts'
import { carrierPackagesDomain } from './carrier-packages/index.ts'
import { carriersDomain } from './carriers/index.ts'
import { ratesEntries } from './carriers/uniorder.ts'
import { deviceOrdersDomain } from './device-orders/index.ts'
import { driversDomain } from './drivers/index.ts'
import { epcisDomain } from './epcis/index.ts'
import { exchangeRatesDomain } from './exchange-rates/index.ts'
import { followsDomain } from './follows/index.ts'
import { handoffsDomain } from './handoffs/index.ts'
import { insightsDomain } from './insights/index.ts'
import { labelsDomain } from './labels/index.ts'
import { markUpsDomain } from './mark-ups/index.ts'
import { newsDomain } from './news/index.ts'
import { importedRows } from './orders/csv.ts'
import { newOrder } from './orders/draft.ts'
import { orderSchemas } from './orders/for-insights.ts'
import { provingTypes } from './orders/for-proof.ts'
import { ordersDomain } from './orders/index.ts'
import { orderSummary } from './orders/record.ts'
import { partnerLockersDomain } from './partner-lockers/index.ts'
import { paymentsDomain } from './payments/index.ts'
import { proofDomain } from './proof/index.ts'
import { providersDomain } from './providers/index.ts'
import { ratesDomain } from './rates/index.ts'
import { routeBoardDomain } from './route-board/index.ts'
import { routesDomain } from './routes/index.ts'
import { sensorsDomain } from './sensors/index.ts'
import { shopsDomain } from './shops/index.ts'
import { statementsDomain } from './statements/index.ts'
import { thirdPartyDeliveriesDomain } from './third-party-deliveries/index.ts'
import { tracesDomain } from './traces/index.ts'
import { trackingDomain } from './tracking/index.ts'
import { uniordersDomain } from './uniorders/index.ts'
import { walletsDomain } from './wallets/index.ts'
import { webhooksDomain } from './webhooks/index.ts'

export * from './accounts/index.ts'
export * from './addresses/index.ts'
export * from './approvals/index.ts'
export * from './assignment-rules/index.ts'
export * from './assignments/index.ts'
export * from './batches/index.ts'
export * from './carrier-packages/index.ts'
export * from './carriers/index.ts'
export * from './device-orders/index.ts'
export * from './drivers/index.ts'
export * from './epcis/index.ts'
export * from './exchange-rates/index.ts'
export * from './follows/index.ts'
export * from './handoffs/index.ts'
export * from './insights/index.ts'
export * from './labels/index.ts'
export * from './mark-ups/index.ts'
export * from './news/index.ts'
export * from './orders/index.ts'
export * from './partner-lockers/index.ts'
export * from './payments/index.ts'
export * from './proof/index.ts'
export * from './providers/index.ts'
export * from './rates/index.ts'
export * from './route-board/index.ts'
export * from './routes/index.ts'
export * from './sensors/index.ts'
export * from './shops/index.ts'
export * from './statements/index.ts'
export * from './third-party-deliveries/index.ts'
export * from './traces/index.ts'
export * from './tracking/index.ts'
export * from './uniorders/index.ts'
export * from './wallets/index.ts'
export * from './webhooks/index.ts'

/** All domains except webhooks, which sends the webhook events of the others. */
const others = [
  trackingDomain,
  epcisDomain,
  sensorsDomain,
  providersDomain,
  accountsDomain,
  factorsDomain,
  keysDomain,
  grantsDomain,
  signOnDomain,
  walletsDomain,
  paymentsDomain,
  ratesDomain,
  exchangeRatesDomain,
  markUpsDomain,
  carriersDomain,
  labelsDomain,
  ordersDomain,
  batchesDomain(newOrder, importedRows),
  uniordersDomain(ratesEntries),
  insightsDomain(orderSchemas),
  assignmentsDomain,
  assignmentRulesDomain,
  routesDomain(orderSummary.entries),
  driversDomain(orderSummary.entries),
  proofDomain(provingTypes),
  addressesDomain,
  approvalsDomain,
  deviceOrdersDomain,
  partnerLockersDomain,
  carrierPackagesDomain,
  thirdPartyDeliveriesDomain,
  handoffsDomain,
  routeBoardDomain,
  shopsDomain,
  statementsDomain,
  newsDomain,
  tracesDomain,
  followsDomain,
] as const

const eventTypes = others.flatMap(({ webhookEventTypes = [] }: Domain) => webhookEventTypes)

/** THE LIST of domains. */
export const listedDomains = [...others, webhooksDomain(eventTypes)] as const
