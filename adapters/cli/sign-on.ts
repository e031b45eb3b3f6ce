import type { InferOutput } from 'valibot'
import { call, confirmDomain, endSignOn, type Operation, showSignOnOf, takeDomain } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { withContext } from './session.ts'

type Shown = InferOutput<typeof showSignOnOf.output>

/** `otep sign-on`: manages the single sign-on of businesses. */
export const run: Run = async (invocation) => {
  const [verb, business, domain, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (business !== undefined && domain === undefined) {
    const business_id = numberOf(business)
    if (verb === 'show') return act(invocation, showSignOnOf, { business_id })
    if (verb === 'remove') return act(invocation, endSignOn, { business_id })
  }
  if (business !== undefined && domain !== undefined) {
    const asked = { business_id: numberOf(business), domain: domain.toLowerCase() }
    if (verb === 'confirm') return act(invocation, confirmDomain, asked)
    if (verb === 'release') return act(invocation, takeDomain, asked)
  }
  throw usageError('Use one of: show BUSINESS, confirm BUSINESS DOMAIN, release BUSINESS DOMAIN, remove BUSINESS.')
}

function act(invocation: Invocation, operation: Operation, asked: object): Promise<number> {
  return withContext(invocation, async (context) => {
    const shown = (await call(operation, context, asked)) as Shown
    printAnswer(invocation, shown, sentencesOf(shown).join('\n'))
    return 0
  })
}

function sentencesOf({ sign_on, redirect_uri, backchannel_logout_uri, domains }: Shown): readonly string[] {
  const provider =
    sign_on === null
      ? 'No identity provider.'
      : `${sign_on.name}: ${sign_on.issuer}, client ${sign_on.client_id}, required of ${sign_on.required_of}, new accounts: ${sign_on.new_accounts}.`
  const lines = domains.map(({ domain, proof, record }) =>
    proof === null
      ? `${domain}: not proved yet. TXT ${record.name} ${record.value}`
      : `${domain}: proved by ${proof === 'dns' ? 'its DNS' : 'the operator'}.`,
  )
  const addresses = [`Redirect URI: ${redirect_uri}`, `Back-channel logout URI: ${backchannel_logout_uri}`]
  return [provider, ...addresses, ...lines]
}
