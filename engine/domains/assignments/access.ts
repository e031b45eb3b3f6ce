import { type Account, hasModule } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Code } from '../../kernel/messages/index.ts'

/** The module of these operations. */
export const moduleName = 'broker_assignment'

/**
 * The caller's account, if it may use the module. Authorization has checked the business; a contractor needs the
 * module for its own account too. Refuses with `module_disabled` (document 1, contractor order assignment).
 */
export function callerWithModule(context: Context): Account {
  const account = accountOf(context)
  if (account.role === 'contractor' && !hasModule(account, moduleName))
    throw new EngineError('module_disabled', { module: moduleName })
  return account
}

/** Refuses `broker_id` unless it is a contractor of the caller's business with the module enabled. */
export async function requireContractor(context: Context, id: number): Promise<void> {
  const person = await context.directory.person(context, id)
  const isContractor = person?.role === 'contractor' && person.business.id === accountOf(context).business.id
  if (!isContractor || !person.isActive) throw refusedContractor('contractor_not_found', id)
  if (!hasModule(person, moduleName)) throw refusedContractor('contractor_module_off', id)
}

function refusedContractor(code: Code, contractor: number): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path: 'broker_id', code, params: { contractor } }])
}
