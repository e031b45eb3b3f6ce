import type { Directory, Ports } from '../kernel/context.ts'
import type { Operation } from '../kernel/operation.ts'
import { createTools } from '../store/tools.ts'
import { directory as accounts } from './accounts/directory.ts'
import { brandOf } from './accounts/read.ts'
import { erasePersonsProposals } from './approvals/erase.ts'
import type { AssignmentRulePorts } from './assignment-rules/ports.ts'
import { assignedSince } from './assignments/for-assignment-rules.ts'
import { reasonOf } from './carriers/asked.ts'
import { askAccountNamed, carrierOf, compareForLabels, received, wayOf } from './carriers/for-labels.ts'
import type { CarrierPorts } from './carriers/ports.ts'
import { labelRateFor } from './carriers/rate-id.ts'
import { ratesFor } from './carriers/uniorder.ts'
import { eraseLocations } from './drivers/erase.ts'
import { driversOnDuty } from './drivers/for-assignment-rules.ts'
import { requireDriver } from './drivers/known.ts'
import type { DriverPorts } from './drivers/ports.ts'
import { eraseSources } from './epcis/erase.ts'
import { eraseQueries } from './epcis/queries.ts'
import { openSourceBook, readSources } from './epcis/source-book.ts'
import { exchangeFor } from './exchange-rates/exchange-rate.ts'
import { en } from './index.ts'
import { buyLabelAgain, labelShipping } from './labels/for-uniorders.ts'
import { businessOfNumber, isOwnNumber, postalCodeOfNumber } from './labels/owners.ts'
import type { LabelPorts } from './labels/ports.ts'
import { isWaitedFor } from './labels/work.ts'
import { eraseNewsOf } from './news/subscribe.ts'
import { addressBook } from './orders/addresses/book.ts'
import { orderExists } from './orders/exists.ts'
import { freeOrders, openOrders, ruledOrder, visibleRuledOrder } from './orders/for-assignment-rules.ts'
import { assignableOrder, assignedOrder } from './orders/for-assignments.ts'
import { draftUnchecked } from './orders/for-batches.ts'
import { cancelForCarrier, scansOfOrder } from './orders/for-carriers.ts'
import { countOrdersOfDrivers, orderOfDay, ordersOfDriver } from './orders/for-drivers.ts'
import {
  countListed,
  deliveredAt,
  firstEventsOf,
  openStatusIds,
  orderCounts,
  orderNamed,
  orderRows,
  statusId,
  visibleStatus,
} from './orders/for-insights.ts'
import { proofFactsFor, proofFactsUpTo, recordProof } from './orders/for-proof.ts'
import { countOrdersOnRoutes, ordersOnRoute, routeOrderAt } from './orders/for-routes.ts'
import { orderShipping } from './orders/for-uniorders.ts'
import { businessesOf, isOrderOf, isOwnOrder, orderTracked, postalCodeOf } from './orders/owners.ts'
import { activeSince, businessOfProvider, providersOf, serves } from './providers/read.ts'
import { reservedNames } from './providers/reserve.ts'
import { placeOf } from './rates/for-assignment-rules.ts'
import { ownMethods, ownRates } from './rates/for-carriers.ts'
import { priceForOrder, rateDay } from './rates/for-orders.ts'
import { routeExists, routesOfDay } from './routes/read.ts'
import { giveByRule, isWithProvider, openDeliveries } from './third-party-deliveries/assign.ts'
import { publicTimeline } from './tracking/for-news.ts'
import { forgetTimeline, isPublic, reportOfCarrier, scansOfNumber } from './tracking/of-carriers.ts'
import type { TrackingPorts } from './tracking/ports.ts'
import { ingestReadings } from './tracking/readings.ts'
import { businessesOfThing, sourcesOfOwn } from './tracking/sources.ts'
import { timelineOf } from './tracking/timelines.ts'
import { payments } from './wallets/payments.ts'
import { registerCallback } from './webhooks/callback.ts'

/** Who can call, as accounts and providers know them. */
export const directory: Directory = { ...accounts, serves }

const carriers: CarrierPorts = {
  ...{ ownRates, ownMethods, draftOrder: draftUnchecked },
  ...{ cancelOrder: cancelForCarrier, scansOf: scansOfOrder, isWaitedFor, exchangeFor },
}

const assignmentRules: AssignmentRulePorts = {
  ...{ orderAt: ruledOrder, visibleOrder: visibleRuledOrder, freeOrders, openOrders, assignedSince },
  ...{ driversOnDuty, placeOf, giveByRule, isWithProvider, openDeliveries },
}

const drivers: DriverPorts = {
  countOrders: countOrdersOfDrivers,
  orderOfDay,
  ordersOn: ordersOfDriver,
  routesOn: routesOfDay,
}

const labels: LabelPorts = {
  ...{ rateFor: labelRateFor, compare: compareForLabels, carrierOf, wayOf, reasonOf, ask: askAccountNamed, received },
  ...{ report: reportOfCarrier, isPublic, scansOf: scansOfNumber, forgetTimeline },
}

/** A parcel is that of an order; without one, that of a label. */
const owners: Pick<TrackingPorts, 'businessesOf' | 'isOwn' | 'postalCodeOf'> = {
  businessesOf: async (facts, subject) => {
    const ofOrders = await businessesOf(facts, subject)
    const ofLabel = ofOrders.length > 0 ? undefined : await businessOfNumber(facts, subject.tracking_number)
    return ofLabel === undefined ? ofOrders : [ofLabel]
  },
  isOwn: async (context, subject) => {
    if ((await businessesOf(context, subject)).length > 0) return isOwnOrder(context, subject)
    return isOwnNumber(context, subject.tracking_number)
  },
  postalCodeOf: async (facts, subject) =>
    (await postalCodeOf(facts, subject)) ?? (await postalCodeOfNumber(facts, subject.tracking_number)),
}

/** What domains need of one another, filled by those that have it; `operations` are those that an approval may carry out. */
export function createPorts(operations: readonly Operation[]): Ports {
  return {
    accounts: {
      operations: operations.map(({ name }) => name),
      erasures: async (context, person) => [
        ...(await erasePersonsProposals(context, person)),
        ...(await eraseLocations(context, person.id)),
        ...(await eraseQueries(context, person.id)),
      ],
    },
    addresses: addressBook,
    approvals: createTools(operations),
    assignmentRules,
    assignments: { assignedOrder, orderAt: assignableOrder },
    batches: { draftOrder: draftUnchecked, registerCallback, english: en },
    ...{ carriers, carrierPackages: { isOrderOf } },
    deviceOrders: { orderExists, timelineOf },
    drivers,
    epcis: { ingest: ingestReadings, activeSince, providersOf, sourcesOfOwn, businessesOfThing },
    handoffs: { orderExists },
    insights: {
      countListed,
      deliveredAt,
      eventsOf: firstEventsOf,
      openStatusIds,
      orderCounts,
      orderNamed,
      orderRows,
      statusId,
      timelineOf,
      visibleStatus: visibleStatus,
    },
    labels,
    news: { publicTimeline },
    orders: {
      isTracked: async (context, identifier) => (await timelineOf(context, identifier)) !== undefined,
      ...{ priceFor: priceForOrder, rateDay },
      registerCallback,
      charge: payments.charge,
      refund: payments.refund,
    },
    partnerLockers: { isOrderOf },
    proof: { factsFor: proofFactsFor, factsUpTo: proofFactsUpTo, record: recordProof },
    routes: {
      countOrders: countOrdersOnRoutes,
      orderAt: routeOrderAt,
      ordersOn: ordersOnRoute,
      requireDriver,
    },
    routeBoard: { routeExists },
    thirdPartyDeliveries: { orderExists },
    tracking: {
      ...{ ...owners, brandOf, businessOfProvider, reservedNames, orderOf: orderTracked },
      ...{ openSources: openSourceBook, sourcesOf: readSources, eraseSources, eraseNews: eraseNewsOf },
    },
    uniorders: { order: orderShipping, label: labelShipping, buyLabelAgain, registerCallback, ratesFor },
  }
}
