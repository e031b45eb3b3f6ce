import type { EventBase } from '../../../entity/machine.ts'
import type { Event } from '../../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../../kernel/event-shape.ts'

type GrantEventBase = EventBase & { readonly grant_id: number }

/** A pair of tokens, of which only the SHA-256 is stored. */
export interface IssuedTokens {
  readonly access: string
  readonly access_expires_at: string
  readonly refresh: string
  readonly refresh_expires_at: string
}

/**
 * The events of a grant: what a person let a program do in its name (OAuth 2.1). Codes and tokens, the client and where
 * the answer went are stored as SHA-256 alone.
 */
export type GrantEvent =
  | Event<
      'GrantMade',
      GrantEventBase & {
        readonly account_id: number
        readonly business_id: number
        /** The account's `generation` at that time; when it has increased, the grant has ended. */
        readonly generation: number
        readonly client: string
        /** The host that the client is known by, which the person saw. */
        readonly client_host: string
        readonly redirect: string
        /** The PKCE challenge (RFC 7636, S256). */
        readonly challenge: string
        /** The address that tokens are for (RFC 8707). */
        readonly resource: string
        readonly scopes: readonly string[]
        readonly code: string
        readonly code_expires_at: string
        /** When the person has to be asked again. */
        readonly ends_at: string
        readonly personal?: { readonly client_name: string }
      }
    >
  /** The code was exchanged for the first tokens. `family` is the part that all refresh tokens of the grant share. */
  | Event<'GrantRedeemed', GrantEventBase & IssuedTokens & { readonly family: string }>
  | Event<'GrantRefreshed', GrantEventBase & IssuedTokens>
  /** A code or refresh token came a second time, so somebody else has it: the grant has ended. */
  | Event<'GrantReused', GrantEventBase & { readonly token: 'code' | 'refresh_token' }>
  | Event<'GrantRevoked', GrantEventBase>
  /** The name of the client was erased with the person of the account; the grant has ended. */
  | Event<'GrantErased', GrantEventBase>

/** The shapes of the events of grants. */
export const grantEventShapes: ShapesOf<GrantEvent> = {
  GrantMade: {
    ...stamped,
    grant_id: 'number',
    account_id: 'number',
    business_id: 'number',
    generation: 'number',
    client: 'text',
    client_host: 'text',
    redirect: 'text',
    challenge: 'text',
    resource: 'text',
    scopes: 'list',
    code: 'text',
    code_expires_at: 'text',
    ends_at: 'text',
  },
  GrantRedeemed: {
    ...stamped,
    grant_id: 'number',
    access: 'text',
    access_expires_at: 'text',
    refresh: 'text',
    refresh_expires_at: 'text',
    family: 'text',
  },
  GrantRefreshed: {
    ...stamped,
    grant_id: 'number',
    access: 'text',
    access_expires_at: 'text',
    refresh: 'text',
    refresh_expires_at: 'text',
  },
  GrantReused: { ...stamped, grant_id: 'number', token: 'text' },
  GrantRevoked: { ...stamped, grant_id: 'number' },
  GrantErased: { ...stamped, grant_id: 'number' },
}
