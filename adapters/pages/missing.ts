import { html } from 'hono/html'
import type { EngineError } from '../../engine/index.ts'
import { frame, numberForm, type Setting } from './frame.ts'
import { type Html, shown } from './words.ts'

const longest = 500

/** The page for an unknown number. */
export function unknownPage(number: string, setting: Setting): Html {
  const { missing } = setting.texts
  const isCut = number.length > longest
  const requested = isCut ? `${number.slice(0, longest)}…` : number
  return message(setting, missing.title, missing.lead, [
    html`<p class="asked"><span class="label">${missing.requested}</span> ${identifier(shown(requested))}</p>`,
    isCut && html`<p>${missing.tooLong}</p>`,
    numberForm(setting, 'large'),
  ])
}

/** The page for a number that several parcels share, with a link to each. */
export function severalPage({ params }: EngineError, setting: Setting): Html {
  const { several, identifiers } = setting.texts
  const links = String(params.candidates ?? '')
    .split(', ')
    .map((candidate) => {
      const [kind = '', ...rest] = candidate.split(' ')
      const value = rest.join(' ')
      const words = Object.entries(identifiers).find(([name]) => name === kind)?.[1] ?? kind
      // In a path, browsers resolve `.` and `..`; in a query they do not.
      const path = /^\.+$/.test(value) ? `/track?number=${value}` : `/track/${encodeURIComponent(value)}`
      return html`<li>${words} <a href="${path}">${identifier(value)}</a></li>`
    })
  return message(setting, several.title, several.lead, [
    html`<ul class="choices" role="list">${links}</ul>`,
    numberForm(setting, 'large'),
  ])
}

/** The page of a visitor who has asked too often, and may ask again in so many seconds. */
export function tooManyPage(seconds: number, setting: Setting): Html {
  const { tooMany } = setting.texts
  return message(setting, tooMany.title, tooMany.lead({ seconds }), [])
}

/** The page for a request with credentials that are wrong or have expired. */
export function unknownCallerPage(setting: Setting): Html {
  const { unknownCaller } = setting.texts
  return message(setting, unknownCaller.title, unknownCaller.lead, [])
}

/** The page for an error of the server. */
export function failedPage(request: string, setting: Setting): Html {
  const { failed } = setting.texts
  return message(setting, failed.title, failed.lead, [
    html`<p class="asked"><span class="label">${failed.request}</span> <code>${request}</code></p>`,
  ])
}

function identifier(value: string): Html {
  return html`<bdi class="identifier">${value}</bdi>`
}

function message(setting: Setting, title: string, lead: string, content: readonly unknown[]): Html {
  const main = html`<main id="content" tabindex="-1" class="message">
<div class="card"><h1>${title}</h1><p class="lead">${lead}</p>${content}</div>
</main>`
  return frame({ title, main, search: false, kept: '' }, setting)
}
