import type { Context } from '../../kernel/context.ts'
import type { Finding, Remark } from '../../kernel/finding.ts'
import type { Text } from '../../kernel/operation.ts'
import { pagedWriterOf, type Representation } from '../../kernel/projection.ts'
import type { Pause } from '../../kernel/steps.ts'
import type { TimelineEvent } from '../../kernel/timeline.ts'
import { envelopeEnd, envelopeStart, inEnglish, refuseTooLong, targetOf, textOfRead } from './documents.ts'
import type { RequestedFormat } from './formats.ts'
import { eventPages, type PagedRead, pagedTimeline, readInPages } from './pages.ts'
import { createRemarks, remarkAt } from './read.ts'
import { createJudgement } from './split/contradiction.ts'
import { remarkOn } from './split/remark.ts'
import { pageSize } from './summary.ts'
import { findVisible, readOf, type Visible } from './visible.ts'

/** A timeline as text: the bare document in a representation of its format, or the JSON answer around it. */
export async function textOfTimeline(
  context: Context,
  value: string,
  requested: RequestedFormat,
  representation: Representation | undefined,
): Promise<Text> {
  const found = await findVisible(context, value)
  const paged = await pagedText(context, found, requested, representation)
  return paged ?? textOfRead(context, await readOf(context, found), requested, representation)
}

/** The text of a long timeline, whose events are read while it is sent; undefined if it has to be read as a whole. */
async function pagedText(
  context: Context,
  found: Visible,
  requested: RequestedFormat,
  representation: Representation | undefined,
): Promise<AsyncIterable<readonly string[]> | undefined> {
  const { projection } = requested
  const write = pagedWriterOf(projection, representation)
  if (write === undefined || projection.wantsSources?.(requested.target.options) === true) return undefined
  const read = await readInPages(context, found)
  if (read === undefined) return undefined
  refuseTooLong(read.summary.events, projection, representation)
  const target = targetOf(requested, read)
  // The first pause waits for a turn. A caller that gets none is refused before the first byte.
  await context.pause()
  const events = createBuffer<TimelineEvent>()
  const timeline = await pagedTimeline(context, read, events.items)
  const of = { context, read, events }
  if (representation !== undefined) return written(of, write(timeline, target))
  return enveloped(of, write(timeline, target), projection.name)
}

/** A document that is written while its events are read. */
interface Writing {
  readonly context: Context
  readonly read: PagedRead
  readonly events: Buffered<TimelineEvent>
}

/** The text that can be made of each page. `visit` is called with every event. */
async function* written(
  { context, read, events }: Writing,
  pieces: Iterable<string>,
  visit: (event: TimelineEvent, at: number) => void = () => {},
): AsyncGenerator<readonly string[]> {
  const rest = pieces[Symbol.iterator]()
  let at = 0
  for await (const page of eventPages(context, read)) {
    events.add(page)
    for (const event of page) visit(event, at++)
    yield taken(rest, () => events.left() > 1)
  }
  events.end()
  yield taken(rest, () => true)
}

/** The same in the JSON answer. */
async function* enveloped(of: Writing, pieces: Iterable<string>, format: string): AsyncGenerator<readonly string[]> {
  const { view, profile } = of.read
  const remarks = createCollected()
  const judgement = createJudgement(profile)
  const check = createRemarks(profile, remarks.add)
  yield [envelopeStart(format)]
  yield* written(of, pieces, (event, at) => {
    check(event, at)
    if (view !== 'reduced') judgement.next(event, at)
  })
  const contradictions = judgement.found().map(remarkOn).map(inEnglish)
  yield* inPages(envelopeEnd(joined(remarks.all(), contradictions)), of.context.pause)
}

function* joined<Item>(...lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list
}

/** Collects remarks. There may be one on each event, so those that are alike are kept once. */
function createCollected() {
  const kinds = new Map<string, Finding>()
  const places: number[] = []
  const found: Finding[] = []
  return {
    add: (remark: Finding, at: number) => {
      const key = JSON.stringify([remark.code, remark.params])
      const kind = kinds.get(key) ?? remark
      kinds.set(key, kind)
      places.push(at)
      found.push(kind)
    },
    *all(): Generator<Remark> {
      for (const [index, at] of places.entries()) yield inEnglish(remarkAt(found[index] as Finding, at))
    },
  }
}

/** Pieces joined to pages, with a turn for others after each. */
async function* inPages(pieces: Iterable<string>, pause: Pause): AsyncGenerator<readonly string[]> {
  const rest = pieces[Symbol.iterator]()
  for (;;) {
    let left = pageSize
    const page = taken(rest, () => left-- > 0)
    if (page.length === 0) return
    await pause()
    yield page
  }
}

/** The pieces that may be taken now; empty if there are no more. */
function taken(rest: Iterator<string>, mayTake: () => boolean): readonly string[] {
  const pieces: string[] = []
  while (mayTake()) {
    const { done, value } = rest.next()
    if (done === true) break
    pieces.push(value)
  }
  return pieces
}

/** Items that are added in pages, and passed through once. */
interface Buffered<Item> {
  readonly items: Iterable<Item>
  add(page: readonly Item[]): void
  end(): void
  /** How many were not taken yet. */
  left(): number
}

function createBuffer<Item>(): Buffered<Item> {
  let items: readonly Item[] = []
  let at = 0
  let isOver = false
  function* each() {
    for (;;) {
      if (at < items.length) yield items[at++] as Item
      else if (isOver) return
      else throw new Error('A piece of text took more than two events.')
    }
  }
  return {
    items: { [Symbol.iterator]: each },
    add: (page) => {
      items = [...items.slice(at), ...page]
      at = 0
    },
    end: () => {
      isOver = true
    },
    left: () => items.length - at,
  }
}
