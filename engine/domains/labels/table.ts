import * as v from 'valibot'
import type { Entity, Fields } from '../../entity/field.ts'
import { ownedByCells } from '../../entity/list.ts'
import { type Payments, payingFields, payingMoves } from '../../entity/paying.ts'
import { type Role, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { bookedEntries, type CarrierLabel, carrierLabel } from '../../kernel/carrier.ts'
import { carrierReport } from '../../kernel/carrier-report.ts'
import { customs, customsItem } from '../../kernel/customs.ts'
import { type Exchange, exchange } from '../../kernel/exchange.ts'
import { customsDocument, labelDocument } from '../../kernel/label-documents.ts'
import { convertedAmount, differenceOf, recordedAmount } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { orderStatusNames } from '../../kernel/order-status.ts'
import { bareParcel } from '../../kernel/parcel.ts'
import type { Bill } from '../../kernel/payable.ts'
import { id, recordedInstant, word } from '../../kernel/schemas.ts'
import { askingFields, askingMoves, hidden, refusalFields, shown as shownToStaff } from './carrier-request.ts'

/** Who sees labels: staff those of the business, a customer those that it has bought. */
export const labelReaders: readonly Role[] = [...staff, 'customer']

const shown = { ...shownToStaff, shownTo: labelReaders } as const

/** The statuses of a label, and what each means. */
const statuses = {
  LABEL_PENDING: 'The carrier is yet to sell the label.',
  LABEL_PURCHASED: 'The label is bought.',
  LABEL_PURCHASE_FAILED: 'The carrier did not sell the label.',
  LABEL_CANCELLED: 'The carrier did not sell the label, and it is not wanted any more.',
  LABEL_VOID_PENDING: 'The label is to be voided; the carrier is yet to answer.',
  LABEL_VOIDED: 'The carrier took the label back.',
  LABEL_SUBMIT_PENDING: 'The label is part of a manifest that the carrier is yet to close.',
  LABEL_SUBMITTED: 'The carrier has closed the manifest of the label.',
} as const

const statusNames = Object.keys(statuses) as readonly (keyof typeof statuses)[]

/** The statuses in which it can be paid. */
const payable = [
  ...(['LABEL_PENDING', 'LABEL_PURCHASED', 'LABEL_PURCHASE_FAILED'] as const),
  ...(['LABEL_SUBMIT_PENDING', 'LABEL_SUBMITTED'] as const),
]

const moves = {
  ask: {
    from: 'nothing',
    to: 'LABEL_PENDING',
    event: 'LabelAsked',
    call: {
      operation: 'quote_and_ship',
      summary: 'Ask every carrier for rates, choose one of them by a strategy, and buy its label.',
      by: labelReaders,
      errors: ['no_shipping_rate', 'customs_required', 'carrier_account_not_found', 'customer_not_found', 'contention'],
    },
  },
  ask_again: { from: ['LABEL_PURCHASE_FAILED'], to: 'LABEL_PENDING', event: 'LabelAsked' },
  ...askingMoves('Label', ['LABEL_PENDING', 'LABEL_VOID_PENDING']),
  buy: { from: ['LABEL_PENDING'], ignoredIn: 'others', to: 'LABEL_PURCHASED', event: 'LabelBought' },
  fail: { from: ['LABEL_PENDING'], ignoredIn: 'others', to: 'LABEL_PURCHASE_FAILED', event: 'LabelPurchaseFailed' },
  ask_void: {
    from: ['LABEL_PURCHASED', 'LABEL_PURCHASE_FAILED'],
    ignoredIn: ['LABEL_VOID_PENDING', 'LABEL_VOIDED', 'LABEL_CANCELLED'],
    to: 'LABEL_VOID_PENDING',
    event: 'LabelVoidAsked',
    call: {
      operation: 'cancel_shipping_label',
      summary:
        'Void the label of a label order, and take it out of its pickup; one that could not be bought is cancelled. Refused once the carrier has the parcel or the manifest.',
      by: labelReaders,
      risk: 'high',
      errors: ['label_not_found', 'label_status_forbids', 'label_in_pickup', 'carrier_refused', 'contention'],
    },
  },
  ...payingMoves('Label', { from: payable, family: 'label_service', noun: 'label' }),
  give_up: { from: ['LABEL_PURCHASE_FAILED'], to: 'LABEL_CANCELLED', event: 'LabelGivenUp' },
  void: { from: ['LABEL_VOID_PENDING'], ignoredIn: 'others', to: 'LABEL_VOIDED', event: 'LabelVoided' },
  refuse_void: { from: ['LABEL_VOID_PENDING'], ignoredIn: 'others', to: 'LABEL_PURCHASED', event: 'LabelVoidRefused' },
  ask_manifest: { from: ['LABEL_PURCHASED'], to: 'LABEL_SUBMIT_PENDING', event: 'LabelManifestAsked' },
  submit: { from: ['LABEL_SUBMIT_PENDING'], ignoredIn: 'others', to: 'LABEL_SUBMITTED', event: 'LabelSubmitted' },
  refuse_manifest: {
    from: ['LABEL_SUBMIT_PENDING'],
    ignoredIn: 'others',
    to: 'LABEL_PURCHASED',
    event: 'LabelManifestRefused',
  },
  report: {
    from: ['LABEL_PURCHASED', 'LABEL_VOID_PENDING', 'LABEL_SUBMIT_PENDING', 'LABEL_SUBMITTED'],
    ignoredIn: 'others',
    event: 'LabelReported',
  },
  join_pickup: { from: ['LABEL_PURCHASED', 'LABEL_SUBMITTED'], event: 'LabelPickupAsked' },
  // It goes on in a stream of its new number, so its stream needs the people no more.
  renumber: { from: statusNames, event: 'LabelRenumbered' },
  // A label of an earlier version: lists of orders have it from now on.
  register: { from: statusNames, event: 'LabelRegistered' },
  // A purchase that waits for its carrier needs the addresses.
  forget: { from: statusNames.filter((status) => status !== 'LABEL_PENDING'), event: 'LabelForgotten', erases: true },
} as const

const begins = ['ask', 'ask_again', 'ask_void'] as const
const refuses = ['fail', 'refuse_void'] as const

/** How a label is to be bought, for the first time or again. */
const always = { ask: 'engine', ask_again: 'engine' } as const
const asker = { of: ({ by }: { readonly by: number }) => by } as const
const sometimes = { ask: 'sometimes', ask_again: 'sometimes' } as const

const labelReport = v.strictObject({ ...carrierReport.entries, tracking_number: v.string() })

/** A report of the carrier about a parcel of a label. */
export type LabelReport = v.InferOutput<typeof labelReport>

/** The state of a label, as far as it says how its parcels are: the status of each by its number. */
export interface Reported {
  readonly reported?: Readonly<Record<string, string>> | undefined
}

/** The state of a label, as far as its price follows from it. */
export interface Priced {
  /** Decimal text; a number of hundredths in events of earlier versions. */
  readonly amount: string | number
  readonly currency: string
  readonly exchange?: Exchange | undefined
  readonly label?: Pick<Priced, 'amount' | 'currency'> | undefined
  /** What a customer pays; missing if the business bought it for itself. */
  readonly sell_price?: string | undefined
}

/** The state of a label, as far as it says what was bought. */
export interface Bought {
  readonly label?: Pick<CarrierLabel, 'reference' | 'tracking_numbers'> | undefined
}

/** Why the carrier refused; what it says is for staff, because it may tell of the account of the business. */
const refused = refusalFields(
  'Why the carrier did not sell the label, or the last time did not take it back.',
  ['ask_again', 'ask_void', 'give_up'],
  refuses,
)

const shirts = {
  ...{ description: 'Cotton shirts', quantity: 2, unit_value: '19.90', currency: 'CAD', weight_grams: 180 },
  ...{ hs_code: '610910', origin_country: 'PT' },
}

const party = { name: 'Acme', street: '1 Main Street', country: 'CA' }

const carrierPrice = named(
  'CarrierPrice',
  v.strictObject({
    currency: v.pipe(v.string(), v.description('ISO 4217.')),
    total_price: v.pipe(v.string(), v.description('Decimal text, as 12.50.')),
    exchange_rate: v.pipe(v.string(), v.description('What a unit of this currency costs.')),
    exchange_rate_id: v.number(),
  }),
)

/** What a label costs the business, and what its carrier takes. The rate of exchange is that of the quote, whatever holds today. */
function costOf({ label, exchange: asked, ...quoted }: Priced) {
  const { currency } = label ?? quoted
  const total_price = recordedAmount((label ?? quoted).amount, currency)
  const used = currency === quoted.currency ? asked : undefined
  if (used === undefined) return { currency, total_price, carrier_price: undefined }
  const { to, rate: exchange_rate, exchange_rate_id } = used
  return {
    ...{ currency: to, total_price: convertedAmount(total_price, used) },
    carrier_price: { currency, total_price, exchange_rate, exchange_rate_id },
  }
}

/** What is paid for a label, and for staff what the business has of it: its mark-up is that of the quote, whatever the carrier took. */
function pricesOf({ sell_price, ...costing }: Priced) {
  const cost = costOf(costing)
  if (sell_price === undefined) return { ...cost, cost: undefined, third_party_cost_plus: undefined, margin: undefined }
  const { label: _, ...asked } = costing
  const { currency, total_price: quoted } = costOf(asked)
  const isSame = cost.currency === currency
  return {
    ...{ currency, total_price: sell_price, carrier_price: isSame ? cost.carrier_price : undefined },
    cost: isSame ? cost.total_price : undefined,
    third_party_cost_plus: differenceOf(sell_price, quoted, currency),
    margin: isSame ? differenceOf(sell_price, cost.total_price, currency) : undefined,
  }
}

/** As much of the state of a label as its bill follows from. */
interface Billed extends Priced, Payments {
  readonly status: keyof typeof statuses
  readonly customer_id?: number | undefined
}

/** What the customer of a label is to pay, and has paid; nothing where the business bought it for itself. */
export function billOf(state: Billed): Bill {
  const { customer_id: customerId, status, paid = '0' } = state
  const { currency, total_price: total } = pricesOf(state)
  const isOpen = payable.some((one) => one === status)
  return { customerId, ...(customerId !== undefined && { currency }), total, paid, isOpen }
}

const fields = {
  order_id: {
    ...shown,
    about: 'Id of the label order.',
    type: id,
    example: 1,
    set: { ask: 'engine', '*': 'repeated' },
    listed: 'column',
    shownAs: 'order_id',
  },
  former_id: {
    ...shown,
    about:
      'Its order_id before all orders had numbers of one sequence. Only the operations of labels find it by this one, too.',
    type: id,
    example: 1,
    set: { ask: 'sometimes' },
  },
  registered: {
    ...hidden,
    about: 'Whether its number is one of the sequence of orders; each event of such a label says so.',
    type: v.literal(true),
    example: true,
    set: { ask: 'engine', register: 'engine', '*': 'repeated' },
  },
  row: {
    ...hidden,
    about: 'What lists of orders show of it, from the event that registers it on.',
    type: v.record(v.string(), v.union([v.string(), v.number(), v.null()])),
    example: { state: 'LABEL_PURCHASED' },
    set: { register: 'engine' },
  },
  renumbered_as: {
    ...hidden,
    about: 'The order_id that it has now.',
    type: id,
    example: 205,
    set: { renumber: 'engine' },
  },
  business_id: {
    ...hidden,
    about: 'Id of the business that buys it.',
    type: id,
    example: 1,
    set: { ask: 'engine', '*': 'repeated' },
    listed: 'key',
  },
  asked_by: {
    ...hidden,
    about: 'Id of the account that asked for it.',
    type: id,
    example: 7,
    set: { ask: asker, ask_again: asker },
  },
  asked_at: {
    ...hidden,
    about: 'When it was asked for, the last time: ISO 8601, UTC.',
    type: recordedInstant,
    example: '2026-06-10T10:00:00.000Z',
    set: { ask: 'now', ask_again: 'now' },
  },
  key: {
    ...hidden,
    about: 'Names the purchase to the carrier. It is random, so that it is never that of another history.',
    type: v.string(),
    example: '0a1b2c3d-0000-4000-8000-000000000000',
    set: always,
  },
  status: {
    ...shown,
    about:
      'Status of the label. In LABEL_PENDING, LABEL_VOID_PENDING and LABEL_SUBMIT_PENDING, the carrier is yet to answer.',
    type: v.picklist(statusNames),
    example: 'LABEL_PURCHASED',
    set: {},
    listed: 'filter',
  },
  order_status: {
    ...shown,
    about: 'How far its parcels are, by what the carrier reports: a status of orders.',
    type: v.picklist(orderStatusNames),
    example: 'WITH_CARRIER',
    set: {
      ask: { is: 'NEW_ORDER' },
      ask_again: { is: 'NEW_ORDER' },
      void: { is: 'CANCELLED' },
      give_up: { is: 'CANCELLED' },
      report: 'engine',
      register: 'engine',
    },
    listed: 'filter',
  },
  report: {
    ...hidden,
    about: 'The report of the carrier that last told something new of one of its parcels, and which one.',
    type: labelReport,
    example: {
      ...{ provider: 'carrier:sandbox', event_id: 'e1', status_code: 'picked_up', tracking_number: 'AC-1' },
      ...{ occurred_at: '2026-06-10T16:00:00.000Z', position: '0000000000000042' },
    },
    set: { report: 'engine', ask_again: 'cleared' },
  },
  reported: {
    ...hidden,
    about: 'The status of each parcel of which the carrier has reported, by its tracking number.',
    type: v.record(v.string(), v.string()),
    example: { 'AC-1': 'picked_up' },
    set: {
      report: {
        of: ({ report }: { readonly report: LabelReport }, { reported }: Reported) => ({
          ...reported,
          [report.tracking_number]: report.status_code,
        }),
      },
      ask_again: 'cleared',
    },
  },
  customer_id: {
    ...shown,
    about: 'Id of the customer who pays for it; missing if the business bought it for itself.',
    type: id,
    example: 9,
    set: { ...sometimes, '*': 'repeated' },
    listed: 'filter',
    names: 'filter',
  },
  sell_price: {
    ...hidden,
    about: 'What the customer pays, as it was quoted: decimal text in the currency of the business.',
    type: v.string(),
    example: '14.95',
    set: sometimes,
  },
  carrier_account_id: {
    ...shown,
    about: 'Id of the account at the carrier.',
    type: id,
    example: 1,
    set: always,
    listed: 'filter',
    names: 'filter',
  },
  carrier: {
    ...shown,
    about: 'Name of the carrier in this interface, as sandbox.',
    type: v.string(),
    example: 'sandbox',
    set: { ...always, '*': 'repeated' },
    listed: 'filter',
  },
  service: { ...shown, about: 'Its way of shipping.', type: word(60), example: 'ground', set: always },
  reference: {
    ...shown,
    about: 'As the business calls the shipment.',
    type: word(100),
    example: 'PO-1',
    set: sometimes,
    listed: 'filter',
  },
  amount: {
    ...hidden,
    about: 'What the rate costs: decimal text; a number of hundredths in events of earlier versions.',
    type: v.union([v.string(), v.number()]),
    example: '12.50',
    set: always,
  },
  currency: {
    ...shown,
    about: 'Currency of the price: ISO 4217, that of the business.',
    type: v.string(),
    example: 'CAD',
    set: always,
    price: 'label_service',
    of: (state: Priced) => pricesOf(state).currency,
  },
  exchange: {
    ...hidden,
    about: 'How the price is converted, if it is in another currency than that of the business.',
    type: exchange,
    example: { exchange_rate_id: 1, to: 'CAD', rate: '1.37' },
    set: sometimes,
  },
  rate_reference: {
    ...hidden,
    about: 'What the carrier calls the rate.',
    type: v.string(),
    example: 'R-1',
    set: sometimes,
  },
  parcels: {
    ...hidden,
    about: 'The parcels of the shipment.',
    type: v.array(bareParcel),
    example: [{ weight_grams: 800 }],
    set: always,
  },
  contents: {
    ...hidden,
    about: 'What is in each of the parcels.',
    type: v.array(v.array(customsItem)),
    example: [[shirts]],
    set: sometimes,
    personal: true,
  },
  customs: {
    ...hidden,
    about: 'What the shipment declares to customs.',
    type: customs,
    example: { contents_type: 'merchandise', items: [shirts] },
    set: sometimes,
    personal: true,
  },
  from: { ...hidden, about: 'Who sends.', type: bookedEntries.from, example: party, set: sometimes, personal: true },
  to: { ...hidden, about: 'Who receives.', type: bookedEntries.to, example: party, set: sometimes, personal: true },
  terms: {
    ...hidden,
    about: 'Blinded words of names and digits of phone numbers, for searching.',
    type: v.array(v.string()),
    example: [],
    set: sometimes,
    personal: true,
  },
  label: {
    ...hidden,
    about: 'What the carrier sold.',
    type: v.omit(carrierLabel, ['document', 'customs_document']),
    example: { reference: 'S-1', tracking_numbers: ['AC-1'], amount: '12.50', currency: 'CAD' },
    set: { buy: 'engine' },
  },
  tracking_numbers: {
    ...shown,
    about: 'Its tracking numbers: one for each parcel, or one for all.',
    type: v.array(v.string()),
    example: ['AC-1'],
    set: {},
    of: ({ label }: Bought) => label?.tracking_numbers ?? [],
    always: true,
  },
  shipment_reference: {
    ...shownToStaff,
    about: 'What the carrier calls the shipment.',
    type: v.string(),
    example: 'S-1',
    set: {},
    of: ({ label }: Bought) => label?.reference,
  },
  document: {
    ...shownToStaff,
    about: 'Where the carrier has the document of the label. It is missing once it was erased.',
    type: named('LabelDocument', labelDocument),
    example: { reference: 'D-1', media_type: 'application/pdf' },
    set: { buy: 'sometimes' },
    personal: true,
  },
  customs_document: {
    ...shownToStaff,
    about: 'Where the carrier has the customs document of the label. It is missing once it was erased.',
    type: named('CarrierCustomsDocument', customsDocument),
    example: { reference: 'D-2', media_type: 'application/pdf', kind: 'commercial_invoice' },
    set: { buy: 'sometimes' },
    personal: true,
  },
  total_price: {
    ...shown,
    about: 'What is paid for it: decimal text.',
    type: v.string(),
    example: '12.50',
    set: {},
    price: 'label_service',
    of: (state: Priced) => pricesOf(state).total_price,
  },
  cost: {
    ...shownToStaff,
    about: 'What its carrier takes, in the currency of the business, where a customer pays for it.',
    type: v.string(),
    example: '12.50',
    set: {},
    price: 'label_service',
    of: (state: Priced) => pricesOf(state).cost,
  },
  third_party_cost_plus: {
    ...shownToStaff,
    about: 'The mark-up: how much more the customer pays than the carrier asked when it was quoted.',
    type: v.string(),
    example: '2.45',
    set: {},
    price: 'label_service',
    of: (state: Priced) => pricesOf(state).third_party_cost_plus,
  },
  margin: {
    ...shownToStaff,
    about: 'How much more the customer pays than the carrier took; below zero if it took more.',
    type: v.string(),
    example: '2.45',
    set: {},
    price: 'label_service',
    of: (state: Priced) => pricesOf(state).margin,
  },
  carrier_price: {
    ...shownToStaff,
    about: 'What the carrier takes, where it sells in another currency; total_price is converted from it.',
    type: carrierPrice,
    example: { currency: 'USD', total_price: '9.12', exchange_rate: '1.37', exchange_rate_id: 1 },
    set: {},
    price: 'label_service',
    of: (state: Priced) => pricesOf(state).carrier_price,
  },
  ...payingFields('label_service', 'Label', billOf),
  refusal: { ...refused.refusal, shownTo: labelReaders },
  message: refused.message,
  ...askingFields({ begins, ends: ['buy', 'void', ...refuses] }),
  manifest_id: {
    ...shownToStaff,
    about: 'Id of the manifest that it is handed in with.',
    type: id,
    example: 1,
    set: {
      ask_manifest: 'engine',
      submit: 'engine',
      refuse_manifest: { input: id, about: 'Id of the manifest that was refused.', example: 1, of: () => undefined },
    },
  },
  manifest_reference: {
    ...shownToStaff,
    about: 'What the carrier calls the manifest.',
    type: v.string(),
    example: 'M-1',
    set: { submit: 'engine' },
  },
  pickup_id: {
    ...hidden,
    about: 'Id of the pickup that it was last asked for with.',
    type: id,
    example: 1,
    set: { join_pickup: 'engine' },
  },
  created_at: {
    ...shown,
    about: 'When it was asked for: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:00.000Z',
    set: { ask: 'now' },
    listed: 'column',
  },
  updated_at: {
    ...shown,
    about: 'When it last changed: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:01.000Z',
    set: { ask: 'now', '*': 'now' },
  },
  purchased_at: {
    ...shown,
    about: 'When it was bought: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:01.000Z',
    set: { buy: 'now' },
  },
} as const satisfies Fields<keyof typeof moves>

/** A label: it is bought from a carrier, voided or handed in, and picked up. */
export const label = {
  category: 'label',
  noun: 'label',
  id: 'order_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  readers: labelReaders,
  access: ownedByCells((context) => {
    const { id: customer_id, role, business } = accountOf(context)
    return { business_id: business.id, ...(role === 'customer' && { customer_id }) }
  }),
  refusals: { missing: 'label_not_found', forbidden: 'label_status_forbids', param: 'label' },
  listVersion: 5,
  indexes: [
    ['is_waiting'],
    ['business_id'],
    ['business_id', 'status'],
    ['customer_id'],
    ['carrier_account_id', 'is_waiting'],
  ],
  groups: { refusal: 'Why the carrier did not sell the label, or the last time did not take it back.' },
  api: {
    tag: 'LabelService',
    path: '/api/v1/labelservice/labels',
    many: 'labels',
    read: { scope: 'labels:read', by: labelReaders },
    write: { scope: 'labels:write' },
    list: {
      operation: 'list_labels',
      summary:
        'Label orders, newest first: by status, carrier, customer and reference. Customers see those that they have bought.',
      shows: 'records',
    },
    get: {
      operation: 'get_label',
      summary: 'A label order: its status, tracking numbers and price, and where its document is.',
    },
  },
} as const satisfies Entity
