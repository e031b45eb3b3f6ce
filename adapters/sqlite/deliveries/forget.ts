import type { Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { isClaimed } from './open.ts'
import { createLetGo } from './purge.ts'

/** Throws away what was told about a subject, within a transaction that somebody else has begun. */
export type Forget = (subject: string) => void

interface Told {
  readonly number: number
  readonly body: number
  readonly native: number | null
}

/** The body of what was forgotten. */
export const nothing = new Uint8Array()

/** Whether a row of `deliveries` was forgotten, by the name of `nothing`. */
export const isForgotten = 'body = (SELECT body FROM bodies WHERE hash = ?)'

/**
 * What forgets in an open file. That something was sent, to whom and when stays; its body is none any more, and what waits
 * of it is skipped. What is under way cannot be called back, but is not tried again.
 */
export function createForget(database: Database, box: Sealer): Forget {
  const letGo = createLetGo(database)
  const about = database.prepare('SELECT number, body, native FROM deliveries WHERE subject = ?')
  const shared = database.prepare('UPDATE bodies SET uses = uses + 1 WHERE hash = ? RETURNING body')
  const insert = database.prepare('INSERT INTO bodies (hash, uses, bytes) VALUES (?, 1, ?)')
  const skip = database.prepare(
    `UPDATE deliveries AS d SET state = 'skipped' WHERE number = ? AND state = 'waiting' AND NOT ${isClaimed}`,
  )
  const empty = database.prepare('UPDATE deliveries SET body = ?, native = NULL WHERE number = ?')
  const silence = database.prepare('UPDATE attempts SET response_body = ? WHERE delivery = ?')

  function emptyBody(): number {
    const row = shared.get(box.name(nothing)) as { readonly body: number } | undefined
    return row?.body ?? Number(insert.run(box.name(nothing), box.seal(nothing)).lastInsertRowid)
  }

  return (subject) => {
    for (const { number, body, native } of about.all(subject) as readonly Told[]) {
      empty.run(emptyBody(), number)
      skip.run(number)
      silence.run(box.seal(nothing), number)
      letGo(body)
      letGo(native)
    }
  }
}
