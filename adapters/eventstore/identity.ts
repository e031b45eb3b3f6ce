import { randomUUID } from 'node:crypto'
import { isEngineError } from '../../engine/index.ts'
import { ownName, ownRecordOf } from './codec.ts'
import { createStretches, type Source } from './stretches.ts'

/** The name of the history of a prefix. */
interface Identity {
  /** What names the history for good: the id of an event that is written once. */
  id(): Promise<string | undefined>
  /** A position before which there is nothing of this engine: that event, where it was the first; otherwise `''`. */
  beginning(): Promise<string>
}

/** The process that writes the name finds out whether there was anything before, and then writes that, too. */
export function createIdentity(source: Source): Identity {
  const { log } = source
  const stream = log.prefix + ownName('history', 'identity')
  let known: string | undefined
  let naming: Promise<void> = Promise.resolve()
  let begins: Promise<string> | undefined

  async function read(): Promise<string | undefined> {
    const [first] = await log.read(stream, { limit: 1 })
    known = first?.id
    return known
  }

  /** The first process to write names it. A server that takes no writes is asked again another time. */
  async function write(): Promise<void> {
    try {
      const position = await log.append(stream, [ownRecordOf('history', {}, randomUUID())], -1)
      if (position === undefined || !(await isFirst(source, position))) return
      await log.append(stream, [ownRecordOf('history', { isFirst: true }, randomUUID())], 0)
    } catch (error) {
      if (!isEngineError(error, 'store_unavailable')) throw error
    }
  }

  async function id(): Promise<string | undefined> {
    if (known !== undefined || (await read()) !== undefined) return known
    naming = write()
    await naming
    return read()
  }

  async function readBeginning(): Promise<string> {
    await naming
    const [first, second] = await log.read(stream, { limit: 2 })
    return second === undefined ? '' : (first?.position ?? '')
  }

  function beginning(): Promise<string> {
    begins ??= readBeginning().catch((error: unknown) => {
      begins = undefined
      throw error
    })
    return begins
  }

  return { id, beginning }
}

/** Whether the log has no event of this engine before a position. It never will: positions grow. */
async function isFirst(source: Source, position: string): Promise<boolean> {
  const { retryFor } = source.log.connection.timeouts
  const stretches = createStretches(source, {
    ...{ after: '', categories: undefined, known: position, isLive: false, retryFor },
  })
  try {
    stretches.want(position, false)
    for (let at = ''; at < position; ) {
      const { events, end } = await stretches.next()
      if (events.some((event) => event.position < position)) return false
      at = end
    }
    return true
  } finally {
    stretches.close()
  }
}
