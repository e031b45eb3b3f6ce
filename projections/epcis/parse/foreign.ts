import {
  canonicalKey,
  excerptOf,
  type Finding,
  isObject,
  type Location,
  type Members,
  mapInSteps,
  pathTo,
  type Reading,
  type Subject,
  type Target,
  visitInSteps,
} from '../../../engine/index.ts'
import { aggregationOf } from './aggregation.ts'
import { codeOf, type Words } from './back.ts'
import { isOffset, occurredAt, storableTime } from './clock.ts'
import { actionLeft, classFinding, leftOf } from './left.ts'
import { nativeSensors } from './sensors.ts'
import { expanded, isStorable, locationOfUri, orderOf, subjectOfUri } from './things.ts'
import { isUriOfJudges } from './uris.ts'
import { withdrawalOf } from './withdrawal.ts'
import { plainWord } from './words.ts'

/** Members that list individual things; an aggregation concerns both the whole and its parts. */
const objectLists = ['epcList', 'parentID', 'childEPCs', 'inputEPCList', 'outputEPCList'] as const

/** Where an event is read, and the remarks so far. */
interface Place {
  readonly path: string
  readonly prefixes: ReadonlyMap<string, string>
  readonly target: Target
  readonly warnings: Finding[]
}

/** A thing that an event names, and its path. */
interface Thing {
  readonly subject: Subject
  /** Path within the event: `epcList[0]`. */
  readonly place: string
  /** Whether it was used up to make something else. */
  readonly isConsumed: boolean
}

/** The code of an event, and the remarks on how it was derived. */
interface Outcome {
  readonly code: string
  readonly finding?: Finding
}

/** An event without a time that can be stored. */
function unreadable({ eventTime }: Members, path: string): Reading {
  const at = pathTo(path, 'eventTime')
  if (typeof eventTime !== 'string') return { path, warnings: [{ path, code: 'not_taken', params: { field: 'type' } }] }
  return { path, findings: [{ path: at, code: 'no_such_date', params: { field: 'eventTime' } }] }
}

/** Reports a time, an offset or an id that is not stored as the sender wrote it. */
function readOtherwise(event: Members, path: string, time: string): readonly Finding[] {
  const { eventTime, eventTimeZoneOffset, eventID } = event
  const [received, offset] = [String(eventTime), String(eventTimeZoneOffset)]
  const other = (field: string, received: string): Finding => ({
    path: pathTo(path, field),
    code: 'read_as',
    params: { received: excerptOf(received), decided: time },
  })
  const unused: Finding = { path: pathTo(path, 'eventID'), code: 'not_taken', params: { field: 'eventID' } }
  return [
    ...(storableTime(received) === received ? [] : [other('eventTime', received)]),
    ...(isOffset(offset) ? [] : [other('eventTimeZoneOffset', offset)]),
    ...(eventID === undefined || isEventName(eventID) ? [] : [unused]),
  ]
}

/** The readings of a foreign event, in steps: one for each thing that it names. */
export function* foreignReadings(
  event: Members,
  path: string,
  prefixes: ReadonlyMap<string, string>,
  target: Target,
): Generator<void, readonly Reading[]> {
  const time = occurredAt(event)
  // Only an event whose type no schema describes has none.
  if (time === undefined) return [unreadable(event, path)]
  const happened = decide(event, path, prefixes)
  const warnings = [
    ...leftOf(event, path),
    ...actionLeft(event, path, happened.code, target),
    ...readOtherwise(event, path, time),
  ]
  const order = orderIn(event, { path, prefixes, target, warnings })
  const things = yield* thingsOf(event, path, prefixes, target, warnings)
  const ofOrder: Thing = { subject: {}, place: 'bizTransactionList', isConsumed: false }
  const subjects = order === undefined || things.length > 0 ? things : [ofOrder]
  if (subjects.length === 0) return [{ path, warnings: [{ path, code: 'no_single_thing' }, ...warnings] }]
  const place = placeOf(event, path, prefixes, target, warnings)
  const native = nativeEvent(event, { time, code: happened.code, location: place?.location, prefixes })
  const used = usedUp(subjects, path)
  const parent = things.find(({ place }) => place === 'parentID')?.subject
  const made = subjects.every(({ isConsumed }) => isConsumed) ? undefined : happened.finding
  const shared = [made, used, ...warnings].filter((finding) => finding !== undefined)
  return yield* mapInSteps(subjects, ({ subject, place: at, isConsumed }, index) => ({
    path,
    subject: order === undefined ? subject : { ...subject, order_id: order },
    event: isConsumed ? { ...native, status_code: consumedCode } : { ...native, ...aggregationOf(event, at, parent) },
    // Remarks on the event as a whole are reported once.
    ...(index === 0 && shared.length > 0 && { warnings: shared }),
    places: {
      ...{ ...placesOf(event), location: place?.member ?? 'readPoint', subject: at },
      ...(isConsumed && { status_code: 'inputEPCList' }),
      ...(event.type === 'AggregationEvent' && { aggregation: 'parentID' }),
    },
  }))
}

/** The code of an input, which no longer exists; there is no code for that (EPCIS 2.0, TransformationEvent). */
export const consumedCode = 'x-consumed'

function usedUp(things: readonly Thing[], path: string): Finding | undefined {
  if (!things.some(({ isConsumed }) => isConsumed)) return undefined
  const params = { received: 'inputEPCList', decided: consumedCode }
  return { path: pathTo(path, 'inputEPCList'), code: 'code_missing', params }
}

function* thingsOf(
  event: Members,
  path: string,
  prefixes: ReadonlyMap<string, string>,
  target: Target,
  warnings: Finding[],
): Generator<void, readonly Thing[]> {
  const things = new Map<string, Thing>()
  const take = (uri: string, place: string, isConsumed: boolean) => {
    const whole = expanded(uri, prefixes)
    // The remark that it is no URI is among those of the check.
    if (!isUriOfJudges(whole)) return
    const subject = subjectOfUri(whole, target)
    if (subject === undefined || !isStorable(subject)) {
      const at = pathTo(path, place)
      warnings.push(
        subject === undefined ? classFinding(uri, at) : { path: at, code: 'not_taken', params: { field: place } },
      )
      return
    }
    const key = JSON.stringify(subject)
    // An output that was also an input was not used up.
    if (!things.has(key) || (things.get(key)?.isConsumed && !isConsumed))
      things.set(key, { subject, place, isConsumed })
  }
  for (const name of objectLists) {
    const value = event[name]
    if (typeof value === 'string') take(value, name, false)
    const uris: readonly unknown[] = Array.isArray(value) ? value : []
    yield* visitInSteps(uris, (uri, index) => take(String(uri), pathTo(name, index), name === 'inputEPCList'))
  }
  return [...things.values()]
}

/**
 * The order of an event, if it is one of this server. Other transactions are not used, and neither are those of an
 * event that ends them (EPCIS 2.0, TransactionEvent with action DELETE).
 */
function orderIn(event: Members, { path, prefixes, target, warnings }: Place): number | undefined {
  const list: readonly unknown[] = Array.isArray(event.bizTransactionList) ? event.bizTransactionList : []
  const at = pathTo(path, 'bizTransactionList')
  const leave = (place: string, field: string) => warnings.push({ path: place, code: 'not_taken', params: { field } })
  if (event.type === 'TransactionEvent' && event.action === 'DELETE') {
    if (list.length > 0) leave(at, 'bizTransactionList')
    return undefined
  }
  let order: number | undefined
  list.forEach((item, index) => {
    const { type, bizTransaction } = isObject(item) ? item : {}
    const isOrder = plainWord('bizTransactionType', String(type), prefixes) === 'po'
    const own = isOrder ? orderOf(String(bizTransaction), target) : undefined
    if (own !== undefined && (order === undefined || order === own)) order = own
    else leave(pathTo(at, index), 'bizTransaction')
  })
  return order
}

/** The code of an event, and the remarks on how it was derived. */
function decide(event: Members, path: string, prefixes: ReadonlyMap<string, string>): Outcome {
  const words: Words = {
    ...textual({ ...stepsOf(event, prefixes), action: event.action }),
    atDestination: isAtDestination(event, prefixes),
  }
  const decided = codeOf(words)
  if (decided.certainty === 'sure') return { code: decided.code }
  const named = words.bizStep === undefined ? 'disposition' : 'bizStep'
  const received = [words.bizStep, words.disposition].filter((word) => word !== undefined).join(' / ')
  return {
    code: decided.code,
    finding: {
      path: pathTo(path, received === '' ? 'bizStep' : named),
      code: decided.certainty === 'decided' ? 'code_decided' : 'code_missing',
      params: { received: received === '' ? 'bizStep' : excerptOf(received), decided: decided.code },
    },
  }
}

/** The step and the disposition as bare words. */
function stepsOf({ bizStep, disposition }: Members, prefixes: ReadonlyMap<string, string>): Members {
  return {
    bizStep: typeof bizStep === 'string' ? plainWord('bizStep', bizStep, prefixes) : undefined,
    disposition: typeof disposition === 'string' ? plainWord('disposition', disposition, prefixes) : undefined,
  }
}

function textual(members: Members): Readonly<Record<string, string>> {
  const texts = Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts)
}

/**
 * Whether the event was observed at a place that it names as its destination (CBV 2.0: source and destination types).
 */
function isAtDestination(event: Members, prefixes: ReadonlyMap<string, string>): boolean {
  const list = event.destinationList
  if (!Array.isArray(list) || list.length === 0) return false
  const places = [idOf(event.readPoint), idOf(event.bizLocation)]
    .filter((id) => id !== undefined)
    .map((id) => spelt(id, prefixes))
  return list.some((item: unknown) => {
    const { type, destination } = isObject(item) ? item : {}
    const isPlace = plainWord('sourceType', String(type), prefixes) === 'location'
    return isPlace && places.includes(spelt(String(destination), prefixes))
  })
}

/** The canonical form of a URI, for comparison. */
function spelt(uri: string, prefixes: ReadonlyMap<string, string>): string {
  return canonicalKey(expanded(uri, prefixes))
}

function idOf(place: unknown): string | undefined {
  return isObject(place) && typeof place.id === 'string' ? place.id : undefined
}

/** The place of observation and the member that names it; otherwise the place of the thing afterwards. */
function placeOf(
  event: Members,
  path: string,
  prefixes: ReadonlyMap<string, string>,
  target: Target,
  warnings: Finding[],
): { readonly location: Location; readonly member: string } | undefined {
  const members = ['readPoint', 'bizLocation'].filter((name) => idOf(event[name]) !== undefined)
  const [member, other] = members
  if (member === undefined) return undefined
  const leave = (field: string) => warnings.push({ path: pathTo(path, field), code: 'not_taken', params: { field } })
  const idIn = (name: string) => idOf(event[name]) ?? ''
  if (other !== undefined && spelt(idIn(other), prefixes) !== spelt(idIn(member), prefixes)) leave(other)
  const location = locationOfUri(expanded(idIn(member), prefixes), target)
  if (location === undefined) leave(member)
  return location === undefined ? undefined : { location, member }
}

const longestCode = 100

/** What was decided about an event. */
interface Told {
  readonly time: string
  readonly code: string
  readonly location: Location | undefined
  readonly prefixes: ReadonlyMap<string, string>
}

function nativeEvent(event: Members, { time, code, location, prefixes }: Told): Members {
  const { eventID, errorDeclaration: declared } = event
  const { bizStep, disposition } = stepsOf(event, prefixes)
  const words = [bizStep, disposition].filter((word) => typeof word === 'string').join('/')
  const source = { type: 'carrier_tracking', ...(words !== '' && words.length <= longestCode && { code: words }) }
  return {
    ...(isEventName(eventID) ? { event_id: eventID } : {}),
    occurred_at: time,
    status_code: code,
    ...(location && { location }),
    ...{ source, ...nativeSensors(event) },
    ...(isObject(declared) && { withdrawn: withdrawalOf(declared, prefixes, time) }),
  }
}

const longestId = 200

/** Whether an id can be kept; XML Schema lets an id be empty or of any length. */
function isEventName(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.length <= longestId
}

function placesOf({ bizStep, sensorElementList }: Members): Readonly<Record<string, string>> {
  return {
    event_id: 'eventID',
    occurred_at: 'eventTime',
    status_code: bizStep === undefined ? 'disposition' : 'bizStep',
    withdrawn: 'errorDeclaration',
    source: 'bizStep',
    ...(sensorElementList !== undefined && { sensors: 'sensorElementList' }),
  }
}
