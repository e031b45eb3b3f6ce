import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Single sign-on. */
export const signOnMessages = {
  bad_request: {
    logout_token_not_valid:
      'The logout token is not one of the identity provider for this client, has run out, or was used before.',
  },
  forbidden: {
    sign_on_address_refused:
      'The identity provider has not confirmed an email address in a domain that the business has proved.',
    sign_on_without_account: 'There is no account here for this person. Ask an administrator for one.',
    sign_on_required: 'Staff of this business signs in with {name}, at {url}.',
    email_outside_sign_on:
      'Staff of this business signs in with {name}: the address has to be in a domain that the business has proved.',
  },
  not_found: {
    sign_on_not_found: 'There is no single sign-on here.',
    email_domain_not_found: 'The business has not claimed the domain {domain}.',
  },
  conflict: {
    sign_on_not_tried: 'Sign in with {issuer} once before you require it, so that it is known to work.',
    email_domain_taken: 'Another business has proved the domain {domain}.',
    email_domain_not_proved:
      'The DNS has no TXT record {name} with {value}. It can take an hour to be seen everywhere.',
    too_many_email_domains: 'The business has {limit} domains. Give back those that nobody needs.',
  },
  gone: {
    sign_on_not_valid: 'This sign-in has run out, or was begun in another browser. Begin again.',
  },
  value: {
    client_secret_missing: 'The secret of the client is missing.',
    not_an_email_domain: 'Expected a domain in small letters, such as acme.example.',
  },
} as const satisfies Catalogue

/** A code of single sign-on. */
export type SignOnCode = CodeOf<typeof signOnMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<SignOnCode, 'accounts'> {}
}
