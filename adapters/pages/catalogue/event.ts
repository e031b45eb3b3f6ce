import { html } from 'hono/html'
import type { WebhookEventType } from '../../../engine/index.ts'
import type { DeliveryHeader, EventDescription, ExampleRequest } from '../../node/webhook-catalogue.ts'
import type { Setting } from '../frame.ts'
import { type CatalogueTexts, catalogueTexts } from '../texts/catalogue.ts'
import { breakable, type Html } from '../words.ts'
import { codeLanguages, verifierCode } from './code.ts'
import { backLink, framedCatalogue, inEnglish, placeOf } from './page.ts'

/** The page of one webhook event: what causes it, examples as they are sent, its headers, and code that verifies it. */
export function eventPage(eventType: WebhookEventType, described: EventDescription, setting: Setting): Html {
  const words = catalogueTexts(setting.texts.lang)
  const { name, summary, channel, idMember } = eventType
  const { requests, headers, secret } = described
  const [native, ...others] = requests
  const content = html`${backLink(setting, words, `#${name}`)}
<section class="card"><h1 class="address"><code dir="ltr">${breakable(name)}</code></h1>
<p${inEnglish(setting)}>${summary}</p>
<dl class="meta"><div><dt>${words.to}</dt><dd>${placeOf(eventType, words)} <span class="label">${words.channels[channel]}</span></dd></div>
<div><dt>${words.id}</dt><dd>${idMember === undefined ? words.noId : html`<code>${idMember}</code>`}</dd></div></dl>
<p><a href="/asyncapi-webhooks.json#/components/schemas/${name}">${words.description}</a></p></section>
<section class="card" aria-labelledby="example"><h2 id="example">${words.example}</h2>
<p class="hint">${words.signed({ secret })}</p>
${native && html`<h3>${words.forms[native.form]}</h3>${requestPart(native, words)}`}
${others.map((one) => html`<details><summary>${words.forms[one.form]}</summary>${requestPart(one, words)}</details>`)}</section>
<section class="card" aria-labelledby="verify"><h2 id="verify">${words.verify}</h2>
<p class="hint">${words.verifyHint}</p>${codePart(described, words)}</section>
<section class="card" aria-labelledby="headers"><h2 id="headers">${words.headers}</h2>
${headerTable(headers, requests, words, setting)}</section>`
  return framedCatalogue(name, content, setting, [setting.assets.copy])
}

/** A request as it is sent, but for the line breaks in its body. */
function requestPart({ headers, body }: ExampleRequest, words: CatalogueTexts): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return command(`${lines.join('\n')}\n\n${JSON.stringify(JSON.parse(body), undefined, 2)}`, words)
}

function codePart({ recipe }: EventDescription, words: CatalogueTexts): Html {
  const parts = ([recipe, 'standard'] as const).map((one) => {
    const codes = codeLanguages.map(
      (language, index) =>
        html`<details${one !== 'standard' && index === 0 && html` open`}><summary>${language.name}</summary>${command(verifierCode(language, one), words)}</details>`,
    )
    return html`<h3>${one === 'standard' ? words.forms.standard : words.native}</h3>${codes}`
  })
  return html`${parts}`
}

function command(text: string, { copying }: CatalogueTexts): Html {
  return html`<div class="command" dir="ltr"><pre tabindex="0"><code>${text}</code></pre>
<button type="button" class="copy" data-copied="${copying.copied}" hidden>${copying.copy}</button></div>`
}

function headerTable(
  headers: readonly DeliveryHeader[],
  requests: readonly ExampleRequest[],
  words: CatalogueTexts,
  setting: Setting,
): Html {
  const rows = headers.map(
    ({ name, isAlways, description = '' }) =>
      html`<tr><td><code dir="ltr">${name}</code></td><td>${isAlways ? words.always : whenOf(name, requests, words)}</td><td class="wrap"${inEnglish(setting)}>${description}</td></tr>`,
  )
  return html`<div class="wide-table"><table class="dense stacks"><thead><tr><th>${words.header}</th><th>${words.when}</th><td></td></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The only form that has a header, if there is one. */
function whenOf(name: string, requests: readonly ExampleRequest[], words: CatalogueTexts): string {
  const having = requests.filter(({ headers }) => Object.hasOwn(headers, name))
  const [only, other] = having
  return only === undefined || other !== undefined ? words.sometimes : words.forms[only.form]
}
