import { html } from 'hono/html'
import { getOrderDetail, isObject } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Kind, type KindField, statusIn, type Values } from '../signed-in/kinds.ts'
import { statusName, statusTitle, valueTitle } from '../signed-in/operation-words.ts'
import { shownValue } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { formTexts } from '../texts/forms.ts'
import type { Html } from '../words.ts'
import type { RecordSetting } from './setting.ts'

/** The value of a field in a record, which may have it in a group (`distribution.status`), or in a row of a list, which has no groups. */
export function fieldIn({ fields }: Kind, name: string, record: Values): unknown {
  const path = (fields[name]?.shownAs ?? name).split('.')
  const found = path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), record)
  return found ?? record[name]
}

/**
 * The value of a field in a record as the page writes it: what is chosen from a list by its name in the words of the language,
 * and an order as a link to its page.
 */
export function shownField(kind: Kind, name: string, record: Values, visitor: Visitor, setting: RecordSetting): Html {
  return shownAs(kind.fields[name], name, fieldIn(kind, name, record), visitor, setting)
}

/** The value of a field of a thing, or of one of its parts. */
export function shownAs(
  field: KindField | undefined,
  name: string,
  value: unknown,
  visitor: Visitor,
  setting: RecordSetting,
): Html {
  const words = formTexts(setting.texts.lang)
  if (typeof value === 'boolean') return html`${value ? words.yes : words.no}`
  if (field?.isChosen && typeof value === 'string')
    return html`<span>${valueTitle(value, setting.texts.lang, name)}</span>`
  return field?.isOrder && may(visitor, getOrderDetail)
    ? html`<a href="${withLanguage(`/orders/${value}`, setting)}">${value}</a>`
    : shownValue(value, visitor)
}

/** What a status is called: by the words of its table, or as other values are. */
export function statusWords({ status }: Kind, value: string, language: string): string {
  const { category, member = '' } = status ?? {}
  return category === undefined ? valueTitle(value, language, member) : statusTitle(category, value, language)
}

/** The status of a thing as a label; nothing if its kind has none. */
export function statusBadge(kind: Kind, thing: Values, language: string): Html {
  const value = statusIn(kind, thing)
  if (value === undefined) return html``
  const { category } = kind.status ?? {}
  const words = category === undefined ? statusWords(kind, value, language) : statusName(category, value, language)
  return html`<span class="badge">${words}</span>`
}
