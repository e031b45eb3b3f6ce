import { randomUUID } from 'node:crypto'
import { isEngineError } from '../../engine/index.ts'
import { ownName, ownRecordOf } from './codec.ts'
import type { Log } from './log.ts'

/** Returns the function that tells what names the history of a prefix for good: the id of an event that is written once. */
export function createIdentity(log: Log): () => Promise<string | undefined> {
  const stream = log.prefix + ownName('history', 'identity')
  let known: string | undefined

  async function read(): Promise<string | undefined> {
    const [first] = await log.read(stream, { limit: 1 })
    known = first?.id
    return known
  }

  /** Whoever writes first names it. A server that takes no writes is asked again another time. */
  async function write(): Promise<void> {
    try {
      await log.append(stream, [ownRecordOf('history', {}, randomUUID())], -1)
    } catch (error) {
      if (!isEngineError(error, 'store_unavailable')) throw error
    }
  }

  return async () => {
    if (known !== undefined || (await read()) !== undefined) return known
    await write()
    return read()
  }
}
