import * as v from 'valibot'
import { commandStamp } from '../../../entity/operations.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { operation } from '../../../kernel/operation.ts'
import { accountStateOf } from '../read.ts'
import { ownStaffRoleId } from '../staff-roles.ts'
import { claimsOf } from './domain-model.ts'
import { changeDomains, domainIn, recordFor } from './domains.ts'
import { emailDomain, shownSignOn, signOnAnswer, signOnEntries, usualScopes } from './schema.ts'
import { changeSignOn, type SignOnValues } from './setting.ts'

const path = '/api/v1/business/sign-on'
const domainPath = `${path}/domains/{domain}` as const
const byAdmin = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag: 'Business' } as const
const ofDomain = v.strictObject({ domain: emailDomain })
const audited = {
  event: () => 'sign_on_change',
  concerned: (context: Context) => ({ business: accountOf(context).business.id }),
}

function answer(context: Context) {
  return shownSignOn(context, accountOf(context).business.id)
}

/** Shows the single sign-on of the business. */
export const showSignOn = operation({
  name: 'show_sign_on',
  summary: 'The single sign-on of the business: its identity provider, and the domains of its email addresses.',
  scopes: ['accounts:read'],
  roles: ['client_admin'],
  risk: 'low',
  tag: 'Business',
  rest: { method: 'GET', path },
  input: v.strictObject({}),
  output: signOnAnswer,
  errors: [],
  handle: answer,
})

/** Sets the identity provider of the business. */
export const setSignOn = operation({
  ...byAdmin,
  name: 'set_sign_on',
  summary:
    'Set the identity provider with which people of the business sign in (OpenID Connect). It counts for addresses of proved domains.',
  secret: true,
  rest: { method: 'PUT', path },
  ids: { client_id: 'external', staff_role_id: ownStaffRoleId },
  input: v.strictObject(signOnEntries),
  output: signOnAnswer,
  errors: ['client_secret_missing', 'sign_on_not_tried', 'staff_role_not_found', 'staff_role_not_for'],
  audited,
  handle: async (context, { client_secret, scopes = usualScopes, staff_role_id, ...input }) => {
    const { required_of = 'nobody', new_accounts = 'none' } = input
    if (staff_role_id !== undefined && new_accounts !== 'client_employee')
      throw new EngineError('staff_role_not_for', { received: new_accounts })
    const values: SignOnValues = { ...input, scopes, required_of, new_accounts, ...omitUndefined({ staff_role_id }) }
    if (required_of === 'staff') await requireTried(context, values)
    const business_id = accountOf(context).business.id
    await changeSignOn(context, { type: 'SetSignOn', ...commandStamp(context), business_id, values, client_secret })
    return answer(context)
  },
})

/** Refuses to require a way of signing in that the caller has to use from then on, and has not used yet. */
async function requireTried(context: Context, { issuer }: SignOnValues): Promise<void> {
  const { id, business } = accountOf(context)
  const account = await accountStateOf(context, id)
  const domain = domainIn(account?.email ?? '')
  const claim = (await claimsOf(context, business.id)).find((one) => one.domain === domain)
  if (claim?.proof !== undefined && !Object.hasOwn(account?.bindings ?? {}, issuer))
    throw new EngineError('sign_on_not_tried', { issuer })
}

/** Removes the identity provider of the business. */
export const removeSignOn = operation({
  ...byAdmin,
  name: 'remove_sign_on',
  summary: 'Remove the identity provider and erase its secret. Everybody then signs in otherwise; the domains stay.',
  rest: { method: 'DELETE', path },
  input: v.strictObject({}),
  output: signOnAnswer,
  errors: ['sign_on_not_found'],
  audited,
  handle: async (context) => {
    const business_id = accountOf(context).business.id
    await changeSignOn(context, { type: 'RemoveSignOn', ...commandStamp(context), business_id })
    return answer(context)
  },
})

/** Claims a domain for the business. */
export const claimDomain = operation({
  ...byAdmin,
  name: 'claim_email_domain',
  summary: 'Claim a domain of email addresses. It does nothing until the TXT record of the answer proves it.',
  rest: { method: 'PUT', path: domainPath },
  input: ofDomain,
  output: signOnAnswer,
  errors: ['email_domain_taken', 'too_many_email_domains'],
  audited,
  handle: async (context, { domain }) => {
    const business_id = accountOf(context).business.id
    await changeDomains(context, { type: 'ClaimDomain', ...commandStamp(context), business_id, domain })
    return answer(context)
  },
})

/** Proves a claimed domain. */
export const proveDomain = operation({
  ...byAdmin,
  name: 'prove_email_domain',
  summary: 'Look up the TXT record of a claimed domain. If it is there, the domain is of the business from now on.',
  rest: { method: 'POST', path: `${domainPath}/proof` },
  input: ofDomain,
  output: signOnAnswer,
  errors: ['email_domain_not_found', 'email_domain_not_proved', 'email_domain_taken'],
  audited,
  handle: async (context, { domain }) => {
    const business_id = accountOf(context).business.id
    const claims = await claimsOf(context, business_id)
    if (!claims.some((claim) => claim.domain === domain)) throw new EngineError('email_domain_not_found', { domain })
    const { name, value } = recordFor(context, business_id, domain)
    const found = await context.singleSignOn.textRecords(name)
    if (!found.includes(value)) throw new EngineError('email_domain_not_proved', { name, value })
    const command = { type: 'ProveDomain', ...commandStamp(context), business_id, domain, proof: 'dns' } as const
    await changeDomains(context, command)
    return answer(context)
  },
})

/** Gives a domain back. */
export const releaseDomain = operation({
  ...byAdmin,
  name: 'release_email_domain',
  summary: 'Give a claimed domain back. Its people then sign in otherwise, and another business can prove it.',
  rest: { method: 'DELETE', path: domainPath },
  input: ofDomain,
  output: signOnAnswer,
  errors: ['email_domain_not_found'],
  audited,
  handle: async (context, { domain }) => {
    const business_id = accountOf(context).business.id
    await changeDomains(context, { type: 'ReleaseDomain', ...commandStamp(context), business_id, domain })
    return answer(context)
  },
})
