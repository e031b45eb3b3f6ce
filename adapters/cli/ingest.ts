import {
  type Context,
  call,
  EngineError,
  en,
  isEngineError,
  maxEvents,
  messageOf,
  otepIngest,
  type Remark,
} from '../../engine/index.ts'
import { parsedOrError, parseJson } from '../http/json.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { foreignDocument } from './document.ts'
import { either, refuseOptions, type Ways } from './either.ts'
import { type Line, linesOf, openInput, type Source, textOf } from './input.ts'
import { progressOn } from './progress.ts'
import { serverRefusalOf } from './remote/failure.ts'
import { operationNamed, requestFor } from './remote/requests.ts'
import type { Server } from './remote/server.ts'

const batchSize = 1000
const shownRejections = 20

interface Answer {
  readonly data: {
    readonly accepted: number
    readonly duplicate: number
    readonly enriched: number
    readonly rejected: number
    readonly withheld: number
    readonly ignored?: number
    readonly events: readonly {
      readonly path: string
      readonly outcome: string
      readonly errors?: readonly Remark[]
      readonly warnings?: readonly Remark[]
    }[]
  }
}

const outcomes = ['accepted', 'duplicate', 'enriched', 'rejected', 'withheld', 'ignored'] as const

type Counts = Record<(typeof outcomes)[number] | 'remarked', number>

/** `otep ingest`: records a file of events. */
export const run: Run = (invocation) => {
  const through = async (push: Push) => {
    const counts: Counts = { accepted: 0, duplicate: 0, enriched: 0, rejected: 0, withheld: 0, ignored: 0, remarked: 0 }
    await ingestSource(openInput(invocation), invocation, push, counts)
    report(invocation, counts)
    return counts.rejected === 0 ? 0 : 1
  }
  const { as } = invocation.values
  const ways: Ways<number> = {
    store: (context) => through(pushTo(context)),
    server: (server) => {
      refuseOptions(invocation, 'as')
      return through(pushOver(server))
    },
  }
  return either(invocation, ways, { isMade: true, ...(typeof as === 'string' ? { name: as } : {}) })
}

/** A document, or lines of which each is one. */
type Pushed = { readonly document: unknown; readonly format?: string } | { readonly lines: readonly string[] }

/** Records events, and answers what became of each. */
type Push = (pushed: Pushed, atomic: boolean) => Promise<Answer>

function pushTo(context: Context): Push {
  return async (pushed, atomic) => {
    const input = 'lines' in pushed ? { document: { lines: pushed.lines.map(parsedOrError) } } : pushed
    return (await call(otepIngest, context, { ...input, atomic })) as unknown as Answer
  }
}

/** Milliseconds that a server may take for a batch. */
const patience = 120_000

function pushOver(server: Server): Push {
  return async (pushed, atomic) => {
    const input = 'lines' in pushed ? { document: undefined } : pushed
    const { headers, ...request } = requestFor(operationNamed('otep_ingest'), { ...input, atomic }, '')
    const asLines =
      'lines' in pushed
        ? { body: pushed.lines.join('\n'), headers: { ...headers, 'Content-Type': 'application/x-ndjson' } }
        : { headers }
    try {
      return (await server.json({ ...request, ...asLines, patience })) as unknown as Answer
    } catch (error) {
      // Where no event was taken, the answer is a refusal that has the reason for each.
      const { data } = serverRefusalOf(error)?.answer ?? {}
      if (data === undefined) throw error
      return { data } as Answer
    }
  }
}

async function ingestSource(source: Source, invocation: Invocation, push: Push, counts: Counts): Promise<void> {
  const { atomic: isAtomic, format } = invocation.values
  const atomic = isAtomic === true
  if (typeof format === 'string' && format !== 'otep') {
    const document = foreignDocument(await textOf(source))
    return add(await push({ document, format }, atomic), invocation, counts, [])
  }
  const lines = linesOf(source)
  const first = await lines.next()
  if (first.done === true) throw usageError('The input is empty.')
  const head = isWhole(first.value.text) ? await firstTwo(first.value, lines) : await collected(first.value, lines)
  const document = documentOf(head)
  if (document !== undefined) return add(await push({ document }, atomic), invocation, counts, [])
  const progress = progressOn(invocation, source.bytes)
  const flush = async (batch: readonly Line[]) => {
    const answer = await push({ lines: batch.map(({ text }) => text) }, atomic)
    if (answer.data.rejected > 0 || invocation.values.json === true) progress.end()
    add(answer, invocation, counts, batch)
    progress.at(batch.at(-1)?.bytes ?? 0, `${counts.accepted} accepted, ${counts.rejected} rejected`)
  }
  for await (const batch of batches(head, lines, atomic)) await flush(batch)
  progress.end()
}

async function firstTwo(first: Line, lines: AsyncGenerator<Line>): Promise<readonly Line[]> {
  const second = await lines.next()
  return second.done === true ? [first] : [first, second.value]
}

async function collected(first: Line, lines: AsyncIterable<Line>): Promise<readonly Line[]> {
  const all = [first]
  for await (const line of lines) all.push(line)
  return all
}

/** The document that the lines form together; `undefined` if each line is one. */
function documentOf(lines: readonly Line[]): unknown {
  if (lines.length > 1 && lines.some(({ text }) => isWhole(text))) return undefined
  return parseJson(lines.map(({ text }) => text).join('\n'))
}

async function* batches(head: readonly Line[], lines: AsyncIterable<Line>, atomic: boolean) {
  const size = atomic ? maxEvents : batchSize
  let batch: Line[] = []
  for await (const line of inTurn(head, lines)) {
    if (batch.length >= size) {
      if (atomic) throw new EngineError('too_many_events', { limit: maxEvents })
      yield batch
      batch = []
    }
    batch.push(line)
  }
  yield batch
}

async function* inTurn(head: readonly Line[], rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  yield* head
  yield* rest
}

/** Whether a line is a complete JSON object. */
function isWhole(text: string): boolean {
  const value = parsedOrError(text)
  return typeof value === 'object' && !isEngineError(value)
}

function add({ data }: Answer, { values, stdout, stderr }: Invocation, counts: Counts, batch: readonly Line[]): void {
  const shown = counts.rejected
  for (const name of outcomes) counts[name] += data[name] ?? 0
  counts.remarked += data.events.filter(({ warnings }) => warnings !== undefined).length
  if (values.json === true) {
    for (const event of data.events) stdout.write(`${JSON.stringify({ ...event, path: placeOf(event.path, batch) })}\n`)
    return
  }
  const rejected = data.events.filter(({ outcome }) => outcome === 'rejected')
  for (const { path, errors = [] } of rejected.slice(0, Math.max(0, shownRejections - shown))) {
    for (const error of errors)
      stderr.write(`${placeOf(error.path || path, batch) || '(document)'}: ${error.message}\n`)
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
  if (counts.remarked > 0) stderr.write(`Events with remarks: ${counts.remarked}; --json shows them.\n`)
  if (counts.rejected > shownRejections)
    stderr.write(
      `${messageOf('findings_cut', { limit: shownRejections, more: counts.rejected - shownRejections }, en)}\n`,
    )
}
