import type { GenericSchema } from 'valibot'
import type { Condition } from '../../kernel/endpoint.ts'
import { isObject } from '../../kernel/members.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { pricesIn } from '../../kernel/prices.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'

/** The most characters of a filter. */
export const maxFilterLength = 500

const maxConditions = 10
const maxValues = 50

const condition = /\s*([a-z_]+(?:\.[a-z_]+){0,3})\s+(not\s+)?in\s*\(([^()]*)\)\s*/y
const conjunction = /and(?=\s)/y

/** The conditions of a filter such as `status_name in (DELIVERED, FAILED) and type not in (P)`; undefined if it is none. */
export function conditionsIn(text: string): readonly Condition[] | undefined {
  if (text.length > maxFilterLength) return undefined
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

/**
 * The problem of a filter of events of these types, if any. Its members have to be in the data of one of them. Prices are in
 * none, because an account from which they are hidden could find them by a filter.
 */
export function filterProblem(text: string, eventTypes: readonly WebhookEventType[]): Code | undefined {
  const conditions = conditionsIn(text)
  const isKnown = ({ path: [first = ''] }: Condition) => eventTypes.some((eventType) => hasMember(eventType, first))
  return conditions?.every(isKnown) === true ? undefined : 'webhook_filter_invalid'
}

function hasMember({ data }: WebhookEventType, name: string): boolean {
  const entries: Readonly<Record<string, GenericSchema>> = 'entries' in data ? Object(data.entries) : {}
  const member = Object.hasOwn(entries, name) ? entries[name] : undefined
  return member !== undefined && pricesIn(member).length === 0
}
