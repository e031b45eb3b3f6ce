import { html } from 'hono/html'
import { isObject } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import type { ApprovalTexts } from './texts.ts'

/** A value that has no parts, and where it stands: `address.city`, `items[0].name`. */
interface Leaf {
  readonly path: string
  readonly value: unknown
}

/** The values of a document, in its order; lists and objects without members stand for themselves. */
function leavesOf(value: unknown, path = ''): readonly Leaf[] {
  const parts = Array.isArray(value)
    ? value.map((item, index) => leavesOf(item, `${path}[${index}]`))
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => leavesOf(item, path === '' ? name : `${path}.${name}`))
      : []
  return parts.length === 0 && path !== '' ? [{ path, value }] : parts.flat()
}

/** Rows that are seen at once; whoever decides can see all of them. */
const shownRows = 100

/** What a tool is called with, as a table. */
export function argumentTable(value: unknown, { input }: ApprovalTexts): Html {
  if (value === null) return html`<p class="hint">${input.erased}</p>`
  const leaves = leavesOf(value)
  if (leaves.length === 0) return html`<p class="hint">${input.none}</p>`
  const [first, rest] = [leaves.slice(0, shownRows), leaves.slice(shownRows)]
  return html`${table(first, input)}
${rest.length > 0 && html`<details><summary>${input.more(rest.length)}</summary>${table(rest, input)}</details>`}`
}

function table(leaves: readonly Leaf[], input: ApprovalTexts['input']): Html {
  const rows = leaves.map(
    ({ path, value }) =>
      html`<tr><th scope="row"><code>${breakable(path)}</code></th><td>${written(value, input)}</td></tr>`,
  )
  return html`<table class="arguments">
<thead class="hidden"><tr><th scope="col">${input.name}</th><th scope="col">${input.value}</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

/** One fact that would be recorded. */
export interface Change {
  readonly about: string
  readonly fact: string
  readonly from?: unknown
  readonly to: unknown
}

/** What would change: for each thing its facts, and for each of those what was and what becomes of it. */
export function changeList(changes: readonly Change[], texts: ApprovalTexts): Html {
  if (changes.length === 0) return html`<p class="hint">${texts.changes.none}</p>`
  const things = [...new Set(changes.map(({ about }) => about))]
  const items = things.map((thing) => {
    const facts = changes.filter(({ about }) => about === thing)
    return html`<li><h3>${sentence(visible(thing))}</h3>${facts.map((change) => factItem(change, texts))}</li>`
  })
  return html`<ul class="changes" role="list">${items}</ul>`
}

function factItem(change: Change, texts: ApprovalTexts): Html {
  return html`<div class="fact"><h4>${factTitle(change.fact)}</h4>${difference(change, texts)}</div>`
}

function difference({ from, to }: Change, texts: ApprovalTexts): Html | undefined {
  if (!isTree(from) && !isTree(to)) return html`<p class="step">${step(from, to, texts)}</p>`
  const [was, becomes] = [byPath(from), byPath(to)]
  const paths = [...new Set([...was.keys(), ...becomes.keys()])].filter(
    (path) => JSON.stringify(was.get(path)) !== JSON.stringify(becomes.get(path)),
  )
  if (paths.length === 0) return undefined
  const rows = paths.map(
    (path) => html`<div><dt><code>${breakable(path)}</code></dt>
<dd class="step">${step(was.get(path), becomes.get(path), texts)}</dd></div>`,
  )
  return html`<dl>${rows}</dl>`
}

function isTree(value: unknown): boolean {
  return isObject(value) || Array.isArray(value)
}

function byPath(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(leavesOf(value).map(({ path, value }) => [path, value]))
}

/** What was and what becomes of it: told in words too, for whoever does not see how they are marked. */
function step(from: unknown, to: unknown, { changes, input }: ApprovalTexts): Html {
  const was =
    from !== undefined &&
    html`<span class="hidden">${changes.was} </span><del>${written(from, input)}</del>
<span class="arrow" aria-hidden="true">→</span> `
  const becomes = html`<span class="hidden">${changes.becomes} </span><ins>${written(to, input)}</ins>`
  return html`${was}${becomes}`
}

function written(value: unknown, { empty, nothing }: ApprovalTexts['input']): Html {
  if (value === undefined || value === null) return html`<i>${nothing}</i>`
  if (typeof value === 'string' && value !== '') return html`<bdi class="text">${visible(value)}</bdi>`
  if (value === '' || isTree(value)) return html`<i>${empty}</i>`
  return html`<code>${String(value)}</code>`
}

/** A path that is broken before its dots first, where it does not fit. */
function breakable(path: string): readonly Html[] {
  return visible(path)
    .split(/(?=\.)/)
    .map((part) => html`${part}<wbr>`)
}

/** `OrderCancelled` reads `Order cancelled`. */
function factTitle(fact: string): string {
  return sentence(fact.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase())
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * A text as it is and nothing else: what has no picture, or would turn the order of what stands around it, is marked, so
 * that nobody approves what they do not see.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/g, '\n')
    .replace(
      /(?![\n\t])\p{Cc}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
      '\uFFFD',
    )
}
