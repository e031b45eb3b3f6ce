import type { EventStore, StreamName } from '../../../engine/index.ts'
import type { Checkpoint, DeliveryBook } from '../../node/deliveries.ts'

/** Where the flow of events goes on. */
export interface Start {
  /** Position after which; the very beginning where absent. */
  readonly after: string | undefined
  /** Events recorded before (epoch milliseconds) were told already and are too old to be told again. */
  readonly notBefore: number
}

/** What decides where to go on, beside the checkpoint. */
export interface Bearings {
  /** Epoch milliseconds. */
  readonly now: number
  /** Milliseconds that deliveries are remembered. */
  readonly memory: number
  /** Position up to which another node has told the events, with a database of its own; absent where none has. */
  readonly reached: string | undefined
}

/**
 * Where to go on: after the checkpoint, or where another node has come to if that is later; at the end of the store in a
 * database that is new, for nobody asked to be told of what was before; and from the beginning where a backup was put back,
 * which gives positions out again: what was told stands in the database as long as `memory` (milliseconds), and is not told
 * twice.
 */
export async function startOf(
  book: DeliveryBook,
  store: Pick<EventStore, 'read' | 'latest'>,
  { now, memory, reached = '' }: Bearings,
): Promise<Start> {
  const checkpoint = await book.checkpoint()
  if (checkpoint === undefined) {
    const position = reached || ((await store.latest()) ?? '')
    await book.take([], { position, stream: '', revision: -1, id: '' }, [])
    return { after: position || undefined, notBefore: 0 }
  }
  if (await stands(store, checkpoint)) {
    const { position } = checkpoint
    return { after: (reached > position ? reached : position) || undefined, notBefore: 0 }
  }
  return { after: undefined, notBefore: now - memory }
}

async function stands(store: Pick<EventStore, 'read' | 'latest'>, { stream, revision, id, position }: Checkpoint) {
  // As it was begun: a store that does not reach there any more has had a backup put back.
  if (stream === '') return position <= ((await store.latest()) ?? '')
  const [event] = await store.read(stream as StreamName, { from: revision, limit: 1 })
  return event?.id === id && event.position === position
}
