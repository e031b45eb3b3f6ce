import {
  type Context,
  call,
  EngineError,
  isEngineError,
  maxEvents,
  messageOf,
  otepIngest,
  type Remark,
} from '../../engine/index.ts'
import { parsedOrError, parseJson } from '../json.ts'
import { type Command, type Invocation, jsonOption, storeOption, usageError } from './command.ts'
import { type Line, linesOf, openInput, type Source } from './input.ts'
import { progressOn } from './progress.ts'
import { withContext } from './session.ts'

const batchSize = 1000
const shownRejections = 20

interface Answer {
  readonly data: {
    readonly accepted: number
    readonly duplicate: number
    readonly enriched: number
    readonly rejected: number
    readonly withheld: number
    readonly events: readonly {
      readonly path: string
      readonly outcome: string
      readonly errors?: readonly Remark[]
      readonly warnings?: readonly Remark[]
    }[]
  }
}

type Counts = Record<'accepted' | 'duplicate' | 'enriched' | 'rejected' | 'withheld' | 'remarked', number>

const outcomes = ['accepted', 'duplicate', 'enriched', 'rejected', 'withheld'] as const

/** `otep ingest`: records a file of events. */
export const ingestCommand: Command = {
  name: 'ingest',
  takes: 'FILE|-',
  summary:
    'Record events from a file: an OTEP timeline, {timelines: [...]}, or one event with its subject a line (NDJSON).',
  options: {
    ...storeOption,
    ...jsonOption,
    as: {
      type: 'string',
      value: 'NAME',
      help: 'the provider that the events are recorded for, where they name none (default cli)',
    },
    atomic: { type: 'boolean', help: 'store nothing if any event is refused (at most 10,000 events)' },
  },
  run: (invocation) =>
    withContext(
      invocation,
      async (context) => {
        const counts: Counts = { accepted: 0, duplicate: 0, enriched: 0, rejected: 0, withheld: 0, remarked: 0 }
        await ingestSource(openInput(invocation), invocation, context, counts)
        report(invocation, counts)
        return counts.rejected === 0 ? 0 : 1
      },
      typeof invocation.values.as === 'string' ? invocation.values.as : 'cli',
    ),
}

async function ingestSource(source: Source, invocation: Invocation, context: Context, counts: Counts): Promise<void> {
  const atomic = invocation.values.atomic === true
  const progress = progressOn(invocation, source.bytes)
  const batch: Line[] = []
  const flush = async () => {
    progress.end()
    const document = { lines: batch.map(({ text }) => parsedOrError(text)) }
    add(await answerOf(context, document, atomic), invocation, counts, batch)
    progress.at(batch.at(-1)?.bytes ?? 0, `${counts.accepted} accepted, ${counts.rejected} rejected`)
    batch.length = 0
  }
  const lines = linesOf(source)
  const first = await lines.next()
  if (first.done === true) throw usageError('The input is empty.')
  if (!isWhole(first.value.text)) {
    const texts = [first.value.text]
    for await (const { text } of lines) texts.push(text)
    return add(await answerOf(context, parseJson(texts.join('\n')), atomic), invocation, counts, [])
  }
  batch.push(first.value)
  for await (const line of lines) {
    if (batch.length >= (atomic ? maxEvents : batchSize)) {
      if (atomic) throw new EngineError('too_many_events', { limit: maxEvents })
      await flush()
    }
    batch.push(line)
  }
  await flush()
  progress.end()
}

async function answerOf(context: Context, document: unknown, atomic: boolean): Promise<Answer> {
  return (await call(otepIngest, context, { document, atomic })) as unknown as Answer
}

/** Whether a line is a JSON value by itself, so that the text is one value a line. */
function isWhole(text: string): boolean {
  return !isEngineError(parsedOrError(text))
}

function add({ data }: Answer, { values, stdout, stderr }: Invocation, counts: Counts, batch: readonly Line[]): void {
  const shown = counts.rejected
  for (const name of outcomes) counts[name] += data[name]
  counts.remarked += data.events.filter(({ warnings }) => warnings !== undefined).length
  if (values.json === true) {
    for (const event of data.events) stdout.write(`${JSON.stringify({ ...event, path: placeOf(event.path, batch) })}\n`)
    return
  }
  const rejected = data.events.filter(({ outcome }) => outcome === 'rejected')
  for (const { path, errors = [] } of rejected.slice(0, Math.max(0, shownRejections - shown))) {
    for (const error of errors) stderr.write(`${placeOf(error.path || path, batch)}: ${error.message}\n`)
  }
}

/** The place of a finding in the file: its line for NDJSON, its path otherwise. */
function placeOf(path: string, batch: readonly Line[]): string {
  return path.replace(/^lines\[(\d+)\]\.?/, (_, index: string) => `line ${batch[Number(index)]?.number ?? '?'} `).trim()
}

function report({ values, stdout, stderr }: Invocation, counts: Counts): void {
  if (values.json === true) return
  const told = outcomes
    .filter((name) => counts[name] > 0 || name === 'accepted')
    .map((name) => `${counts[name]} ${name}`)
  stdout.write(`${told.join(', ')}\n`)
  if (counts.remarked > 0) stderr.write(`Events with remarks: ${counts.remarked}; --json tells them.\n`)
  if (counts.rejected > shownRejections) stderr.write(`${messageOf('findings_cut', { limit: shownRejections })}\n`)
}
