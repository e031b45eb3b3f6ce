import { type Context, call, otepIngest, type Projection, type Target, type Timeline } from '../../../engine/index.ts'
import { bytesOf } from '../../http/bytes.ts'
import { timelinesOf } from '../document.ts'
import { type Case, measured } from './harness.ts'
import { wholeTimelines } from './parcels.ts'

/** Timelines of one length, and the name of their case, such as `10 events`. */
export interface Batch {
  readonly name: string
  readonly timelines: readonly Timeline[]
  readonly target: Target
  /** Passes over the timelines per run. */
  readonly passes: number
}

/** Timelines of ten events each, as the engine produces them on an empty store. */
export async function shortTimelines(context: Context, count: number): Promise<readonly Timeline[]> {
  const lines = wholeTimelines(count).map((line) => JSON.parse(line) as object)
  for (let from = 0; from < lines.length; from += 1_000)
    await call(otepIngest, context, { document: { lines: lines.slice(from, from + 1_000) } })
  const timelines: Timeline[] = []
  for await (const timeline of timelinesOf(context)) timelines.push(timeline)
  return timelines
}

/** The name of the case that writes a format. */
export function writingOf({ name }: Pick<Batch, 'name'>): string {
  return `write, ${name}`
}

/** The name of the reference case. */
export function ceilingOf({ name }: Pick<Batch, 'name'>): string {
  return `JSON.stringify of the same documents, ${name}`
}

/** Two cases: from timelines to bytes of JSON, and, as the ceiling, from finished documents to bytes. */
export function writingCases(format: Projection, batch: Batch): readonly [writing: Case, ceiling: Case] {
  const { timelines, target } = batch
  const ready = timelines.map((timeline) => format.project(timeline, target))
  const reference = ceilingOf(batch)
  return [
    {
      name: writingOf(batch),
      reference,
      run: runOf(batch, timelines, (timeline) => bytesOf(format.pieces(timeline, target))),
    },
    { name: reference, run: runOf<unknown>(batch, ready, (document) => Buffer.from(JSON.stringify(document))) },
  ]
}

/** A run that processes each item of a batch and counts its events. */
export function runOf<Item>(batch: Batch, items: readonly Item[], work: (item: Item) => unknown): Case['run'] {
  return () => measured(unitsOf(batch), () => repeat(batch.passes, items, work))
}

/** The number of events of a run. */
export function unitsOf({ timelines, passes }: Batch): number {
  return passes * timelines.reduce((sum, { events }) => sum + events.length, 0)
}

/** Processes the items in several passes. */
export function repeat<Item>(passes: number, items: readonly Item[], work: (item: Item) => unknown): void {
  for (let pass = 0; pass < passes; pass++) for (const item of items) consume(work(item))
}

/** Uses a result, so that the work is not optimized away. */
export function consume(result: unknown): void {
  if (result === undefined || (result as { readonly length?: number }).length === 0)
    throw new Error('A case has made nothing.')
}
