import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { id } from '../../../kernel/schemas.ts'
import { isoOf } from '../../../kernel/time.ts'
import { businessOf } from '../read.ts'
import { changeDomains } from './domains.ts'
import { emailDomain, shownSignOn, signOnAnswer } from './schema.ts'
import { changeSignOn } from './setting.ts'

/** The scope of callers with access to the store itself; no account has it. */
const common = { scopes: ['platform:write'], output: signOnAnswer, ids: { business_id: 'rule' } } as const
const ofBusiness = v.strictObject({ business_id: id })
const ofDomain = v.strictObject({ business_id: id, domain: emailDomain })
const audited = {
  event: () => 'sign_on_change',
  concerned: (_: Context, { business_id: business }: { readonly business_id: number }) => ({ business }),
}

function stampOf({ clock }: Pick<Context, 'clock'>) {
  return { at: isoOf(clock()), by: null }
}

/** Shows the single sign-on of any business. */
export const showSignOnOf = operation({
  ...common,
  name: 'show_sign_on_of',
  summary: 'The single sign-on of a business.',
  risk: 'low',
  input: ofBusiness,
  errors: ['business_not_found'],
  handle: async (context, { business_id }) => {
    if ((await businessOf(context, business_id)) === undefined) throw new EngineError('business_not_found')
    return shownSignOn(context, business_id)
  },
})

/** Confirms a domain that a business has claimed, in place of its DNS. */
export const confirmDomain = operation({
  ...common,
  name: 'confirm_email_domain',
  summary: 'Confirm a domain that a business has claimed, without a record in its DNS.',
  risk: 'medium',
  input: ofDomain,
  errors: ['email_domain_not_found', 'email_domain_taken'],
  audited,
  handle: async (context, { business_id, domain }) => {
    const command = { type: 'ProveDomain', ...stampOf(context), business_id, domain, proof: 'operator' } as const
    await changeDomains(context, command)
    return shownSignOn(context, business_id)
  },
})

/** Takes a domain from a business. */
export const takeDomain = operation({
  ...common,
  name: 'take_email_domain',
  summary: 'Take a domain from a business, so that another one can prove it.',
  risk: 'medium',
  input: ofDomain,
  errors: ['email_domain_not_found'],
  audited,
  handle: async (context, { business_id, domain }) => {
    await changeDomains(context, { type: 'ReleaseDomain', ...stampOf(context), business_id, domain })
    return shownSignOn(context, business_id)
  },
})

/** Removes the single sign-on of any business. */
export const endSignOn = operation({
  ...common,
  name: 'end_sign_on',
  summary: 'Remove the identity provider of a business and erase its secret. Everybody then signs in otherwise.',
  risk: 'medium',
  input: ofBusiness,
  errors: ['sign_on_not_found'],
  audited,
  handle: async (context, { business_id }) => {
    await changeSignOn(context, { type: 'RemoveSignOn', ...stampOf(context), business_id })
    return shownSignOn(context, business_id)
  },
})
