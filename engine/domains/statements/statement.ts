import * as v from 'valibot'
import { type Entity, type Fields, nobody, type StateOf, type View } from '../../entity/field.ts'
import { ownedByCells } from '../../entity/list.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { ChargedMovement } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'
import type { Row } from '../../kernel/read-model.ts'
import { id, recordedInstant, refusing } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { contentEntries } from './content.ts'

const statuses = { issued: 'It is numbered, and stays as it is.' } as const

const moves = {
  issue: {
    from: 'nothing',
    to: 'issued',
    event: 'StatementIssued',
    call: {
      operation: 'issue_statement',
      summary:
        'Issue the statement of a month that is over: of a customer, of the orders without one, or of the whole business once those are issued. It never changes; what is corrected later is in the next one.',
      by: ['client_admin'],
      risk: 'high',
      errors: [
        ...([
          'statement_exists',
          'later_statement',
          'business_statement',
          'statements_missing',
          'nothing_to_state',
        ] as const),
        ...(['month_not_over', 'customer_not_found', 'contention'] as const),
      ],
    },
  },
} as const

const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'none',
  setBy: nobody,
  shownTo: [...staff, 'customer'],
} as const

/** What a statement says of the wallet. */
export interface Moved {
  readonly movements?: readonly ChargedMovement[]
}

const issued = { set: { issue: 'engine' } } as const

/** A month of the calendar. */
export const month = v.pipe(
  v.string(),
  v.maxLength(7),
  refusing((text) => (/^2\d{3}-(0[1-9]|1[0-2])$/.test(text) ? undefined : 'not_a_month')),
)

/** Whose orders a statement is of. */
export const subjects = ['customer', 'without_customer', 'business'] as const

const fields = {
  statement_id: {
    ...shown,
    about: 'Id of the statement.',
    type: id,
    example: 1,
    ...issued,
    listed: 'column',
  },
  business_id: {
    ...shown,
    about: 'Id of the business.',
    type: id,
    example: 1,
    ...issued,
    listed: 'key',
    shownTo: nobody,
  },
  number: {
    ...shown,
    about: 'Its number in the business: from 1 on, without gaps.',
    type: id,
    example: 1,
    ...issued,
    listed: 'filter',
  },
  subject: {
    ...shown,
    about: 'Whose orders it is of: those of a customer, those without one, or all of the business.',
    type: v.picklist(subjects),
    example: 'customer',
    set: { issue: 'required' },
    setBy: ['client_admin'],
    listed: 'filter',
  },
  customer_id: {
    ...shown,
    about: 'The customer whose statement it is.',
    type: id,
    example: 3,
    set: { issue: 'optional' },
    setBy: ['client_admin'],
    listed: 'filter',
    names: 'rule',
  },
  month: {
    ...shown,
    about: 'The month, in the time zone of the business: YYYY-MM.',
    type: month,
    example: '2026-06',
    set: { issue: 'required' },
    setBy: ['client_admin'],
    listed: 'filter',
  },
  currency: { ...shown, about: 'ISO 4217.', type: v.string(), example: 'CAD', ...issued, listed: 'column' },
  status: { ...shown, about: 'Status of the statement.', type: v.picklist(['issued']), example: 'issued', set: {} },
  issued_at: {
    ...shown,
    about: 'When it was issued: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-07-01T10:00:00.000Z',
    set: { issue: 'now' },
    listed: 'column',
  },
  total: {
    ...shown,
    about: 'What its orders cost, with tax: decimal text.',
    type: contentEntries.total,
    example: '113.00',
    ...issued,
    listed: 'column',
  },
  net: { ...shown, about: 'Without tax.', type: contentEntries.net, example: '100.00', ...issued },
  tax: { ...shown, about: 'The tax of them.', type: contentEntries.tax, example: '13.00', ...issued },
  by_family: {
    ...shown,
    about: 'The sums of each family of orders.',
    type: contentEntries.by_family,
    example: [{ family: 'local_delivery', orders: 1, net: '100.00', tax: '13.00', total: '113.00' }],
    ...issued,
  },
  taxes: {
    ...shown,
    about: 'The taxes by name, rate and region, and what they are taken of.',
    type: contentEntries.taxes,
    example: [{ name: 'HST', percent: '13', country: 'CA', region: 'ON', net: '100.00', tax: '13.00' }],
    ...issued,
  },
  opening_balance: {
    ...shown,
    about: 'Of the wallet, before the month.',
    type: contentEntries.opening_balance,
    example: '0.00',
    set: { issue: 'sometimes' },
  },
  closing_balance: {
    ...shown,
    about: 'Of the wallet, after the month.',
    type: contentEntries.closing_balance,
    example: '37.00',
    set: { issue: 'sometimes' },
    listed: 'column',
  },
  lines: {
    ...shown,
    about: 'The orders that are new, or cost something else than earlier statements say.',
    type: contentEntries.lines,
    example: [{ order_id: 41, family: 'local_delivery', net: '100.00', tax: '13.00', total: '113.00', taxes: [] }],
    ...issued,
  },
  movements: {
    ...shown,
    about: 'The movements of the wallet in the month, as it was by then.',
    type: contentEntries.movements,
    example: [{ number: 1, at: '2026-06-10T06:00:00-04:00', kind: 'top_up', amount: '150.00', balance: '150.00' }],
    set: { issue: 'sometimes' },
    of: ({ movements }: Moved, { timeZone }: View) =>
      movements?.map((one) => ({ ...one, at: zonedIso(Date.parse(one.at), timeZone) })),
  },
  statements: {
    ...shown,
    about: 'The statements that the one of the business sums up.',
    type: v.array(v.strictObject({ number: id, net: v.string(), tax: v.string(), total: v.string() })),
    example: [{ number: 1, net: '100.00', tax: '13.00', total: '113.00' }],
    set: { issue: 'sometimes' },
  },
} as const satisfies Fields<keyof typeof moves>

/**
 * Customers read their own, unless prices are hidden from them: the business then settles with them outside, and gives them the
 * document.
 */
function cells(context: Pick<Context, 'caller'>): Row {
  const { id: account, role, business, hiddenPrices = [] } = accountOf(context)
  if (role !== 'customer') return { business_id: business.id }
  return { business_id: business.id, customer_id: hiddenPrices.length === 0 ? account : -1 }
}

/** A month's statement. */
export const statement = {
  category: 'statement',
  noun: 'statement',
  id: 'statement_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  readers: [...staff, 'customer'],
  access: ownedByCells(cells),
  refusals: { missing: 'statement_not_found', forbidden: 'statement_final', param: 'statement' },
  listVersion: 1,
  indexes: [['business_id', 'month'], ['customer_id']],
  api: {
    tag: 'Money',
    path: '/api/v1/statements',
    many: 'statements',
    read: { scope: 'analytics:read', by: [...staff, 'customer'] },
    write: { scope: 'wallet:write' },
    list: {
      operation: 'list_statements',
      summary:
        'The statements of the business or of the calling customer, newest first: by month, customer and subject.',
    },
    get: {
      operation: 'get_statement',
      summary: 'A statement with its orders, taxes and movements of the wallet.',
    },
  },
} as const satisfies Entity

/** A statement as its event has left it. */
export type Statement = StateOf<typeof statement>
