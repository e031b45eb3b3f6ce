import type { EventStore, StreamName } from '../../../engine/index.ts'
import type { Checkpoint, DeliveryRepository } from '../../node/deliveries.ts'

/** Where the event flow continues. */
export interface Start {
  /** Position to continue after; the beginning if absent. */
  readonly after: string | undefined
  /** The checkpoint in the database. */
  readonly checkpoint: Checkpoint
  /** Epoch milliseconds. Earlier events were processed already and are too old to be checked for duplicates. */
  readonly notBefore: number
}

/** What determines the start, besides the checkpoint. */
export interface StartInput {
  /** Epoch milliseconds. */
  readonly now: number
  /** Retention of deliveries in milliseconds. */
  readonly memory: number
  /** Position that another node with its own database has reached; absent if none has. */
  readonly reached: string | undefined
}

/**
 * Where to continue. Normally after the checkpoint, or after the position of another node if that is later. A new
 * database starts at the end of the store, because nobody subscribed to earlier events. After a restored backup, which
 * reuses positions, it starts at the beginning: saved deliveries prevent duplicates within the retention of `memory`
 * milliseconds.
 */
export async function startOf(
  repository: DeliveryRepository,
  store: Pick<EventStore, 'read' | 'latest'>,
  { now, memory, reached = '' }: StartInput,
): Promise<Start> {
  const known = await repository.checkpoint()
  if (known === undefined) {
    const position = reached || ((await store.latest()) ?? '')
    const checkpoint = { position, stream: '', revision: -1, id: '' }
    await repository.save([], checkpoint, [])
    return { after: position || undefined, checkpoint, notBefore: 0 }
  }
  const checkpoint = known
  if (await isInStore(store, checkpoint)) {
    const { position } = checkpoint
    return { after: (reached > position ? reached : position) || undefined, checkpoint, notBefore: 0 }
  }
  return { after: undefined, checkpoint, notBefore: now - memory }
}

async function isInStore(store: Pick<EventStore, 'read' | 'latest'>, { stream, revision, id, position }: Checkpoint) {
  // The initial checkpoint has no event. If the store ends before it, a backup was restored.
  if (stream === '') return position <= ((await store.latest()) ?? '')
  const [event] = await store.read(stream as StreamName, { from: revision, limit: 1 })
  return event?.id === id && event.position === position
}
