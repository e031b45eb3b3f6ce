import {
  atOnce,
  EngineError,
  type Finding,
  isObject,
  type KeptSource,
  type Members,
  maxEvents,
  maxThings,
  type Reading,
  type Target,
  visitInSteps,
} from '../../../engine/index.ts'
import { eventPath } from './document.ts'
import { type Checked, type Reader, readEvent, readerOf, withHash } from './event.ts'
import type { Verdict } from './findings.ts'
import { aroundEvents, checkedIn, type Opened, openedInSteps } from './opened.ts'
import { type Origin, sourceInSteps, sourceOf, withSource } from './source.ts'
import type { Written } from './xml-names.ts'
import type { Converted } from './xml-read.ts'

/**
 * The events of an EPCIS document as native events. The document is a JSON value (EPCISDocument, EPCISQueryDocument, or
 * an event with its `@context`), or the text of an XML document (2.0 or 1.2). Throws `malformed_xml`, `event_too_large`,
 * `too_many_events` for more than ten thousand events, and `too_many_things` if they name more than twenty thousand things.
 */
export function parseEpcis(document: unknown, target: Target): readonly Reading[] {
  return atOnce(parseEpcisInSteps(document, target))
}

/** The same in steps: 64 Ki characters of XML, or what a hundred events hold. */
export function* parseEpcisInSteps(document: unknown, target: Target): Generator<void, readonly Reading[]> {
  const opened = yield* openedInSteps(document, target.strict === true)
  const originOf = opened.written === undefined ? jsonOrigins(document) : xmlOrigins(opened.written)
  return yield* readingsOf(opened, target, originOf)
}

/** The form in JSON of an event that is to be kept, by its place in the document, and how it came. */
type Origins = (event: Members, index: number) => { readonly form: Members } & Origin

function jsonOrigins(document: unknown): Origins {
  const { '@context': context, epcisHeader } = isObject(document) ? document : {}
  const kept = (body: unknown): KeptSource => ({ binding: 'json', version: '2.0', context, body })
  const header = epcisHeader === undefined ? {} : { header: kept(epcisHeader) }
  return (event) => ({ form: event, kept: kept(event), ...header })
}

function xmlOrigins({ sources, header: written }: Pick<Converted, 'sources' | 'header'>): Origins {
  const kept = ({ text, namespaces }: Written, version: string): KeptSource => {
    const { xml, ...context } = namespaces
    return { binding: 'xml', version, context, body: text }
  }
  const header = written === undefined ? {} : { header: kept(written, sources[0]?.version ?? '2.0') }
  return (event, index) => {
    const source = sources[index]
    if (source === undefined) return { form: event, kept: kept({ text: '', namespaces: {} }, '2.0') }
    return { form: source.form, kept: kept(source, source.version), ...header }
  }
}

/** Values of events that are checked and read in one step, as many as a hundred usual ones hold, and readings. */
const valuesPerStep = 1_200
const readingsPerStep = 100

/**
 * Why an EPCIS document is refused, and what is unusual in it. Without `strict`, what GS1's JSON Schema and SHACL
 * shapes, or its XML Schema, accept is not refused.
 */
export function checkEpcis(document: unknown, strict = false): Verdict {
  return atOnce(checkEpcisInSteps(document, strict))
}

/** The same, without a look at the hashes in ids of events: they refuse nothing. */
export function judgeEpcis(document: unknown, strict = false): Verdict {
  return atOnce(checkEpcisInSteps(document, strict, (_event, _index, _reader, known) => known))
}

/** The check of an event's hash. */
type HashCheck = (event: unknown, index: number, reader: Reader, known: Checked) => Checked

/** The same in steps. */
export function* checkEpcisInSteps(
  document: unknown,
  strict: boolean,
  hashed: HashCheck = withHash,
): Generator<void, Verdict> {
  const { envelope, found } = yield* openedInSteps(document, strict)
  if (envelope.events.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  const around = aroundEvents(envelope, found)
  if (around.refusing.length > 0) return around
  const reader = readerOf(envelope)
  const refusing: Finding[] = []
  const remarks: Finding[] = [...around.remarks]
  let values = 0
  for (const [index, event] of envelope.events.entries()) {
    const known = checkedIn(reader, event, index, found)
    const verdict = hashed(event, index, reader, known)
    if (verdict.refusing.length > 0) refusing.push(...verdict.refusing)
    if (verdict.remarks.length > 0) remarks.push(...verdict.remarks)
    values += known.values
    if (values < valuesPerStep) continue
    values = 0
    yield
  }
  return { refusing, remarks }
}

function* readingsOf(
  { envelope, found }: Opened,
  target: Target,
  originOf: Origins,
): Generator<void, readonly Reading[]> {
  const { events, left } = envelope
  const { refusing, remarks } = aroundEvents(envelope, found)
  if (refusing.length > 0) return [{ path: '', findings: refusing }]
  if (events.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  const reader = readerOf(envelope)
  const readings: Reading[] = left.length + remarks.length === 0 ? [] : [aroundReading(left, remarks)]
  let values = 0
  for (const [index, event] of events.entries()) {
    const path = eventPath(envelope, index)
    const known = withHash(event, index, reader, checkedIn(reader, event, index, found))
    const read = yield* readEvent(event, path, known, target)
    // Documents of this server say nothing beyond the native event.
    if (known.own !== undefined || known.refusing.length > 0 || !isObject(event)) readings.push(...read)
    else {
      const { form, ...origin } = originOf(event, index)
      const { prefixes } = known.scope
      const isLong = known.values > valuesPerStep
      const source = isLong ? yield* sourceInSteps(form, prefixes, origin) : sourceOf(form, prefixes, origin)
      if (read.length > readingsPerStep) yield
      yield* visitInSteps(read, (reading) => readings.push(withSource(reading, form, prefixes, source)))
    }
    if (readings.length > maxThings) throw new EngineError('too_many_things', { limit: maxThings })
    values += known.values
    if (values < valuesPerStep) continue
    values = 0
    yield
  }
  return readings
}

/** Reports the members around the events that are not used, and what is unusual there. */
function aroundReading(names: readonly string[], remarks: readonly Finding[]): Reading {
  const left = names.map((field): Finding => ({ path: field, code: 'not_taken', params: { field } }))
  return { path: '', warnings: [...left, ...remarks] }
}
