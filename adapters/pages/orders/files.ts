import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { listProofFiles } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { actionTitle } from '../signed-in/operation-words.ts'
import { outputOf } from '../signed-in/output.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { type Action, isOfPart } from './actions.ts'
import { home, type OrderSetting } from './setting.ts'

type Files = InferOutput<typeof listProofFiles.output>['files']

/** The proof files of an order; undefined for a visitor who may not list them. */
export async function filesOf(order_id: number, visitor: Visitor): Promise<Files | undefined> {
  if (!may(visitor, listProofFiles)) return undefined
  return (await outputOf(listProofFiles, visitor, { order_id })).files
}

/** A link to what somebody has named by a URL; other kinds of address are shown and lead nowhere. */
export function outside(url: string, words: string): Html {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer">${words}</a>`
    : html`<bdi>${visible(url)}</bdi>`
}

/** The proof files of an order, each with what can be done with it. */
export function proofPart(order_id: number, files: Files, actions: readonly Action[], setting: OrderSetting): Html {
  const { files: words, lang, named } = setting.orders
  const parts = actions.filter(isOfPart)
  const items = files.map(({ file_id, kind, url, version, versions }) => {
    const links = parts.map(
      ({ operation }) =>
        html` <a href="${withLanguage(`${home}/${order_id}/do/${operation.name}?file_id=${file_id}`, setting)}">${actionTitle(operation, lang)}</a>`,
    )
    const earlier = versions
      .slice(0, -1)
      .map((one, place) => html` ${outside(one, words.version({ version: place + 1 }))}`)
    return html`<li>${outside(url, words.kinds[kind])} <span class="label">${words.version({ version })}</span>${links}${earlier.length > 0 && html` <span class="label">${named({ name: words.replaced })}</span>${earlier}`}</li>`
  })
  return html`<h3>${words.title}</h3>${items.length === 0 ? html`<p class="hint">${words.none}</p>` : html`<ul class="files" role="list">${items}</ul>`}`
}
