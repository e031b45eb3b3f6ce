import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { AccountState } from './account.ts'
import { ownerOfDomain } from './sign-on/domain-model.ts'
import { domainIn } from './sign-on/domains.ts'
import { type SignOn, signOnOf } from './sign-on/setting.ts'

/**
 * Refuses a sign-in without the identity provider of the business, if its staff has to use that; `issuer` is of the identity
 * provider that was used instead, if any. A password that the operator has set is accepted, so that nobody is locked out for good.
 */
export async function requireOtherWays(context: Context, account: AccountState, issuer?: string): Promise<void> {
  if (account.has_operator_password === true) return
  const signOn = await requiredSignOn(context, account)
  if (signOn !== undefined && signOn.issuer !== issuer)
    throw new EngineError('sign_on_required', { name: signOn.name, url: `${context.baseUrl}/account` })
}

/**
 * Refuses an address outside of the proved domains of the business to an account whose staff has to use the identity provider:
 * with it, its person would leave the rule. The operator may give such an address.
 */
export async function requireOwnDomain(context: Context, account: AccountState, address: string): Promise<void> {
  const signOn = await requiredSignOn(context, account)
  if (signOn !== undefined && !(await isInDomain(context, account, address)))
    throw new EngineError('email_outside_sign_on', { name: signOn.name })
}

/** The single sign-on that an account has to use, if its business asks that of it. */
async function requiredSignOn(context: Context, account: AccountState): Promise<SignOn | undefined> {
  const { role, business_id, email } = account
  if (!staff.includes(role) || email === undefined) return undefined
  const signOn = await signOnOf(context, business_id)
  return signOn?.required_of === 'staff' && (await isInDomain(context, account, email)) ? signOn : undefined
}

async function isInDomain(context: Context, { business_id }: AccountState, address: string): Promise<boolean> {
  return (await ownerOfDomain(context, domainIn(address))) === business_id
}
