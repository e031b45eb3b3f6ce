import type { EventBase } from '../../../entity/machine.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Decider } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { execute } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'

/** The stream of all claims of domains: that they are in one, one after the other, gives a domain to one business. */
const domainStream: StreamName = 'email_domain-register'

/** How many domains a business may claim. */
export const mostDomains = 20

/** How it was shown that a domain is of a business: by its DNS, or by a word of the operator. */
export type DomainProof = 'dns' | 'operator'

type OfDomain = EventBase & { readonly business_id: number; readonly domain: string }

/** The events of the domains of email addresses. */
export type EmailDomainEvent =
  | Event<'EmailDomainClaimed' | 'EmailDomainReleased', OfDomain>
  | Event<'EmailDomainProved', OfDomain & { readonly proof: DomainProof }>

/** The claim of a business on a domain; one without a proof does nothing. */
export interface Claim {
  readonly domain: string
  readonly claimedAt: string
  readonly proof?: DomainProof
}

/** All claims: by domain, then by business. */
type Claims = ReadonlyMap<string, ReadonlyMap<number, Claim>>

/** The commands of the domains of email addresses. */
type EmailDomainCommand =
  | (OfDomain & { readonly type: 'ClaimDomain' | 'ReleaseDomain' })
  | (OfDomain & { readonly type: 'ProveDomain'; readonly proof: DomainProof })

function evolve(claims: Claims, { type, data }: EmailDomainEvent): Claims {
  const { business_id, domain, at } = data
  const of = new Map(claims.get(domain))
  if (type === 'EmailDomainReleased') of.delete(business_id)
  else {
    const claim = of.get(business_id) ?? { domain, claimedAt: at }
    of.set(business_id, type === 'EmailDomainProved' ? { ...claim, proof: data.proof } : claim)
  }
  const after = new Map(claims)
  if (of.size === 0) after.delete(domain)
  else after.set(domain, of)
  return after
}

function decide({ type, ...data }: EmailDomainCommand, claims: Claims): readonly EmailDomainEvent[] {
  const { business_id, domain } = data
  const known = claims.get(domain)?.get(business_id)
  if (type === 'ReleaseDomain') {
    if (known === undefined) throw new EngineError('email_domain_not_found', { domain })
    return [{ type: 'EmailDomainReleased', data }]
  }
  const owner = ownerIn(claims, domain)
  if (owner !== undefined && owner !== business_id) throw new EngineError('email_domain_taken', { domain })
  if (type === 'ProveDomain') {
    if (known === undefined) throw new EngineError('email_domain_not_found', { domain })
    const { proof } = data as Extract<EmailDomainCommand, { readonly type: 'ProveDomain' }>
    return known.proof === undefined ? [{ type: 'EmailDomainProved', data: { ...data, proof } }] : []
  }
  if (known !== undefined) return []
  if (claimsIn(claims, business_id).length >= mostDomains)
    throw new EngineError('too_many_email_domains', { limit: mostDomains })
  return [{ type: 'EmailDomainClaimed', data }]
}

/** The decider of the domains of email addresses. */
const emailDomains: Decider<Claims, EmailDomainCommand, EmailDomainEvent> = {
  initial: () => new Map(),
  evolve,
  decide,
}

function ownerIn(claims: Claims, domain: string): number | undefined {
  return [...(claims.get(domain) ?? [])].find(([, { proof }]) => proof !== undefined)?.[0]
}

function claimsIn(claims: Claims, businessId: number): readonly Claim[] {
  return [...claims.values()].flatMap((of) => of.get(businessId) ?? [])
}

/** The domain of an email address, in small letters: all after the last @. */
export function domainIn(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Records what is decided about a domain. */
export async function changeDomains(context: Context, command: EmailDomainCommand): Promise<void> {
  await execute(context.store, emailDomains, domainStream, command, toNewEvent(context))
}

/** The TXT record by which a business proves a domain: nobody else can make others believe that it put it there. */
export function recordFor({ credentials }: Pick<Context, 'credentials'>, businessId: number, domain: string) {
  const token = credentials.blind(`domain\0${businessId}\0${domain}`).slice(0, 40)
  return { name: `_otep-sign-on.${domain}`, type: 'TXT' as const, value: `otep-domain=${token}` }
}
