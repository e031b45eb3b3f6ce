import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Grants, and the programs that ask for them. */
export const grantMessages = {
  bad_request: {
    invalid_grant: 'The code or token is unknown, has expired, or belongs to another client.',
    grant_reused: 'The code or refresh token was used before, so the grant has ended. Ask the person again.',
    invalid_target: 'The tokens of this grant are for another address.',
    invalid_client_metadata: 'The metadata of the client cannot be accepted, at {member}.',
    invalid_redirect_uri: 'A redirect URI must be https, http on the person’s own machine, or a scheme of one program.',
  },
  unauthenticated: {
    invalid_client: 'The client is unknown, or its registration has expired. Register it again.',
    wrong_resource: 'The token is for {resource} and for no other address.',
  },
  not_found: {
    grant_not_found: 'There is no such grant.',
  },
  conflict: {
    too_many_grants: 'The account lets {limit} programs act in its name. End the grants that nobody needs.',
  },
} as const satisfies Catalogue

/** A code of grants. */
export type GrantCode = CodeOf<typeof grantMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<GrantCode, 'accounts'> {}
}
