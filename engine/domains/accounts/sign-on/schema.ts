import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import type { Code } from '../../../kernel/messages/index.ts'
import { named } from '../../../kernel/named.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { distinct, recordedInstant, word } from '../../../kernel/schemas.ts'
import { issuer } from '../schema.ts'
import { staffRoleId } from '../staff-roles.ts'
import { claimsOf } from './domain-model.ts'
import { recordFor } from './domains.ts'
import { logoutAddress, newAccounts, returnAddress, type SignOnValues, signOnOf } from './setting.ts'

/** A domain of email addresses: without the @, in small letters, other alphabets in their ASCII form. */
export const emailDomain = v.pipe(
  v.string(),
  v.maxLength(253),
  v.regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/, 'not_an_email_domain' satisfies Code),
  v.description('The part of email addresses after the @, in small letters.'),
)

/** The id of a client of an identity provider. */
const clientId = v.pipe(v.string(), v.minLength(1), v.maxLength(300), v.description('`aud` of its ID tokens.'))

const scope = v.pipe(v.string(), v.maxLength(100), v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/))

/** What is asked for if a business does not say. */
export const usualScopes = ['openid', 'email', 'profile']

const requiredOf = v.pipe(
  v.picklist(['nobody', 'staff']),
  v.description(
    '`staff`: administrators and employees with an address of a proved domain sign in only this way. Sessions, API keys and grants go on.',
  ),
)

const newAccount = v.pipe(
  v.picklist(newAccounts),
  v.description('The kind of account that the first sign-in of a person opens; `none` refuses people without one.'),
)

const name = v.pipe(word(60), v.description('What the button says after “Sign in with”.'))

/** The members of an input that sets the single sign-on of a business. */
export const signOnEntries = {
  name,
  issuer,
  client_id: clientId,
  client_secret: v.exactOptional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(2_000), v.description('As before if left out. It is never shown.')),
  ),
  scopes: v.exactOptional(
    v.pipe(v.array(scope), v.maxLength(10), distinct(), v.description('`openid`, `email` and `profile` if left out.')),
  ),
  required_of: v.exactOptional(requiredOf),
  new_accounts: v.exactOptional(newAccount),
  staff_role_id: v.exactOptional(
    v.pipe(staffRoleId, v.description('The staff role of new employees; all that employees may do if left out.')),
  ),
}

const signOnRecord = named(
  'SignOn',
  v.strictObject({
    ...{ name, issuer, client_id: clientId, scopes: v.array(scope) },
    ...{ required_of: requiredOf, new_accounts: newAccount, staff_role_id: v.exactOptional(staffRoleId) },
  }),
)

const domainRecord = named(
  'EmailDomain',
  v.strictObject({
    domain: emailDomain,
    claimed_at: recordedInstant,
    proof: v.pipe(
      v.nullable(v.picklist(['dns', 'operator'])),
      v.description('How it was proved; null until then, and the domain does nothing.'),
    ),
    record: v.strictObject({
      name: v.string(),
      type: v.literal('TXT'),
      value: v.pipe(v.string(), v.description('To be put into the DNS of the domain, which proves it.')),
    }),
  }),
)

/** The single sign-on of a business as answers show it. */
export const signOnAnswer = named(
  'SignOnAnswer',
  v.strictObject({
    result: v.literal(true),
    sign_on: v.nullable(signOnRecord),
    redirect_uri: v.pipe(v.string(), v.description('To be registered at the identity provider for this client.')),
    backchannel_logout_uri: v.pipe(
      v.string(),
      v.description('To be registered there, too, if sessions are to end here when they end at the provider.'),
    ),
    domains: v.array(domainRecord),
  }),
)

/** The single sign-on of a business, as it is now. */
export async function shownSignOn(context: Context, businessId: number): Promise<v.InferOutput<typeof signOnAnswer>> {
  const [signOn, claims] = await Promise.all([signOnOf(context, businessId), claimsOf(context, businessId)])
  return {
    result: true,
    sign_on: signOn === undefined ? null : recordOfSignOn(signOn),
    redirect_uri: returnAddress(context, businessId),
    backchannel_logout_uri: logoutAddress(context, businessId),
    domains: claims.map(({ domain, claimedAt: claimed_at, proof = null }) => ({
      ...{ domain, claimed_at, proof, record: recordFor(context, businessId, domain) },
    })),
  }
}

function recordOfSignOn({ staff_role_id, scopes, ...signOn }: SignOnValues): v.InferOutput<typeof signOnRecord> {
  const { name: called, issuer: iss, client_id, required_of, new_accounts } = signOn
  const shown = { name: called, issuer: iss, client_id, scopes: [...scopes], required_of, new_accounts }
  return { ...shown, ...omitUndefined({ staff_role_id }) }
}
