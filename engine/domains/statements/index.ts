import { isOwnCustomer } from '../../entity/access.ts'
import type { Domain } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { readModelOf } from '../../entity/list.ts'
import { type Machine, operationsOf } from '../../entity/operations.ts'
import { EngineError } from '../../kernel/errors.ts'
import { bookShapes } from './book.ts'
import { issue, statementKind } from './issue.ts'
import { statementMessages } from './messages.ts'
import { downloadStatement, issueStatements } from './operations.ts'
import { statement } from './statement.ts'

export type { StatementCode } from './messages.ts'
export { downloadStatement, issueStatements } from './operations.ts'
export type { StatementPorts } from './ports.ts'

const statements: Machine<typeof statement> = {
  ...statementKind,
  prepare: {},
  create: async (context, { subject, customer_id, month }) => {
    const isOne = subject === 'customer'
    if (isOne !== (customer_id !== undefined)) {
      const code = isOne ? 'required' : 'unknown_field'
      const finding = { path: 'customer_id', code, params: { field: 'customer_id' } } as const
      throw new EngineError('invalid_input', { count: 1 }, [finding])
    }
    if (isOne && !(await isOwnCustomer(context, Number(customer_id))))
      throw new EngineError('customer_not_found', { customer: Number(customer_id) })
    return issue(context, isOne ? Number(customer_id) : subject === 'business' ? 'business' : null, String(month))
  },
}

const model = readModelOf(statement)

/** Statements of months: what orders cost, their taxes, and what moved in wallets, numbered and never changed. */
export const statementsDomain: Domain = {
  name: 'statements',
  messages: [statementMessages],
  events: { statement: eventShapesOf(statement), statement_book: bookShapes },
  tables: [statement],
  operations: [...operationsOf(statements, model), issueStatements, downloadStatement],
  readModels: [model],
}
