/** Encrypts a value; only the same label opens it again. */
export type Seal = (label: string, value: unknown) => string

/** Decrypts a value; throws if it was sealed under another label or with another subject's key. */
export type Open = (label: string, sealed: string) => unknown

/**
 * Encrypts personal data with one key for each subject, and can destroy the keys. Throws `wrong_secret_key` if its
 * keys cannot be read, so that locked data is never mistaken for erased data.
 */
export interface Vault {
  /** The seal of a subject, whose key is durable before this resolves; undefined after `forget`. */
  sealing(subject: string): Promise<Seal | undefined>
  /** The opener of a subject; undefined after `forget`. */
  opening(subject: string): Promise<Open | undefined>
  /** Destroys the key for good, even if there is none yet. Idempotent. */
  forget(subject: string): Promise<void>
}
