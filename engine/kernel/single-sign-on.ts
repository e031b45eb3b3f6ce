import type { Identity } from './credentials.ts'

/** A client of an identity provider, and where the provider sends people back to. */
export interface SignOnClient {
  /** Exact `iss` of its ID tokens, from which its addresses and keys are discovered. */
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
  /** The secret behind the challenge of this sign-in (RFC 7636). */
  readonly verifier: string
  readonly nonce: string
}

/** A person who is to be sent to an identity provider. */
export interface SignOnQuestion extends SignOnClient {
  readonly scopes: readonly string[]
  readonly state: string
  /** The address that the person has entered. */
  readonly email: string
}

/** The code with which a person came back. */
export interface SignOnReturn extends SignOnClient {
  readonly clientSecret: string
  readonly code: string
}

/** Who came back. */
export interface SignedOnPerson extends Identity {
  readonly name?: string
  /** `sid` of the session at the provider, if it says one. */
  readonly session?: string
}

/** A person who is to sign out at an identity provider, too. */
export interface SignOutQuestion extends Pick<SignOnClient, 'issuer' | 'clientId' | 'redirectUri'> {
  readonly state: string
  /** The address of the account, so that the provider need not ask which of several is meant. */
  readonly email?: string | undefined
}

/** What an identity provider says with a logout token: the end of a session, or of all of a person. One of both is there. */
export interface ProviderLogout {
  /** `jti`, which no other token of the issuer has. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
  readonly subject?: string
  readonly session?: string
}

/** Asks the identity providers and the DNS of businesses, at permitted addresses only. */
export interface SingleSignOn {
  /** The address to which a person is sent. Throws `identity_provider_unavailable`. */
  address(question: SignOnQuestion): Promise<string>
  /**
   * Exchanges a code for an ID token, and says whose it is. Throws `invalid_id_token` if the provider refuses the code or the
   * token is not one of this sign-in, and `identity_provider_unavailable`.
   */
  identify(answer: SignOnReturn): Promise<SignedOnPerson>
  /** The address at which a person signs out; undefined if the provider has none. Throws `identity_provider_unavailable`. */
  endAddress(question: SignOutQuestion): Promise<string | undefined>
  /**
   * What a logout token says (OpenID Connect Back-Channel Logout 1.0, 2.6). Throws `logout_token_not_valid` unless the issuer has
   * made it for this client in the last five minutes, and `identity_provider_unavailable`. Whether it came before, the caller has to know.
   */
  readLogout(token: string, client: Pick<SignOnClient, 'issuer' | 'clientId'>): Promise<ProviderLogout>
  /** The TXT records of a name in the DNS; none if there are none, or if the DNS does not answer. */
  textRecords(name: string): Promise<readonly string[]>
}
