/** Encrypts a value; only the same label opens it again. */
export type Seal = (label: string, value: unknown) => string

/** Decrypts a value; throws if it was sealed under another label or with another subject's key. */
export type Open = (label: string, sealed: string) => unknown

/** A seal, and its key if that is new: it is stored with what is sealed, and nothing else is sealed with it before. */
export interface DraftSeal {
  readonly seal: Seal
  readonly key?: string
  /** To be called once the key is stored. */
  stored?(): void
}

/**
 * Encrypts personal data with one key for each subject, and can destroy the keys. Throws `wrong_secret_key` if its
 * keys cannot be read, so that locked data is never mistaken for erased data.
 */
export interface Vault {
  /** The seal of a subject, whose key is durable before this resolves; undefined after `forget`. */
  sealing(subject: string): Promise<Seal | undefined>
  /**
   * The same without storing a new key; not a promise if the key is in memory. May draft a seal for a forgotten subject: its
   * key cannot be stored. So may a subject that `isNew`, and is not looked up where that takes a call, turn out to have one.
   */
  draft(subject: string, isNew?: boolean): DraftSeal | Promise<DraftSeal | undefined>
  /** The opener of a subject; undefined after `forget`. */
  opening(subject: string): Promise<Open | undefined>
  /** Destroys the key for good, even if there is none yet. Idempotent. */
  forget(subject: string): Promise<void>
}
