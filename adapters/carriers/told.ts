import {
  type CarrierAnswer,
  type CarrierScan,
  isoOf,
  omitUndefined,
  onTheWayBack,
  type ReadExpected,
  sha256,
} from '../../engine/index.ts'
import { type BackTable, type DetailTable, noNews, rowOf } from '../../projections/shared/back.ts'
import { wordsIn } from './answers.ts'

/** A scan in the words of its carrier. */
interface ToldScan {
  /** Epoch milliseconds. */
  readonly at: number
  /** What tells it from others, in the words of the carrier. */
  readonly name: readonly unknown[]
  /** Its status in the words of the carrier; undefined where the carrier gives each scan none. */
  readonly status: string | undefined
  /** Undefined if its status says nothing of the parcel. */
  readonly code: string | undefined
  readonly more: Partial<CarrierScan>
}

/** What each label is from the beginning. */
const announced = 'information_submitted'

/** What a tracker says of a parcel. */
interface ToldTracker {
  readonly scans: readonly ToldScan[]
  /** The status of the whole, in the words of the carrier. */
  readonly status: string
  /** The codes of the words for a status; those without one say nothing of the parcel. */
  readonly codes: Readonly<Record<string, string>>
  readonly expected: ReadExpected
  /** The path of the expected time. */
  readonly expectedAt: string
  readonly signed_by: string | null | undefined
}

type Answer = Exclude<CarrierAnswer<'track'>, { readonly refused: unknown }>

interface Coded {
  readonly at: number
  readonly code: string
  readonly scan: CarrierScan
}

/**
 * What is recorded of a tracker: each scan until now, in order of time, and its status where no scan says the same. The
 * expected time belongs to the last of them, and who has signed to the last delivery.
 */
export function trackedBy({ scans, status, codes, expected, expectedAt, signed_by }: ToldTracker, now: number): Answer {
  const past = scans.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
  const code = codeIn(codes, status)
  const told = past.map((scan, index) =>
    index === past.length - 1 && scan.status === undefined ? { ...scan, status, code } : scan,
  )
  const coded = told.flatMap(({ code, ...scan }) => (code === undefined ? [] : [{ ...scan, code }]))
  const known: Coded[] = coded.map(({ at, code, name, more }) => ({ at, code, scan: scanOf(at, code, name, more) }))
  const isNew = code !== undefined && code !== announced && !coded.some((scan) => explains(scan, status, code))
  // A moment after the last scan, so that it follows what was before and precedes what comes next.
  const at = Math.min(now, (past.at(-1)?.at ?? now) + 1)
  const all = isNew
    ? [...known, { at, code, scan: { ...scanOf(at, code, [status], {}), synthesized: true } as const }]
    : known
  const events = onTheWayBack(all).map((status_code, index) => ({ ...(all[index] as Coded).scan, status_code }))
  const signed = events.findLastIndex(({ status_code }) => isEnd(status_code))
  const signer = signed === -1 ? undefined : wordsIn(signed_by ?? '', 200) || undefined
  // It is not expected any more where it was to go.
  const isOver =
    events.some(({ status_code }) => status_code === 'x-returning') || isEnd(events.at(-1)?.status_code ?? '')
  const last = isOver ? -1 : events.length - 1
  const whole = events.map((event, index) => ({
    ...event,
    ...(index === last && expected.expected),
    ...(index === signed && omitUndefined({ signed_by: signer })),
  }))
  const isLost = events.length === 0 && expected.expected !== undefined
  const warnings = [...expected.warnings.map(warningOf), ...(isLost ? [{ path: expectedAt, code: 'not_taken' }] : [])]
  return { events: whole.slice(-500), ...(warnings.length > 0 && { warnings }) }
}

function warningOf({ path, code, params = {} }: ReadExpected['warnings'][number]) {
  return { path, code, ...(params.received !== undefined && { received: String(params.received) }) }
}

/** The codes of the words in a table; words that say nothing of a parcel have none. */
export function codesIn(table: BackTable): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(table).flatMap(([word, row]) => (row === noNews ? [] : [[word, row.code]])))
}

/** The reason that a detail of a status gives, if it gives one. */
export function reasonIn(table: DetailTable, detail: string): string | undefined {
  const row = rowOf(table, detail)
  return typeof row === 'object' ? row.reason : undefined
}

/** The code of a word of a carrier, if it has one. */
export function codeIn(codes: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(codes, word) ? codes[word] : undefined
}

function scanOf(at: number, status_code: string, name: readonly unknown[], more: Partial<CarrierScan>): CarrierScan {
  return { event_id: sha256(JSON.stringify(name)), status_code, occurred_at: isoOf(at), ...more }
}

/** Whether a scan says what the status of the whole says. Whatever is under way is in transit. */
function explains(scan: Pick<ToldScan, 'status' | 'code'>, status: string, code: string): boolean {
  if (scan.status === status || scan.code === code) return true
  return code === 'in_transit' && scan.code !== announced
}

function isEnd(code: string): boolean {
  return code === 'delivered' || code === 'return_to_sender'
}
