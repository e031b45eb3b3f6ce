/** A record of a journal. Numbers grow by one; the first one is 0. */
export interface JournalRecord {
  readonly number: number
  readonly text: string
}

/**
 * Journals of the processes of a store: what they tell each other that is no event of the business. A record is kept for 90
 * days. Of two appends at once either may come first; one that is tried again may be there twice.
 */
export interface Journals {
  /** Adds a record at the end. Once this resolves, the record is durable and every reader sees it. */
  append(name: string, text: string): Promise<void>
  /** At most `limit` records from a number on, oldest first. Numbers that were dropped are skipped. */
  read(name: string, from: number, limit: number): Promise<readonly JournalRecord[]>
  /** The number of the last record; undefined if there is none. */
  last(name: string): Promise<number | undefined>
}
