import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Sessions, links by e-mail, invitations and registration. */
export const peopleMessages = {
  forbidden: {
    registration_closed: 'Nobody can register in this app for this client.',
  },
  not_found: {
    session_not_found: 'There is no such open session of your account.',
  },
  conflict: {
    mail_not_set_up: 'This server sends no e-mails, so this is not possible here.',
    email_unchanged: 'This is the email address of the account already.',
    account_not_invited: 'Account {account} has no invitation that is open.',
  },
  gone: {
    link_not_valid: 'This link has been used or is no longer valid. Ask for a new one.',
  },
  invalid: {
    wrong_code: 'The code is wrong or no longer valid.',
    phone_required: 'A phone number is needed to register in this app for this client.',
  },
  value: {
    issuer_not_https: 'The address of an identity provider must begin with https://, unless it is on this machine.',
    not_a_phone_number: 'Expected a phone number with its country code, such as +14165550100.',
  },
} as const satisfies Catalogue

/** A code of sessions, links by e-mail, invitations and registration. */
export type PeopleCode = CodeOf<typeof peopleMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<PeopleCode, 'accounts'> {}
}
