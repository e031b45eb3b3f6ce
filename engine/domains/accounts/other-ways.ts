import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { AccountState } from './account.ts'
import { ownerOfDomain } from './sign-on/domain-model.ts'
import { domainIn } from './sign-on/domains.ts'
import { signOnOf } from './sign-on/setting.ts'

/**
 * Refuses a sign-in without the identity provider of the business, if its staff has to use that; `issuer` is of the identity
 * provider that was used instead, if any. A password that the operator has set is accepted, so that nobody is locked out for good.
 */
export async function requireOtherWays(context: Context, account: AccountState, issuer?: string): Promise<void> {
  const { role, business_id, email, has_operator_password } = account
  if (!staff.includes(role) || email === undefined || has_operator_password === true) return
  const signOn = await signOnOf(context, business_id)
  if (signOn?.required_of !== 'staff' || signOn.issuer === issuer) return
  if ((await ownerOfDomain(context, domainIn(email))) === business_id)
    throw new EngineError('sign_on_required', { name: signOn.name, url: `${context.baseUrl}/account` })
}
