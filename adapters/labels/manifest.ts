import type { ManifestRow, PrintedManifest } from '../../engine/index.ts'
import { pause } from '../http/pause.ts'
import type { Fonts } from './fonts.ts'
import { a4, type Write, writerOn } from './lines.ts'
import { type Drawing, drawn, mm } from './page.ts'

/** Parcels on a page. */
const perPage = 38

/** The columns: where they begin and how wide they are, in millimetres. */
const columns = [
  { title: 'No.', x: 15, width: 12, of: (_: ManifestRow, place: number) => String(place + 1) },
  { title: 'Tracking number', x: 27, width: 65, of: ({ number }: ManifestRow) => number },
  { title: 'Reference', x: 94, width: 45, of: ({ reference }: ManifestRow) => reference },
  { title: 'Destination', x: 141, width: 32, of: ({ destination }: ManifestRow) => destination },
  { title: 'Weight', x: 175, width: 20, of: ({ weight_grams }: ManifestRow) => `${weight_grams / 1000} kg` },
] as const

/** A PDF of a manifest: a line for each parcel, and at the end one to sign on. */
export function manifestOf(manifest: PrintedManifest, fonts: Fonts): Promise<Buffer> {
  const { rows, reference } = manifest
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  return drawn(a4, `Manifest ${reference}`, async (drawing) => {
    const write = writerOn(drawing, fonts)
    for (let number = 0; number < pages; number++) {
      drawing.document.addPage()
      await drawHead(write, manifest, `Page ${number + 1} of ${pages}`)
      await drawRows(drawing, write, rows, number * perPage)
      // Others are served between two pages.
      await pause()
    }
    await drawEnd(drawing, write, rows)
  })
}

async function drawHead(write: Write, { reference, business, carrier, at }: PrintedManifest, place: string) {
  await write(`Manifest ${reference}`, { x: 15, y: 15, width: 180 }, 16, 700)
  await write(`From: ${business}`, { x: 15, y: 25, width: 100 }, 10)
  await write(`Carrier: ${carrier}`, { x: 15, y: 30, width: 100 }, 10)
  await write(at, { x: 125, y: 25, width: 70 }, 10)
  await write(place, { x: 125, y: 30, width: 70 }, 10)
}

async function drawRows({ document }: Drawing, write: Write, rows: readonly ManifestRow[], from: number) {
  for (const { title, x, width } of columns) await write(title, { x, y: 39, width }, 9, 700)
  document.rect(15 * mm, 44 * mm, 180 * mm, 0.3 * mm).fill('#000000')
  for (const [index, row] of rows.slice(from, from + perPage).entries())
    for (const { x, width, of } of columns) await write(of(row, from + index), { x, y: 46 + index * 5.5, width })
}

async function drawEnd({ document }: Drawing, write: Write, rows: readonly ManifestRow[]) {
  const kilograms = rows.reduce((sum, { weight_grams }) => sum + weight_grams, 0) / 1000
  await write(`${rows.length} parcels, ${kilograms} kg`, { x: 15, y: 260, width: 180 }, 11, 700)
  for (const [x, title] of [
    [15, 'Handed over by, date'],
    [110, 'Received by, date'],
  ] as const) {
    document.rect(x * mm, 280 * mm, 85 * mm, 0.3 * mm).fill('#000000')
    await write(title, { x, y: 281, width: 85 }, 8)
  }
}
