import type { Context } from '../../kernel/context.ts'
import { type Finding, remark } from '../../kernel/finding.ts'
import { type Code, messageOf, type Params } from '../../kernel/messages/index.ts'
import type { Answer } from '../../kernel/operation.ts'
import { cut } from '../../kernel/parse.ts'
import type { ReadingVerdict } from './readings.ts'
import { maxEvents } from './schema.ts'

/** Of one event so many findings are told; the validator tells a thousand of a document. */
const maxListed = 20

/** What became of the events of a call: how many of each kind, and the verdicts that are told. */
export interface Tally {
  readonly counts: Record<ReadingVerdict['outcome'], number>
  readonly listed: readonly ReadingVerdict[]
  add(verdicts: readonly ReadingVerdict[]): void
}

/** Counts verdicts, and keeps them in order; of more than ten thousand, the refused ones first. */
export function createTally(): Tally {
  const counts = { accepted: 0, duplicate: 0, enriched: 0, rejected: 0, withheld: 0, ignored: 0 }
  let listed: readonly ReadingVerdict[] = []
  return {
    counts,
    get listed() {
      return listed
    },
    add(verdicts) {
      for (const { outcome } of verdicts) counts[outcome]++
      const all = listed.length === 0 ? verdicts : [...listed, ...verdicts]
      listed = all.length > maxEvents ? refusedFirst(all).slice(0, maxEvents) : all
    },
  }
}

function refusedFirst(verdicts: readonly ReadingVerdict[]): readonly ReadingVerdict[] {
  const isRefused = ({ outcome }: ReadingVerdict) => outcome === 'rejected'
  return [...verdicts.filter(isRefused), ...verdicts.filter((verdict) => !isRefused(verdict))]
}

/** The answer to a call that brought events: a refusal where all were refused, or, with `atomic`, where any was. */
export function ingestAnswer(context: Context, verdicts: readonly ReadingVerdict[], atomic: boolean): Answer {
  const tally = createTally()
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
  const words = (findings: readonly Finding[]) => cut(findings, maxListed).map((finding) => remark(finding, messages))
  const events = listed.map(({ errors, warnings, ...verdict }) => ({
    ...verdict,
    ...(errors.length === 0 ? {} : { errors: words(errors) }),
    ...(warnings.length === 0 ? {} : { warnings: words(warnings) }),
  }))
  const { ignored, ...told } = counts
  const data = { ...told, ...(ignored === 0 ? {} : { ignored }), events }
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
