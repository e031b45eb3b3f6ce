import * as v from 'valibot'
import type { Caller } from '../kernel/context.ts'
import type { Append } from '../kernel/event-store.ts'
import { isObject } from '../kernel/members.ts'
import { stripped } from '../kernel/prices.ts'
import { categoryOf } from '../kernel/stream.ts'
import { answered } from './perform.ts'
import { numberTaken } from './sequence.ts'

/** A fact that would be recorded, without what it tells of people. */
export const changeSchema = v.strictObject({
  about: v.pipe(v.string(), v.description('What it concerns: the category of its stream and the id, as order 12.')),
  fact: v.pipe(v.string(), v.description('Type of the event that would be recorded.')),
  from: v.exactOptional(v.unknown()),
  to: v.pipe(v.unknown(), v.description('What would be so afterwards, or all that the fact says.')),
})

/** A fact that would be recorded. */
export type Change = Readonly<v.InferOutput<typeof changeSchema>>

/**
 * What appends would change, in words of their facts; numbers and kept answers are no change of anything. A caller from whom
 * the prices of any family are hidden is told of none, as a fact does not say of which family it is.
 */
export function changesIn(appends: readonly Append[], { account }: Caller): readonly Change[] {
  const isPriceless = account !== undefined && account.hiddenPrices.length > 0
  return appends.flatMap(({ stream, events }) =>
    events
      .filter(({ type }) => type !== numberTaken && type !== answered)
      .map(({ type, data }) => changeOf(aboutOf(stream), type, isPriceless ? stripped(data) : data)),
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
