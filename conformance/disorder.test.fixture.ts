import fc from 'fast-check'
import {
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  domains,
  en,
  isoOf,
  otepIngest,
  otepTracking,
  plannedAfter,
  type Timeline,
} from '../engine/index.ts'
import { createTestParts } from '../engine/testing/parts.test.fixture.ts'
import { parcel } from '../profiles/index.ts'

/** When the clock of the world starts, in epoch milliseconds. */
export const start = Date.parse('2026-11-29T12:00:00.000Z')

/** Milliseconds of a day. */
export const day = 86_400_000

const acme: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }

/** A timeline as it is answered. */
interface Read {
  readonly data: Timeline
  readonly warnings?: readonly { readonly path: string; readonly code: string }[]
}

/** What an ingest answers of each event. */
interface Pushed {
  readonly outcome: string
  readonly warnings?: readonly { readonly code: string }[]
}

/** An engine in memory, whose clock does not move by itself. */
export function createWorld() {
  let now = start
  let ids = 0
  const clock = () => now
  const parts = createTestParts({
    store: createMemoryStore(clock),
    clock,
    randomId: () => deriveId('disorder', String(ids++)),
  })
  const context = (): Context => ({ ...parts, caller: acme, messages: en, requestId: 'test' })
  const { version } = otepTracking
  if (version === undefined) throw new Error('the operation has no version')

  return {
    parts,
    moveTo: (instant: number) => {
      now = instant
    },
    push: async (document: object): Promise<readonly Pushed[]> => {
      const { data } = await call(otepIngest, context(), { document })
      return (data as { readonly events: readonly Pushed[] }).events
    },
    read: async (tracking_number: string, format?: string): Promise<Read> =>
      (await call(otepTracking, context(), {
        tracking_number,
        ...(format !== undefined && { format }),
      })) as unknown as Read,
    tagOf: async (tracking_number: string) =>
      (
        await version(context(), { tracking_number })({
          ...context(),
          caller: { kind: 'anonymous', name: '', scopes: [] },
        })
      ).text,
    /** Passes what is due of timelines. */
    passDeadlines: async () => {
      for (const { deadlines = [] } of domains.filter(({ name }) => name === 'tracking'))
        for (const { due, pass } of deadlines)
          for (const { id, dueAt } of await due(parts, now, 0, 100))
            if (dueAt <= now) await pass(context(), id, new AbortController().signal)
    },
    /** The types of the facts in the timeline of a number. */
    facts: async (number: string) =>
      (await parts.store.read(`tracking-tracking_number:${number}`)).map(({ type }) => type),
  }
}

/** An event of the parcel SR1. */
export function scan(event_id: string, status_code: string, occurred_at: string, more: object = {}) {
  return { subject: { tracking_number: 'SR1' }, event_id, status_code, occurred_at, ...more }
}

/** A report of an event, complete or in part. */
type Report = ReturnType<typeof scan>

/** A document of reports in one of the forms in which a producer may send them. */
export function documentOf(reports: readonly Report[], form: number): object {
  const [one] = reports
  if (form === 0 && reports.length === 1 && one !== undefined) return one
  if (form === 1) return { timelines: reports.map(({ subject, ...event }) => ({ subject, events: [event] })) }
  return { lines: reports }
}

const zones = ['Z', '-10:00', '+05:45', '+13:00'] as const

/** An instant with the offset of a zone. */
function textOf(instant: number, zone: (typeof zones)[number]): string {
  if (zone === 'Z') return isoOf(instant)
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const offset = (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1)
  return isoOf(instant + offset).replace('Z', zone)
}

const step = fc.record({
  choice: fc.nat(30),
  /** Often without a time of day, so that several are at one instant. */
  minutes: fc.constantFrom(0, 0, 45, 600, 1_440),
  zone: fc.constantFrom(...zones),
  location: fc.option(fc.constantFrom({ name: 'Lyon hub' }, { unlocode: 'JPOSA' }), { nil: undefined }),
  /** A year that was typed wrong, or a month for a day. */
  years: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 36, -0.1),
  isWithdrawn: fc.constantFrom(false, false, false, false, true),
  copies: fc.constantFrom(1, 1, 2, 3),
  isTruncated: fc.boolean(),
})

/** The reports of a true journey that was spoilt: doubled, re-dated, in other zones, in part, and withdrawn. */
const spoilt = fc.array(step, { minLength: 2, maxLength: 9 }).map((steps) => {
  let code = 'booking_confirmed'
  let at = start - 12 * day
  return steps.flatMap(({ choice, minutes, zone, location, years, isWithdrawn, copies, isTruncated }, index) => {
    const next = plannedAfter(parcel, code)
    code = next.length === 0 ? 'x-photo' : (next[choice % next.length] ?? code)
    at += minutes * 60_000
    // Of a terminal status long ago, the next scan is another parcel.
    const shift = years < 0 && parcel.codes[code as keyof typeof parcel.codes]?.terminal ? 0 : years
    const occurred_at = textOf(at + Math.round(shift * 365) * day, zone)
    const whole = scan(`e${(index * 7) % 10}-${index}`, code, occurred_at, {
      ...(location !== undefined && { location }),
      ...(choice % 3 === 0 && { description: 'Handed over at the counter.' }),
    })
    const bare = scan(whole.event_id, code, occurred_at)
    const reports: Report[] = Array.from({ length: copies }, () => whole)
    if (isTruncated) reports.push(bare)
    if (isWithdrawn) reports.push({ ...bare, withdrawn: { declared_at: isoOf(start) } } as Report)
    if (choice % 5 === 0)
      reports.push({
        ...bare,
        subject: { tracking_number: 'SR1', external_tracking_number: 'E1' } as Report['subject'],
      })
    return reports
  })
})

/** Reports in an order, in calls of some of them, in different forms. */
const sent = (reports: readonly Report[]) =>
  fc
    .record({
      order: fc.shuffledSubarray([...reports], { minLength: reports.length }),
      sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 8 }),
      forms: fc.array(fc.nat(2), { minLength: 3, maxLength: 5 }),
    })
    .map(({ order, sizes, forms }) => {
      const documents: object[] = []
      for (let at = 0, call = 0; at < order.length; call++) {
        const size = sizes[call % sizes.length] ?? 1
        documents.push(documentOf(order.slice(at, at + size), forms[call % forms.length] ?? 0))
        at += size
      }
      return documents
    })

/** The same reports, sent in two ways. */
export const sentTwice = spoilt.chain((reports) => fc.tuple(sent(reports), sent(reports)))
