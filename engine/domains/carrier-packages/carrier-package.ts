import * as v from 'valibot'
import { businessCallerOf, idFrom, ofBusinessAndProvider } from '../../entity/access.ts'
import { type Entity, everybody, type Fields, nobody } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'
import { named } from '../../kernel/named.ts'
import { id, recordedInstant as instant, number, providerName, word } from '../../kernel/schemas.ts'
import { moves, statuses } from './moves.ts'

/** The decisions that hold for most fields: neither personal nor a price, and shown to everybody who may see the package. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'all',
  setBy: everybody,
  shownTo: everybody,
} as const

/** A warehouse, or a place with lockers or shelves. */
const location = named(
  'StorageLocation',
  v.strictObject({
    location_id: v.pipe(v.nullable(number), v.description('Its number, where it has one.')),
    location_name: v.pipe(word(200), v.description('Its name.')),
  }),
)

/** The input of a location; `location_id` is left out if it has no number. */
const locationInput = {
  type: v.strictObject({
    location_id: v.exactOptional(v.pipe(number, v.description('Its number, where it has one.'))),
    location_name: v.pipe(word(200), v.description('Its name.')),
  }),
  stored: (input: object) => ({ location_id: null, ...input }),
}

const compartment = {
  grid_id: v.pipe(number, v.description('Id of the compartment.')),
  grid_code: v.pipe(word(50), v.description('Label of the compartment.')),
}

const column = v.exactOptional(v.pipe(word(50), v.description('Label of the column or cabinet.')))

/** The input of a place: a compartment or a shelf. */
const placeInput = {
  type: v.union([
    named('Compartment', v.strictObject({ ...compartment, shelf_code: column })),
    named('Shelf', v.strictObject({ shelf_code: v.pipe(word(50), v.description('Label of the shelf.')) })),
  ]),
  stored: (input: object) => ({ grid_id: null, grid_code: null, shelf_code: null, ...input }),
}

const orderOfBusiness = idFrom('order', 'order_not_found', (context, order) =>
  context.ports.carrierPackages.isOrderOf(context, businessCallerOf(context).businessId, order),
)

const fields = {
  package_id: {
    ...shown,
    about: 'Id of the carrier package.',
    type: id,
    example: 5,
    set: { advise: 'engine' },
    listed: 'column',
  },
  business_id: {
    ...shown,
    about: 'Id of the business that distributes it.',
    type: id,
    example: 1,
    set: { advise: 'engine' },
    listed: 'key',
    shownTo: nobody,
    webhooks: 'none',
  },
  provider: {
    ...shown,
    about: 'Name of the carrier’s provider account. A carrier leaves it out, or gives its own.',
    type: providerName,
    example: 'acme',
    set: { advise: 'defaulted' },
    listed: 'filter',
  },
  status: {
    ...shown,
    about: 'Status of the package.',
    type: v.picklist(Object.keys(statuses)),
    example: 'ordered',
    set: {},
    listed: 'filter',
  },
  package_number: {
    ...shown,
    about: 'Number of the package.',
    type: word(100),
    example: 'PK-5',
    set: { advise: 'required' },
    listed: 'filter',
  },
  carrier_reference: {
    ...shown,
    about: 'Reference of the carrier.',
    type: word(100),
    example: 'AC-5',
    set: { advise: 'optional' },
    listed: 'column',
  },
  member_number: {
    ...shown,
    about: 'Member number of the recipient. It is missing once it was erased.',
    type: word(100),
    example: 'M-1001',
    set: { advise: 'optional' },
    personal: true,
  },
  order_id: {
    ...shown,
    about: 'Id of the distribution order.',
    type: id,
    example: 42,
    set: { distribute: 'required' },
    names: orderOfBusiness,
    listed: 'filter',
    shownAs: 'distribution_order.order_id',
  },
  order_ref: {
    ...shown,
    about: 'Reference of the business for the distribution order.',
    type: word(100),
    example: 'DIST-42',
    set: { distribute: 'optional' },
    shownAs: 'distribution_order.order_ref',
  },
  order_status: {
    ...shown,
    about: 'Status of the distribution order, as far as the package shows it.',
    type: v.picklist(['created', 'in_transit', 'delivered', 'cancelled']),
    example: 'created',
    set: {
      distribute: { is: 'created' },
      load: { is: 'in_transit' },
      deliver: { is: 'delivered' },
      cancel_order: { is: 'cancelled' },
    },
    shownAs: 'distribution_order.status',
  },
  origin: {
    ...shown,
    about: 'Warehouse that the package came to.',
    type: location,
    input: locationInput,
    example: { location_id: 1, location_name: 'Warehouse North' },
    set: { receive: 'required' },
  },
  destination: {
    ...shown,
    about: 'Where the recipient collects the package.',
    type: location,
    input: locationInput,
    example: { location_id: 9, location_name: 'Locker Main St' },
    set: { advise: 'required' },
  },
  distribution_status: {
    ...shown,
    about: 'Status of the distribution; shelving does not change it.',
    type: v.picklist(['created', 'in_transit', 'delivered', 'removed']),
    example: 'created',
    set: {
      distribute: { is: 'created' },
      load: { is: 'in_transit' },
      deliver: { is: 'delivered' },
      remove: { is: 'removed' },
      cancel_order: { is: 'removed' },
    },
    shownAs: 'distribution.status',
  },
  reason: {
    ...shown,
    about: 'Why the package is no longer on its order.',
    type: v.picklist(['removed', 'cancelled']),
    example: 'removed',
    set: { distribute: 'cleared', remove: 'engine', cancel_order: 'engine' },
    shownAs: 'distribution.reason',
  },
  loaded_at: {
    ...shown,
    about: 'When the package was loaded: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T08:00:00.000Z',
    set: { distribute: 'cleared', load: 'now' },
    listed: 'column',
    shownAs: 'distribution.loaded_at',
  },
  delivered_at: {
    ...shown,
    about: 'When the package was handed over: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T10:00:00.000Z',
    set: { distribute: 'cleared', deliver: 'now' },
    listed: 'column',
    shownAs: 'distribution.delivered_at',
  },
  location: {
    ...shown,
    about: 'Where the package lies for its recipient.',
    type: v.strictObject({
      grid_id: v.nullable(id),
      grid_code: v.nullable(word(50)),
      shelf_code: v.nullable(word(50)),
    }),
    input: placeInput,
    example: { grid_id: 31, grid_code: 'A-07', shelf_code: 'A' },
    set: { shelve: 'required' },
  },
} as const satisfies Fields<keyof typeof moves>

/** A package that a carrier brings to a warehouse, and that is distributed from there to a locker or a shelf. */
export const carrierPackage = {
  category: 'carrier_package',
  noun: 'carrier package',
  id: 'package_id',
  statuses,
  moves,
  fields,
  missing: 'null',
  access: ofBusinessAndProvider,
  listVersion: 2,
  refusals: {
    missing: 'carrier_package_not_found',
    forbidden: 'carrier_package_status_forbids',
    param: 'package',
  },
  indexes: [
    ['business_id', 'status'],
    ['business_id', 'package_number'],
  ],
  groups: {
    distribution_order: 'The last order that the package was put on.',
    distribution: 'Progress of the package on that order.',
  },
  api: {
    tag: 'Partner Lockers',
    path: '/api/v1/carrier-packages',
    one: 'carrier_package',
    many: 'carrier_packages',
    read: { scope: 'partner_lockers:read', by: [...staff, 'provider'] },
    write: { scope: 'partner_lockers:write' },
    list: {
      operation: 'list_carrier_packages',
      summary:
        'Packages of carriers, or those of the carrier that asks, newest first; listed is what a warehouse has to distribute.',
    },
    get: {
      operation: 'get_carrier_package',
      summary: 'One package of a carrier: where it goes, on which order, and where it lies.',
    },
  },
} as const satisfies Entity
