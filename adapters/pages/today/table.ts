import { html } from 'hono/html'
import { instantOf, zonedIso } from '../../../engine/index.ts'
import { type Html, moment } from '../words.ts'

/** A column of figures: its title, and whether it has numbers. */
export type Column = readonly [title: string, kind?: 'number']

/** The most columns that a narrow window has room for. */
const narrow = 4

/** A dense table; the first cell of each row names it. In a narrow window the cells of a wide one are below each other. */
export function figures(caption: string, columns: readonly Column[], rows: readonly (readonly unknown[])[]): Html {
  const classOf = (index: number) => columns[index]?.[1] && html` class="${columns[index]?.[1]}"`
  const head = columns.map(([title], index) => html`<th scope="col"${classOf(index)}>${title}</th>`)
  const cellOf = (cell: unknown, index: number) =>
    html`<td${classOf(index)} data-label="${columns[index]?.[0]}">${cell}</td>`
  const body = rows.map(
    ([name, ...cells]) =>
      html`<tr><th scope="row">${name}</th>${cells.map((cell, index) => cellOf(cell, index + 1))}</tr>`,
  )
  return html`<table class="figures${columns.length > narrow && ' wide'}"><caption class="hidden">${caption}</caption>
<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

/** The table of a plot, which opens. */
export function figuresOf(words: string, table: Html): Html {
  return html`<details><summary>${words}</summary>${table}</details>`
}

/** An instant in a time zone; a dash if there is none. */
export function localMoment(instant: string | null, zone: string): Html | string {
  return instant === null ? '–' : moment(zonedIso(instantOf(instant), zone))
}
