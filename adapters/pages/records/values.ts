import { html } from 'hono/html'
import { isObject } from '../../../engine/index.ts'
import type { Kind, Values } from '../signed-in/kinds.ts'
import { statusName, valueTitle } from '../signed-in/operation-words.ts'
import { momentFor } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'

/** An instant as answers have it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A value of any form: a moment in the zone of the business, a list as labels, an object as its values. */
export function shownValue(value: unknown, visitor: Visitor): Html {
  if (Array.isArray(value))
    return html`${value.map((one) => html`<span class="badge">${shownValue(one, visitor)}</span> `)}`
  if (isObject(value)) return html`${given(Object.values(value)).map((one) => html`${shownValue(one, visitor)} `)}`
  if (typeof value === 'string' && instant.test(value)) return momentFor(value, visitor)
  return html`<bdi class="text">${visible(String(value))}</bdi>`
}

function given(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => value !== null && value !== undefined && value !== '')
}

/** Whether there is a value to show. */
export function isThere(value: unknown): boolean {
  return given(Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [value]).length > 0
}

/** The value of a field in a record, which may have it in a group: `distribution.status`. */
export function fieldIn({ entity }: Kind, name: string, record: Values): unknown {
  const path = (entity.fields[name]?.shownAs ?? name).split('.')
  return path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), record)
}

/** The value of a field in a record as the page writes it: what is chosen from a list, by its name in the words of the language. */
export function shownField(kind: Kind, name: string, record: Values, visitor: Visitor, language: string): Html {
  const value = fieldIn(kind, name, record)
  const isChosen = kind.entity.fields[name]?.type.type === 'picklist' && typeof value === 'string'
  return isChosen ? html`<span>${valueTitle(value, language, name)}</span>` : shownValue(value, visitor)
}

/** The status of a thing as a label. */
export function statusBadge({ entity }: Kind, status: string, language: string): Html {
  return html`<span class="badge">${statusName(entity.category, status, language)}</span>`
}
