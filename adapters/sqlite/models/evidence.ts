import type { EventStore, StreamName } from '../../../engine/index.ts'
import type { LastApplied } from './generations.ts'

/**
 * Whether the store has an event that was applied. Compares names and places alone: an event whose key is lost must not keep
 * the models from opening.
 */
export async function stands(
  store: Pick<EventStore, 'read'>,
  { stream, revision, id, position }: Omit<LastApplied, 'generation'>,
): Promise<boolean> {
  const [event] = await store.read(stream as StreamName, { from: revision, limit: 1, opens: () => false })
  return event?.id === id && event.position === position
}
