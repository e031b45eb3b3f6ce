import type { EventBase } from '../../../entity/machine.ts'
import type { Event } from '../../../kernel/event.ts'

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

const types: Readonly<Record<GrantEvent['type'], true>> = {
  GrantMade: true,
  GrantRedeemed: true,
  GrantRefreshed: true,
  GrantReused: true,
  GrantRevoked: true,
  GrantErased: true,
}

/** The types of the events of grants, by stream category. */
export const grantEventTypes = { grant: Object.keys(types) }
