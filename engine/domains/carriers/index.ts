import type { Gives, Giving } from '../../entity/domain.ts'
import { carrierAccountEventShapes, carrierAccountModel } from './account.ts'
import {
  addCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from './account-operations.ts'
import { reasonOf } from './asked.ts'
import { askAccountNamed, carrierOf, compareForLabels, markedUpAccounts, received, wayOf } from './for-labels.ts'
import { carrierMessages } from './messages.ts'
import { ownFleetEventShapes } from './own-fleet.ts'
import { labelRateFor } from './rate-id.ts'
import { compareAllCarriers, getShippingMethods, getShippingRate } from './rate-operations.ts'
import { ratesFor, uniorderRate, uniorderRateBatch } from './uniorder.ts'

export {
  addCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from './account-operations.ts'
export type { CarrierCode } from './messages.ts'
export { ownFleet } from './own-fleet.ts'
export type { CarrierPorts } from './ports.ts'

/** What others get from here, by who needs it. */
const gives = {
  labels: {
    ...{ rateFor: labelRateFor, compare: compareForLabels, carrierOf, wayOf, reasonOf, ask: askAccountNamed },
    received,
  },
  uniorders: { ratesFor },
  markUps: { carrierAccounts: markedUpAccounts },
} satisfies Gives

/** Carriers: the accounts of businesses, and what shipping costs. */
export const carriersDomain: Giving<typeof gives> = {
  gives,
  name: 'carriers',
  messages: [carrierMessages],
  events: {
    carrier_account: carrierAccountEventShapes,
    own_fleet: ownFleetEventShapes,
  },
  readModels: [carrierAccountModel],
  erasures: ['CarrierAccountRemoved'],
  audited: { CarrierAccountAdded: 'carrier_account_added', CarrierAccountRemoved: 'carrier_account_removed' },
  operations: [
    ...[addCarrierAccount, listCarrierAccounts, testCarrierAccount, removeCarrierAccount],
    ...[getShippingMethods, getShippingRate, compareAllCarriers, uniorderRate, uniorderRateBatch],
  ],
}
