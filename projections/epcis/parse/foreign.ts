import {
  type Finding,
  isObject,
  type Location,
  type Members,
  pathTo,
  type Reading,
  type Subject,
  shown,
  type Target,
} from '../../../engine/index.ts'
import { codeOf, type Words } from './back.ts'
import { occurredAt } from './clock.ts'
import { classFinding, leftOf } from './left.ts'
import { expanded, locationOfUri, orderOf, subjectOfUri } from './things.ts'
import { withdrawalOf } from './withdrawal.ts'

/** Members that name things one by one; of an aggregation both the whole and its parts are told of. */
const objectLists = ['epcList', 'parentID', 'childEPCs', 'inputEPCList', 'outputEPCList'] as const

/** A thing that an event names, and where. */
interface Thing {
  readonly subject: Subject
  /** Below the event: `epcList[0]`. */
  readonly place: string
}

/** The readings of an event of another maker: one for each thing that it names. */
export function foreignReadings(
  event: Members,
  path: string,
  prefixes: ReadonlyMap<string, string>,
  target: Target,
): readonly Reading[] {
  const warnings = [...leftOf(event, path, prefixes, false)]
  const order = ordersOf(event, path, target, warnings)
  const things = thingsOf(event, path, prefixes, target, warnings)
  const subjects = order === undefined || things.length > 0 ? things : [{ subject: {}, place: 'bizTransactionList' }]
  if (subjects.length === 0) return [{ path, warnings: [{ path, code: 'no_single_thing' }, ...warnings] }]
  const { code, finding } = decide(event, path)
  const place = placeOf(event, path, prefixes, target, warnings)
  const native = nativeEvent(event, code, place?.location)
  const shared = finding === undefined ? warnings : [finding, ...warnings]
  return subjects.map(({ subject, place: at }, index) => ({
    path,
    subject: order === undefined ? subject : { ...subject, order_id: order },
    event: native,
    // What concerns the event as a whole is said once.
    ...(index === 0 && shared.length > 0 && { warnings: shared }),
    places: { ...placesOf(event), location: place?.member ?? 'readPoint', subject: at },
  }))
}

function thingsOf(
  event: Members,
  path: string,
  prefixes: ReadonlyMap<string, string>,
  target: Target,
  warnings: Finding[],
): readonly Thing[] {
  const things = new Map<string, Thing>()
  const take = (uri: string, place: string) => {
    const subject = subjectOfUri(expanded(uri, prefixes), target)
    if (subject === undefined) warnings.push(classFinding(uri, pathTo(path, place)))
    else if (!things.has(JSON.stringify(subject))) things.set(JSON.stringify(subject), { subject, place })
  }
  for (const name of objectLists) {
    const value = event[name]
    if (typeof value === 'string') take(value, name)
    for (const [index, uri] of Array.isArray(value) ? value.entries() : []) take(String(uri), pathTo(name, index))
  }
  return [...things.values()]
}

/** The order that an event belongs to, where it is one of this server; other transactions are not taken. */
function ordersOf(event: Members, path: string, target: Target, warnings: Finding[]): number | undefined {
  const list = Array.isArray(event.bizTransactionList) ? event.bizTransactionList : []
  let order: number | undefined
  list.forEach(({ type, bizTransaction }, index) => {
    const own = type === 'po' ? orderOf(String(bizTransaction), target) : undefined
    if (own !== undefined && (order === undefined || order === own)) order = own
    else {
      const field = 'bizTransaction'
      warnings.push({ path: pathTo(pathTo(path, 'bizTransactionList'), index), code: 'not_taken', params: { field } })
    }
  })
  return order
}

/** The code of an event, and what has to be said of how it was found. */
function decide(event: Members, path: string): { readonly code: string; readonly finding?: Finding } {
  const { bizStep, disposition, action } = event
  const words: Words = { ...textual({ bizStep, disposition, action }), atDestination: isAtDestination(event) }
  const decided = codeOf(words)
  if (decided.certainty === 'sure') return { code: decided.code }
  const named = words.bizStep === undefined ? 'disposition' : 'bizStep'
  const received = [words.bizStep, words.disposition].filter((word) => word !== undefined).join(' / ')
  return {
    code: decided.code,
    finding: {
      path: pathTo(path, received === '' ? 'bizStep' : named),
      code: decided.certainty === 'decided' ? 'code_decided' : 'code_missing',
      params: { received: received === '' ? 'bizStep' : shown(received), decided: decided.code },
    },
  }
}

function textual(members: Members): Readonly<Record<string, string>> {
  const texts = Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts)
}

/** Whether the event was observed at a place that it names as its destination (CBV 2.0: source and destination types). */
function isAtDestination(event: Members): boolean {
  const list = Array.isArray(event.destinationList) ? event.destinationList : []
  const places = [idOf(event.readPoint), idOf(event.bizLocation)]
  return list.some(({ type, destination }) => type === 'location' && places.includes(destination))
}

function idOf(place: unknown): string | undefined {
  return isObject(place) && typeof place.id === 'string' ? place.id : undefined
}

/** Where it was observed, and the member that says so; where that is silent, where the thing is afterwards. */
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
  if (other !== undefined && idOf(event[other]) !== idOf(event[member])) leave(other)
  const location = locationOfUri(expanded(idOf(event[member]) ?? '', prefixes), target)
  if (location === undefined) leave(member)
  return location === undefined ? undefined : { location, member }
}

const longestCode = 100

function nativeEvent(event: Members, code: string, location: Location | undefined): Members {
  const { eventID, errorDeclaration: declared, bizStep, disposition } = event
  const words = [bizStep, disposition].filter((word) => typeof word === 'string').join('/')
  const source = { type: 'carrier_tracking', ...(words !== '' && words.length <= longestCode && { code: words }) }
  return {
    ...(eventID === undefined ? {} : { event_id: eventID }),
    occurred_at: occurredAt(event),
    status_code: code,
    ...(location && { location }),
    source,
    ...(isObject(declared) && { withdrawn: withdrawalOf(declared) }),
  }
}

function placesOf({ bizStep }: Members): Readonly<Record<string, string>> {
  return {
    event_id: 'eventID',
    occurred_at: 'eventTime',
    status_code: bizStep === undefined ? 'disposition' : 'bizStep',
    withdrawn: 'errorDeclaration',
    source: 'bizStep',
  }
}
