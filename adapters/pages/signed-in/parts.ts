import { html } from 'hono/html'
import { instantOf, zonedIso } from '../../../engine/index.ts'
import { type Html, moment } from '../words.ts'
import type { Visitor } from './session.ts'

/** An instant in the time zone of the business. */
export function momentFor(instant: string, { account }: Visitor): Html {
  return moment(zonedIso(instantOf(instant), account.business.timeZone))
}

/** An instant in the time zone of the business, with seconds, as in logs. */
export function exactly(instant: string, { account }: Visitor): Html {
  return moment(zonedIso(instantOf(instant), account.business.timeZone), 'seconds')
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
