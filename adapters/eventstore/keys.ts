import { randomUUID } from 'node:crypto'
import { ErrorType, NO_STREAM } from '@eventstore/db-client'
import type { Keys } from '../../engine/index.ts'
import { ownDataOf } from './codec.ts'
import { type Log, unless } from './log.ts'
import { ownName } from './names.ts'

/** A key is a stream of one event; where it was thrown away, there never is a stream of that name again. */
export function createKeys(log: Log): Keys {
  const { call } = log.connection
  const streamOf = (subject: string) => log.prefix + ownName('key', subject)

  async function read(subject: string): Promise<string | undefined> {
    const [first] = await log.read(streamOf(subject), { limit: 1 })
    return (first?.data as { readonly key?: string } | undefined)?.key
  }

  async function add(subject: string, key: string): Promise<string | undefined> {
    const known = await read(subject)
    if (known !== undefined) return known
    const record = ownDataOf('key', { key }, randomUUID())
    const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const
    await call((client) => {
      const appended = client.appendToStream(streamOf(subject), record, options)
      return unless(ErrorType.STREAM_DELETED, unless(ErrorType.WRONG_EXPECTED_VERSION, appended))
    })
    return read(subject)
  }

  async function remove(subject: string): Promise<void> {
    const options = { requiresLeader: true }
    await call((client) => unless(ErrorType.STREAM_DELETED, client.tombstoneStream(streamOf(subject), options)))
  }

  return { read, add, remove }
}
