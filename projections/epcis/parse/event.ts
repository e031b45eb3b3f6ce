import { type Finding, isObject, type Members, pathTo, type Reading, type Target } from '../../../engine/index.ts'
import { found, type Scope } from './check.ts'
import { contextOf } from './context.ts'
import { foreignReadings } from './foreign.ts'
import { isOwn, ownReading } from './own.ts'
import { checkEvent } from './shapes.ts'

/** What is known of a document while its events are read. */
export interface Reader {
  readonly prefixes: ReadonlyMap<string, string>
  readonly target: Target
  /** Where each event id stood first; an event that is taken back stands twice. */
  readonly seen: Map<string, string>
}

/** The readings of one event: one for each thing that it bears on, or one that says why there is none. */
export function readEvent(event: unknown, path: string, reader: Reader, given: readonly Finding[]): readonly Reading[] {
  const { prefixes, findings } = scopeOf(event, path, reader, given)
  const own = isOwn(event, prefixes)
  const scope: Scope = { prefixes, findings, anyScheme: own }
  checkEvent(event, path, scope)
  if (isObject(event)) checkRepetition(event, path, scope, reader)
  if (findings.length > 0 || !isObject(event)) return [{ path, findings }]
  return own ? [ownReading(event, path, prefixes)] : foreignReadings(event, path, prefixes, reader.target)
}

function scopeOf(event: unknown, path: string, { prefixes }: Reader, given: readonly Finding[]): Scope {
  const scope: Scope = { prefixes, findings: [...given], anyScheme: false }
  if (path === '' || !isObject(event) || !Object.hasOwn(event, '@context')) return scope
  return { ...scope, prefixes: contextOf(event['@context'], pathTo(path, '@context'), scope, prefixes) }
}

/** Two events of one document have two ids; only a declaration of error repeats the id of what it takes back. */
function checkRepetition({ eventID, errorDeclaration }: Members, path: string, scope: Scope, { seen }: Reader): void {
  if (typeof eventID !== 'string') return
  const key = `${errorDeclaration === undefined ? 'told' : 'taken back'} ${eventID}`
  const first = seen.get(key)
  if (first === undefined) seen.set(key, path)
  else found(scope, pathTo(path, 'eventID'), 'duplicate_event_id', { received: eventID, first })
}
