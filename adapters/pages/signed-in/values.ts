import { html } from 'hono/html'
import { breakable, type Html, visible } from '../words.ts'
import { isFull, isTree, type Leaf, leavesOf, longestText, type Room, shortened, take, weightOf } from './leaves.ts'
import type { ValueTexts } from './value-texts.ts'

/** Rows of a table that are shown at once; the rest can be expanded. */
const shownRows = 100

/** The arguments of a tool call, as a table. */
export function argumentTable(value: unknown, { input }: ValueTexts): Html {
  if (value === null) return html`<p class="hint">${input.erased}</p>`
  const { leaves, left } = leavesOf({ to: value }, { leaves: 200, characters: 16_000 })
  if (leaves.length === 0) return html`<p class="hint">${input.none}</p>`
  const [first, rest] = [leaves.slice(0, shownRows), leaves.slice(shownRows)]
  return html`${table(first, input)}
${rest.length > 0 && html`<details><summary>${input.more({ rows: rest.length })}</summary>${table(rest, input)}</details>`}
${left > 0 && html`<p class="hint">${input.left({ rows: left })}</p>`}`
}

function table(leaves: readonly Leaf[], input: ValueTexts['input']): Html {
  const rows = leaves.map(
    ({ path, to }) => html`<tr><th scope="row"><code>${breakable(path)}</code></th><td>${written(to, input)}</td></tr>`,
  )
  return html`<table class="arguments">
<thead class="hidden"><tr><th scope="col">${input.name}</th><th scope="col">${input.value}</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

/** One fact that would be recorded. */
interface Change {
  readonly about: string
  readonly fact: string
  readonly from?: unknown
  readonly to: unknown
}

/** How a list of changes names what changes and what happened; in English, by default. */
export interface ChangeNames {
  thing(about: string): string | Html
  fact(type: string): string | Html
}

/** The changes, grouped by what they concern, each with the values before and after. */
export function changeList(changes: readonly Change[], texts: ValueTexts, names = inEnglish): Html {
  if (changes.length === 0) return html`<p class="hint">${texts.changes.none}</p>`
  const room = { leaves: 200, characters: 10_000 }
  const things = [...new Set(changes.map(({ about }) => about))]
  let left = changes.length
  const items = things.map((thing) => {
    if (isFull(room)) return undefined
    const parts = changes.map((change) => {
      if (change.about !== thing || isFull(room)) return undefined
      left--
      return factItem(change, room, texts, names)
    })
    return html`<li><h3>${names.thing(thing)}</h3>${parts}</li>`
  })
  return html`<ul class="changes" role="list">${items}</ul>
${left > 0 && html`<p class="hint">${texts.changes.left({ facts: left })}</p>`}`
}

function factItem(change: Change, room: Room, texts: ValueTexts, names: ChangeNames): Html {
  take(room, change.about.length + change.fact.length)
  return html`<div class="fact"><h4>${names.fact(change.fact)}</h4>${difference(change, room, texts)}</div>`
}

/** The values before and after a change, leaf by leaf. */
export function difference({ from, to }: Pick<Change, 'from' | 'to'>, room: Room, texts: ValueTexts): Html | undefined {
  if (!isTree(from) && !isTree(to)) {
    take(room, weightOf({ path: '', from, to }))
    return html`<p class="step">${step(from, to, texts)}</p>`
  }
  const { leaves, left } = leavesOf({ from, to }, room)
  if (leaves.length + left === 0) return undefined
  const rows = leaves.map(
    ({ path, from, to }) => html`<div><dt><code>${breakable(path)}</code></dt>
<dd class="step">${step(from, to, texts)}</dd></div>`,
  )
  return html`<dl>${rows}</dl>${left > 0 && html`<p class="hint">${texts.changes.leftOf({ values: left })}</p>`}`
}

/** The values before and after. Hidden words say which is which, for visitors who do not see the marking. */
function step(from: unknown, to: unknown, { changes, input }: ValueTexts): Html {
  const was =
    from !== undefined &&
    html`<span class="hidden">${changes.was} </span><del>${written(from, input)}</del>
<span class="arrow" aria-hidden="true">→</span> `
  const becomes = html`<span class="hidden">${changes.becomes} </span><ins>${written(to, input)}</ins>`
  return html`${was}${becomes}`
}

function written(value: unknown, { empty, nothing, cut }: ValueTexts['input']): Html {
  if (value === undefined || value === null) return html`<i>${nothing}</i>`
  if (typeof value === 'string' && value !== '') {
    const left = value.length - longestText
    return html`<bdi class="text">${visible(shortened(value, longestText))}</bdi>${left > 0 && html` <i>${cut({ characters: left })}</i>`}`
  }
  if (value === '' || isTree(value)) return html`<i>${empty}</i>`
  return html`<code>${String(value)}</code>`
}

/** What changes: `order 12` becomes `Order 12`. */
export function thingTitle(about: string): string {
  return sentence(visible(shortened(about)))
}

/** `OrderCancelled` becomes `Order cancelled`. */
export function factTitle(fact: string): string {
  return sentence(fact.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase())
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const inEnglish: ChangeNames = {
  thing: (about) => html`<bdi lang="en">${thingTitle(about)}</bdi>`,
  fact: (type) => html`<bdi lang="en">${factTitle(type)}</bdi>`,
}
