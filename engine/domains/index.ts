import type { Table } from '../entity/field.ts'
import type { Catalogue } from '../kernel/catalogue.ts'
import type { Domain } from '../kernel/domain.ts'
import { englishOf, kernelMessages, kindsOf } from '../kernel/messages/index.ts'
import { accountTable } from './accounts/account-table.ts'
import { accountsDomain } from './accounts/index.ts'
import { addressesDomain } from './addresses/index.ts'
import { approvalsDomain } from './approvals/index.ts'
import { assignmentRulesDomain } from './assignment-rules/index.ts'
import { assignmentsDomain } from './assignments/index.ts'
import { batchesDomain } from './batches/index.ts'
import { carrierPackage } from './carrier-packages/carrier-package.ts'
import { carrierPackagesDomain } from './carrier-packages/index.ts'
import { carriersDomain } from './carriers/index.ts'
import { ratesEntries } from './carriers/uniorder.ts'
import { deviceOrder } from './device-orders/device-order.ts'
import { deviceOrdersDomain } from './device-orders/index.ts'
import { duty } from './drivers/duty.ts'
import { driversDomain } from './drivers/index.ts'
import { location } from './drivers/location.ts'
import { epcisDomain } from './epcis/index.ts'
import { exchangeRatesDomain } from './exchange-rates/index.ts'
import { handoff } from './handoffs/handoff.ts'
import { handoffsDomain } from './handoffs/index.ts'
import { insightsDomain } from './insights/index.ts'
import { labelsDomain } from './labels/index.ts'
import { newsDomain } from './news/index.ts'
import { importedRows } from './orders/csv.ts'
import { newOrder } from './orders/draft.ts'
import { orderSchemas } from './orders/for-insights.ts'
import { provingTypes } from './orders/for-proof.ts'
import { ordersDomain } from './orders/index.ts'
import { orderTable } from './orders/order.ts'
import { orderSummary } from './orders/record.ts'
import { partnerLockersDomain } from './partner-lockers/index.ts'
import { lockerDelivery } from './partner-lockers/locker-delivery.ts'
import { proofDomain } from './proof/index.ts'
import { providersDomain } from './providers/index.ts'
import { ratesDomain } from './rates/index.ts'
import { routeBoardDomain } from './route-board/index.ts'
import { routesDomain } from './routes/index.ts'
import { route } from './routes/route.ts'
import { assignment } from './third-party-deliveries/assignment.ts'
import { thirdPartyDeliveriesDomain } from './third-party-deliveries/index.ts'
import { trackingDomain } from './tracking/index.ts'
import { uniordersDomain } from './uniorders/index.ts'
import { walletsDomain } from './wallets/index.ts'
import { webhooksDomain } from './webhooks/index.ts'

/** All domains except webhooks, which sends the webhook events of the others. */
const domainsWithEvents: readonly Domain[] = [
  trackingDomain,
  epcisDomain,
  providersDomain,
  accountsDomain,
  walletsDomain,
  ratesDomain,
  exchangeRatesDomain,
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
  newsDomain,
]

/** THE LIST of domains. */
export const domains: readonly Domain[] = [
  ...domainsWithEvents,
  webhooksDomain(domainsWithEvents.flatMap(({ webhookEventTypes: eventTypes = [] }) => eventTypes)),
]

/** THE LIST of entities that have a table. */
export const entities: readonly Table[] = [
  orderTable,
  route,
  duty,
  location,
  deviceOrder,
  lockerDelivery,
  carrierPackage,
  assignment,
  handoff,
  accountTable,
]

/** The catalogues of the kernel and of every domain. */
export const catalogues: readonly Catalogue[] = [...kernelMessages, ...domains.flatMap(({ messages = [] }) => messages)]

/** Every message of the engine in English. */
export const en = englishOf(catalogues)

/** The kind of every refusal of the engine. */
export const kinds = kindsOf(catalogues)
