import type { Domain } from '../../kernel/domain.ts'
import { carrierAccountModel } from './account.ts'
import {
  addCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from './account-operations.ts'
import { carrierMessages } from './messages.ts'
import { compareAllCarriers, getShippingMethods, getShippingRate } from './rate-operations.ts'
import { uniorderRate, uniorderRateBatch } from './uniorder.ts'

/** Carriers: the accounts of businesses, and what shipping costs. */
export const carriersDomain: Domain = {
  name: 'carriers',
  messages: [carrierMessages],
  events: {
    carrier_account: ['CarrierAccountAdded', 'CarrierAccountRemoved'],
    own_fleet: ['OwnFleetBooked'],
  },
  readModels: [carrierAccountModel],
  erasures: ['CarrierAccountRemoved'],
  audited: { CarrierAccountAdded: 'carrier_account_added', CarrierAccountRemoved: 'carrier_account_removed' },
  operations: [
    ...[addCarrierAccount, listCarrierAccounts, testCarrierAccount, removeCarrierAccount],
    ...[getShippingMethods, getShippingRate, compareAllCarriers, uniorderRate, uniorderRateBatch],
  ],
}
