import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { commandStamp, type Party, partyOf, providerName, requirePartner, staff } from '../../kernel/party.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { lockerDeliveryStream, visibleDelivery } from './access.ts'
import { hashOfCode } from './code.ts'
import { lockerDeliveries } from './decider.ts'
import type { LockerDeliveryCreated } from './events.ts'
import { deliveryId, distinctBy, id, instant, line, maxParcels, parcelEntries, utcOf } from './input.ts'
import { lockerDeliveryModel } from './locker-delivery-model.ts'
import {
  compartmentEntries,
  compartmentOf,
  failedParcelRecord,
  listedDeliveryRecord,
  lockerDeliveryIn,
  lockerDeliveryOf,
  lockerDeliveryRecord,
} from './record.ts'
import { lockerDeliveryStatusNames } from './status.ts'

/** The family of the operations here. */
export const family = { tag: 'Partner Lockers' } as const

const correctionMinutes = 15

const announcement = v.strictObject({
  provider: v.exactOptional(
    v.pipe(providerName, v.description('The partner; a provider is it itself, and an account has to name it.')),
  ),
  parcels: v.pipe(
    v.array(v.strictObject(parcelEntries)),
    v.minLength(1),
    v.maxLength(maxParcels),
    distinctBy('reference_number'),
  ),
  device_id: id('Id of the locker.'),
  device_name: line(200, 'Name of the locker.'),
  order_id: v.exactOptional(id('The order of the business that it belongs to.')),
  access_code: v.pipe(
    v.string(),
    v.regex(/^[0-9A-Za-z]{4,20}$/),
    v.description('What the courier types at the locker: letters and digits. Only a keyed hash of it is kept.'),
  ),
  delivery_expires_at: instant('Until when the courier’s code can be used.'),
  pickup_expires_at: instant('Until when a deposit can be collected; after delivery_expires_at.'),
  correction_minutes: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(1440),
      v.description(
        `How long after the first confirmation doors can be opened again; ${correctionMinutes} where absent.`,
      ),
    ),
  ),
  mock: v.exactOptional(
    v.pipe(v.boolean(), v.description('Whether the cabinet is a mock one: its events are those of the sandbox.')),
  ),
})

type Announced = v.InferOutput<typeof announcement>

/** Announces a delivery into a locker. */
export const createLockerDelivery = operation({
  name: 'create_locker_delivery',
  summary: 'Announce that a partner will deliver parcels into a locker.',
  scopes: ['partner_lockers:write'],
  roles: staff,
  risk: 'medium',
  ...family,
  input: announcement,
  output: v.strictObject({ result: v.literal(true), delivery_id: v.number(), status: v.literal('pending') }),
  errors: ['account_required', 'provider_required', 'provider_not_found', 'order_not_found', 'expiry_too_early'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries' },
  handle: async (context, input) => {
    const party = partyOf(context)
    const provider = await requirePartner(context, party, input.provider)
    if (input.order_id !== undefined) await demandOrder(context, party, input.order_id)
    return { result: true, delivery_id: await create(context, party.businessId, provider, input), status: 'pending' }
  },
})

/** Refuses an order that is not one of the business with `order_not_found`. */
async function demandOrder(context: Context, { businessId }: Party, order: number): Promise<void> {
  if (!(await context.ports.partnerLockers.isOrderOf(context, businessId, order)))
    throw new EngineError('order_not_found', { order })
}

/** Records the announcement together with the number that it takes. */
async function create(context: Context, businessId: number, provider: string, input: Announced): Promise<number> {
  const { access_code, delivery_expires_at, pickup_expires_at, correction_minutes, mock = false, ...rest } = input
  return retryOnConflict(async () => {
    const { first, append } = await nextNumbers(context, 'locker_delivery')
    const data: LockerDeliveryCreated['data'] = {
      ...commandStamp(context),
      ...rest,
      delivery_id: first,
      business_id: businessId,
      provider,
      mock,
      delivery_expires_at: utcOf(delivery_expires_at),
      pickup_expires_at: utcOf(pickup_expires_at),
      correction_minutes: correction_minutes ?? correctionMinutes,
      access_code_hash: hashOfCode(context, first, 'access', access_code),
    }
    const facts = lockerDeliveries.decide({ type: 'CreateLockerDelivery', data }, lockerDeliveries.initial())
    const events = facts.map(toNewEvent(context))
    await context.store.appendMany([append, { stream: lockerDeliveryStream(first), events, expected: 'no-stream' }])
    return first
  })
}

/** Lists locker deliveries, newest first. */
export const listLockerDeliveries = operation({
  name: 'list_locker_deliveries',
  summary: 'Locker deliveries of the partners of the business, or those of the partner that asks, newest first.',
  scopes: ['partner_lockers:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject({
    status: v.exactOptional(v.picklist(lockerDeliveryStatusNames)),
    provider: v.exactOptional(
      v.pipe(providerName, v.description('Only those of this partner; a partner sees its own whatever it says.')),
    ),
    device_id: v.exactOptional(id('Only those into this locker.')),
    order_id: v.exactOptional(id('Only those of this order.')),
    ...pageEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    locker_deliveries: v.array(listedDeliveryRecord),
  }),
  errors: ['account_required'],
  rest: { method: 'GET', path: '/api/v1/partner-lockers/deliveries' },
  handle: async (context, { page, per_page, ...wanted }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const where = { ...wanted, ...seenBy(partyOf(context)) }
    const { rows, total } = await context.models.page(lockerDeliveryModel, { where, ...range, newestFirst: true })
    return { result: true, total, ...paging, locker_deliveries: rows.map(lockerDeliveryIn) }
  },
})

/** The cells of what a party may see. */
export function seenBy({ businessId, provider }: Party): { readonly business_id: number; readonly provider?: string } {
  return { business_id: businessId, ...(provider === undefined ? {} : { provider }) }
}

/** One locker delivery. */
export const getLockerDelivery = operation({
  name: 'get_locker_delivery',
  summary: 'One locker delivery with its compartments and, where it failed, why. No code is told here.',
  scopes: ['partner_lockers:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject(deliveryId),
  output: v.strictObject({
    result: v.literal(true),
    locker_delivery: lockerDeliveryRecord,
    compartments: v.pipe(
      v.array(v.strictObject({ ...compartmentEntries, is_open: v.boolean() })),
      v.description('Those that were opened for it, and whether their doors were reported closed since.'),
    ),
    packages: v.pipe(v.array(failedParcelRecord), v.description('The parcels of a delivery that failed.')),
  }),
  errors: ['account_required', 'locker_delivery_not_found'],
  rest: { method: 'GET', path: '/api/v1/partner-lockers/deliveries/{delivery_id}' },
  handle: async (context, { delivery_id }) => {
    const delivery = await visibleDelivery(context, delivery_id)
    return {
      result: true,
      locker_delivery: lockerDeliveryOf(delivery),
      compartments: delivery.compartments.map((one) => ({ ...compartmentOf(one), is_open: one.isOpen })),
      packages: delivery.failed,
    }
  },
})
