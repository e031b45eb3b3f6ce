import { EngineError, type Finding, maxEvents, type Reading, type Target } from '../../../engine/index.ts'
import { readXml } from '../../shared/xml.ts'
import { type Envelope, eventPath, takeApart } from './document.ts'
import { type Reader, readEvent } from './event.ts'
import { jsonOf } from './xml-read.ts'

/**
 * The events of an EPCIS document in the native words: a JSON value (EPCISDocument, EPCISQueryDocument, or an event with
 * its `@context`), or the text of an XML document (2.0 or 1.2). Throws `malformed_xml`, and `too_many_events` for more
 * than ten thousand events or readings.
 */
export function parseEpcis(document: unknown, target: Target): readonly Reading[] {
  if (typeof document !== 'string') return readingsOf(takeApart(document), target, new Map())
  const { value, prefixes, findings } = jsonOf(readXml(document))
  return readingsOf(takeApart(value, prefixes), target, findings)
}

function readingsOf(
  envelope: Envelope,
  target: Target,
  given: ReadonlyMap<string, readonly Finding[]>,
): readonly Reading[] {
  const { events, prefixes, left } = envelope
  const findings = [...(given.get('') ?? []), ...envelope.findings]
  if (findings.length > 0) return [{ path: '', findings }]
  if (events.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  const reader: Reader = { prefixes, target, seen: new Map() }
  const readings: Reading[] = left.length === 0 ? [] : [leftAround(left)]
  events.forEach((event, index) => {
    const path = eventPath(envelope, index)
    for (const reading of readEvent(event, path, reader, given.get(path) ?? [])) readings.push(reading)
    if (readings.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  })
  return readings
}

/** What stands around the events and is not taken. */
function leftAround(names: readonly string[]): Reading {
  return { path: '', warnings: names.map((field) => ({ path: field, code: 'not_taken', params: { field } })) }
}
