import * as v from 'valibot'
import type { Condition } from './endpoint.ts'
import { isObject } from './members.ts'
import type { Code } from './messages/index.ts'
import { pricesIn } from './prices.ts'
import { refusing } from './schemas.ts'
import type { WebhookEventType } from './webhook-event.ts'

/** The most characters of a filter. */
const maxLength = 500

const maxConditions = 10
const maxValues = 50

const condition = /\s*([a-z_]+(?:\.[a-z_]+){0,3})\s+(not\s+)?in\s*\(([^()]*)\)\s*/y
const conjunction = /and(?=\s)/y

/** The conditions of a filter such as `status_name in (DELIVERED, FAILED) and type not in (P)`; undefined if it is none. */
export function conditionsIn(text: string): readonly Condition[] | undefined {
  if (text.length > maxLength) return undefined
  const found: Condition[] = []
  for (let at = 0; found.length < maxConditions; ) {
    condition.lastIndex = at
    const [, member = '', not, list = ''] = condition.exec(text) ?? []
    const values = list.split(',').map((value) => value.trim())
    if (member === '' || values.includes('') || values.length > maxValues) return undefined
    found.push({ path: member.split('.'), isNegated: not !== undefined, values })
    at = condition.lastIndex
    if (at === text.length) return found
    conjunction.lastIndex = at
    if (!conjunction.test(text)) return undefined
    at = conjunction.lastIndex
  }
  return undefined
}

/** Whether the data of an event meets all conditions. A missing member has no value; a list has those of its elements. */
export function meets(data: unknown, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, isNegated, values }) => {
    const found = valuesAt(data, path)
    return found.some((value) => values.includes(value)) !== isNegated
  })
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((element) => valuesAt(element, name === undefined ? [] : [name, ...rest]))
  if (name !== undefined) return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : []
  return value === null || value === undefined || isObject(value) ? [] : [String(value)]
}

/** A filter of events, as far as its form tells. */
export const where = v.pipe(
  v.string(),
  v.maxLength(maxLength),
  refusing((text) => (conditionsIn(text) === undefined ? 'webhook_filter_invalid' : undefined)),
  v.description(
    'Only events whose data meets these conditions, such as: status_name in (DELIVERED, FAILED) and type not in (P). Not on prices.',
  ),
)

/** The `filter` of an endpoint whose events are filtered by this text, if any. */
export function filterOf(text: string | undefined): { readonly filter?: readonly Condition[] } {
  const filter = text === undefined ? undefined : conditionsIn(text)
  return filter === undefined ? {} : { filter }
}

/**
 * The problem of a filter of events of these types, if any. Its members have to be in the data of one of them. Prices are in
 * none, because an account from which they are hidden could find them by a filter.
 */
export function filterProblem(text: string, eventTypes: readonly WebhookEventType[]): Code | undefined {
  const conditions = conditionsIn(text)
  const known = new Set(eventTypes.flatMap(filterableIn))
  return conditions?.every(({ path: [first = ''] }) => known.has(first)) === true ? undefined : 'webhook_filter_invalid'
}

/** The members of the data of an event that conditions may be about. */
export function filterableIn({ data }: WebhookEventType): readonly string[] {
  const entries: Readonly<Record<string, v.GenericSchema>> = 'entries' in data ? Object(data.entries) : {}
  return Object.entries(entries).flatMap(([name, member]) => (pricesIn(member).length === 0 ? [name] : []))
}
