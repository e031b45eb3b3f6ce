import * as v from 'valibot'
import { loadOwn, ownId } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { base64Of } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { csvOf, printedOf } from './document.ts'
import { due, issue, statementKind } from './issue.ts'
import { month } from './statement.ts'

/** The most statements that one call issues. */
const most = 50

/** Issues the statements of a month. */
export const issueStatements = operation({
  name: 'issue_statements',
  summary: `Issue the statements of a month that are not yet: those of customers and of orders without one, at most ${most} in a call, and then that of the business.`,
  scopes: ['wallet:write'],
  roles: ['client_admin'],
  risk: 'high',
  tag: 'Money',
  rest: { method: 'POST', path: '/api/v1/statements/issue-all' },
  input: v.strictObject({ month: v.pipe(month, v.description('A month that is over: YYYY-MM.')) }),
  output: v.strictObject({
    result: v.literal(true),
    issued: v.pipe(v.array(v.number()), v.description('Ids of the statements.')),
    left: v.pipe(
      v.number(),
      v.description(`Statements that the next call issues, at most ${most}; 0 once that of the business is issued.`),
    ),
  }),
  errors: ['month_not_over', 'not_a_month', 'statement_exists', 'later_statement', 'business_statement', 'contention'],
  handle: async (context, { month }) => {
    const issued: number[] = []
    let left = 0
    for await (const subject of due(context, month)) {
      if (issued.length < most) issued.push(await issue(context, subject, month))
      else if (++left === most) break
    }
    if (left === 0) issued.push(await issue(context, 'business', month))
    return { result: true, issued, left }
  },
})

/** Returns a statement as a document. */
export const downloadStatement = operation({
  name: 'download_statement',
  summary: 'A statement as a PDF or as CSV, in base64.',
  scopes: ['analytics:read'],
  roles: [...staff, 'customer'],
  risk: 'low',
  tag: 'Money',
  rest: { method: 'GET', path: '/api/v1/statements/{statement_id}/document' },
  ids: { statement_id: ownId(statementKind) },
  file: 'document',
  input: v.strictObject({
    statement_id: v.pipe(id, v.description('Id of the statement.')),
    format: v.exactOptional(v.pipe(v.picklist(['pdf', 'csv']), v.description('pdf where absent.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    statement_id: v.number(),
    number: v.number(),
    media_type: v.picklist(['application/pdf', 'text/csv']),
    document: v.pipe(v.string(), v.description('The document in base64.')),
  }),
  errors: ['statement_not_found', 'labels_unavailable'],
  handle: async (context, { statement_id, format = 'pdf' }) => {
    const { state } = await loadOwn(context, statementKind, statement_id)
    const told = { result: true, statement_id, number: state.number } as const
    if (format === 'csv') return { ...told, media_type: 'text/csv', document: base64Of(csvOf(context, state)) }
    const printed = printedOf(context, state, await nameOf(context, state.customer_id))
    return { ...told, media_type: 'application/pdf', document: await context.printer.printStatement(printed) }
  },
})

/** The name of a customer as it is now; its number where it was erased. */
async function nameOf(context: Context, customer: number | undefined): Promise<string | undefined> {
  if (customer === undefined) return undefined
  const { customers } = await context.ports.statements.customers(context, { limit: 1, offset: 0 }, customer)
  return customers[0]?.name ?? `Customer ${customer}`
}
