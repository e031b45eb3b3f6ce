import {
  deriveId,
  excerptOf,
  type Finding,
  instantOf,
  instantProblem,
  type Members,
  onTheWayBack,
  pathTo,
  type ReadExpected,
  type Reading,
  withoutMarkup,
} from '../../engine/index.ts'
import { type Back, freeCode, noNews } from './back.ts'
import { aMomentAfter } from './time.ts'

/** A value of a document, and its member. */
interface ToldValue {
  readonly member: string
  readonly value: unknown
}

/** A state in the words of its system. */
export interface ToldState {
  readonly member: string
  /** The state and its details. */
  readonly words: readonly unknown[]
  /** How it is read; undefined for words that the system's tables do not have. */
  readonly back: Back | typeof noNews | undefined
}

/** A scan of a parcel in the words of a system. */
export interface ToldScan {
  readonly path: string
  readonly at: ToldValue
  readonly state: ToldState
  readonly description?: ToldValue
  /** A location in native members, whose texts are as they came. */
  readonly location?: Members | undefined
  /** The carrier's own code. */
  readonly code?: ToldValue
  readonly reason?: unknown
  /** The system's own id of the scan. */
  readonly id?: unknown
}

/** What a system tells of one parcel. */
export interface ToldParcel {
  readonly path: string
  readonly number: ToldValue
  readonly scans: readonly ToldScan[]
  /** The state of the whole; absent if the system tells none. */
  readonly state?: ToldState
  readonly expected?: ReadExpected
  readonly signedBy?: unknown
}

/** An object without its empty members: systems write `null` or an empty text for what they do not know. */
export function presentMembers(members: Members): Members | undefined {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** The texts of a location as people are to read them, in native members. */
export function placeOf(told: Members): Members | undefined {
  const { name, latitude, longitude, ...address } = readable(told)
  return presentMembers({ name, latitude, longitude, address: presentMembers(address) })
}

function readable(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, wordsIn(value)]))
}

function wordsIn(value: unknown): unknown {
  return typeof value === 'string' ? withoutMarkup(value).trim() : value
}

/**
 * A time of a system, with `T` between day and clock, and whether its zone was assumed: without one it is read as UTC of an
 * unknown place, `-00:00` (RFC 3339, section 4.3). A day alone begins at midnight.
 */
export function toldTime(value: unknown): { readonly time: unknown; readonly assumed: boolean } {
  if (typeof value !== 'string') return { time: value ?? undefined, assumed: false }
  const [, day, clock, second = ':00', zone = ''] =
    /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?\s*$/.exec(value) ?? []
  if (day === undefined) return { time: value === '' ? undefined : value, assumed: false }
  const offset = zone.replace(/^(...)(\d\d)$/, '$1:$2')
  const local = clock === undefined ? `${day}T00:00:00` : `${day}T${clock}${second}`
  return { time: `${local}${offset || '-00:00'}`, assumed: offset === '' }
}

/** The readings of one parcel; one reading without a subject if it says nothing. */
export function readingsOfParcel(system: string, told: ToldParcel): readonly Reading[] {
  const { path, number, scans } = told
  const tracking_number = typeof number.value === 'string' ? number.value.trim() : number.value
  const subject = presentMembers({ tracking_number })
  if (subject === undefined) {
    const member = pathTo(path, number.member)
    return [{ path, findings: [{ path: member, code: 'required', params: { field: number.member } }] }]
  }
  const listed = scans.flatMap((scan) => readScan(system, scan, subject) ?? [])
  const all = [...listed, ...stateReading(system, told, listed, subject)]
  if (all.length === 0) return [{ path }]
  return completed(asReturned(system, all), told)
}

function readScan(system: string, scan: ToldScan, subject: Members): Reading | undefined {
  const { path, at, state, description, location, code, reason, id } = scan
  const read = readState(system, path, state)
  if (read === undefined) return undefined
  const { time, assumed } = toldTime(at.value)
  const ownId = typeof id === 'string' && id !== '' ? id : undefined
  const words = [at.value, ...state.words, description?.value].map((part) => (typeof part === 'string' ? part : ''))
  const carriersCode = typeof code?.value === 'string' && code.value.length <= 100 ? code.value : undefined
  const event = presentMembers({
    event_id: ownId ?? deriveId(system, ...words),
    occurred_at: time,
    status_code: read.back.code,
    location,
    source: { type: 'carrier_tracking', ...presentMembers({ code: carriersCode }) },
    incident_reason: shortWord(reason) ?? read.back.reason,
    description: cut(wordsIn(description?.value), 2000),
  })
  const zone: Finding[] = assumed ? [{ path: pathTo(path, at.member), code: 'zone_assumed' }] : []
  const places = {
    occurred_at: at.member,
    status_code: state.member,
    ...(description && { description: description.member }),
  }
  return { path, subject, places, event: event ?? {}, warnings: [...zone, ...read.warnings] }
}

function shortWord(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : undefined
}

function cut(value: unknown, most: number): unknown {
  return typeof value === 'string' && value.length > most ? `${value.slice(0, most - 1).trimEnd()}…` : value
}

/** The code of a state, and what has to be said of it; undefined if it says nothing of the parcel. */
function readState(system: string, path: string, { member, words, back }: ToldState) {
  const said = words.filter((word): word is string => typeof word === 'string' && word !== '')
  if (back === noNews || (back === undefined && said.length === 0)) return undefined
  const known = back ?? { code: freeCode(system, said.join('_')), exact: false }
  const isExact = back?.exact === true && !back.code.startsWith('x-')
  const params = { received: excerptOf(said.join(' / ')), decided: known.code }
  const code = back === undefined ? 'meaning_unknown' : 'code_missing'
  const warnings: readonly Finding[] = isExact ? [] : [{ path: pathTo(path, member), code, params }]
  return { back: known, warnings }
}

/** What every parcel is from the beginning. */
const announced = 'information_submitted'

/**
 * The state of the whole, if no scan explains it. It takes place a moment after the latest one, so that it follows them and
 * precedes whatever comes next; without any it takes place now.
 */
function stateReading(
  system: string,
  { path, state }: ToldParcel,
  readings: readonly Reading[],
  subject: Members,
): readonly Reading[] {
  const read = state && readState(system, path, state)
  if (read === undefined || state === undefined || read.back.code === announced) return []
  const { code, reason } = read.back
  const isKnown = (scan: string | undefined) =>
    scan === code || (code === 'in_transit' && scan !== undefined && scan !== announced)
  if (readings.map(codeOf).some(isKnown)) return []
  const { occurred_at: at } = (readings[latest(readings.map(timeOf), () => true)]?.event ?? {}) as Members
  const event = presentMembers({
    status_code: code,
    source: { type: 'carrier_tracking' },
    incident_reason: reason,
    occurred_at: typeof at === 'string' ? aMomentAfter(at) : undefined,
  })
  const finding = { path: pathTo(path, state.member), code: 'code_decided' } as const
  const said = excerptOf(state.words.filter((word) => typeof word === 'string').join(' / '))
  const warnings =
    read.warnings.length > 0 ? read.warnings : [{ ...finding, params: { received: said, decided: code } }]
  return [{ path, subject, status: true, places: { current_status: state.member }, event: event ?? {}, warnings }]
}

/**
 * What goes back is returned once its sender has it. Only the neighbours show that, so the same scan may have been read
 * differently before. It is therefore a new event with its own id.
 */
export function asReturned(
  system: string,
  readings: readonly Reading[],
  inItsWords: (code: string) => string = (code) => code,
): readonly Reading[] {
  const coded = readings.filter((reading) => codeOf(reading) !== undefined)
  const decided = onTheWayBack(coded.map((reading) => ({ code: codeOf(reading) ?? '', at: timeOf(reading) })))
  const codes = new Map(coded.map((reading, index) => [reading, decided[index] ?? '']))
  return readings.map((reading) => {
    const [before, code] = [codeOf(reading), codes.get(reading)]
    if (before === undefined || code === undefined || before === code) return reading
    return decidedAs(system, reading, inItsWords(before), code)
  })
}

function decidedAs(system: string, reading: Reading, received: string, decided: string): Reading {
  const { event_id: id } = reading.event as Members
  const event_id = typeof id === 'string' ? deriveId(system, id, decided) : id
  const member = reading.places?.status_code ?? reading.places?.current_status ?? ''
  const params = { received, decided }
  const warning: Finding = { path: pathTo(reading.path, member), code: 'code_decided', params }
  return {
    ...reading,
    event: { ...reading.event, ...(event_id !== undefined && { event_id }), status_code: decided },
    warnings: [...(reading.warnings ?? []), warning],
  }
}

/** The expected time is added to the latest event, and who has signed to the latest delivery. */
function completed(readings: readonly Reading[], { expected, signedBy }: ToldParcel): readonly Reading[] {
  const times = readings.map(timeOf)
  const estimated = latest(times, () => true)
  const delivered = latest(times, (index) => codeOf(readings[index]) === 'delivered')
  const pod = presentMembers({ recipient: cut(wordsIn(signedBy), 200) })
  return readings.map((reading, index) => {
    const more = index === estimated ? expected : undefined
    const proof = index === delivered && pod !== undefined && { pod }
    if ((more === undefined && proof === false) || reading.event === undefined) return reading
    return {
      ...reading,
      event: { ...reading.event, ...more?.expected, ...proof },
      warnings: [...(reading.warnings ?? []), ...(more?.warnings ?? [])],
    }
  })
}

/** The index of the latest of these times, the last one of equals; -1 if there is none. */
export function latest(times: readonly number[], isMeant: (index: number) => boolean): number {
  let found = -1
  for (const [index, at] of times.entries())
    if (!Number.isNaN(at) && isMeant(index) && (found === -1 || at >= (times[found] ?? 0))) found = index
  return found
}

/** The status code of a reading. */
export function codeOf(reading: Reading | undefined): string | undefined {
  return (reading?.event as { readonly status_code?: string } | undefined)?.status_code
}

/** When a reading happened, in epoch milliseconds; NaN if that is not known. */
export function timeOf({ event }: Reading): number {
  const at = (event as { readonly occurred_at?: unknown } | undefined)?.occurred_at
  return typeof at === 'string' && instantProblem(at) === undefined ? instantOf(at) : Number.NaN
}
