import { type Finding, isObject, pathTo, type Reading, type Target } from '../../../engine/index.ts'
import { hashIdOf, isHashId, isSameHash } from '../event-hash.ts'
import { contextOf, type Names } from './context.ts'
import { type Envelope, eventPath, type Mode } from './document.ts'
import {
  below,
  both,
  type Findings,
  found,
  good,
  ifStrictAlone,
  nothingFound,
  type Verdict,
  verdictOn,
} from './findings.ts'
import { foreignReadings } from './foreign.ts'
import { isOwn, type OwnNames, ownNamesIn, ownReading } from './own.ts'
import { type Scope, scopeOf } from './scope.ts'
import { checkEvent } from './shapes.ts'
import { valuesIn } from './size.ts'

/** The state for events with the same prefixes. */
interface Scopes {
  readonly ownNames: readonly OwnNames[]
  /** The state for an event of this server, or of another one. */
  scopeOf(isOwn: boolean): Scope
}

/** The first event with an id: where it is in the list, and its text once another has its id. */
interface First {
  readonly index: number
  text?: string
}

/** The state while the events of a document are read. */
export interface Reader {
  readonly envelope: Envelope
  readonly scopes: Scopes
  /** The first event with each id, and the first withdrawal of each id. */
  readonly recorded: Map<string, First>
  readonly withdrawn: Map<string, First>
}

/** A reader of the events of a document. */
export function readerOf(envelope: Envelope): Reader {
  const { names, mode } = envelope
  return { envelope, scopes: scopesOf(names, mode), recorded: new Map(), withdrawn: new Map() }
}

function scopesOf(names: Names, { xml }: Mode): Scopes {
  let own: Scope | undefined
  let any: Scope | undefined
  return {
    ownNames: ownNamesIn(names),
    scopeOf: (isOwn) => {
      if (isOwn) own ??= scopeOf(names, { anyScheme: true, xml })
      else any ??= scopeOf(names, { xml })
      return (isOwn ? own : any) as Scope
    },
  }
}

/** A checked event: the verdict on it, and how to read it. */
export interface Checked extends Verdict {
  readonly scope: Scope
  /** How OTEP's own members are written, if it was written by this server. */
  readonly own: OwnNames | undefined
  /** How many values it holds. */
  readonly values: number
}

/**
 * Checks one event of a document; `earlier` are the findings of the XML Schema. Paths start at the root of the document.
 * Throws `event_too_large`.
 */
export function checked(event: unknown, index: number, reader: Reader, earlier: Findings = good): Checked {
  const values = valuesIn(event, () => eventPath(reader.envelope, index))
  const { scopes, findings: declared } = scopesIn(event, reader)
  const own = namesIn(event, scopes.ownNames)
  const scope = scopes.scopeOf(own !== undefined)
  const wrong = both(both(declared, checkEvent(event, scope)), repetitionOf(event, index, reader))
  const isGood = wrong === good && earlier === good
  const { refusing, remarks } = isGood
    ? nothingFound
    : divided(below(eventPath(reader.envelope, index), wrong), earlier, reader)
  // An object that is spread costs as much as the check of ten members.
  return { refusing, remarks, scope, own, values }
}

function namesIn(event: unknown, ownNames: readonly OwnNames[]): OwnNames | undefined {
  for (const names of ownNames) if (isOwn(event, names)) return names
  return undefined
}

/** The verdict on findings; both schemas may find the same. */
function divided(wrong: Findings, earlier: Findings, { envelope }: Reader): Verdict {
  const { strict, xml } = envelope.mode
  const [before, now] = [verdictOn(earlier, strict), verdictOn(wrong, strict, !xml)]
  const isNew = ({ path, code }: Finding) => !earlier.some((one) => one.path === path && one.code === code)
  return {
    refusing: [...before.refusing, ...now.refusing.filter(isNew)],
    remarks: [...before.remarks, ...now.remarks.filter(isNew)],
  }
}

/** The same, with a remark on an event whose id claims to be its hash and is not. It takes longer than the check itself. */
export function withHash(event: unknown, index: number, reader: Reader, known: Checked): Checked {
  if (known.refusing.length > 0) return known
  const remarks = hashRemarks(event, index, reader, known.scope)
  return remarks.length === 0 ? known : { ...known, remarks: [...known.remarks, ...remarks] }
}

/** The readings of one event, in steps: one for each thing that it concerns, or one that says why there is none. */
export function* readEvent(
  event: unknown,
  path: string,
  { refusing, remarks, scope, own }: Checked,
  target: Target,
): Generator<void, readonly Reading[]> {
  if (refusing.length > 0 || !isObject(event)) return [{ path, findings: refusing }]
  const readings =
    own !== undefined ? [ownReading(event, path, own)] : yield* foreignReadings(event, path, scope.prefixes, target)
  return remarks.length === 0 ? readings : withRemarks(readings, remarks)
}

/** Reports an id that claims to be the hash of its event and is not (CBV 2.0, event hash id). */
function hashRemarks(event: unknown, index: number, { envelope }: Reader, { prefixes }: Scope): readonly Finding[] {
  if (!isObject(event) || !isHashId(event.eventID)) return []
  const { eventID } = event
  const expected = hashIdOf(event, prefixes)
  if (isSameHash(eventID, expected)) return []
  return [{ path: pathTo(eventPath(envelope, index), 'eventID'), code: 'event_hash_differs', params: { expected } }]
}

/** The first reading with more warnings; what is not used at all needs no second one. */
function withRemarks([first, ...others]: readonly Reading[], remarks: Verdict['remarks']): readonly Reading[] {
  if (first === undefined) return []
  const { warnings = [] } = first
  const unused = warnings.filter(({ code }) => code === 'not_taken' || code === 'class_level').map(({ path }) => path)
  const isUsed = ({ path }: { readonly path: string }) =>
    !unused.some((place) => path.startsWith(place) && /^(?:$|[.[])/.test(path.slice(place.length)))
  return [{ ...first, warnings: [...warnings, ...remarks.filter(isUsed)] }, ...others]
}

/** The state for an event: that of the document, or one that includes the event's own context. */
function scopesIn(event: unknown, { envelope, scopes }: Reader) {
  const { listPath, names: known, mode } = envelope
  const isNested = listPath !== '' && isObject(event) && Object.hasOwn(event, '@context')
  if (!isNested) return { scopes, findings: good }
  const { findings, ...names } = contextOf(event['@context'], known)
  return { scopes: scopesOf(names, mode), findings }
}

/**
 * Two events of a document must have different ids; only an error declaration repeats the id of the event that it
 * withdraws. The same event may occur twice.
 */
function repetitionOf(event: unknown, index: number, { envelope, recorded, withdrawn }: Reader): Findings {
  if (!isObject(event) || typeof event.eventID !== 'string') return good
  const { eventID, errorDeclaration } = event
  const seen = errorDeclaration === undefined ? recorded : withdrawn
  const first = seen.get(eventID)
  if (first === undefined) {
    seen.set(eventID, { index })
    return good
  }
  const params = { received: eventID, first: eventPath(envelope, first.index) }
  first.text ??= JSON.stringify(envelope.events[first.index])
  if (JSON.stringify(event) === first.text) {
    return ifStrictAlone(found('duplicate_event_id', params, 'eventID'))
  }
  return [{ path: 'eventID', code: 'duplicate_event_id', params, level: 'always' }]
}
