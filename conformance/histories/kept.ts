/** The JSON of an answer. */
export type Json = ReturnType<typeof JSON.parse>

/** Encrypts the keys of the history. */
export const secretKey = '07'.repeat(32)

/** The address of the server in links. */
export const baseUrl = 'https://old.example'

/** For each caller, what each path answered: a body, or the status and the code of a refusal. */
export type Answers = Readonly<Record<string, Record<string, Json>>>

/** Ids by the names that the test calls them by. */
export type Named = Readonly<Record<string, number | string>>

/** The files of a history beside its database. */
export interface Kept {
  /** When it was read, in epoch milliseconds. */
  readonly now: number
  /** Tokens and keys by the names of those who have them. */
  readonly tokens: Readonly<Record<string, string>>
  /** Ids of accounts, by the same names. */
  readonly ids: Readonly<Record<string, number>>
  readonly things: Named
  readonly answers: Answers
}
