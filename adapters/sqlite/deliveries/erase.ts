import type { Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { isClaimed } from './open.ts'
import { createReleaseBody } from './purge.ts'

/** Erases the personal data of a subject, inside the caller's transaction. */
export type EraseSubject = (subject: string) => void

interface ErasedDeliveryRow {
  readonly number: number
  readonly body: number
  readonly native: number | null
}

/** The body of an erased delivery. */
export const emptyBody = new Uint8Array()

/** SQL condition for erased rows of `deliveries`; its parameter is the hash of `emptyBody`. */
export const isErased = 'body = (SELECT body FROM bodies WHERE hash = ?)'

/**
 * Creates the function that erases subjects. The record that something was sent, when and to whom, stays; bodies are
 * removed and waiting deliveries skipped. Attempts in flight cannot be stopped, but are not repeated.
 */
export function createEraseSubject(database: Database, box: Sealer): EraseSubject {
  const release = createReleaseBody(database)
  const about = database.prepare('SELECT number, body, native FROM deliveries WHERE subject = ?')
  const shared = database.prepare('UPDATE bodies SET uses = uses + 1 WHERE hash = ? RETURNING body')
  const insert = database.prepare('INSERT INTO bodies (hash, uses, bytes) VALUES (?, 1, ?)')
  const skip = database.prepare(
    `UPDATE deliveries AS d SET state = 'skipped' WHERE number = ? AND state = 'waiting' AND NOT ${isClaimed}`,
  )
  const empty = database.prepare(
    'UPDATE deliveries SET body = ?, native = NULL, first_answer = iif(first_attempt IS NULL, NULL, ?) WHERE number = ?',
  )
  const clearResponses = database.prepare('UPDATE attempts SET response_body = ? WHERE delivery = ?')

  function shareEmptyBody(): number {
    const row = shared.get(box.name(emptyBody)) as { readonly body: number } | undefined
    return row?.body ?? Number(insert.run(box.name(emptyBody), box.seal(emptyBody)).lastInsertRowid)
  }

  return (subject) => {
    for (const { number, body, native } of about.all(subject) as readonly ErasedDeliveryRow[]) {
      empty.run(shareEmptyBody(), box.seal(emptyBody), number)
      skip.run(number)
      clearResponses.run(box.seal(emptyBody), number)
      release(body)
      release(native)
    }
  }
}
