import { html } from 'hono/html'
import { type Expected, instantOf, isTimeZone, localTime, zonedIso } from '../../../engine/index.ts'
import { localeOf } from '../../locales/format.ts'
import type { PageTexts } from '../texts/index.ts'
import { siteTexts } from '../texts/site.ts'
import type { Html } from '../words.ts'

/** Who reads a page, and when. */
export interface Reader {
  readonly language: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The time zone of the reader; without it, times are local to the place of the event. */
  readonly zone?: string | undefined
}

const dayLength = 86_400_000

/** Days before and after today that are named by their weekday alone. */
const namedDays = 6

/** The canonical name of a time zone, as in the query of a page; undefined if there is none of this name. */
export function zoneNamed(name: string | undefined): string | undefined {
  if (name === undefined || !/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return isTimeZone(timeZone) ? timeZone : undefined
  } catch {
    return undefined
  }
}

/** A day of the list: `Yesterday`, or `Thursday 11 June`, with the year if it is another one. */
export function dayHeading(instant: string, reader: Reader): string {
  const local = forReader(instant, reader)
  const distance = daysAhead(local, reader)
  if (Math.abs(distance) <= 1) return relativeDay(distance, reader)
  return written(local, reader, isThisYear(local, reader) ? 'day' : 'dayAndYear')
}

/** The day of a list that an event belongs to: `2026-06-11`. */
export function dayOf(instant: string, reader: Reader): string {
  return forReader(instant, reader).slice(0, 10)
}

/** A day within a sentence: `tomorrow`, `Thursday` within a week, or `Thursday 11 June`. */
export function dayWords(instant: string, reader: Reader): string {
  const distance = daysAhead(instant, reader)
  // Where the zone is not known, it may still be yesterday.
  const isNear = Math.abs(distance) <= 1 && (distance !== -1 || !isOfUnknownZone(instant))
  if (isNear) return relativeDay(distance, reader)
  if (Math.abs(distance) <= namedDays) return written(instant, reader, 'weekday')
  return written(instant, reader, isThisYear(instant, reader) ? 'day' : 'dayAndYear')
}

/** The time of day: `14:05`. UTC is named where the reader might take it for a local time. */
function clockText(instant: string, { zone }: Reader): string {
  if (zone !== undefined) return localTime(zonedIso(instantOf(instant), zone)).time
  return instant.endsWith('Z') ? `${localTime(instant).time} UTC` : localTime(instant).time
}

function joined(parts: readonly string[], { language }: Reader): string {
  return parts.join(siteTexts(language).between)
}

/** Day and time as plain text: `Thursday 11 June, 14:05`. */
export function momentWords(instant: string, reader: Reader): string {
  return joined([dayHeading(instant, reader), clockText(instant, reader)], reader)
}

/** Day and time, and the local time beside where it differs; the full instant is machine-readable. */
export function momentOf(instant: string, reader: Reader, local: PageTexts['local']): Html {
  return html`<time datetime="${instant}">${momentWords(instant, reader)}</time>${localBeside(instant, reader, local)}`
}

/** The time of day, and the local time beside where it differs; the full instant is machine-readable. */
export function clockOf(instant: string, reader: Reader, local: PageTexts['local']): Html {
  return html`<time datetime="${instant}">${clockText(instant, reader)}</time>${localBeside(instant, reader, local)}`
}

/** The local time of the event, if it differs from that of the reader. `Z` says nothing of a place. */
function localBeside(instant: string, reader: Reader, local: PageTexts['local']): Html | undefined {
  if (reader.zone === undefined || instant.endsWith('Z')) return undefined
  const { date, time } = localTime(forReader(instant, reader))
  const own = localTime(instant)
  if (own.time === time && own.date === date) return undefined
  const day = own.date === date ? [] : [written(instant, reader, 'weekday')]
  return html` <span class="local">(${local({ time: joined([...day, own.time], reader) })})</span>`
}

/** When a delivery is expected. */
export interface Arrival {
  /** As the reader sees it, or as the producer wrote it if it names only a day. */
  readonly at: string
  /** From when on, if it is a window, in the same way. */
  readonly from?: string
  /** Whether to name the day alone, because the producer named no time, or because the day has passed. */
  readonly isDay: boolean
  /** The time zone of its place, if it is given by the clocks there, and not by those of the reader. */
  readonly zone?: string
  readonly isLate: boolean
}

/** An expected time; with a zone, it is given by the clocks there: they are those at the door. */
export interface PlacedExpected extends Expected {
  readonly zone?: string
}

/** When an estimate or a plan says that it arrives. */
export function arrivalOf(expected: PlacedExpected, whoReads: Reader): Arrival {
  const { zone } = expected
  const reader = zone === undefined ? whoReads : { ...whoReads, zone }
  const span = spanOf(expected, reader)
  const { at, isDay } = span
  const isPast = isDay ? hasEnded(at, reader) : daysAhead(at, reader) < 0
  const isLate = isPast || (!isDay && instantOf(at) < reader.now)
  return { ...span, ...(zone !== undefined && { zone }), isDay: isDay || isPast, isLate }
}

/** An expected time as the reader sees it. Midnight and the last minute of a day stand for the whole day, as carriers use them. */
function spanOf({ estimated_delivery_at: until, estimated_delivery_from: from }: Expected, reader: Reader) {
  const isDay = isEdge(until) && (from === undefined || isEdge(from))
  const shown = (time: string) => (isDay ? time : forReader(time, reader))
  const at = shown(until)
  const isWithinDay = isDay && from?.slice(0, 10) === at.slice(0, 10)
  return { at, isDay, ...(from !== undefined && !isWithinDay && { from: shown(from) }) }
}

function isEdge(time: string): boolean {
  return ['00:00', '23:59'].includes(localTime(time).time)
}

/** Whether a day is over where it is meant: for a reader in a zone, there; where the zone is not known, everywhere. */
function hasEnded(day: string, reader: Reader): boolean {
  if (reader.zone !== undefined || !isOfUnknownZone(day)) return daysAhead(day, reader) < 0
  return instantOf(`${day.slice(0, 10)}T23:59:59-12:00`) < reader.now
}

/** `-00:00` is the mark of RFC 3339 for a local time in an unknown zone. */
function isOfUnknownZone(time: string): boolean {
  return time.endsWith('-00:00')
}

/** An expected time within a list of facts: its day, its time or its window. */
export function expectedOf(expected: Expected, reader: Reader, local: PageTexts['local']): Html {
  const { at, from, isDay } = spanOf(expected, reader)
  const until = expected.estimated_delivery_at
  if (from === undefined && !isDay) return momentOf(until, reader, local)
  const placed = unzoned(reader)
  const words = (time: string) => (isDay ? dayHeading(time, placed) : momentWords(time, placed))
  const last = !isDay && from?.slice(0, 10) === at.slice(0, 10) ? clockText(at, placed) : words(at)
  const ends = from === undefined ? [last] : [words(from), last]
  return html`<time datetime="${until}">${ends.join(' – ')}</time>`
}

/** For a time that is already in the zone of the reader. */
function unzoned(reader: Reader): Reader {
  return { ...reader, zone: undefined }
}

function forReader(instant: string, { zone }: Reader): string {
  return zone === undefined ? instant : zonedIso(instantOf(instant), zone)
}

/** Days from today to the day of a local time, both in the zone of the reader, or with the offset of that time. */
function daysAhead(local: string, { now, zone }: Reader): number {
  const today = zone === undefined ? now + offsetOf(local) : clockFace(zonedIso(now, zone))
  return Math.floor(clockFace(local) / dayLength) - Math.floor(today / dayLength)
}

/** A local time as if it were UTC, in epoch milliseconds. */
function clockFace(local: string): number {
  return instantOf(local) + offsetOf(local)
}

function offsetOf(instant: string): number {
  const { offset } = localTime(instant)
  const minutes = 60 * Number(offset.slice(1, 3)) + Number(offset.slice(4, 6))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

function isThisYear(local: string, { now }: Reader): boolean {
  return local.slice(0, 4) === new Date(now + offsetOf(local)).toISOString().slice(0, 4)
}

const styles = {
  weekday: { weekday: 'long' },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  dayAndYear: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

const formats = new Map<string, Intl.DateTimeFormat>()

/** Kept for each language and style, because creating a format costs a thousand times as much as using it. */
function written(local: string, { language }: Reader, style: keyof typeof styles): string {
  const key = `${language} ${style}`
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(localeOf(language), { ...styles[style], timeZone: 'UTC', calendar: 'gregory' })
  formats.set(key, format)
  return format.format(clockFace(local))
}

function relativeDay(distance: number, { language }: Reader): string {
  return new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(distance, 'day')
}
