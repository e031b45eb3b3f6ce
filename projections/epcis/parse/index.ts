import { EngineError, type Finding, maxEvents, type Reading, type Target } from '../../../engine/index.ts'
import { eventPath } from './document.ts'
import { readEvent, readerOf } from './event.ts'
import type { Verdict } from './findings.ts'
import { aroundEvents, checkedIn, type Opened, opened } from './opened.ts'

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
  if (envelope.events.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
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
