import type { Authenticators, Passkeys } from './second-factor.ts'

/** An issuer of ID tokens and their audience (OpenID Connect Core 1.0, section 2). */
export interface IdentityProvider {
  /** `iss` of its tokens, from which its keys are discovered. */
  readonly issuer: string
  /** `aud` of tokens for the app. */
  readonly audience: string
}

/** The nonce of a sign-in (OpenID Connect Core 1.0, 3.1.3.7). */
export interface ExpectedNonce {
  /** What the app chose for this sign-in. A token with a nonce is refused without it. */
  readonly nonce?: string | undefined
  /** Whether a token without a nonce is refused. */
  readonly isRequired?: boolean | undefined
}

/** The identity in an ID token. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email?: string
  readonly isEmailVerified: boolean
}

/** Why a password would soon be guessed: many people have one like it, or it is made of what others know of its owner. */
export type Weakness = 'common' | 'own'

/** Proof of identity: password hashes, keyed hashes and identity providers, all implemented outside the engine. */
export interface Credentials {
  /** A keyed hash of a text in hexadecimal: deterministic, and useless without the key. */
  blind(text: string): string
  /** A keyed signature of a text, which only this server and those with the same secret can make. */
  sign(text: string): string
  /** Whether a text has this signature; takes equally long for any other one. */
  isSigned(text: string, signature: string): boolean
  /** Encrypts a text, so that only this server and those with the same secret can read it; what others make is not accepted. */
  seal(text: string): string
  /** The text that was sealed; undefined if it was not sealed by this server or one with the same secret. */
  unseal(sealed: string): string | undefined
  /**
   * Passes on whether a guess of something is right. Throws `too_many_requests` after a few wrong guesses of the same
   * thing from a source, even if this one is right.
   */
  guess(thing: string, source: string | undefined, isRight: boolean): boolean
  /** Why a new password would soon be guessed, if so; `own` is what others know of its owner. */
  weakness(password: string, own: readonly string[]): Promise<Weakness | undefined>
  /** The slow hash of a password, including its salt and cost. The sources of requests take turns. */
  hash(password: string, source?: string): Promise<string>
  /**
   * Whether a password matches a hash. Without a hash, it takes equally long to return false. The checks of accounts that
   * are `known` at the source wait only for each other; those accounts take turns.
   */
  matches(password: string, hash: string | undefined, source?: string, known?: string): Promise<boolean>
  /** The identity in an ID token. Refuses an invalid, expired or foreign token, and one of another sign-in, with `invalid_id_token`. */
  identify(idToken: string, provider: IdentityProvider, expected?: ExpectedNonce): Promise<Identity>
  /** A new secret token: 32 random bytes in hexadecimal. */
  token(): string
  /** Slows down guessing. */
  readonly attempts: Attempts
  /** Codes of authenticator apps. */
  readonly authenticators: Authenticators
  /** Absent if the package for passkeys is not installed. */
  readonly passkeys?: Passkeys | undefined
}

/**
 * Slows down guessing. Failures are counted by account and source, so that nobody can keep an account from signing in
 * elsewhere; and whether or not the account exists.
 */
export interface Attempts {
  /**
   * Counts a try of something that is good for less than an hour, such as a code, for all nodes. Throws `too_many_attempts`
   * after so many tries, even if this one is right.
   */
  countTry(thing: string, most: number): Promise<void>
  /**
   * Runs a check of an account (a blinded email) from a source; undefined counts as a failure. Checks of the same
   * account from the same source run one after the other, so that each sees the failures before it. A check gets the
   * account as `known` if it has signed in from the source before. Throws
   * `too_many_attempts` while they have to wait, `too_many_requests` after too many attempts, and `too_busy` if many
   * checks are waiting.
   */
  attempt<Found>(
    account: string,
    source: string | undefined,
    check: (known: string | undefined) => Promise<Found | undefined>,
  ): Promise<Found | undefined>
}
