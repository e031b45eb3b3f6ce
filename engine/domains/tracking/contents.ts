import type { Context } from '../../kernel/context.ts'
import { inSteps } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { maxDepth } from './containment.ts'
import { type ContentsRow, containerTerm, contentsModel } from './contents-model.ts'
import { identifiersOf } from './identifiers.ts'
import type { Reading } from './read.ts'
import type { TrackingState } from './reducer.ts'
import { always, emptiedAt, type Span, untilEmptied, within } from './stays.ts'

/** What is needed to find contents. */
type Finding = Reading & Pick<Context, 'models' | 'credentials'>

/** Rows that are read at once. */
const pageSize = 500

/**
 * Streams of the things that may be in a container during a span, and of what is in these, each once. What their own
 * timelines tell decides: providers may have said what does not count.
 */
export async function* contentsOf(
  context: Finding,
  root: StreamName,
  during: Span,
  stateOf: (stream: StreamName) => Promise<TrackingState>,
): AsyncGenerator<StreamName> {
  const seen = new Set<StreamName>([root])
  let level: StreamName[] = [root]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const below: StreamName[] = []
    for (const container of level) {
      for await (const child of childrenOf(context, await stateOf(container), during)) {
        if (seen.has(child)) continue
        seen.add(child)
        below.push(child)
        yield child
      }
    }
    level = below
  }
}

/** Whether anything was ever in a container: most stores know of none. */
export async function hasContents({ models }: Pick<Finding, 'models'>): Promise<boolean> {
  return (await models.page(contentsModel, { limit: 1, uncounted: true })).rows.length > 0
}

async function* childrenOf(context: Finding, container: TrackingState, during: Span): AsyncGenerator<StreamName> {
  if (container.isErased) return
  const emptied = await inSteps(emptiedAt(container), context.pause)
  for (const identifier of identifiersOf(container.subject)) {
    const where = { term: containerTerm(context, identifier) }
    for (let after: string | undefined; ; await context.pause()) {
      const query = { where, between: { child: [after, undefined] }, limit: pageSize, uncounted: true } as const
      const rows = (await context.models.page(contentsModel, query)).rows as readonly ContentsRow[]
      const isLast = rows.length < pageSize
      const groups = groupsIn(rows)
      // The rows of the last thing may go on, so they are read again, unless there is no other.
      const whole = isLast || groups.length === 1 ? groups : groups.slice(0, -1)
      for (const said of whole) {
        const isWhole = isLast || groups.length > 1
        if (!isWhole || wasIn(said, emptied, during)) yield childOf(said)
      }
      const last = whole.at(-1)
      if (isLast || last === undefined) break
      // No name of a stream has this character.
      after = `${childOf(last)}\u0001`
    }
  }
}

/** Rows in order of things, in one list for each thing. */
function groupsIn(rows: readonly ContentsRow[]): readonly (readonly ContentsRow[])[] {
  const groups: ContentsRow[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group?.[0]?.child === row.child) group.push(row)
    else groups.push([row])
  }
  return groups
}

function childOf([first]: readonly ContentsRow[]): StreamName {
  return first?.child as StreamName
}

/** Whether a thing was in a container for a part of a span, from what its events say of the container. */
function wasIn(said: readonly ContentsRow[], emptied: readonly number[], during: Span): boolean {
  const inForce = said.flatMap((row) => (row.withdrawn === null ? [{ ...row, at: row.at ?? always.from }] : []))
  return inForce.some(({ action, at: from }) => {
    if (action !== 'ADD') return false
    const ends = inForce.flatMap((row) => (row.action === 'DELETE' && row.at > from ? [row.at] : []))
    const span = untilEmptied({ from, until: Math.min(always.until, ...ends) }, emptied)
    return within(span, [during]).length > 0
  })
}
