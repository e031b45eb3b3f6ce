import type { Domain } from '../../entity/domain.ts'
import { carrierAccountEventShapes, carrierAccountModel } from './account.ts'
import {
  addCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from './account-operations.ts'
import { carrierMessages } from './messages.ts'
import { ownFleetEventShapes } from './own-fleet.ts'
import { compareAllCarriers, getShippingMethods, getShippingRate } from './rate-operations.ts'
import { uniorderRate, uniorderRateBatch } from './uniorder.ts'

export {
  addCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from './account-operations.ts'
export type { CarrierCode } from './messages.ts'
export { ownFleet } from './own-fleet.ts'
export type { CarrierPorts } from './ports.ts'

/** Carriers: the accounts of businesses, and what shipping costs. */
export const carriersDomain: Domain = {
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
