import type { Context } from '../../kernel/context.ts'
import { type Finding, type Remark, remark } from '../../kernel/finding.ts'
import { type Code, type Messages, messageOf, type Params } from '../../kernel/messages/index.ts'
import type { Answer } from '../../kernel/operation.ts'
import { capFindings } from '../../kernel/parse.ts'
import type { ReadingResult } from './readings.ts'
import { maxEvents } from './schema.ts'

/** Of one event so many findings are told; the validator tells a thousand of a document. */
const maxListed = 20

/** In characters: so much is told of all events of a call together. */
const maxText = 8 * 1024 * 1024

/** A verdict as it is told. */
interface EventResult extends Pick<ReadingResult, 'path' | 'outcome' | 'event_id' | 'subject'> {
  readonly errors?: readonly Remark[]
  readonly warnings?: readonly Remark[]
}

interface ListedResult {
  readonly result: EventResult
  readonly length: number
  /** Its place among all. */
  readonly order: number
}

/** What became of the events of a call: how many of each kind, and the verdicts that are told, in order. */
export interface Tally {
  readonly counts: Record<ReadingResult['outcome'], number>
  listed(): readonly EventResult[]
  add(verdicts: readonly ReadingResult[]): void
}

/** Counts verdicts, and keeps what is told of at most ten thousand, in 8 MiB of text; where not all fit, refused ones go before others. */
export function createTally({ messages }: Pick<Context, 'messages'>): Tally {
  const counts = { accepted: 0, duplicate: 0, enriched: 0, rejected: 0, withheld: 0, ignored: 0 }
  const refused: ListedResult[] = []
  const others: ListedResult[] = []
  let added = 0
  let text = 0
  let isFull = false

  const fits = (length: number) => refused.length + others.length < maxEvents && text + length <= maxText

  function take(verdict: ReadingResult, order: number) {
    const isRefused = verdict.outcome === 'rejected'
    if (isFull && !isRefused) return
    const result = eventResultOf(verdict, messages)
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
    add(verdicts) {
      for (const verdict of verdicts) {
        counts[verdict.outcome]++
        take(verdict, added++)
      }
    },
  }
}

/** The answer to a call that brought events: a refusal where all were refused, or, with `atomic`, where any was. */
export function ingestAnswer(context: Context, verdicts: readonly ReadingResult[], atomic: boolean): Answer {
  const tally = createTally(context)
  tally.add(verdicts)
  return tallyAnswer(context, tally, atomic)
}

/** The same for verdicts that were counted; `broken` is what ended the call before its time. */
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

function eventResultOf({ errors, warnings, ...verdict }: ReadingResult, messages: Messages): EventResult {
  const words = (findings: readonly Finding[]) =>
    capFindings(findings, maxListed).map((finding) => remark(finding, messages))
  return {
    ...verdict,
    ...(errors.length === 0 ? {} : { errors: words(errors) }),
    ...(warnings.length === 0 ? {} : { warnings: words(warnings) }),
  }
}

/** About the length of a verdict in JSON: its texts, and sixty characters around each finding. */
function lengthOf({ path, event_id = '', subject = {}, errors = [], warnings = [] }: EventResult): number {
  const remarks = [...errors, ...warnings].reduce(
    (sum, { path, message }) => sum + path.length + message.length + 100,
    0,
  )
  return path.length + event_id.length + JSON.stringify(subject).length + remarks + 60
}
