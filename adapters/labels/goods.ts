import type { PrintedCustoms } from '../../engine/index.ts'
import type { Box } from './boxes.ts'
import type { Write } from './lines.ts'
import { type Drawing, mm } from './page.ts'

/** Goods of one kind on a form. */
export type Row = PrintedCustoms['rows'][number]

/** What a page of a form has: the form, which goods of it, and where it is among the pages. */
export interface CustomsPage {
  readonly form: PrintedCustoms
  readonly rows: readonly Row[]
  /** How many goods were on pages before. */
  readonly before: number
  readonly place: string
  readonly isLast: boolean
}

/** Kilograms as customs read them. */
export function kilograms(grams: number): string {
  return `${(grams / 1000).toFixed(3)} kg`
}

/** Draws the edge of a box, in millimetres. */
export function frame({ document }: Drawing, { x, y, width, height }: Box): void {
  document
    .lineWidth(0.6)
    .rect(x * mm, y * mm, width * mm, height * mm)
    .stroke('#000000')
}

/** A column of goods: its heading, where it is, and what it says of them. */
export interface Column {
  readonly title: string
  readonly x: number
  readonly width: number
  readonly of: (row: Row) => string
  readonly isNumber?: true
}

/** How goods are set: where their headings and they begin, how high a line of them is, and the size of letters. */
interface Setting {
  readonly head: number
  readonly top: number
  readonly step: number
  readonly points: number
  readonly lines: number
}

/** Writes the headings of columns, and a line for each kind of goods. */
export async function drawRows(
  write: Write,
  columns: readonly Column[],
  rows: readonly Row[],
  setting: Setting,
): Promise<void> {
  const { head, top, step, points, lines } = setting
  const titlePoints = Math.min(6.5, points - 1)
  for (const { title, x, width } of columns) await write(title, { x, y: head, width, lines: 5 }, titlePoints)
  for (const [index, row] of rows.entries())
    for (const { x, width, of, isNumber } of columns)
      await write(
        of(row),
        { x, y: top + index * step, ...(isNumber ? { width: width - 2, endsRight: true } : { width, lines }) },
        points,
      )
}
