import { atOnce, EngineError, type Finding, maxEvents, type Reading, type Target } from '../../../engine/index.ts'
import { eventPath } from './document.ts'
import { readEvent, readerOf } from './event.ts'
import type { Verdict } from './findings.ts'
import { aroundEvents, checkedIn, type Opened, openedInSteps } from './opened.ts'

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
  return yield* readingsOf(yield* openedInSteps(document, target.strict === true), target)
}

/** Events that are checked and read in one step. */
const eventsPerStep = 100

/**
 * Why an EPCIS document is refused, and what is unusual in it. Without `strict`, what GS1's JSON Schema and SHACL
 * shapes, or its XML Schema, accept is not refused.
 */
export function checkEpcis(document: unknown, strict = false): Verdict {
  return atOnce(checkEpcisInSteps(document, strict))
}

/** The same in steps. */
export function* checkEpcisInSteps(document: unknown, strict: boolean): Generator<void, Verdict> {
  const { envelope, found } = yield* openedInSteps(document, strict)
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
    if (index % eventsPerStep === eventsPerStep - 1) yield
  }
  return { refusing, remarks }
}

function* readingsOf({ envelope, found }: Opened, target: Target): Generator<void, readonly Reading[]> {
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
    if (index % eventsPerStep === eventsPerStep - 1) yield
  }
  return readings
}

/** Reports the members around the events that are not used, and what is unusual there. */
function aroundReading(names: readonly string[], remarks: readonly Finding[]): Reading {
  const left = names.map((field): Finding => ({ path: field, code: 'not_taken', params: { field } }))
  return { path: '', warnings: [...left, ...remarks] }
}
