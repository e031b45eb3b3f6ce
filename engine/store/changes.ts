import * as v from 'valibot'
import type { Caller } from '../kernel/context.ts'
import type { Append } from '../kernel/event-store.ts'
import { isObject } from '../kernel/members.ts'
import { hiddenFrom, unpriced } from '../kernel/prices.ts'
import { categoryOf } from '../kernel/stream.ts'
import { callAnswered } from './perform.ts'
import { numberTaken } from './sequence.ts'

/** An event that would be recorded, without its personal data. */
export const changeSchema = v.strictObject({
  about: v.pipe(
    v.string(),
    v.description('What changes: the category of the stream and the id, for example order 12.'),
  ),
  fact: v.pipe(v.string(), v.description('Type of the event that would be recorded.')),
  from: v.exactOptional(unpriced(v.unknown())),
  to: v.pipe(unpriced(v.unknown()), v.description('The new value, or all data of the event.')),
})

/** An event that would be recorded. */
export type Change = Readonly<v.InferOutput<typeof changeSchema>>

/**
 * The changes that appends would make, one for each event. Assigned numbers and stored answers are not changes. If
 * any prices are hidden from the caller, each change shows only a change of status.
 */
export function changesIn(appends: readonly Append[], caller: Caller): readonly Change[] {
  const hidesPrices = hiddenFrom(caller).length > 0
  return appends.flatMap(({ stream, events }) =>
    events
      .filter(({ type }) => type !== numberTaken && type !== callAnswered)
      .map(({ type, data }) => changeOf(aboutOf(stream), type, hidesPrices ? statusChangeIn(data) : data)),
  )
}

function statusChangeIn(data: unknown): Readonly<Record<string, unknown>> {
  const { from, to } = isObject(data) ? data : {}
  return { ...(typeof from === 'string' && { from }), ...(typeof to === 'string' && { to }) }
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
