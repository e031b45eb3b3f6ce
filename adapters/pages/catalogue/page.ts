import { html } from 'hono/html'
import { channels, type WebhookEventType } from '../../../engine/index.ts'
import { catalogueHome, type WebhookCatalogue } from '../../node/webhook-catalogue.ts'
import { frame, type Setting } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import type { Asset } from '../static.ts'
import { type CatalogueTexts, catalogueTexts } from '../texts/catalogue.ts'
import { breakable, type Html } from '../words.ts'

/** The page of all webhook events by channel; each has its name as the fragment of its address. */
export function cataloguePage({ eventTypes }: WebhookCatalogue, setting: Setting): Html {
  const words = catalogueTexts(setting.texts.lang)
  const parts = channels.map((channel) => {
    const own = eventTypes.filter((eventType) => eventType.channel === channel)
    return html`<section aria-labelledby="${channel}"><h2 id="${channel}">${words.channels[channel]}</h2>
${eventTable(own, words, setting)}</section>`
  })
  const content = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<p><a href="${withLanguage('/webhooks', setting)}">${words.settings}</a> · <a href="/asyncapi-webhooks.json">${words.description}</a></p>
${parts}`
  return framedCatalogue(words.title, content, setting)
}

/** The page for a name that no event has. */
export function unknownEventPage(setting: Setting): Html {
  const words = catalogueTexts(setting.texts.lang)
  const content = html`<div class="card"><h1>${words.missing}</h1>${backLink(setting, words)}</div>`
  return framedCatalogue(words.missing, content, setting)
}

/** A page of the catalogue. */
export function framedCatalogue(title: string, content: Html, setting: Setting, scripts: readonly Asset[] = []): Html {
  const { assets } = setting
  const main = html`<main id="content" tabindex="-1" class="signed webhooks catalogue">
${content}
</main>`
  return frame({ title, main, search: false, kept: '', styles: [assets.signed, assets.webhooks], scripts }, setting)
}

/** The address of a page of the catalogue in the language that the reader has chosen. */
function addressOf(path: string, { chosen }: Setting, fragment = ''): string {
  return `${catalogueHome}${path}${chosen === undefined ? '' : `?lang=${chosen}`}${fragment}`
}

/** The link to all events. */
export function backLink(setting: Setting, { back }: CatalogueTexts, fragment = ''): Html {
  return html`<p class="back"><a href="${addressOf('', setting, fragment)}">${back}</a></p>`
}

/** Marks what is in English on every page. */
export function inEnglish({ texts }: Setting): Html | undefined {
  return texts.lang === 'en' ? undefined : html` lang="en" dir="ltr"`
}

/** Where an event is sent: a field of the settings, or what takes its place. */
export function placeOf({ channel, field }: WebhookEventType, { places }: CatalogueTexts): Html | string {
  if (field !== undefined) return html`<code>${field}</code>`
  if (channel === 'order_handoff') return places.handoff
  return channel === 'callback' ? places.callback : places.provider
}

function eventTable(eventTypes: readonly WebhookEventType[], words: CatalogueTexts, setting: Setting): Html {
  const rows = eventTypes.map((eventType) => {
    const { name, summary } = eventType
    const link = html`<a href="${addressOf(`/${name}`, setting)}"><code>${breakable(name)}</code></a>`
    return html`<tr id="${name}"><td>${link}</td><td class="wrap"${inEnglish(setting)}>${summary}</td><td>${placeOf(eventType, words)}</td></tr>`
  })
  return html`<div class="wide-table"><table class="dense stacks events"><thead><tr><th>${words.event}</th><th>${words.when}</th><th>${words.to}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
