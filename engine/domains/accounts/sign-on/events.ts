import { type ShapesOf, stamped } from '../../../kernel/event-shape.ts'
import type { SignOnEndEvent } from '../sign-on-end.ts'
import type { EmailDomainEvent } from './domains.ts'
import type { SignOnEvent } from './setting.ts'

const settings: ShapesOf<SignOnEvent> = {
  SignOnSet: {
    ...stamped,
    name: 'text',
    issuer: 'text',
    client_id: 'text',
    scopes: 'list',
    required_of: 'text',
    new_accounts: 'text',
    staff_role_id: 'number?',
    business_id: 'number',
  },
  SignOnRemoved: { ...stamped, business_id: 'number' },
}

const domains: ShapesOf<EmailDomainEvent> = {
  EmailDomainClaimed: { ...stamped, business_id: 'number', domain: 'text' },
  EmailDomainReleased: { ...stamped, business_id: 'number', domain: 'text' },
  EmailDomainProved: { ...stamped, business_id: 'number', domain: 'text', proof: 'text' },
}

const ends: ShapesOf<SignOnEndEvent> = {
  SignOnEnded: { at: 'text', business_id: 'number', latest: 'text' },
}

/** The shapes of the events of single sign-on, by stream category. */
export const signOnEventShapes = { sign_on: settings, email_domain: domains, sign_on_end: ends }
