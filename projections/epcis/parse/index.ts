import { EngineError, type Finding, maxEvents, type Reading, type Target } from '../../../engine/index.ts'
import { type Envelope, eventPath, jsonMode, takeApart } from './document.ts'
import { type Checked, checked, type Reader, readEvent, readerOf } from './event.ts'
import { type Findings, type Verdict, verdictOn } from './findings.ts'
import { readEpcisXml } from './xml-read.ts'

/** A document with its parts, and the findings of the XML Schema by the path of the event. */
interface Opened {
  readonly envelope: Envelope
  readonly found: ReadonlyMap<string, Findings>
}

/**
 * The events of an EPCIS document as native events. The document is a JSON value (EPCISDocument, EPCISQueryDocument, or
 * an event with its `@context`), or the text of an XML document (2.0 or 1.2). Throws `malformed_xml`, and
 * `too_many_events` for more than ten thousand events or readings.
 */
export function parseEpcis(document: unknown, target: Target): readonly Reading[] {
  return readingsOf(opened(document, target.strict === true), target)
}

/**
 * Why an EPCIS document is refused, and what is unusual in it. Without `strict`, what GS1's JSON Schema and SHACL
 * shapes, or its XML Schema, accept is not refused.
 */
export function checkEpcis(document: unknown, strict = false): Verdict {
  const { envelope, found } = opened(document, strict)
  const around = aroundEvents(envelope, found)
  if (around.refusing.length > 0) return around
  const reader = readerOf(envelope)
  const refusing: Finding[] = []
  const remarks: Finding[] = [...around.remarks]
  for (const [index, event] of envelope.events.entries()) {
    const verdict = checkedIn(reader, event, index, found)
    refusing.push(...verdict.refusing)
    remarks.push(...verdict.remarks)
  }
  return { refusing, remarks }
}

function opened(document: unknown, strict: boolean): Opened {
  if (typeof document !== 'string') {
    return { envelope: takeApart(document, strict ? { ...jsonMode, strict } : jsonMode), found: new Map() }
  }
  const { value, names, findings } = readEpcisXml(document)
  return { envelope: takeApart(value, { strict, xml: true }, names), found: findings }
}

function aroundEvents({ findings, remarks, mode }: Envelope, found: Opened['found']): Verdict {
  const { refusing, remarks: others } = verdictOn(found.get('') ?? [], mode.strict)
  return { refusing: [...refusing, ...findings], remarks: [...others, ...remarks] }
}

function checkedIn(reader: Reader, event: unknown, index: number, found: Opened['found']): Checked {
  return checked(event, index, reader, found.get(eventPath(reader.envelope, index)))
}

function readingsOf({ envelope, found }: Opened, target: Target): readonly Reading[] {
  const { events, left } = envelope
  const { refusing, remarks } = aroundEvents(envelope, found)
  if (refusing.length > 0) return [{ path: '', findings: refusing }]
  if (events.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  const reader = readerOf(envelope)
  const readings: Reading[] = left.length + remarks.length === 0 ? [] : [aroundReading(left, remarks)]
  for (const [index, event] of events.entries()) {
    const path = eventPath(envelope, index)
    for (const reading of readEvent(event, path, checkedIn(reader, event, index, found), target)) readings.push(reading)
    if (readings.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  }
  return readings
}

/** Reports the members around the events that are not used, and what is unusual there. */
function aroundReading(names: readonly string[], remarks: readonly Finding[]): Reading {
  const left = names.map((field): Finding => ({ path: field, code: 'not_taken', params: { field } }))
  return { path: '', warnings: [...left, ...remarks] }
}
