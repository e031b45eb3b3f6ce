import type { Database } from '../database.ts'

/** The history that a file held when it was opened. */
export interface History {
  /** Random id, which a restore changes. */
  readonly id: string
  /** Whether the file still holds this history. */
  stands(): boolean
}

/** The history in an open file. */
export function historyIn(database: Database): History {
  const select = database.prepare('SELECT id FROM history')
  const read = () => (select.get() as { readonly id: string | null } | undefined)?.id
  const id = read()
  if (typeof id !== 'string') throw new Error('The event store is damaged: it does not say which history it holds.')
  return { id, stands: () => read() === id }
}
