import type { PrintedStatement } from '../../engine/index.ts'
import { pause } from '../http/pause.ts'
import type { Fonts } from './fonts.ts'
import { a4, type Write, writerOn } from './lines.ts'
import { type Drawing, drawn, mm } from './page.ts'

/** Where the six columns begin and how wide they are, in millimetres. */
const columns = [
  { x: 15, width: 34 },
  { x: 50, width: 34 },
  { x: 85, width: 30 },
  { x: 116, width: 25 },
  { x: 142, width: 26 },
  { x: 169, width: 26 },
] as const

/** The lines of a page below its head, and the height of one in millimetres. */
const [perPage, height] = [44, 5.5]

/** A line of a statement: its cells, and whether it is a heading. */
interface Row {
  readonly cells: readonly string[]
  readonly isHead?: true
}

/** A PDF of a statement: its sections one after the other, and its sums at the end. */
export function statementOf(statement: PrintedStatement, fonts: Fonts): Promise<Buffer> {
  const rows = rowsOf(statement)
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  return drawn(a4, `Statement ${statement.number}`, async (drawing) => {
    const write = writerOn(drawing, fonts)
    for (let number = 0; number < pages; number++) {
      drawing.document.addPage()
      await drawHead(drawing, write, statement, `Page ${number + 1} of ${pages}`)
      await drawRows(write, rows.slice(number * perPage, (number + 1) * perPage))
      // Others are served between two pages.
      await pause()
    }
  })
}

function rowsOf({ sections, sums }: PrintedStatement): readonly Row[] {
  const empty: Row = { cells: [] }
  return [
    ...sections.flatMap(({ title, columns: names, rows }): readonly Row[] => [
      { cells: [title], isHead: true },
      { cells: names, isHead: true },
      ...rows.map((cells) => ({ cells })),
      empty,
    ]),
    ...sums.map(([name, amount]) => ({ cells: ['', '', '', '', name, amount], isHead: true as const })),
  ]
}

async function drawHead({ document }: Drawing, write: Write, statement: PrintedStatement, place: string) {
  const { number, month, currency, business, issued, to } = statement
  await write(`Statement ${number}`, { x: 15, y: 15, width: 110 }, 16, 700)
  await write(`${month}, in ${currency}`, { x: 125, y: 16, width: 70 }, 12, 700)
  await write(`From: ${business}`, { x: 15, y: 25, width: 105 }, 10)
  await write(`To: ${to}`, { x: 15, y: 30, width: 105 }, 10)
  await write(`Issued: ${issued}`, { x: 125, y: 25, width: 70 }, 10)
  await write(place, { x: 125, y: 30, width: 70 }, 10)
  document.rect(15 * mm, 37 * mm, 180 * mm, 0.3 * mm).fill('#000000')
}

async function drawRows(write: Write, rows: readonly Row[]) {
  for (const [index, { cells, isHead }] of rows.entries())
    for (const [place, cell] of cells.entries()) {
      const { x, width } = columns[place] ?? columns[0]
      const whole = cells.length === 1 ? 180 : width
      // The last three columns have amounts.
      const at = { x, y: 40 + index * height, width: whole, endsRight: place > 2 }
      await write(cell, at, 9, isHead ? 700 : 400)
    }
}
