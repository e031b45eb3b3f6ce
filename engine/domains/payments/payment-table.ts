import * as v from 'valibot'
import { type Entity, type Fields, nobody } from '../../entity/field.ts'
import { ownedByCells } from '../../entity/list.ts'
import { families, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { sumText } from '../../kernel/money.ts'
import { id, recordedInstant } from '../../kernel/schemas.ts'

/** The decisions for most fields: the staff see them. Amounts are of any family, so no customer does. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'column',
  webhooks: 'none',
  setBy: staff,
  shownTo: staff,
} as const

const hidden = { ...shown, listed: 'no', setBy: nobody, shownTo: nobody } as const

const moves = {
  begin: { from: 'nothing', to: 'pending', event: 'PaymentBegun' },
  /** The provider has said where the payer is to go. */
  offer: { from: ['pending'], event: 'PaymentOffered' },
  /** The money has come; also when nobody waited for it any more. */
  succeed: { from: ['pending', 'failed', 'expired'], ignoredIn: 'others', to: 'succeeded', event: 'PaymentSucceeded' },
  fail: { from: ['pending'], ignoredIn: 'others', to: 'failed', event: 'PaymentFailed' },
  expire: { from: ['pending'], ignoredIn: 'others', to: 'expired', event: 'PaymentExpired' },
} as const

const begins = { begin: 'engine' } as const

const fields = {
  payment_id: { ...shown, about: 'Id of the payment.', type: id, example: 1, set: begins, setBy: nobody },
  business_id: {
    ...hidden,
    about: 'Id of the business that is paid.',
    type: id,
    example: 1,
    set: begins,
    listed: 'key',
  },
  customer_id: {
    ...shown,
    about: 'Id of the customer who pays.',
    type: id,
    example: 3,
    set: begins,
    listed: 'filter',
    names: 'filter',
  },
  family: {
    ...shown,
    about: 'The family of the order.',
    type: v.picklist(families),
    example: 'label_service',
    set: begins,
  },
  order_id: {
    ...shown,
    about: 'Id of the order in its family.',
    type: id,
    example: 12,
    set: begins,
    listed: 'filter',
    names: 'filter',
  },
  payment_account_id: {
    ...shown,
    about: 'Id of the account at the payment provider.',
    type: id,
    example: 1,
    set: begins,
    listed: 'filter',
    names: 'filter',
  },
  status: {
    ...shown,
    about: 'Status of the payment.',
    type: v.picklist(['pending', 'succeeded', 'failed', 'expired']),
    example: 'succeeded',
    set: {},
    listed: 'filter',
  },
  amount: { ...shown, about: 'What is to be paid.', type: sumText, example: '12.50', set: begins },
  currency: { ...shown, about: 'Currency of the amounts: ISO 4217.', type: v.string(), example: 'CAD', set: begins },
  key: {
    ...hidden,
    about: 'Names the payment to the provider. It cannot be guessed.',
    type: v.string(),
    example: '1.0a1b2c3d-0000-4000-8000-000000000000',
    set: begins,
  },
  url: {
    ...hidden,
    about: 'Where the payer is to go.',
    type: v.string(),
    example: 'https://payments.example/pay/1',
    set: { offer: 'engine' },
  },
  reference: {
    ...shown,
    about: 'What the provider calls the payment.',
    type: v.string(),
    example: 'P-1',
    set: { offer: 'sometimes' },
    listed: 'no',
  },
  paid_amount: {
    ...shown,
    about: 'As much of it as the order took; the rest is credit of the customer.',
    type: sumText,
    example: '12.50',
    set: { succeed: 'engine' },
  },
  expires_at: {
    ...shown,
    about: 'Until when it can be paid: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-11T10:00:00.000Z',
    set: begins,
  },
  created_at: {
    ...shown,
    about: 'When it was begun: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:00.000Z',
    set: { begin: 'now' },
  },
} as const satisfies Fields<keyof typeof moves>

/** A payment for an order by a provider outside. */
export const payment = {
  category: 'payment',
  noun: 'payment',
  id: 'payment_id',
  statuses: {
    pending: 'The payer has not paid yet, as far as is known.',
    succeeded: 'The money has come.',
    failed: 'The provider took no money.',
    expired: 'Nobody paid in time.',
  },
  moves,
  fields,
  missing: 'left out',
  readers: staff,
  access: ownedByCells((context) => ({ business_id: accountOf(context).business.id })),
  refusals: { missing: 'payment_not_found', forbidden: 'payment_status_forbids', param: 'payment' },
  listVersion: 1,
  indexes: [['business_id'], ['status', 'expires_at'], ['payment_account_id', 'status']],
  api: {
    tag: 'Customer',
    path: '/api/v1/payments',
    one: 'payment',
    many: 'payments',
    read: { scope: 'orders:read', by: staff },
    write: { scope: 'wallet:write' },
    list: {
      operation: 'list_payments',
      summary: 'Payments for orders by providers outside, newest first: by status, customer and order.',
    },
    get: { operation: 'get_payment', summary: 'A payment for an order by a provider outside.' },
  },
} as const satisfies Entity
