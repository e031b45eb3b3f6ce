import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { type Party, partnerOf, partyOf, providerName, staff } from '../../kernel/party.ts'
import { isoOf } from '../../kernel/time.ts'
import { dress } from '../../store/dress.ts'
import { untilUncontended } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { carrierPackageStream, visiblePackage } from './access.ts'
import { carrierPackageModel } from './carrier-package-model.ts'
import { carrierPackages } from './decider.ts'
import type { CarrierPackageAdvised, Location } from './events.ts'
import { carrierPackageIn, carrierPackageOf, carrierPackageRecord, id, line, listedPackageRecord } from './record.ts'
import { carrierPackageStatusNames } from './status.ts'

/** The family of the operations here. */
export const family = { tag: 'Partner Lockers' } as const

/** The member of the path that names a carrier package. */
export const packageId = { package_id: id('Id of the carrier package.') }

/** A warehouse, or a place with lockers or shelves, as it is given. */
export function location(description: string) {
  return v.pipe(
    v.strictObject({
      location_id: v.exactOptional(id('Its number, where it has one.')),
      location_name: line(200, 'Its name.'),
    }),
    v.description(description),
  )
}

/** A location as facts have it. */
export function locationOf({
  location_id,
  location_name,
}: {
  readonly location_id?: number
  readonly location_name: string
}): Location {
  return { location_id: location_id ?? null, location_name }
}

const advice = v.strictObject({
  provider: v.exactOptional(
    v.pipe(providerName, v.description('The carrier; a provider is it itself, and an account has to name it.')),
  ),
  package_number: line(100, 'Number of the package.'),
  carrier_reference: v.exactOptional(line(100, 'What the carrier calls it.')),
  member_number: v.exactOptional(line(100, 'Number of the recipient as a member of the business.')),
  destination: location('Where it is to be collected.'),
})

type Advice = v.InferOutput<typeof advice>

/** Announces a package. */
export const adviseCarrierPackage = operation({
  name: 'advise_carrier_package',
  summary: 'Announce that a carrier will bring a package to a warehouse, to be distributed from there to a location.',
  scopes: ['partner_lockers:write'],
  roles: staff,
  risk: 'medium',
  ...family,
  input: advice,
  output: v.strictObject({ result: v.literal(true), package_id: v.number(), status: v.literal('advised') }),
  errors: ['account_required', 'provider_required', 'provider_not_found'],
  rest: { method: 'POST', path: '/api/v1/carrier-packages' },
  handle: async (context, input) => {
    const party = partyOf(context)
    const provider = await partnerOf(context, party, input.provider)
    return { result: true, package_id: await advise(context, party, provider, input), status: 'advised' }
  },
})

/** Records the announcement together with the number that it takes. */
async function advise(context: Context, { businessId, by }: Party, provider: string, input: Advice): Promise<number> {
  const { package_number, carrier_reference = null, member_number, destination } = input
  return untilUncontended(async () => {
    const { first, append } = await nextNumbers(context, 'carrier_package')
    const data: CarrierPackageAdvised['data'] = {
      at: isoOf(context.clock()),
      by,
      package_id: first,
      business_id: businessId,
      provider,
      package_number,
      carrier_reference,
      destination: locationOf(destination),
      ...(member_number === undefined ? {} : { personal: { member_number } }),
    }
    const events = carrierPackages
      .decide({ type: 'AdvisePackage', data }, carrierPackages.initial())
      .map(dress(context))
    await context.store.appendMany([append, { stream: carrierPackageStream(first), events, expected: 'no-stream' }])
    return first
  })
}

/** Lists carrier packages, newest first. */
export const listCarrierPackages = operation({
  name: 'list_carrier_packages',
  summary:
    'Packages of carriers, or those of the carrier that asks, newest first; listed is what a warehouse has to distribute.',
  scopes: ['partner_lockers:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject({
    status: v.exactOptional(v.picklist(carrierPackageStatusNames)),
    provider: v.exactOptional(
      v.pipe(providerName, v.description('Only those of this carrier; a carrier sees its own whatever it says.')),
    ),
    package_number: v.exactOptional(line(100, 'Only those of this number.')),
    order_id: v.exactOptional(id('Only those on this distribution order.')),
    ...pageEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    carrier_packages: v.array(listedPackageRecord),
  }),
  errors: ['account_required'],
  rest: { method: 'GET', path: '/api/v1/carrier-packages' },
  handle: async (context, { page, per_page, ...wanted }) => {
    const { businessId, provider } = partyOf(context)
    const { range, said } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const where = { ...wanted, business_id: businessId, ...(provider === undefined ? {} : { provider }) }
    const { rows, total } = await context.models.page(carrierPackageModel, { where, ...range, newestFirst: true })
    return { result: true, total, ...said, carrier_packages: rows.map(carrierPackageIn) }
  },
})

/** One carrier package. */
export const getCarrierPackage = operation({
  name: 'get_carrier_package',
  summary: 'One package of a carrier: where it goes, on which order, and where it lies.',
  scopes: ['partner_lockers:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject(packageId),
  output: v.strictObject({ result: v.literal(true), carrier_package: carrierPackageRecord }),
  errors: ['account_required', 'carrier_package_not_found'],
  rest: { method: 'GET', path: '/api/v1/carrier-packages/{package_id}' },
  handle: async (context, { package_id }) => ({
    result: true,
    carrier_package: carrierPackageOf(await visiblePackage(context, package_id)),
  }),
})
