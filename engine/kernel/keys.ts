/**
 * The keys that encrypt personal data, one for each subject, shared by all nodes. They are stored apart from the
 * events, so that they can be destroyed. The stored keys are themselves encrypted, so a copy of the store reveals
 * nothing.
 */
export interface Keys {
  /** The key of a subject, if it has one. */
  read(subject: string): Promise<string | undefined>
  /** The same without waiting; absent if the keys are not in this process. */
  readNow?(subject: string): string | undefined
  /**
   * Stores a key durably, unless the subject has or had one. Returns the key that is now valid; undefined if it was
   * destroyed.
   */
  add(subject: string, key: string): Promise<string | undefined>
  /** Destroys the key for good. The subject never gets another one, even if it had none. */
  remove(subject: string): Promise<void>
}
