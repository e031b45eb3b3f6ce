import { html } from 'hono/html'
import { csvNamed, csvNamesIn, headKey, importColumns, isEngineError, passedOver } from '../../../engine/index.ts'
import { type Html, visible } from '../words.ts'
import type { OrderTexts } from './texts.ts'

/** The columns of a file, and which column of an order each one is: its own name where that is not known. */
export interface Columns {
  readonly names: readonly string[]
  readonly meant: readonly string[]
  /** The file with these names. */
  readonly csv: string
}

/** What somebody has chosen for names of columns before, by their compared form. */
export type Choices = Readonly<Record<string, string>>

/** More names than this are in no table of orders. */
const maxNames = 200

/** What was chosen on the page: a column of an order for each column of a file. */
export interface Chosen {
  readonly of: readonly string[]
  readonly columns: readonly string[]
}

/** The columns of a file: as they were chosen on the page for the same columns, or else before, or else as their names say. */
export function columnsIn(csv: string, chosen: Chosen, kept: Choices, own: readonly string[]): Columns {
  const names = namesIn(csv)
  if (names.length === 0) return { names, meant: names, csv }
  const isOfThese =
    chosen.of.length === names.length && names.every((name, place) => headKey(name) === headKey(chosen.of[place] ?? ''))
  const meant = isOfThese ? named(names, chosen.columns, own) : guessed(names, kept, own)
  return { names, meant, csv: meant.join('\n') === names.join('\n') ? csv : csvNamed('csv', csv, meant) }
}

function namesIn(csv: string): readonly string[] {
  try {
    const names = csvNamesIn('csv', csv)
    return names.length > maxNames ? [] : names
  } catch (error) {
    // The import says what is wrong with it.
    if (!isEngineError(error)) throw error
    return []
  }
}

function named(names: readonly string[], chosen: readonly string[], own: readonly string[]): readonly string[] {
  return names.map((name, place) => {
    const column = chosen[place] ?? ''
    return own.includes(column) || column === passedOver ? column : name
  })
}

/** A name that is a column means it; another means what was chosen before, or the first column that ends so. */
function guessed(names: readonly string[], kept: Choices, own: readonly string[]): readonly string[] {
  const exact = (name: string) => importColumns.find((column) => headKey(column) === headKey(name))
  const taken = new Set(names.map(exact))
  return names.map((name) => {
    const key = headKey(name)
    const known = exact(name) ?? (Object.hasOwn(kept, key) ? kept[key] : undefined)
    if (known !== undefined || key === '') return known ?? name
    const found = own.find((column) => headKey(column).endsWith(key) && !taken.has(column))
    if (found !== undefined) taken.add(found)
    return found ?? name
  })
}

/** What is to be remembered of the columns of a file, beside what was chosen before. */
export function choicesOf({ names, meant }: Columns, kept: Choices, own: readonly string[]): Choices {
  const chosen = names.flatMap((name, place) => {
    const column = meant[place] ?? ''
    const isChosen = headKey(name) !== '' && headKey(name) !== headKey(column)
    return isChosen && (own.includes(column) || column === passedOver) ? [[headKey(name), column] as const] : []
  })
  return { ...kept, ...Object.fromEntries(chosen) }
}

/** A field for each column of a file, in which its column of an order is chosen. */
export function columnFields({ names, meant }: Columns, own: readonly string[], words: OrderTexts['imports']): Html {
  const option = (value: string, text: string, current: string | undefined) =>
    html`<option value="${value}"${value === current && html` selected`}>${text}</option>`
  const fields = names.map((name, place) => {
    const column = meant[place] ?? ''
    const isOther = !own.includes(column) && column !== passedOver
    const first = importColumns.includes(column) ? column : words.choose
    return html`<div class="entry"><label for="column-${place}"><bdi>${visible(name) || place + 1}</bdi></label><input type="hidden" name="of" value="${name}"><select id="column-${place}" name="column">
${isOther && option('', first, '')}${option(passedOver, words.leaveOut, column)}${own.map((one) => option(one, one, column))}</select></div>`
  })
  return html`<details class="columns"${meant.some((one) => !importColumns.includes(one) && one !== passedOver && one !== '') && html` open`}><summary>${words.columns}</summary><p class="hint">${words.columnsLead}</p><div class="fields">${fields}</div></details>`
}
