import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { csvLine } from '../../kernel/csv.ts'
import type { PrintedStatement } from '../../kernel/printed-label.ts'
import { zonedIso } from '../../kernel/zone.ts'
import type { Statement } from './statement.ts'

const columns = ['section', 'order_id', 'family', 'reference', 'at', 'kind', 'name', 'rate', 'region'] as const

const amounts = ['net', 'tax', 'total', 'amount', 'balance'] as const

type Cells = { readonly [Column in (typeof columns)[number] | (typeof amounts)[number]]?: string | number | undefined }

/** A statement as CSV: a section for its orders, one for each kind of sum, and one for the movements of the wallet. */
export function csvOf(context: Context, { number, month, currency, ...said }: Statement): string {
  const rows: readonly Cells[] = [
    ...said.lines.map(({ taxes: _, ...line }) => ({ section: 'order', ...line })),
    ...(said.statements ?? []).map((one) => ({ section: 'statement', ...one, name: String(one.number) })),
    ...said.by_family.map((one) => ({ section: 'family', ...one })),
    ...said.taxes.map(({ country = '', region, percent: rate, ...one }) => ({
      ...{ section: 'tax', ...one, rate },
      region: region === undefined ? country : `${country}-${region}`,
    })),
    ...(said.movements ?? []).map((one) => ({ section: 'movement', ...one, at: timeOf(context, one.at) })),
    { section: 'total', net: said.net, tax: said.tax, total: said.total },
  ]
  const head = ['statement', 'month', 'currency', ...columns, ...amounts]
  const lines = rows.map((row) => [number, month, currency, ...[...columns, ...amounts].map((name) => row[name])])
  return [head, ...lines].map(csvLine).join('')
}

/** A statement as it is printed. */
export function printedOf(context: Context, statement: Statement, customer: string | undefined): PrintedStatement {
  const { number, month, currency, issued_at, subject, ...said } = statement
  return {
    ...{ number, month, currency, business: accountOf(context).business.name },
    issued: timeOf(context, issued_at).slice(0, 10),
    to: customer ?? (subject === 'business' ? 'All orders' : 'Orders without a customer'),
    sections: [
      {
        title: 'Orders',
        columns: ['Order', 'Family', 'Reference', 'Net', 'Tax', 'Total'],
        rows: said.lines.map((one) => [
          `${one.order_id}`,
          wordsOf(one.family),
          one.reference ?? '',
          one.net,
          one.tax,
          one.total,
        ]),
      },
      {
        title: 'Statements',
        columns: ['Statement', '', '', 'Net', 'Tax', 'Total'],
        rows: (said.statements ?? []).map((one) => [`${one.number}`, '', '', one.net, one.tax, one.total]),
      },
      {
        title: 'By family',
        columns: ['Family', 'Orders', '', 'Net', 'Tax', 'Total'],
        rows: said.by_family.map((one) => [wordsOf(one.family), `${one.orders}`, '', one.net, one.tax, one.total]),
      },
      {
        title: 'Taxes',
        columns: ['Tax', 'Rate', 'Region', 'Of', 'Tax', ''],
        rows: said.taxes.map(({ name = '', percent, country = '', region, net, tax }) => [
          ...[name, percent === undefined ? '' : `${percent} %`],
          ...[region === undefined ? country : `${country}-${region}`, net, tax, ''],
        ]),
      },
      {
        title: 'Wallet',
        columns: ['Day', 'Movement', 'Order', '', 'Amount', 'Balance'],
        rows: (said.movements ?? []).map((one) => [
          ...[timeOf(context, one.at).slice(0, 10), wordsOf(one.kind), `${one.order_id ?? ''}`, ''],
          ...[one.amount, one.balance],
        ]),
      },
    ].filter(({ rows }) => rows.length > 0),
    sums: [
      ['Net', said.net],
      ['Tax', said.tax],
      ['Total', `${said.total} ${currency}`],
      ...(said.opening_balance === undefined ? [] : [['Wallet before', said.opening_balance] as const]),
      ...(said.closing_balance === undefined ? [] : [['Wallet after', said.closing_balance] as const]),
    ],
  }
}

function timeOf(context: Context, at: string): string {
  return zonedIso(Date.parse(at), accountOf(context).business.timeZone)
}

/** A name of this interface as people read it: "Local delivery". */
function wordsOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
}
