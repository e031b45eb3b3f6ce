/** Seals a value; only the same label opens it again. */
export type Seal = (label: string, value: unknown) => string

/** Opens what was sealed under this label; throws where it was not, or not with this subject's key. */
export type Open = (label: string, sealed: string) => unknown

/**
 * What keeps personal data readable, subject by subject, and can end that. Throws `wrong_secret_key` where its keys cannot
 * be read: what is locked is never taken for forgotten.
 */
export interface Vault {
  /** Seals for a subject, with a key of its own that is durable before this resolves; nothing once it was forgotten. */
  sealing(subject: string): Promise<Seal | undefined>
  /** Opens for a subject; nothing once it was forgotten. */
  opening(subject: string): Promise<Open | undefined>
  /** Throws the key away for good, whether or not there is one; done again, it changes nothing. */
  forget(subject: string): Promise<void>
}
