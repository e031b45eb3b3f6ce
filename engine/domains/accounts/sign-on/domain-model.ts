import type { Context } from '../../../kernel/context.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { ReadModel } from '../../../kernel/read-model.ts'
import { type Claim, type DomainProof, type EmailDomainEvent, mostDomains } from './domains.ts'

/** The claims of domains as they are now: a sign-in reads that of its domain, however many others came and went. */
export const emailDomainModel: ReadModel = {
  name: 'email_domains',
  version: 1,
  category: 'email_domain',
  columns: {
    domain: 'text',
    business_id: 'integer',
    claimed_at: 'text',
    /** Null until the claim is proved. */
    proof: 'text',
  },
  key: ['domain', 'business_id'],
  indexes: [['domain', 'proof'], ['proof'], ['business_id']],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<EmailDomainEvent>
    const { domain, business_id } = data
    if (type === 'EmailDomainClaimed') return [{ domain, business_id, claimed_at: data.at }]
    return type === 'EmailDomainProved' ? [{ domain, business_id, proof: data.proof }] : []
  },
  gone: (event) => {
    const { type, data } = event as RecordedEvent<EmailDomainEvent>
    return type === 'EmailDomainReleased' ? [{ domain: data.domain, business_id: data.business_id }] : []
  },
}

/** The proved claims. */
const proved = { among: { proof: ['dns', 'operator'] satisfies DomainProof[] }, limit: 1, uncounted: true } as const

/** The claims of a business, the earliest first. */
export async function claimsOf({ models }: Pick<Context, 'models'>, business_id: number): Promise<readonly Claim[]> {
  const asked = { where: { business_id }, orderBy: 'claimed_at', limit: mostDomains, uncounted: true } as const
  const { rows } = await models.page(emailDomainModel, asked)
  return rows.map(({ domain, claimed_at, proof }) => ({
    ...{ domain: String(domain), claimedAt: String(claimed_at) },
    ...(proof !== null && { proof: proof as DomainProof }),
  }))
}

/** The business that has proved a domain, if there is one. */
export async function ownerOfDomain({ models }: Pick<Context, 'models'>, domain: string): Promise<number | undefined> {
  const { rows } = await models.page(emailDomainModel, { ...proved, where: { domain } })
  return rows[0] && Number(rows[0].business_id)
}

/** Whether any business has proved a domain. */
export async function isAnyProved({ models }: Pick<Context, 'models'>): Promise<boolean> {
  return (await models.page(emailDomainModel, proved)).rows.length > 0
}
