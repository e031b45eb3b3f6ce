import type { Timeline } from '../../../engine/index.ts'
import { wholeTimeline } from './samples.ts'

/** Texts that the engine takes anywhere, and that a careless writer trips over. */
export const oddTexts: readonly string[] = [
  `He said "no" \\ & <b>it's</b> ]]> --> <!-- <?x`,
  'שלום \u202egnp.exe\u202c مرحبا',
  '👩‍👩‍👧‍👦 🚚 e\u0301 \u{10ffff}',
  '\ufeff\u2028\u2029\ufffe\uffff',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%2e%2e%2f%zz%',
  `$\{x} {{y}} %s $1 $& \\u0000 &#0; &amp;`,
  ' leading and trailing ',
  "'); DROP TABLE events; --",
  'https://example.com/a b?c=d#e',
  'urn:x:%',
  '1e400',
  'null',
  '@id',
]

/** Unusual texts, which are only valid in prose. */
export const oddProse: readonly string[] = ['', ' ', 'two\nlines\r\n\tand a tab']

/** Texts that the engine refuses, but that a projection has to live through. */
export const refusedTexts: readonly string[] = [
  'NUL \0, \u0001, \u001f, \u007f, \u0085',
  'half a pair: \ud800 and \udc00',
  'x'.repeat(65_536),
]

/** A place in a timeline for a producer's own text, its maximum length, and whether it is prose. */
interface TextPlace {
  readonly path: readonly (string | number)[]
  readonly limit: number
  readonly prose: boolean
}

const word = (limit: number, ...path: readonly (string | number)[]): TextPlace => ({ path, limit, prose: false })
const prose = (limit: number, ...path: readonly (string | number)[]): TextPlace => ({ path, limit, prose: true })

/** The places for producers' texts in the whole timeline. */
export const textPlaces: readonly TextPlace[] = [
  word(100, 'subject', 'tracking_number'),
  word(100, 'subject', 'external_tracking_number'),
  word(500, 'subject', 'piece_id'),
  word(200, 'events', 0, 'event_id'),
  word(100, 'events', 0, 'source', 'provider'),
  word(100, 'events', 0, 'source', 'code'),
  word(100, 'events', 0, 'incident_reason'),
  prose(2000, 'events', 0, 'description'),
  prose(200, 'events', 0, 'location', 'name'),
  prose(200, 'events', 0, 'location', 'address', 'street'),
  prose(100, 'events', 0, 'location', 'address', 'locality'),
  prose(100, 'events', 0, 'location', 'address', 'region'),
  prose(20, 'events', 0, 'location', 'address', 'postal_code'),
  prose(200, 'events', 0, 'pod', 'recipient'),
  prose(2000, 'events', 0, 'pod', 'note'),
  prose(500, 'withdrawn_events', 0, 'withdrawn', 'reason'),
]

/** The whole timeline with a text in one of its places. */
export function withText(text: string, place: TextPlace): Timeline {
  return changed(wholeTimeline, place.path, text) as Timeline
}

/** The whole timeline with a text in all of its places, cut to what each allows; words are never blank. */
export function withTexts(text: string): Timeline {
  return textPlaces.reduce((timeline, { path, limit, prose }) => {
    const short = [...text].slice(0, Math.max(1, limit / 2)).join('')
    const fits = prose || (short.trim() !== '' && !/\p{Cc}/u.test(short))
    return fits ? (changed(timeline, path, short) as Timeline) : timeline
  }, wholeTimeline)
}

/** The whole timeline with the same text in all of these places. */
export function withWholeTexts(text: string): Timeline {
  return textPlaces.reduce((timeline, { path }) => changed(timeline, path, text) as Timeline, wholeTimeline)
}

/** A copy of a value with another value at a path, whose parents must exist. */
export function changed(value: unknown, [key, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (key === undefined) return to
  const inner = (value as Readonly<Record<string | number, unknown>>)[key]
  const next = changed(inner, rest, to)
  return Array.isArray(value) ? value.with(Number(key), next) : { ...(value as object), [key]: next }
}
