/** The secret of an authenticator app. */
interface AuthenticatorSecret {
  /** In Base32, as people type it. */
  readonly secret: string
  /** The `otpauth:` address that apps read from a QR code. */
  readonly uri: string
}

/** Codes that change every 30 seconds (RFC 6238), implemented outside the engine. */
export interface Authenticators {
  /** A new secret, for an account at an issuer: the names under which the app shows it. */
  create(names: { readonly issuer: string; readonly account: string }): Promise<AuthenticatorSecret>
  /** The 30 seconds that a code is of, at an instant (epoch milliseconds) or one step around it; undefined if it is of none. */
  stepOf(secret: string, code: string, instant: number): Promise<number | undefined>
}

/** A passkey as it is stored: nothing of it can sign in. */
export interface Passkey {
  /** The id that its device knows it by, in base64url. */
  readonly credential: string
  /** In base64url. */
  readonly public_key: string
  /** How often it was used, if its device counts. */
  readonly counter: number
  readonly transports: readonly string[]
}

/** What a browser is asked with: options of `navigator.credentials`, as JSON. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** Passkeys (WebAuthn, level 3), which devices use only after they have checked their owner. Implemented outside the engine. */
export interface Passkeys {
  /** The options to make a passkey; `known` are those that the account has. */
  creation(asked: {
    readonly baseUrl: string
    readonly challenge: string
    readonly account: number
    readonly name: string
    readonly known: readonly Passkey[]
  }): Promise<PasskeyOptions>
  /** The passkey in the answer of a browser; undefined if the answer is not right. */
  created(asked: {
    readonly baseUrl: string
    readonly challenge: string
    readonly answer: unknown
  }): Promise<Passkey | undefined>
  /** The options to use one of these passkeys; any of this server if there are none. */
  request(asked: {
    readonly baseUrl: string
    readonly challenge: string
    readonly known: readonly Passkey[]
  }): Promise<PasskeyOptions>
  /** The new counter of a passkey after the answer of a browser; undefined if the answer is not right. */
  used(asked: {
    readonly baseUrl: string
    readonly challenge: string
    readonly answer: unknown
    readonly passkey: Passkey
  }): Promise<number | undefined>
}
