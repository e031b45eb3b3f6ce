/**
 * What personal data is sealed with, one key a subject, shared by all nodes. Kept apart from the facts, so that it can be
 * thrown away while they stay. What is kept is itself sealed: a store that is read by others gives no data away.
 */
export interface Keys {
  /** The key of a subject; nothing where there is none, or none any more. */
  read(subject: string): Promise<string | undefined>
  /** Keeps a key durably unless the subject has or had one; answers the one that stands, nothing where it was thrown away. */
  add(subject: string, key: string): Promise<string | undefined>
  /** Throws the key away for good, whether or not there is one: the subject never has another. */
  remove(subject: string): Promise<void>
}
