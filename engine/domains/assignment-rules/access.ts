import { type Account, hasModule } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { NamedId } from '../../kernel/operation.ts'
import { loadRules } from './rules.ts'

/** The module by which a business gives orders to contractors. */
export const contractorModule = 'broker_assignment'

/** The calling contractor; refuses with `module_disabled` one for whom the module is not on. */
export function callingContractor(context: Context): Account {
  const account = accountOf(context)
  if (!hasModule(account, contractorModule)) throw new EngineError('module_disabled', { module: contractorModule })
  return account
}

/** The id of a rule of the caller's business; another one is refused with `assignment_rule_not_found`. */
export const ownRuleId: NamedId = {
  noun: 'assignment_rule',
  require: async (context, given) => {
    const { rules } = await loadRules(context, accountOf(context).business.id)
    if (rules.every(({ rule_id }) => rule_id !== given))
      throw new EngineError('assignment_rule_not_found', { rule: Number(given) })
  },
}
