import { randomUUID } from 'node:crypto'
import { ErrorType, NO_STREAM } from '@eventstore/db-client'
import type { Keys, Lease, Leases } from '../../engine/index.ts'
import { ownDataOf, ownName } from './codec.ts'
import { type Log, unless } from './log.ts'

/** The stream of a lease, by its name on the server. */
export function leaseStream({ prefix }: Pick<Log, 'prefix'>, name: string): string {
  return prefix + ownName('lease', name)
}

/** Leases: each is a stream, and each write an event. Term 1 is at revision 0. */
export function createLeases(log: Log): Leases {
  const streamOf = (name: string) => leaseStream(log, name)

  async function read(name: string): Promise<Lease | undefined> {
    const [last] = await log.read(streamOf(name), { backwards: true, limit: 1 })
    return last?.data as Lease | undefined
  }

  async function write(name: string, lease: Lease): Promise<boolean> {
    if (!Number.isSafeInteger(lease.term) || lease.term < 1) return false
    if (lease.term === 1) await keepLastOf(streamOf(name))
    const record = ownDataOf('lease', lease, randomUUID())
    return (await log.append(streamOf(name), [record], lease.term - 2)) !== undefined
  }

  /** Lets the server delete all terms but the last. */
  async function keepLastOf(stream: string) {
    const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const
    await log.connection.call(
      (client) => unless(ErrorType.WRONG_EXPECTED_VERSION, client.setStreamMetadata(stream, { maxCount: 1 }, options)),
      'write',
    )
  }

  return { read, write }
}

/** Keys: each is a stream of one event. After a deletion there is never a stream of that name again. */
export function createKeys(log: Log): Omit<Keys, 'readNow'> {
  async function remove(subject: string): Promise<void> {
    const options = { requiresLeader: true }
    await log.connection.call(
      (client) => unless(ErrorType.STREAM_DELETED, client.tombstoneStream(keyStream(log, subject), options)),
      'write',
    )
  }

  return { read: (subject) => readKey(log, subject), add: (subject, key) => addKey(log, subject, key), remove }
}

function keyStream({ prefix }: Log, subject: string): string {
  return prefix + ownName('key', subject)
}

async function readKey(log: Log, subject: string): Promise<string | undefined> {
  const [first] = await log.read(keyStream(log, subject), { limit: 1 })
  return (first?.data as { readonly key?: string } | undefined)?.key
}

/** Stores the key of a subject that never had one; returns the key that is now valid. */
export async function addKey(log: Log, subject: string, key: string): Promise<string | undefined> {
  const record = ownDataOf('key', { key }, randomUUID())
  const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const
  const added = await log.connection.call((client) => {
    const appended = client.appendToStream(keyStream(log, subject), record, options)
    return unless(ErrorType.STREAM_DELETED, unless(ErrorType.WRONG_EXPECTED_VERSION, appended))
  }, 'write')
  return added === undefined ? readKey(log, subject) : key
}
