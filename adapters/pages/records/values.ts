import { html } from 'hono/html'
import { type Field, getOrderDetail, isObject } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import type { Kind, Values } from '../signed-in/kinds.ts'
import { statusName, valueTitle } from '../signed-in/operation-words.ts'
import { shownValue } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import type { RecordSetting } from './setting.ts'

/** The value of a field in a record, which may have it in a group (`distribution.status`), or in a row of a list, which has no groups. */
export function fieldIn({ entity }: Kind, name: string, record: Values): unknown {
  const path = (entity.fields[name]?.shownAs ?? name).split('.')
  const found = path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), record)
  return found ?? record[name]
}

/**
 * The value of a field in a record as the page writes it: what is chosen from a list by its name in the words of the language,
 * and an order as a link to its page.
 */
export function shownField(kind: Kind, name: string, record: Values, visitor: Visitor, setting: RecordSetting): Html {
  return shownAs(kind.entity.fields[name], name, fieldIn(kind, name, record), visitor, setting)
}

/** The value of a field of a table, or of one of its parts. */
export function shownAs(
  { names, type }: Partial<Pick<Field, 'names' | 'type'>> = {},
  name: string,
  value: unknown,
  visitor: Visitor,
  setting: RecordSetting,
): Html {
  if (typeof value === 'boolean') return html`${value ? setting.records.yes : setting.records.no}`
  if (type?.type === 'picklist' && typeof value === 'string')
    return html`<span>${valueTitle(value, setting.texts.lang, name)}</span>`
  const isOrder = typeof names === 'object' && names.noun === 'order' && may(visitor, getOrderDetail)
  return isOrder
    ? html`<a href="${withLanguage(`/orders/${value}`, setting)}">${value}</a>`
    : shownValue(value, visitor)
}

/** The status of a thing as a label. */
export function statusBadge({ entity }: Kind, status: string, language: string): Html {
  return html`<span class="badge">${statusName(entity.category, status, language)}</span>`
}
