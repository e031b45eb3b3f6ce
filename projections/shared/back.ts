/** How a foreign state is read: exactly, or with a warning. */
export interface Back {
  readonly code: string
  /** What the state says in addition to the code. */
  readonly reason?: string
  /** Whether the code has exactly the same meaning. */
  readonly exact: boolean
}

/** A state that has exactly the meaning of a code. */
export function exactly(code: string, reason?: string): Back {
  return { code, exact: true, ...(reason !== undefined && { reason }) }
}

/** A state to which no code is closer. */
export function nearly(code: string, reason?: string): Back {
  return { ...exactly(code, reason), exact: false }
}

/** A state that says nothing of the parcel. */
export const noNews = 'no news'

/** A detail of a state that says no more than the state. */
export const asItsState = 'as its state'

/** How all states of a system are read. */
export type BackTable = Readonly<Record<string, Back | typeof noNews>>

/** How all details of states are read. */
export type DetailTable = Readonly<Record<string, Back | typeof noNews | typeof asItsState>>

/** The row of a state; undefined if the table has none. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, word: unknown): Row | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}

/** The experimental code for a word that a system did not have when its table was written: `x-ship24_drone_landed`. */
export function freeCode(system: string, words: string): string {
  return `x-${system}_${words
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)}`
}
