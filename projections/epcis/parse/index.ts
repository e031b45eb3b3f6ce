import {
  atOnce,
  EngineError,
  type Finding,
  isObject,
  type KeptSource,
  type Members,
  maxEvents,
  type Reading,
  type Target,
} from '../../../engine/index.ts'
import type { Findings } from './check.ts'
import { type Envelope, eventPath, takeApart } from './document.ts'
import { checked, readEvent, readerOf } from './event.ts'
import { type Origin, sourceOf, withSource } from './source.ts'
import type { Written } from './xml-names.ts'
import { type Converted, readEpcisXml } from './xml-read.ts'

/**
 * The events of an EPCIS document as native events. The document is a JSON value (EPCISDocument, EPCISQueryDocument, or
 * an event with its `@context`), or the text of an XML document (2.0 or 1.2). Throws `malformed_xml`, and
 * `too_many_events` for more than ten thousand events or readings.
 */
export function parseEpcis(document: unknown, target: Target): readonly Reading[] {
  return atOnce(parseEpcisInSteps(document, target))
}

/** The same in steps: 64 Ki characters of XML, or a hundred events. */
export function* parseEpcisInSteps(document: unknown, target: Target): Generator<void, readonly Reading[]> {
  if (typeof document !== 'string')
    return yield* readingsOf(takeApart(document), target, new Map(), jsonOrigins(document))
  const { value, prefixes, findings, ...written } = yield* readEpcisXml(document)
  return yield* readingsOf(takeApart(value, prefixes), target, findings, xmlOrigins(written))
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

/** Events that are checked and read in one step. */
const eventsPerStep = 100

/**
 * All findings for an EPCIS document that is a JSON value: none if it is valid by the official JSON Schema and by the
 * additional rules of this reader.
 */
export function checkEpcis(document: unknown): Findings {
  const envelope = takeApart(document)
  if (envelope.findings.length > 0) return envelope.findings
  const reader = readerOf(envelope)
  const findings: Finding[] = []
  for (const [index, event] of envelope.events.entries()) findings.push(...checked(event, index, reader).findings)
  return findings
}

function* readingsOf(
  envelope: Envelope,
  target: Target,
  xmlFindings: ReadonlyMap<string, readonly Finding[]>,
  originOf: Origins,
): Generator<void, readonly Reading[]> {
  const { events, left } = envelope
  const findings = [...(xmlFindings.get('') ?? []), ...envelope.findings]
  if (findings.length > 0) return [{ path: '', findings }]
  if (events.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  const reader = readerOf(envelope)
  const readings: Reading[] = left.length === 0 ? [] : [leftAround(left)]
  for (const [index, event] of events.entries()) {
    const path = eventPath(envelope, index)
    const known = checked(event, index, reader, xmlFindings.get(path))
    const found = readEvent(event, path, known, target)
    // Documents of this server say nothing beyond the native event.
    if (known.own || known.findings.length > 0 || !isObject(event)) readings.push(...found)
    else {
      const { form, ...origin } = originOf(event, index)
      const { prefixes } = known.scope
      const source = sourceOf(form, prefixes, origin)
      for (const reading of found) readings.push(withSource(reading, form, prefixes, source))
    }
    if (readings.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    if (index % eventsPerStep === eventsPerStep - 1) yield
  }
  return readings
}

/** Reports the members around the events that are not used. */
function leftAround(names: readonly string[]): Reading {
  return { path: '', warnings: names.map((field) => ({ path: field, code: 'not_taken', params: { field } })) }
}
