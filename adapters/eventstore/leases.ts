import { randomUUID } from 'node:crypto'
import { ErrorType, NO_STREAM } from '@eventstore/db-client'
import type { Lease, Leases } from '../../engine/index.ts'
import { ownDataOf } from './codec.ts'
import { type Log, unless } from './log.ts'
import { ownName } from './names.ts'

/** A lease is a stream, each write an event: the term 1 stands at revision 0. */
export function createLeases(log: Log): Leases {
  const streamOf = (name: string) => log.prefix + ownName('lease', name)

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

  /** The server throws away all terms but the last. */
  async function keepLastOf(stream: string) {
    const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const
    await log.connection.call((client) =>
      unless(ErrorType.WRONG_EXPECTED_VERSION, client.setStreamMetadata(stream, { maxCount: 1 }, options)),
    )
  }

  return { read, write }
}
