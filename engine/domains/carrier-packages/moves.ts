import type { Moves } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'

/** The statuses of a carrier package. */
export const statuses = {
  advised: 'The carrier has announced it, and it has not come to the warehouse yet.',
  listed: 'It lies in the warehouse, on the list of what is to be distributed.',
  ordered: 'It is on a distribution order, and has not left yet.',
  in_transit: 'It is on the truck.',
  delivered: 'It was handed over at its location.',
  shelved: 'It lies in a compartment or on a shelf, for its recipient.',
} as const

/** The same operation takes a package off its order for either reason. */
const takenOff = {
  unlists: ['order_id', 'loaded_at'],
  call: {
    operation: 'remove_carrier_package',
    verb: 'remove',
    by: staff,
    summary:
      'Take a package off its distribution order before it leaves, or as the order was cancelled; it is listed again.',
  },
  webhook: {
    event: 'carrier_package.distribution.removed',
    summary: 'A package was taken off its order, or the order was cancelled; it is on the list of its warehouse again.',
  },
} as const

/** The moves of a carrier package. */
export const moves = {
  advise: {
    from: 'nothing',
    to: 'advised',
    event: 'CarrierPackageAdvised',
    call: {
      operation: 'advise_carrier_package',
      summary:
        'Announce that a carrier will bring a package to a warehouse, to be distributed from there to a location.',
      by: [...staff, 'provider'],
      errors: ['provider_required', 'provider_not_found'],
    },
  },
  receive: {
    from: ['advised'],
    to: 'listed',
    event: 'CarrierPackageReceived',
    call: {
      operation: 'receive_carrier_package',
      verb: 'receive',
      by: staff,
      summary: 'Record that a package has come to a warehouse; it is then on the list of what is to be distributed.',
    },
  },
  distribute: {
    from: ['listed'],
    to: 'ordered',
    event: 'CarrierPackageDistributed',
    call: {
      operation: 'distribute_carrier_package',
      verb: 'distribute',
      by: staff,
      summary: 'Put a package on a distribution order to its location, which is an order of the business.',
      errors: ['order_not_found'],
    },
    webhook: {
      event: 'carrier_package.distribution.created',
      summary: 'A package was put on a distribution order to its location.',
    },
  },
  load: {
    from: ['ordered'],
    to: 'in_transit',
    event: 'CarrierPackageLoaded',
    call: {
      operation: 'load_carrier_package',
      verb: 'load',
      by: staff,
      summary: 'Record that a package was scanned onto the truck at its warehouse.',
    },
    webhook: {
      event: 'carrier_package.distribution.loaded',
      summary: 'A package was scanned onto the truck at its warehouse.',
    },
  },
  deliver: {
    from: ['in_transit'],
    to: 'delivered',
    event: 'CarrierPackageHandedOver',
    call: {
      operation: 'deliver_carrier_package',
      verb: 'deliver',
      by: staff,
      summary: 'Record that the driver has handed a package over at its location, where it is still to be shelved.',
    },
    webhook: {
      event: 'carrier_package.distribution.delivered',
      summary: 'The driver has handed a package over at its location.',
    },
  },
  shelve: {
    from: ['delivered'],
    to: 'shelved',
    event: 'CarrierPackageShelved',
    call: {
      operation: 'shelve_carrier_package',
      verb: 'shelve',
      by: staff,
      summary: 'Record that a package lies in a compartment of a locker or on a shelf, for its recipient.',
    },
    webhook: {
      event: 'carrier_package.distribution.shelved',
      summary: 'A package lies in a compartment or on a shelf, for its recipient.',
    },
  },
  remove: {
    from: ['ordered'],
    to: 'listed',
    event: 'CarrierPackageTakenOff',
    says: { reason: 'removed' },
    ...takenOff,
  },
  cancel_order: {
    from: ['ordered', 'in_transit'],
    to: 'listed',
    event: 'CarrierPackageTakenOff',
    says: { reason: 'cancelled' },
    ...takenOff,
  },
  erase: {
    from: 'any',
    event: 'CarrierPackagePersonalDataErased',
    erases: true,
    call: {
      operation: 'erase_carrier_package',
      verb: 'erase',
      by: ['client_admin'],
      risk: 'high',
      summary: 'Erase the personal data of a package for good: the member number of its recipient.',
    },
  },
} as const satisfies Moves<keyof typeof statuses>
