import type { EventStore, StreamName } from '../../../engine/index.ts'
import type { Checkpoint, DeliveryRepository } from '../../node/deliveries.ts'

/** Where the event flow continues. */
interface Start {
  /** Position to continue after; the beginning if absent. */
  readonly after: string | undefined
  /** The checkpoint in the database. */
  readonly checkpoint: Checkpoint
  /** Epoch milliseconds. Earlier events were processed already and are too old to be checked for duplicates. */
  readonly notBefore: number
}

/** What determines the start, besides the checkpoint. */
interface StartInput {
  /** Epoch milliseconds. */
  readonly now: number
  /** Retention of deliveries in milliseconds. */
  readonly memory: number
  /** Position that another node with its own database has reached; absent if none has. */
  readonly reached: string | undefined
}

/**
 * Notes where a new database starts: at the position of another node, or at the end of the store, because nobody subscribed to
 * earlier events. A server that takes requests has to have done this: what follows makes deliveries.
 */
export async function beginAt(
  repository: DeliveryRepository,
  store: Pick<EventStore, 'latest'>,
  reached: () => Promise<string | undefined>,
): Promise<Checkpoint> {
  const known = await repository.checkpoint()
  return known ?? repository.begin((await reached()) || ((await store.latest()) ?? ''))
}

/**
 * Where to continue. Normally after the checkpoint, or after the position of another node if that is later. After a
 * restored backup, which reuses positions, it starts at the beginning: saved deliveries prevent duplicates within the retention of `memory`
 * milliseconds.
 */
export async function startOf(
  repository: DeliveryRepository,
  store: Pick<EventStore, 'read' | 'latest'>,
  { now, memory, reached = '' }: StartInput,
): Promise<Start> {
  const checkpoint = await beginAt(repository, store, async () => reached)
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
