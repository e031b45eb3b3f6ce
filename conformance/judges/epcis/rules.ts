import { versionsOf } from '../../../engine/index.ts'
import { type Judged, readyJudge } from '../judge.ts'
import { identifierFaults } from './identifiers.ts'
import { isJson } from './json-schema.ts'
import { isMembers, type Members, objectsOf, textsOf } from './walk.ts'

/** Errors that the schema, the shapes and safe mode allow, although the standards forbid them. */
export const rulesJudge = readyJudge({
  name: 'rules that no schema states',
  format: 'epcis',
  takes: isJson,
  judge(judged) {
    const document: unknown = JSON.parse(judged.text)
    if (!isMembers(document)) return ['The document is no object.']
    const events = eventsOf(document)
    if (events === undefined) return ['The document has no list of events.']
    return [
      ...documentFaults(document),
      ...events.flatMap(eventFaults),
      ...duplicates(events),
      ...twins(events),
      ...exclusiveSteps(events),
      ...untruths(events, judged),
    ]
  },
})

function eventsOf(document: Members): readonly Members[] | undefined {
  const [body] = objectsOf(document.epcisBody)
  const [results] = objectsOf(body?.queryResults)
  const [resultsBody] = objectsOf(results?.resultsBody)
  const list = document.type === 'EPCISQueryDocument' ? resultsBody?.eventList : body?.eventList
  return Array.isArray(list) ? objectsOf(list) : undefined
}

function documentFaults(document: Members): readonly string[] {
  const context: readonly unknown[] = Array.isArray(document['@context']) ? document['@context'] : []
  const prefixes = new Set(objectsOf(context).flatMap((part) => Object.keys(part)))
  const faults: string[] = []
  if (typeof context[0] !== 'string' || !context[0].startsWith('https://ref.gs1.org/standards/epcis/')) {
    faults.push('The context does not begin with that of GS1.')
  }
  if (document.schemaVersion !== '2.0') faults.push(`schemaVersion is ${document.schemaVersion}, not 2.0.`)
  for (const { key, value } of walk(document.epcisBody)) {
    const prefix = key.includes(':') ? key.slice(0, key.indexOf(':')) : undefined
    if (prefix !== undefined && !prefixes.has(prefix)) faults.push(`The prefix of ${key} is not declared.`)
    if (value === null) faults.push(`${key} is null.`)
  }
  return faults
}

/** Every member at every depth. */
function walk(value: unknown): readonly { readonly key: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(walk)
  if (!isMembers(value)) return []
  return Object.entries(value).flatMap(([key, below]) => [{ key, value: below }, ...walk(below)])
}

function eventFaults(event: Members): readonly string[] {
  const { eventID, eventTime, eventTimeZoneOffset, bizStep, disposition, action } = event
  const [declaration] = objectsOf(event.errorDeclaration)
  const words = [
    bizStep,
    disposition,
    declaration?.reason,
    ...objectsOf([event.bizTransactionList, event.sourceList, event.destinationList].flat()).map(({ type }) => type),
  ]
  const faults = words.filter((word) => word !== undefined && !/^[a-z]+(_[a-z]+)*$/.test(String(word)))
  const offset = /[+-]\d\d:\d\d$/.exec(String(eventTime))?.[0] ?? '+00:00'
  return [
    ...faults.map((word) => `${word} is not written as the bare word of CBV.`),
    ...identifierFaults(event),
    ...textsOf([eventTime, event.recordTime, declaration?.declarationTime])
      .filter((time) => /T\d\d:\d\d:60/.test(time))
      .map((time) => `${time} is a leap second.`),
    ...(event.recordTime === undefined ? ['An event has no recordTime.'] : []),
    ...(eventTimeZoneOffset === offset ? [] : [`${eventTimeZoneOffset} is not the offset of ${eventTime}.`]),
    ...((bizStep === 'commissioning') === (action === 'ADD') ? [] : [`${bizStep} does not go with ${action}.`]),
    ...textsOf(declaration?.correctiveEventIDs)
      .filter((id) => id === eventID)
      .map((id) => `${id} corrects itself.`),
    ...(Array.isArray(event.epcList) && event.epcList.length > 0 ? [] : ['An event names nothing.']),
    ...(['bizTransactionList', 'sourceList', 'destinationList'] as const)
      .filter((name) => Array.isArray(event[name]) && event[name].length === 0)
      .map((name) => `${name} is empty.`),
  ]
}

/** An id occurs once, or twice if one of the two events declares the other an error. */
function duplicates(events: readonly Members[]): readonly string[] {
  const seen = new Set<string>()
  return events.flatMap(({ eventID, errorDeclaration }) => {
    const key = `${errorDeclaration === undefined} ${eventID}`
    if (eventID === undefined || !seen.has(key)) {
      seen.add(key)
      return []
    }
    return [`Two events have the id ${eventID}.`]
  })
}

/** An error declaration repeats, with the same id, the whole event (EPCIS 2.0, ErrorDeclaration). */
function twins(events: readonly Members[]): readonly string[] {
  const content = ({ errorDeclaration: _, recordTime: __, ...said }: Members) =>
    JSON.stringify(Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1)))
  const first = new Map<unknown, string>()
  return events.flatMap((event) => {
    const { eventID } = event
    const before = first.get(eventID) ?? content(event)
    first.set(eventID, before)
    return eventID === undefined || before === content(event) ? [] : [`${eventID} is the id of two contents.`]
  })
}

/** CBV 2.0, Business Steps: the steps that summarise others, and must not be reported together with them. */
const sums: Readonly<Record<string, readonly string[]>> = {
  shipping: ['staging_outbound', 'loading', 'departing'],
  consigning: ['staging_outbound', 'loading', 'departing', 'accepting', 'shipping'],
  receiving: ['arriving', 'accepting'],
}

/** A thing must not be reported both as a whole and in parts at the same place. */
function exclusiveSteps(events: readonly Members[]): readonly string[] {
  const steps = new Set(events.map((event) => stepKey(event, String(event.bizStep))))
  return events.flatMap((event) =>
    (sums[String(event.bizStep)] ?? [])
      .filter((part) => steps.has(stepKey(event, part)))
      .map((part) => `${event.bizStep} and ${part} exclude each other.`),
  )
}

function stepKey({ readPoint, epcList }: Members, step: string): string {
  return JSON.stringify([step, readPoint, epcList])
}

/** Differences between the document and the timeline from which it was made. */
function untruths(events: readonly Members[], { timeline }: Judged): readonly string[] {
  const { events: inForce, withdrawn_events: withdrawn = [] } = timeline
  // An earlier version of an event names the one that replaced it.
  const isReplaced = ({ errorDeclaration }: Members) =>
    (errorDeclaration as Members | undefined)?.correctiveEventIDs !== undefined
  const written = (isWithdrawn: boolean) =>
    events
      .filter((event) => !isReplaced(event) && (event.errorDeclaration !== undefined) === isWithdrawn)
      .map(({ eventTime, recordTime }) => `${eventTime} ${recordTime}`)
  const known = (list: typeof inForce) =>
    list.map((event) => `${event.occurred_at} ${versionsOf(event)?.at(-1)?.since ?? event.recorded_at}`)
  return [
    ...(written(false).join() === known(inForce).join() ? [] : ['The events in force are not those of the timeline.']),
    ...(written(true).join() === known(withdrawn).join()
      ? []
      : ['The withdrawn events are not those of the timeline.']),
  ]
}
