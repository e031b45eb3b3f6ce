import { isObject, type Reading, type Target } from '../../../engine/index.ts'
import { otepNamespace } from '../extension.ts'
import { below, both, type Findings, found, good, type Scope, scopeOf } from './check.ts'
import { contextOf } from './context.ts'
import { type Envelope, eventPath } from './document.ts'
import { foreignReadings } from './foreign.ts'
import { isOwn, ownReading } from './own.ts'
import { checkEvent } from './shapes.ts'

/** The state for events with the same prefixes. */
interface Scopes {
  readonly any: Scope
  /** The state for events of this server; undefined unless OTEP's prefix is declared. */
  readonly own: Scope | undefined
}

/** The state while the events of a document are read. */
export interface Reader {
  readonly envelope: Envelope
  readonly scopes: Scopes
  /** The first event with each id, and the first withdrawal of each id. */
  readonly recorded: Map<string, number>
  readonly withdrawn: Map<string, number>
}

/** A reader of the events of a document. */
export function readerOf(envelope: Envelope): Reader {
  return { envelope, scopes: scopesOf(envelope.prefixes), recorded: new Map(), withdrawn: new Map() }
}

function scopesOf(prefixes: ReadonlyMap<string, string>): Scopes {
  const own = prefixes.get('otep') === otepNamespace ? scopeOf(prefixes, true) : undefined
  return { any: scopeOf(prefixes), own }
}

/** A checked event: its findings, and how to read it. */
export interface Checked {
  readonly findings: Findings
  readonly scope: Scope
  /** Whether it was written by this server. */
  readonly own: boolean
}

/** Checks one event of a document; `earlier` are earlier findings. Paths start at the root of the document. */
export function checked(event: unknown, index: number, reader: Reader, earlier: Findings = good): Checked {
  const { scopes, findings: declared } = scopesIn(event, reader)
  const ownScope = isOwn(event) ? scopes.own : undefined
  const scope = ownScope ?? scopes.any
  const wrong = both(both(declared, checkEvent(event, scope)), repetitionOf(event, index, reader))
  const findings = wrong === good ? earlier : both(earlier, below(eventPath(reader.envelope, index), wrong))
  return { findings, scope, own: ownScope !== undefined }
}

/** The readings of one event: one for each thing that it concerns, or one that says why there is none. */
export function readEvent(
  event: unknown,
  path: string,
  { findings, scope, own }: Checked,
  target: Target,
): readonly Reading[] {
  if (findings.length > 0 || !isObject(event)) return [{ path, findings }]
  return own ? [ownReading(event, path)] : foreignReadings(event, path, scope.prefixes, target)
}

/** The state for an event: that of the document, or one that includes the event's own context. */
function scopesIn(event: unknown, { envelope, scopes }: Reader) {
  const isNested = envelope.listPath !== '' && isObject(event) && Object.hasOwn(event, '@context')
  if (!isNested) return { scopes, findings: good }
  const { prefixes, findings } = contextOf(event['@context'], envelope.prefixes)
  return { scopes: scopesOf(prefixes), findings }
}

/**
 * Two events of a document must have different ids; only an error declaration repeats the id of the event that it
 * withdraws.
 */
function repetitionOf(event: unknown, index: number, { envelope, recorded, withdrawn }: Reader): Findings {
  if (!isObject(event) || typeof event.eventID !== 'string') return good
  const { eventID, errorDeclaration } = event
  const seen = errorDeclaration === undefined ? recorded : withdrawn
  const first = seen.get(eventID)
  if (first !== undefined) {
    return found('duplicate_event_id', { received: eventID, first: eventPath(envelope, first) }, 'eventID')
  }
  seen.set(eventID, index)
  return good
}
