import { randomUUID } from 'node:crypto'
import { ErrorType, NO_STREAM } from '@eventstore/db-client'
import type { Journals, Lease, Leases } from '../../engine/index.ts'
import { clientEventOf, ownName, ownRecordOf } from './codec.ts'
import { unless } from './errors.ts'
import type { Log } from './log.ts'

/** What the server drops of a stream, and when. */
type Retention = { readonly maxCount: number } | { readonly maxAge: number }

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
    // The server may delete all terms but the last.
    if (lease.term === 1) await retain(log, streamOf(name), { maxCount: 1 })
    const record = ownRecordOf('lease', lease, randomUUID())
    return (await log.append(streamOf(name), [record], lease.term - 2)) !== undefined
  }

  return { read, write }
}

/** Seconds that the server keeps a record of a journal: 90 days. */
const maxAge = 90 * 86_400

/** Journals: each is a stream, and each record an event. */
export function createJournals(log: Log): Journals {
  const streamOf = (name: string) => log.prefix + ownName('journal', name)
  const retained = new Set<string>()

  return {
    append: async (name, text) => {
      if (!retained.has(name)) await retain(log, streamOf(name), { maxAge })
      retained.add(name)
      const record = ownRecordOf('journal', { text }, randomUUID())
      await log.connection.call(
        (client) => client.appendToStream(streamOf(name), clientEventOf(record), { requiresLeader: true }),
        'write',
      )
    },
    read: async (name, from, limit) => {
      const records = await log.read(streamOf(name), { from, limit })
      return records.map(({ revision, data }) => ({ number: revision, text: (data as { readonly text: string }).text }))
    },
    last: async (name) => (await log.read(streamOf(name), { backwards: true, limit: 1 }))[0]?.revision,
  }
}

/** Sets what the server drops of a stream, unless somebody has. */
async function retain({ connection }: Log, stream: string, retention: Retention): Promise<void> {
  const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const
  await connection.call(
    (client) => unless(ErrorType.WRONG_EXPECTED_VERSION, client.setStreamMetadata(stream, retention, options)),
    'write',
  )
}
