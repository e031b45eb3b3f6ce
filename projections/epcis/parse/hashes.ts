import { type Finding, isObject } from '../../../engine/index.ts'
import { hashIdOf, isHashId, isSameHash } from '../event-hash.ts'
import { eventPath } from './document.ts'
import { readerOf } from './event.ts'
import { aroundEvents, checkedIn, opened } from './opened.ts'

/** An event of a document with its event hash id. */
interface HashedEvent {
  readonly path: string
  /** Its own id, if it has one. */
  readonly id?: string
  readonly hash: string
  /** Whether its own id is this hash; absent if that id does not claim to be a hash. */
  readonly fits?: boolean
}

/** The event hash ids of a document, and the findings of the events that are refused (CBV 2.0, event hash id). */
export function hashEpcis(document: unknown): {
  readonly events: readonly HashedEvent[]
  readonly findings: readonly Finding[]
} {
  const { envelope, found } = opened(document, false)
  const around = aroundEvents(envelope, found)
  if (around.refusing.length > 0) return { events: [], findings: around.refusing }
  const reader = readerOf(envelope)
  const events: HashedEvent[] = []
  const findings: Finding[] = []
  for (const [index, event] of envelope.events.entries()) {
    const { refusing, scope } = checkedIn(reader, event, index, found)
    findings.push(...refusing)
    if (refusing.length > 0 || !isObject(event)) continue
    const { eventID: id } = event
    const hash = hashIdOf(event, scope.prefixes)
    events.push({
      path: eventPath(envelope, index),
      ...(typeof id === 'string' && { id }),
      hash,
      ...(isHashId(id) && { fits: isSameHash(id, hash) }),
    })
  }
  return { events, findings }
}
