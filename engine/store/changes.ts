import type { Append } from '../kernel/event-store.ts'
import { isObject } from '../kernel/members.ts'
import { categoryOf } from '../kernel/stream.ts'
import { answered } from './perform.ts'
import { numberTaken } from './sequence.ts'

/** A fact that would be recorded, without what it tells of people. */
export interface Change {
  /** What it concerns: the category of its stream and the id, as `order 12`. */
  readonly about: string
  /** The type of the event. */
  readonly fact: string
  readonly from?: unknown
  /** What would be so afterwards: what the fact says of it, or all that it says. */
  readonly to: unknown
}

/** What appends would change, in words of their facts; numbers and kept answers are no change of anything. */
export function changesIn(appends: readonly Append[]): readonly Change[] {
  return appends.flatMap(({ stream, events }) =>
    events
      .filter(({ type }) => type !== numberTaken && type !== answered)
      .map(({ type, data }) => changeOf(aboutOf(stream), type, data)),
  )
}

function aboutOf(stream: string): string {
  const category = categoryOf(stream)
  return `${category.replaceAll('_', ' ')} ${stream.slice(category.length + 1)}`
}

function changeOf(about: string, fact: string, data: unknown): Change {
  const { personal: _, at: __, by: ___, from, to, ...rest } = isObject(data) ? data : {}
  return from === undefined
    ? { about, fact, to: { ...rest, ...(to !== undefined && { to }) } }
    : { about, fact, from, to }
}
