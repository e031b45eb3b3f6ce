import type { Domain } from '../../kernel/domain.ts'
import { carrierPackageModel } from './carrier-package-model.ts'
import {
  deliverCarrierPackage,
  distributeCarrierPackage,
  eraseCarrierPackage,
  loadCarrierPackage,
  receiveCarrierPackage,
  removeCarrierPackage,
  shelveCarrierPackage,
} from './changes.ts'
import { carrierPackageEventTypes } from './events.ts'
import { carrierPackageMessages } from './messages.ts'
import { carrierPackageNoticeSource, carrierPackageNotices } from './notices.ts'
import { adviseCarrierPackage, getCarrierPackage, listCarrierPackages } from './operations.ts'

/** Packages that carriers bring to a warehouse, and that are distributed from there to lockers and shelves. */
export const carrierPackagesDomain: Domain = {
  name: 'carrier-packages',
  messages: [carrierPackageMessages],
  events: { carrier_package: carrierPackageEventTypes },
  operations: [
    adviseCarrierPackage,
    listCarrierPackages,
    getCarrierPackage,
    receiveCarrierPackage,
    distributeCarrierPackage,
    loadCarrierPackage,
    deliverCarrierPackage,
    shelveCarrierPackage,
    removeCarrierPackage,
    eraseCarrierPackage,
  ],
  readModels: [carrierPackageModel],
  erasures: ['CarrierPackagePersonalDataErased'],
  notices: carrierPackageNotices,
  noticeSources: [carrierPackageNoticeSource],
}
