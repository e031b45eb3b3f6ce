import type { SignOnEndEvent } from '../sign-on-end.ts'
import type { EmailDomainEvent } from './domains.ts'
import type { SignOnEvent } from './setting.ts'

const settings = { SignOnSet: true, SignOnRemoved: true } satisfies Record<SignOnEvent['type'], true>
const domains = {
  ...{ EmailDomainClaimed: true, EmailDomainProved: true, EmailDomainReleased: true },
} satisfies Record<EmailDomainEvent['type'], true>

const ends = { SignOnEnded: true } satisfies Record<SignOnEndEvent['type'], true>

/** The event types of single sign-on, by stream category. */
export const signOnEventTypes = {
  sign_on: Object.keys(settings),
  email_domain: Object.keys(domains),
  sign_on_end: Object.keys(ends),
}
