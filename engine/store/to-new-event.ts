import { actorOf } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Event, NewEvent } from '../kernel/event.ts'

/** Gives each event a new id, and the caller and request as its metadata. */
export function toNewEvent<E extends Event>({
  caller,
  requestId,
  randomId,
}: Pick<Context, 'caller' | 'requestId' | 'randomId'>): (event: E) => NewEvent<E> {
  const metadata = { actor: actorOf(caller), correlationId: requestId, schemaVersion: 1 }
  return (event) => ({ ...event, id: randomId(), metadata })
}
