import * as v from 'valibot'
import { type Entity, type Fields, nobody } from '../../entity/field.ts'
import { ownedByCells } from '../../entity/list.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { id, recordedInstant, word } from '../../kernel/schemas.ts'

const admins = ['client_admin'] as const

const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'column',
  webhooks: 'none',
  setBy: admins,
  shownTo: [...staff, 'customer'],
} as const

const hidden = { ...shown, setBy: nobody, shownTo: nobody } as const

const moves = {
  add: {
    from: 'nothing',
    to: 'active',
    event: 'PaymentAccountAdded',
    call: {
      operation: 'add_payment_account',
      by: admins,
      summary: 'Add an account at a payment provider. Its credentials are sealed, and never answered.',
      secret: true,
      errors: ['unknown_payment_provider'],
    },
  },
  remove: {
    from: ['active'],
    ignoredIn: ['removed'],
    to: 'removed',
    event: 'PaymentAccountRemoved',
    erases: true,
    call: {
      operation: 'remove_payment_account',
      verb: 'remove',
      by: admins,
      risk: 'high',
      summary: 'Remove an account at a payment provider, and erase its credentials.',
      errors: ['payment_account_in_use'],
    },
  },
} as const

const fields = {
  payment_account_id: {
    ...shown,
    about: 'Id of the account at the payment provider.',
    type: id,
    example: 1,
    set: { add: 'engine' },
    setBy: nobody,
  },
  business_id: {
    ...hidden,
    about: 'Id of the business that is paid.',
    type: id,
    example: 1,
    set: { add: 'engine' },
    listed: 'key',
  },
  status: {
    ...shown,
    about: 'Whether customers can pay with it.',
    type: v.picklist(['active', 'removed']),
    example: 'active',
    set: {},
    listed: 'filter',
  },
  provider: {
    ...shown,
    about: 'Name of the payment provider in this interface, as test.',
    type: word(60),
    example: 'test',
    set: { add: 'required' },
  },
  name: {
    ...shown,
    about: 'What customers read where they choose it.',
    type: word(100),
    example: 'Card',
    set: { add: 'required' },
  },
  credentials: {
    ...shown,
    about: 'The members that the payment provider needs, as webhook_secret.',
    type: v.record(v.pipe(v.string(), v.maxLength(60)), v.pipe(v.string(), v.maxLength(4000))),
    example: { webhook_secret: 'a secret of the provider' },
    set: { add: 'required' },
    shownTo: nobody,
    listed: 'no',
    // Sealed as personal data is, and gone with the account.
    personal: true,
  },
  created_at: {
    ...shown,
    about: 'When it was added: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:00.000Z',
    set: { add: 'now' },
    setBy: nobody,
  },
} as const satisfies Fields<keyof typeof moves>

/** An account of a business at a payment provider. */
export const paymentAccount = {
  category: 'payment_account',
  noun: 'payment account',
  id: 'payment_account_id',
  statuses: {
    active: 'Customers can pay with it.',
    removed: 'It is not used any more.',
  },
  moves,
  fields,
  missing: 'left out',
  access: ownedByCells((context) => ({ business_id: accountOf(context).business.id })),
  refusals: {
    missing: 'payment_account_not_found',
    forbidden: 'payment_account_status_forbids',
    param: 'account',
  },
  listVersion: 1,
  indexes: [['business_id', 'status']],
  api: {
    tag: 'Customer',
    path: '/api/v1/payment-accounts',
    one: 'payment_account',
    many: 'payment_accounts',
    read: { scope: 'orders:read', by: [...staff, 'customer'] },
    write: { scope: 'wallet:write' },
    list: {
      operation: 'list_payment_accounts',
      summary: 'The accounts of the business at payment providers, with which its customers can pay.',
    },
    get: { operation: 'get_payment_account', summary: 'An account of the business at a payment provider.' },
  },
} as const satisfies Entity
