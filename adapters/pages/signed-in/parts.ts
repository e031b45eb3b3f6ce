import { html } from 'hono/html'
import { instantOf, instantProblem, isObject, zonedIso } from '../../../engine/index.ts'
import { type Html, moment, visible } from '../words.ts'
import type { Visitor } from './session.ts'

/** An instant in the time zone of the business. */
export function momentFor(instant: string, { account }: Visitor): Html {
  return moment(zonedIso(instantOf(instant), account.business.timeZone))
}

/** An instant in the time zone of the business, with seconds, as in logs. */
export function exactly(instant: string, { account }: Visitor): Html {
  return moment(zonedIso(instantOf(instant), account.business.timeZone), 'seconds')
}

/** A value of any form: a moment in the zone of the business, a list as labels, an object as its values. */
export function shownValue(value: unknown, visitor: Visitor): Html {
  if (Array.isArray(value))
    return html`${value.map((one) => html`<span class="badge">${shownValue(one, visitor)}</span> `)}`
  if (isObject(value)) return html`${given(Object.values(value)).map((one) => html`${shownValue(one, visitor)} `)}`
  if (typeof value === 'string' && instantProblem(value) === undefined) return momentFor(value, visitor)
  return html`<bdi class="text">${visible(String(value))}</bdi>`
}

function given(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => value !== null && value !== undefined && value !== '')
}

/** Whether there is a value to show. */
export function isThere(value: unknown): boolean {
  return given(Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [value]).length > 0
}

/** The options of a select element, one of them selected. */
export function options(choices: readonly (readonly [value: string, words: string])[], chosen: string): Html[] {
  return choices.map(
    ([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )
}

/** A checkbox with its label. */
export function tick(name: string, value: string, words: unknown, isTicked: boolean): Html {
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${isTicked && html` checked`}> <span>${words}</span></label>`
}

/** The errors of a form field; the id is for `aria-describedby`. */
export function wrongAt(id: string, messages: readonly (string | Html)[] | undefined): Html | undefined {
  if (messages === undefined || messages.length === 0) return undefined
  return html`<p class="wrong" id="${id}">${messages.map((one, index) => html`${index > 0 && ' '}${one}`)}</p>`
}
