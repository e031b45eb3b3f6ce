import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { partyOf, staff } from '../../kernel/party.ts'
import { carryOut, given } from './access.ts'
import { family, location, locationOf, packageId } from './operations.ts'
import { id, line } from './record.ts'
import type { CarrierPackage } from './state.ts'
import { carrierPackageStatusNames, removalReasons } from './status.ts'

const change = { scopes: ['partner_lockers:write'], roles: staff, risk: 'medium', ...family } as const

const refusals = ['account_required', 'carrier_package_not_found', 'carrier_package_status_forbids'] as const

const output = v.strictObject({
  result: v.literal(true),
  package_id: v.number(),
  status: v.picklist(carrierPackageStatusNames),
})

function changed({ id: package_id, status }: CarrierPackage) {
  return { result: true, package_id, status }
}

/** Takes it in at a warehouse. */
export const receiveCarrierPackage = operation({
  name: 'receive_carrier_package',
  summary: 'Record that a package has come to a warehouse; it is then on the list of what is to be distributed.',
  ...change,
  input: v.strictObject({ ...packageId, origin: location('The warehouse.') }),
  output,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/receive' },
  handle: async (context, { package_id, origin }) => {
    const command = { type: 'ReceivePackage', ...given(context), origin: locationOf(origin) } as const
    return changed(await carryOut(context, package_id, command))
  },
})

/** Puts it on a distribution order. */
export const distributeCarrierPackage = operation({
  name: 'distribute_carrier_package',
  summary: 'Put a package on a distribution order to its location, which is an order of the business.',
  ...change,
  input: v.strictObject({
    ...packageId,
    order_id: id('Id of the distribution order.'),
    order_ref: v.exactOptional(line(100, 'What the business calls it.')),
  }),
  output,
  errors: [...refusals, 'order_not_found'],
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/distribute' },
  handle: async (context, { package_id, order_id, order_ref = null }) => {
    const command = { type: 'DistributePackage', ...given(context), order_id, order_ref } as const
    const { businessId } = partyOf(context)
    if (!(await context.ports.carrierPackages.isOrderOf(context, businessId, order_id)))
      throw new EngineError('order_not_found', { order: order_id })
    return changed(await carryOut(context, package_id, command))
  },
})

/** Loads it. */
export const loadCarrierPackage = operation({
  name: 'load_carrier_package',
  summary: 'Record that a package was scanned onto the truck at its warehouse.',
  ...change,
  input: v.strictObject(packageId),
  output,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/load' },
  handle: async (context, { package_id }) =>
    changed(await carryOut(context, package_id, { type: 'LoadPackage', ...given(context) })),
})

/** Hands it over at its location. */
export const deliverCarrierPackage = operation({
  name: 'deliver_carrier_package',
  summary: 'Record that the driver has handed a package over at its location, where it is still to be shelved.',
  ...change,
  input: v.strictObject(packageId),
  output,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/deliver' },
  handle: async (context, { package_id }) =>
    changed(await carryOut(context, package_id, { type: 'HandOverPackage', ...given(context) })),
})

const gridEntries = {
  grid_id: id('Id of the compartment.'),
  grid_code: line(50, 'Label of the compartment.'),
}

/** Puts it where its recipient finds it. */
export const shelveCarrierPackage = operation({
  name: 'shelve_carrier_package',
  summary: 'Record that a package lies in a compartment of a locker or on a shelf, for its recipient.',
  ...change,
  input: v.strictObject({
    ...packageId,
    location: v.union([
      v.strictObject({ ...gridEntries, shelf_code: v.exactOptional(line(50, 'Label of the column or cabinet.')) }),
      v.strictObject({ shelf_code: line(50, 'Label of the shelf.') }),
    ]),
  }),
  output,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/shelve' },
  handle: async (context, { package_id, location: place }) => {
    const nowhere = { grid_id: null, grid_code: null, shelf_code: null }
    const command = { type: 'ShelvePackage', ...given(context), location: { ...nowhere, ...place } } as const
    return changed(await carryOut(context, package_id, command))
  },
})

/** Takes it off its order. */
export const removeCarrierPackage = operation({
  name: 'remove_carrier_package',
  summary:
    'Take a package off its distribution order before it leaves, or as the order was cancelled; it is listed again.',
  ...change,
  input: v.strictObject({
    ...packageId,
    reason: v.pipe(
      v.picklist(removalReasons),
      v.description('removed before it left; cancelled with its order, from the truck too.'),
    ),
  }),
  output,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/remove' },
  handle: async (context, { package_id, reason }) =>
    changed(await carryOut(context, package_id, { type: 'TakePackageOff', ...given(context), reason })),
})

/** Erases what it tells of people, for good. */
export const eraseCarrierPackage = operation({
  name: 'erase_carrier_package',
  summary: 'Erase for good what a package tells of people: the member number of its recipient.',
  ...change,
  risk: 'high',
  roles: ['client_admin'],
  input: v.strictObject(packageId),
  output,
  errors: ['account_required', 'carrier_package_not_found', 'erasure_unfinished'],
  rest: { method: 'POST', path: '/api/v1/carrier-packages/{package_id}/erase' },
  handle: async (context, { package_id }) =>
    changed(await carryOut(context, package_id, { type: 'ErasePackage', ...given(context) })),
})
