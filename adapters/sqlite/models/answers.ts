import { crc32 } from 'node:zlib'
import type { AnswerRow } from '../../node/answers.ts'
import { type Database, queryOn } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import type { NamedRow } from './queue.ts'

/** Finished answers by the number that was asked for. */
export const answersSchema = `
CREATE TABLE answers (
  number TEXT PRIMARY KEY,
  stream TEXT NOT NULL,
  maker TEXT NOT NULL,
  tag TEXT NOT NULL,
  ends TEXT NOT NULL,
  sealed INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX answers_of_stream ON answers (stream);
`

type KeptRow = readonly [
  stream: string,
  maker: string,
  tag: string,
  ends: string,
  sealed: number,
  sum: number,
  body: Uint8Array,
]

/** The checksum of a row; a sealed one is authenticated when it is opened. */
function sumOf(number: string, { stream, maker, tag, ends, isSealed, body }: AnswerRow): number {
  return isSealed ? 0 : crc32(body, crc32([number, stream, maker, tag, ends].join('\0')))
}

/** The answers in an open file, as long as it holds those of this history. */
export function answersOn(database: Database, history: string) {
  const ofThis = '(SELECT 1 FROM kept_history WHERE name = ?)'
  const select = queryOn<KeptRow>(
    database,
    `SELECT stream, maker, tag, ends, sealed, sum, body FROM answers WHERE number = ? AND EXISTS ${ofThis}`,
  )
  const insert = database.prepare(`INSERT OR REPLACE INTO answers SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS ${ofThis}`)
  const has = database.prepare('SELECT 1 FROM answers WHERE stream = ?')
  const remove = database.prepare('DELETE FROM answers WHERE stream = ?')

  function find(number: string): AnswerRow | undefined {
    const [found] = select(number, history)
    if (found === undefined) return undefined
    const [stream, maker, tag, ends, sealed, sum, body] = found
    const row = { stream, maker, tag, ends, isSealed: sealed === 1, body }
    return sum === sumOf(number, row) ? row : undefined
  }

  return {
    /** In one transaction, which locks the file once. */
    find: (numbers: readonly string[]) => inTransaction(database, 'DEFERRED', () => numbers.map(find)),
    write: (rows: readonly NamedRow<AnswerRow>[]) => {
      if (rows.length === 0) return
      inTransaction(database, 'IMMEDIATE', () => {
        for (const [number, row] of rows) {
          const { stream, maker, tag, ends, isSealed, body } = row
          insert.run(number, stream, maker, tag, ends, isSealed ? 1 : 0, sumOf(number, row), body, history)
        }
      })
    },
    has: (stream: string) => has.get(stream) !== undefined,
    drop: (stream: string) => void remove.run(stream),
  }
}
