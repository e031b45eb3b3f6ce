import { html } from 'hono/html'
import { isQueue, maxUrls, type UrlField } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField } from '../signed-in/layout.ts'
import { options, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, memberOf } from '../signed-in/schema.ts'
import type { Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import {
  type Entered,
  emailsName,
  formatMembers,
  type NumberName,
  nameOf,
  narrowings,
  numbersBeside,
  type Row,
  settingMembers,
} from './entered.ts'
import { mannerFields, mannerOf, mannerWords } from './manner.ts'
import { type Delivery, eventChoice, testOutcome, webhookEventTypes } from './parts.ts'
import type { WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** The context of a field. */
export interface FieldPart {
  /** The values in the form. */
  readonly entered: Entered
  /** The saved settings, to which tests are sent. */
  readonly saved: Entered
  /** The errors, by form field. */
  readonly wrong: Wrong
  /** Whether the account may change the settings. */
  readonly isOpen: boolean
  /** The test that this form has just sent, if any. */
  readonly tested: Delivery | undefined
}

/** A URL may be empty here: then it is removed. */
const urlLimits = limitsOf({ ...memberOf(formatMembers, 'url'), isRequired: false })

/** One field of the settings, as a row: the events it receives, and beside them its URLs and a test. */
export function fieldRow(field: UrlField, part: FieldPart, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { title, events } = texts.fields[field]
  const rows = part.entered.rows.get(field) ?? []
  const wrong = part.wrong.get(field)
  return html`<section class="field-row" id="${field}" aria-labelledby="${field}-title">
<div><h2 id="${field}-title">${title}</h2>
<p class="hint" id="${field}-told">${events} <code>${field}</code></p></div>
<div>${part.isOpen ? openRows(field, rows, wrong !== undefined, texts) : closedRows(rows, texts)}
${wrongAt(`${field}-wrong`, wrong)}
${extras(field, part, texts)}
${part.isOpen && testPart(field, part, texts)}
${part.tested?.field === field && testOutcome(part.tested, setting)}</div>
</section>`
}

function openRows(field: UrlField, rows: readonly Row[], isWrong: boolean, texts: WebhookTexts): Html {
  const blank: Row = { url: '', manner: mannerOf({}, formatMembers, texts) }
  const shown = rows.length < maxUrls ? [...rows, blank] : rows
  return html`<div class="urls">${shown.map((row, index) => openRow(field, row, index, isWrong, texts))}</div>`
}

function openRow(field: UrlField, row: Row, index: number, isWrong: boolean, texts: WebhookTexts): Html {
  const name = nameOf(field, index)
  const label = `${texts.fields[field].title}${texts.comma}${texts.url({ index: index + 1 })}`
  const described = isWrong && row.url !== '' ? html` aria-invalid="true" aria-describedby="${field}-wrong"` : ''
  return html`<div class="url-row">
<input name="${name}.url" type="text" inputmode="url"${urlLimits} value="${row.url}" placeholder="https://" aria-label="${label}" autocomplete="off" spellcheck="false" dir="ltr"${described}>
<div class="how">${mannerFields(formatMembers, row.manner, { prefix: `${name}.`, label }, texts)}</div>
</div>`
}

function closedRows(rows: readonly Row[], texts: WebhookTexts): Html {
  if (rows.length === 0) return html`<p>${texts.none}</p>`
  const items = rows.map(({ url, manner }) => {
    const how = mannerWords(formatMembers, manner, texts)
    return html`<li><bdi class="identifier">${url}</bdi> <span class="label">${how}</span></li>`
  })
  return html`<ul class="closed" role="list">${items}</ul>`
}

/** What a field has beside its URLs. */
function extras(field: UrlField, part: FieldPart, texts: WebhookTexts): Html | undefined {
  if (field !== 'endpoint_health_webhook_url') return extra(field, part, texts)
  return html`${extra(field, part, texts)}${emailsPart(part, texts)}`
}

function extra(field: UrlField, { entered, wrong, isOpen }: FieldPart, texts: WebhookTexts): Html | undefined {
  const number = Object.entries(numbersBeside).find(([beside]) => beside === field)?.[1]
  if (number !== undefined) return numberPart(number, entered, wrong, isOpen, texts)
  const name = Object.entries(narrowings).find(([narrowed]) => narrowed === field)?.[1]
  if (name === undefined) return undefined
  const chosen = entered.events[name]
  if (!isOpen)
    return chosen.length === 0
      ? undefined
      : html`<p><span class="label">${texts.named({ name: texts.only })}</span> ${chosen.join(texts.comma)}</p>`
  return html`${eventChoice(name, ownEventTypes(field), chosen, texts)}${wrongAt(`${name}-wrong`, wrong.get(name))}`
}

function numberPart(
  name: NumberName,
  { numbers }: Entered,
  wrong: FieldPart['wrong'],
  isOpen: boolean,
  texts: WebhookTexts,
): Html {
  const label = texts.numbers[name]
  if (!isOpen) return html`<p><span class="label">${texts.named({ name: label })}</span> ${numbers[name]}</p>`
  const found = wrong.get(name)
  const described = found && html` aria-invalid="true" aria-describedby="${name}-wrong"`
  return html`<p class="entry"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" inputmode="numeric"${limitsOf(memberOf(settingMembers, name))} class="short" value="${numbers[name]}"${described}></p>
${wrongAt(`${name}-wrong`, found)}`
}

function emailsPart({ entered: { emails }, wrong, isOpen }: FieldPart, texts: WebhookTexts): Html | undefined {
  const { maxItems = 0, items } = memberOf(settingMembers, emailsName)
  const label = texts.emails({ most: maxItems })
  // Each address with a comma and a space.
  const maxLength = maxItems * ((items?.maxLength ?? 0) + 2)
  if (!isOpen)
    return emails === ''
      ? undefined
      : html`<p><span class="label">${texts.named({ name: label })}</span> <bdi>${emails}</bdi></p>`
  const found = wrong.get(emailsName)
  const described = found && html` aria-invalid="true" aria-describedby="${emailsName}-wrong"`
  return html`<p class="entry"><label for="${emailsName}">${label}</label>
<input id="${emailsName}" name="${emailsName}" type="text" inputmode="email"${limitsOf({ maxLength, isRequired: false })} value="${emails}"${described}></p>
${wrongAt(`${emailsName}-wrong`, found)}`
}

function ownEventTypes(field: UrlField) {
  return webhookEventTypes.filter((eventType) => eventType.field === field)
}

/** The controls of a test. Its button submits a separate form, because forms cannot be nested. */
function testPart(field: UrlField, { saved }: FieldPart, texts: WebhookTexts): Html | undefined {
  const sentTo = (saved.rows.get(field) ?? []).filter(({ url }) => !isQueue(url))
  const urls = sentTo.map(({ url }) => [url, url] as const)
  const events = ownEventTypes(field).map(({ name }) => [name, name] as const)
  if (urls.length === 0 || events.length === 0) return undefined
  const choice = (name: string, label: string, choices: typeof urls) =>
    choices.length > 1 &&
    html`<select name="${name}" form="test-${field}" aria-label="${label}">${options(choices, '')}</select>`
  const [only] = sentTo
  return html`<div class="test">
${choice('event', texts.test.event, events)}${choice('url', texts.test.to, urls)}${urls.length === 1 && html`<input type="hidden" name="url" form="test-${field}" value="${only?.url}">`}
<button type="submit" class="plain" form="test-${field}" aria-label="${texts.test.of({ title: texts.fields[field].title })}">${texts.test.button}</button>
</div>`
}

/** The forms that the test buttons submit. */
export function testForms(
  path: string,
  { saved }: FieldPart,
  { formToken }: Visitor,
  setting: WebhookSetting,
): readonly Html[] {
  const action = withLanguage(`${path}/test`, setting)
  return [...saved.rows].flatMap(([field, rows]) =>
    rows.length === 0
      ? []
      : [
          html`<form id="test-${field}" method="post" action="${action}" hidden>${formField(formToken)}<input type="hidden" name="field" value="${field}"></form>`,
        ],
  )
}
