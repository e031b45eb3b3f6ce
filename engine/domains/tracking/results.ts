import type { Context } from '../../kernel/context.ts'
import { type Finding, type Remark, remark } from '../../kernel/finding.ts'
import { type Code, type Messages, messageOf, type Params } from '../../kernel/messages/index.ts'
import type { Answer } from '../../kernel/operation.ts'
import { capFindings } from '../../kernel/parse.ts'
import type { ReadingResult } from './readings.ts'
import { maxEvents } from './schema.ts'

/** The most findings in the answer for one event; the validator lists a thousand for a document. */
const maxListed = 20

/** The most characters of text in the answer to one call. */
const maxText = 8 * 1024 * 1024

/** Results that are counted and written in one step. */
const resultsPerStep = 1_000

/** The result of one event in the answer. */
interface EventResult extends Pick<ReadingResult, 'path' | 'outcome' | 'event_id' | 'subject'> {
  readonly errors?: readonly Remark[]
  readonly warnings?: readonly Remark[]
}

interface ListedResult {
  readonly result: EventResult
  readonly length: number
  /** Its place among all results. */
  readonly order: number
}

/** The counts of all outcomes, and the results in the answer, in order. */
interface Tally {
  readonly counts: Record<ReadingResult['outcome'], number>
  listed(): readonly EventResult[]
  add(readings: readonly ReadingResult[]): void
}

/**
 * Counts results, and keeps at most ten thousand of them in 8 MiB of text. If not all fit, refused events take
 * precedence.
 */
export function createTally({ messages }: Pick<Context, 'messages'>): Tally {
  const counts = { accepted: 0, duplicate: 0, enriched: 0, rejected: 0, withheld: 0, ignored: 0 }
  const refused: ListedResult[] = []
  const others: ListedResult[] = []
  let added = 0
  let text = 0
  let isFull = false

  const fits = (length: number) => refused.length + others.length < maxEvents && text + length <= maxText

  function keep(reading: ReadingResult, order: number) {
    const isRefused = reading.outcome === 'rejected'
    if (isFull && !isRefused) return
    const result = eventResultOf(reading, messages)
    const length = lengthOf(result)
    while (isRefused && others.length > 0 && length <= maxText && !fits(length)) {
      text -= others.pop()?.length ?? 0
      isFull = true
    }
    if (!fits(length)) {
      isFull = true
      return
    }
    text += length
    const list = isRefused ? refused : others
    list.push({ result, length, order })
  }

  return {
    counts,
    listed: () => [...refused, ...others].sort((one, other) => one.order - other.order).map(({ result }) => result),
    add(readings) {
      for (const reading of readings) {
        counts[reading.outcome]++
        keep(reading, added++)
      }
    },
  }
}

/** The answer to an ingest: a refusal if all events were refused or, with `atomic`, any. */
export async function ingestAnswer(
  context: Context,
  readings: readonly ReadingResult[],
  atomic: boolean,
): Promise<Answer> {
  const tally = createTally(context)
  for (let at = 0; at < readings.length; at += resultsPerStep) {
    tally.add(readings.slice(at, at + resultsPerStep))
    await context.pause()
  }
  return tallyAnswer(context, tally, atomic)
}

/** The same answer from a tally; `broken` is the error that ended the call early. */
export function tallyAnswer(
  { messages }: Context,
  { counts, listed }: Tally,
  atomic: boolean,
  broken?: { readonly code: Code; readonly params: Params },
): Answer {
  const { ignored, ...reported } = counts
  const data = { ...reported, ...(ignored === 0 ? {} : { ignored }), events: listed() }
  const refusal = broken ?? refusalOf(counts, atomic)
  if (refusal === undefined) return { result: true, data }
  return { result: false, code: refusal.code, message: messageOf(refusal.code, refusal.params, messages), data }
}

function refusalOf(
  counts: Tally['counts'],
  atomic: boolean,
): { readonly code: Code; readonly params: Params } | undefined {
  const { rejected } = counts
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (rejected === 0 || (!atomic && rejected < all)) return undefined
  return { code: atomic && rejected < all ? 'nothing_stored' : 'nothing_accepted', params: { count: rejected } }
}

function eventResultOf(reading: ReadingResult, messages: Messages): EventResult {
  const { path, outcome, event_id, subject, errors, warnings } = reading
  const words = (findings: readonly Finding[]) =>
    capFindings(findings, maxListed).map((finding) => remark(finding, messages))
  const named = event_id === undefined ? { path, outcome } : { path, outcome, event_id }
  const told = subject === undefined ? named : { ...named, subject }
  if (errors.length === 0 && warnings.length === 0) return told
  return {
    ...told,
    ...(errors.length === 0 ? {} : { errors: words(errors) }),
    ...(warnings.length === 0 ? {} : { warnings: words(warnings) }),
  }
}

/** Approximate length of a result in JSON: its texts, plus a fixed amount for each finding. */
function lengthOf({ path, event_id = '', subject, errors, warnings }: EventResult): number {
  const words = subject === undefined ? 2 : JSON.stringify(subject).length
  return path.length + event_id.length + words + lengthOfAll(errors) + lengthOfAll(warnings) + 60
}

function lengthOfAll(remarks: readonly Remark[] = []): number {
  return remarks.reduce((sum, { path, message }) => sum + path.length + message.length + 100, 0)
}
