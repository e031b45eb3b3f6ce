/** Who signs ID tokens, and for whom (OpenID Connect Core 1.0, section 2). */
export interface IdentityProvider {
  /** `iss` of its tokens; its keys are found from there. */
  readonly issuer: string
  /** `aud` of the tokens that are meant for the app. */
  readonly audience: string
}

/** Whom an ID token names. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email?: string
  readonly isEmailVerified: boolean
}

/** What proves who somebody is: slow hashes, a secret and other servers, all of which are outside of the engine. */
export interface Credentials {
  /** A keyed hash of a text: the same text gives the same, and it tells nothing to whoever has no key. Hexadecimal. */
  blind(text: string): string
  /** The slow hash of a password, with its salt and its cost. */
  hash(password: string): Promise<string>
  /** Whether a password has this hash; where there is none it takes as long to say no. */
  matches(password: string, hash: string | undefined): Promise<boolean>
  /** Whom an ID token names; refuses one that is wrong, out of date or meant for others with `invalid_id_token`. */
  identify(idToken: string, provider: IdentityProvider): Promise<Identity>
  /** A new secret token: 32 random bytes in hexadecimal. */
  token(): string
  /** Slows down who guesses. */
  readonly attempts: Attempts
}

/** Slows down who guesses: failures are counted under a key (a blinded email), whether or not there is such an account. */
export interface Attempts {
  /**
   * What a check finds; nothing is a failure. Checks under one key run one after the other, so that each knows of the
   * failures before it. Refuses with `too_many_attempts` as long as the key has to wait, and `too_busy` where many do.
   */
  attempt<Found>(key: string, check: () => Promise<Found | undefined>): Promise<Found | undefined>
}
