import { isObject, type Reading, type Target } from '../../../engine/index.ts'
import { otepNamespace } from '../extension.ts'
import { below, both, type Findings, found, good, type Scope, scopeOf } from './check.ts'
import { contextOf } from './context.ts'
import { type Envelope, eventPath } from './document.ts'
import { foreignReadings } from './foreign.ts'
import { isOwn, ownReading } from './own.ts'
import { checkEvent } from './shapes.ts'

/** What holds for events below the same prefixes. */
interface Scopes {
  readonly any: Scope
  /** For events of this project's own making, where the prefix that tells them is declared. */
  readonly own: Scope | undefined
}

/** What is known of a document while its events are read. */
export interface Reader {
  readonly envelope: Envelope
  readonly scopes: Scopes
  /** Which event had an id first, and which of those that are taken back. */
  readonly told: Map<string, number>
  readonly takenBack: Map<string, number>
}

/** A reader of the events of a document. */
export function readerOf(envelope: Envelope): Reader {
  return { envelope, scopes: scopesOf(envelope.prefixes), told: new Map(), takenBack: new Map() }
}

function scopesOf(prefixes: ReadonlyMap<string, string>): Scopes {
  const own = prefixes.get('otep') === otepNamespace ? scopeOf(prefixes, true) : undefined
  return { any: scopeOf(prefixes), own }
}

/** An event that was looked at: what is wrong with it, and as what it is to be read. */
export interface Checked {
  readonly findings: Findings
  readonly scope: Scope
  /** Whether it is one of this project's own making. */
  readonly own: boolean
}

/** Looks at one event of a document; `given` is what was found before. Paths are those of the document. */
export function checked(event: unknown, index: number, reader: Reader, given: Findings = good): Checked {
  const { scopes, findings: declared } = scopesIn(event, reader)
  const ownScope = isOwn(event) ? scopes.own : undefined
  const scope = ownScope ?? scopes.any
  const wrong = both(both(declared, checkEvent(event, scope)), repetitionOf(event, index, reader))
  const findings = wrong === good ? given : both(given, below(eventPath(reader.envelope, index), wrong))
  return { findings, scope, own: ownScope !== undefined }
}

/** The readings of one event: one for each thing that it bears on, or one that says why there is none. */
export function readEvent(
  event: unknown,
  path: string,
  { findings, scope, own }: Checked,
  target: Target,
): readonly Reading[] {
  if (findings.length > 0 || !isObject(event)) return [{ path, findings }]
  return own ? [ownReading(event, path)] : foreignReadings(event, path, scope.prefixes, target)
}

/** The scopes of an event: those of the document, or some with what its own context declares. */
function scopesIn(event: unknown, { envelope, scopes }: Reader) {
  const isNested = envelope.listPath !== '' && isObject(event) && Object.hasOwn(event, '@context')
  if (!isNested) return { scopes, findings: good }
  const { prefixes, findings } = contextOf(event['@context'], envelope.prefixes)
  return { scopes: scopesOf(prefixes), findings }
}

/** Two events of one document have two ids; only a declaration of error repeats the id of what it takes back. */
function repetitionOf(event: unknown, index: number, { envelope, told, takenBack }: Reader): Findings {
  if (!isObject(event) || typeof event.eventID !== 'string') return good
  const { eventID, errorDeclaration } = event
  const seen = errorDeclaration === undefined ? told : takenBack
  const first = seen.get(eventID)
  if (first !== undefined) {
    return found('duplicate_event_id', { received: eventID, first: eventPath(envelope, first) }, 'eventID')
  }
  seen.set(eventID, index)
  return good
}
