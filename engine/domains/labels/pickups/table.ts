import * as v from 'valibot'
import type { Entity, Fields } from '../../../entity/field.ts'
import { ownedByCells } from '../../../entity/list.ts'
import { staff } from '../../../kernel/account.ts'
import { accountOf } from '../../../kernel/call.ts'
import { type CarrierPickup, carrierPickup, pickupPlace } from '../../../kernel/carrier.ts'
import { recordedAmount } from '../../../kernel/money.ts'
import { id, instant, recordedInstant, word } from '../../../kernel/schemas.ts'
import { isoOf } from '../../../kernel/time.ts'
import { askingFields, askingMoves, hidden, refusalFields, shown } from '../carrier-request.ts'
import { labelId } from '../label.ts'
import { labelIds, maxLabels } from '../named.ts'

/** The statuses of a pickup, and what each means. */
const statuses = {
  PICKUP_PENDING: 'The carrier is yet to answer whether it comes.',
  PICKUP_BOOKED: 'The driver comes.',
  PICKUP_FAILED: 'The carrier does not come.',
  PICKUP_CANCEL_PENDING: 'The pickup is to be called off; the carrier is yet to answer.',
  PICKUP_CANCELLED: 'The pickup was called off.',
} as const

const moves = {
  request: {
    from: 'nothing',
    to: 'PICKUP_PENDING',
    event: 'PickupAsked',
    call: {
      operation: 'request_pickup',
      summary: `Have the carrier of up to ${maxLabels} labels pick them up: when, where, and whom to ask there. Carriers may charge for it.`,
      by: staff,
      risk: 'high',
      errors: [
        ...(['label_not_found', 'label_status_forbids', 'label_in_pickup'] as const),
        ...(['labels_of_several_accounts', 'carrier_without_pickups'] as const),
        ...(['ends_before_start', 'pickup_of_one_day', 'already_over'] as const),
        ...(['carrier_account_not_found', 'contention'] as const),
      ],
    },
  },
  ...askingMoves('Pickup', ['PICKUP_PENDING', 'PICKUP_CANCEL_PENDING']),
  book: { from: ['PICKUP_PENDING'], ignoredIn: 'others', to: 'PICKUP_BOOKED', event: 'PickupBooked' },
  fail: { from: ['PICKUP_PENDING'], ignoredIn: 'others', to: 'PICKUP_FAILED', event: 'PickupFailed' },
  cancel: {
    from: ['PICKUP_BOOKED'],
    ignoredIn: ['PICKUP_CANCEL_PENDING', 'PICKUP_CANCELLED'],
    to: 'PICKUP_CANCEL_PENDING',
    event: 'PickupCancelAsked',
    call: {
      operation: 'cancel_pickup',
      verb: 'cancel',
      summary: 'Call off a pickup of labels. Refused with the reason of the carrier once its driver is on the way.',
      by: staff,
      risk: 'high',
      errors: ['carrier_refused', 'contention'],
    },
  },
  confirm_cancel: {
    from: ['PICKUP_CANCEL_PENDING'],
    ignoredIn: 'others',
    to: 'PICKUP_CANCELLED',
    event: 'PickupCancelled',
  },
  refuse_cancel: {
    from: ['PICKUP_CANCEL_PENDING'],
    ignoredIn: 'others',
    to: 'PICKUP_BOOKED',
    event: 'PickupCancelRefused',
  },
  // While the carrier is yet to answer, it is asked again for the same labels: `leave` is then refused.
  leave: {
    from: ['PICKUP_PENDING', 'PICKUP_BOOKED', 'PICKUP_CANCEL_PENDING'],
    ignoredIn: 'others',
    event: 'PickupLabelLeft',
  },
  come_back: { from: ['PICKUP_BOOKED', 'PICKUP_CANCEL_PENDING'], ignoredIn: 'others', event: 'PickupLabelBack' },
  // A request that waits for its carrier needs the address.
  forget: { from: ['PICKUP_BOOKED', 'PICKUP_FAILED', 'PICKUP_CANCELLED'], event: 'PickupForgotten', erases: true },
} as const

const begins = ['request', 'cancel'] as const
const refuses = ['fail', 'refuse_cancel'] as const

/** An instant that is given with any offset, and recorded in UTC. */
const given = { type: instant, stored: (input: string) => isoOf(Date.parse(input)) } as const

const fields = {
  pickup_id: {
    ...shown,
    about: 'Id of the pickup.',
    type: id,
    example: 1,
    set: { request: 'engine', '*': 'repeated' },
    listed: 'column',
  },
  business_id: {
    ...hidden,
    about: 'Id of the business that has the labels.',
    type: id,
    example: 1,
    set: { request: 'engine', '*': 'repeated' },
    listed: 'key',
  },
  asked_by: {
    ...hidden,
    about: 'Id of the account that asked for it.',
    type: id,
    example: 7,
    set: { request: { of: ({ by }: { readonly by: number }) => by } },
  },
  key: {
    ...hidden,
    about: 'Names the request to the carrier. It is random, so that it is never that of another history.',
    type: v.string(),
    example: '0a1b2c3d-0000-4000-8000-000000000000',
    set: { request: 'engine' },
  },
  status: {
    ...shown,
    about: 'Status of the pickup. In PICKUP_PENDING and PICKUP_CANCEL_PENDING, the carrier is yet to answer.',
    type: v.picklist(Object.keys(statuses)),
    example: 'PICKUP_BOOKED',
    set: {},
    listed: 'filter',
  },
  carrier_account_id: {
    ...shown,
    about: 'Id of the account at the carrier.',
    type: id,
    example: 1,
    set: { request: 'engine' },
    listed: 'filter',
    names: 'filter',
  },
  carrier: {
    ...shown,
    about: 'Name of the carrier in this interface, as sandbox.',
    type: v.string(),
    example: 'acme',
    set: { request: 'engine' },
  },
  order_ids: {
    ...shown,
    about:
      'Ids of label orders that are bought or submitted, of one account at a carrier, and in no other pickup; those that are voided leave it.',
    type: v.array(id),
    input: { type: labelIds, stored: (ids: readonly number[]) => ids },
    example: [1, 2],
    set: {
      request: 'required',
      leave: {
        of: (
          { order_id: left }: { readonly order_id: number },
          { order_ids }: { readonly order_ids: readonly number[] },
        ) => order_ids.filter((one) => one !== left),
      },
      come_back: {
        of: (
          { order_id: back }: { readonly order_id: number },
          { order_ids }: { readonly order_ids: readonly number[] },
        ) => [...order_ids, back],
      },
    },
    names: labelId,
  },
  order_id: {
    ...hidden,
    about: 'Id of the label order that leaves the pickup, or comes back into it.',
    type: id,
    example: 1,
    set: { leave: 'engine', come_back: 'engine' },
  },
  ready_at: {
    ...shown,
    about: 'From when on the parcels are ready, in the time zone of the business.',
    type: recordedInstant,
    input: given,
    example: '2026-06-11T13:00:00.000Z',
    set: { request: 'required' },
  },
  closes_at: {
    ...shown,
    about: 'Until when somebody is there; on the same day in the time zone of the business.',
    type: recordedInstant,
    input: given,
    example: '2026-06-11T21:00:00.000Z',
    set: { request: 'required' },
  },
  time_zone: {
    ...hidden,
    about: 'Time zone of the business: IANA name.',
    type: v.string(),
    example: 'America/Toronto',
    set: { request: 'engine' },
  },
  pickup: {
    ...hidden,
    about: 'What the carrier has booked.',
    type: carrierPickup,
    example: { reference: 'P-1' },
    set: { book: 'engine' },
  },
  confirmation_number: {
    ...shown,
    about: 'The number that the driver knows.',
    type: v.string(),
    example: 'C1',
    set: {},
    of: ({ pickup }: { readonly pickup?: CarrierPickup }) => pickup?.confirmation_number,
  },
  pickup_reference: {
    ...shown,
    about: 'What the carrier calls it.',
    type: v.string(),
    example: 'P-1',
    set: {},
    of: ({ pickup }: { readonly pickup?: CarrierPickup }) => pickup?.reference,
  },
  currency: {
    ...shown,
    about: 'Currency of the price: ISO 4217.',
    type: v.string(),
    example: 'CAD',
    set: {},
    price: 'label_service',
    of: ({ pickup }: { readonly pickup?: CarrierPickup }) => pickup?.charge?.currency,
  },
  total_price: {
    ...shown,
    about: 'What the carrier takes, where it says so: decimal text.',
    type: v.string(),
    example: '12.50',
    set: {},
    price: 'label_service',
    of: ({ pickup }: { readonly pickup?: CarrierPickup }) =>
      pickup?.charge && recordedAmount(pickup.charge.amount, pickup.charge.currency),
  },
  ...refusalFields('Why the carrier does not come, or the last time was not called off.', ['cancel'], refuses),
  ...askingFields({ begins, ends: ['book', 'confirm_cancel', ...refuses] }),
  asked_at: {
    ...shown,
    about: 'When it was asked for: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:00.000Z',
    set: { request: 'now' },
  },
  place: {
    ...shown,
    about: 'Where the driver comes, and whom to ask there. It is missing once it was erased.',
    type: pickupPlace,
    example: { name: 'Acme', phone: '+14165550100', street: '1 Main Street', country: 'CA' },
    set: { request: 'required' },
    personal: true,
    beside: true,
  },
  instruction: {
    ...shown,
    about: 'What the driver is to know.',
    type: word(200),
    example: 'Ring twice.',
    set: { request: 'optional' },
    personal: true,
    beside: true,
  },
  location: {
    ...shown,
    about: 'Where the parcels are, as “behind the front desk”.',
    type: word(100),
    example: 'Dock 4',
    set: { request: 'optional' },
    personal: true,
    beside: true,
  },
} as const satisfies Fields<keyof typeof moves>

/** A pickup of labels: their carrier is asked to come for them. */
export const pickup = {
  category: 'pickup',
  noun: 'pickup',
  id: 'pickup_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  readers: staff,
  access: ownedByCells((context) => ({ business_id: accountOf(context).business.id })),
  refusals: { missing: 'pickup_not_found', forbidden: 'pickup_status_forbids', param: 'pickup' },
  listVersion: 2,
  indexes: [['is_waiting'], ['business_id'], ['carrier_account_id', 'is_waiting']],
  groups: { refusal: 'Why the carrier does not come, or the last time was not called off.' },
  api: {
    tag: 'LabelService',
    path: '/api/v1/labelservice/pickups',
    many: 'pickups',
    read: { scope: 'labels:read', by: staff },
    write: { scope: 'labels:write' },
    list: {
      operation: 'list_pickups',
      summary: 'The pickups of labels of the business, newest first.',
      shows: 'records',
    },
    get: {
      operation: 'get_pickup',
      summary: 'A pickup of labels: its status, the number of the carrier, and where the driver comes.',
    },
  },
} as const satisfies Entity
