import type { EmailDomainEvent } from './domains.ts'
import type { SignOnEvent } from './setting.ts'

const settings = { SignOnSet: true, SignOnRemoved: true } satisfies Record<SignOnEvent['type'], true>
const domains = {
  ...{ EmailDomainClaimed: true, EmailDomainProved: true, EmailDomainReleased: true },
} satisfies Record<EmailDomainEvent['type'], true>

/** The event types of single sign-on, by stream category. */
export const signOnEventTypes = { sign_on: Object.keys(settings), email_domain: Object.keys(domains) }
