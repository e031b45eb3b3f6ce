import { randomUUID } from 'node:crypto'
import { ErrorType } from '@eventstore/db-client'
import { deriveId, type Keys } from '../../engine/index.ts'
import { appendWith } from './append.ts'
import { isKeepable, ownName, ownRecordOf, type ServerRecord, type StoredEvent } from './codec.ts'
import { unless } from './errors.ts'
import type { Log } from './log.ts'

/**
 * Keys. The key of a stream is the record at its beginning, so that a new stream and its key are one append. Where a
 * stream began without a key, and for a subject that is no stream, the key is a separate stream. The record at the
 * beginning of a stream never changes, so both ways never contradict each other.
 *
 * A key at the beginning of a stream is destroyed by a mark that the stream begins after it; a separate one by a
 * tombstone. No key can follow either.
 */
export function createKeys(log: Log): Omit<Keys, 'readNow'> {
  return {
    read: (subject) => readKey(log, subject),
    add: (subject, key) => addKey(log, subject, key),
    remove: (subject) => removeKey(log, subject),
  }
}

/** Whether the key of a subject can stand at the beginning of the stream of that name. */
export function isKeyedWithin(subject: string): boolean {
  return /^[a-z_]+-/.test(subject) && isKeepable(subject)
}

/** The record of a key at the beginning of a stream. */
export function keyRecordOf(key: string): ServerRecord {
  return ownRecordOf('key', { key }, randomUUID())
}

/** What a stream begins with; `undefined` for one without records. The key is absent if it is destroyed, or was never there. */
async function beginningOf(log: Log, subject: string): Promise<{ readonly key?: string } | undefined> {
  const [first] = await log.read(log.prefix + subject, { limit: 1 })
  return first && keyIn(first)
}

function keyIn({ type, data }: StoredEvent): { readonly key?: string } {
  return type === 'otep.key' ? { key: String((data as { readonly key?: unknown }).key) } : {}
}

function streamOfKey({ prefix }: Log, subject: string): string {
  return prefix + ownName('key', subject)
}

async function keyApart(log: Log, subject: string): Promise<string | undefined> {
  const [only] = await log.read(streamOfKey(log, subject), { limit: 1 })
  return only && keyIn(only).key
}

async function readKey(log: Log, subject: string): Promise<string | undefined> {
  if (!isKeyedWithin(subject)) return keyApart(log, subject)
  const beginning = await beginningOf(log, subject)
  // Beside a stream without records, a key was left by a call that recorded nothing: the stream may begin with another.
  return beginning && (beginning.key ?? keyApart(log, subject))
}

/** Stores the key of a subject that never had one; returns the key that is now valid. */
export async function addKey(log: Log, subject: string, key: string): Promise<string | undefined> {
  if (!isKeyedWithin(subject)) return addApart(log, subject, key)
  const beginning = await beginningOf(log, subject)
  if (beginning !== undefined) return beginning.key ?? addApart(log, subject, key)
  const added = await log.append(log.prefix + subject, [keyRecordOf(key)], -1)
  return added === undefined ? addKey(log, subject, key) : key
}

async function addApart(log: Log, subject: string, key: string): Promise<string | undefined> {
  const addition = { stream: streamOfKey(log, subject), events: [keyRecordOf(key)], last: -1 }
  const { connection } = log
  const added = await connection.call((client, isRepeated) => {
    const appended = appendWith(client, addition, { isRepeated, timeout: connection.timeouts.timeout })
    return unless(ErrorType.STREAM_DELETED, appended)
  }, 'write')
  return added === undefined ? keyApart(log, subject) : key
}

async function removeKey(log: Log, subject: string): Promise<void> {
  const options = { requiresLeader: true }
  await log.connection.call(
    (client) => unless(ErrorType.STREAM_DELETED, client.tombstoneStream(streamOfKey(log, subject), options)),
    'write',
  )
  if (isKeyedWithin(subject)) await removeWithin(log, subject)
}

/** A stream without records gets one, so that no key can begin it; so does a key alone, because a scavenge keeps the last record. */
async function removeWithin(log: Log, subject: string): Promise<void> {
  const stream = log.prefix + subject
  const [first, next] = await log.read(stream, { limit: 2 })
  const hasKey = first !== undefined && keyIn(first).key !== undefined
  if (hasKey && next !== undefined) return beginAt(log, stream, first.revision + 1)
  if ((first !== undefined && !hasKey) || (await log.isShut(stream))) return
  const last = first?.revision ?? -1
  const filling = ownRecordOf('void', {}, deriveId('void', stream, String(last + 1)))
  await log.append(stream, [filling], last)
  return removeWithin(log, subject)
}

/**
 * Marks where a stream begins; what others have set of it stays. Not by way of the client, which takes a position for the
 * revision that it expects.
 */
async function beginAt(log: Log, stream: string, revision: number): Promise<void> {
  const [last] = await log.read(`$$${stream}`, { backwards: true, limit: 1 })
  const data = JSON.stringify({ ...(last?.data as object | undefined), $tb: revision })
  const record = { id: randomUUID(), type: '$metadata', data, metadata: '{}' }
  const set = await log.append(`$$${stream}`, [record], last?.revision ?? -1)
  if (set === undefined) await beginAt(log, stream, revision)
}
