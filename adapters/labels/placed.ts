import { type LabelSize, labelPapers, type PageSize, type PrintedDocument } from '../../engine/index.ts'
import { drawn, mm } from './page.ts'

/** Dots of an inch of the printers that carriers make pictures for, where these do not say it. */
const densities = [203, 300, 600] as const

/** The most dots of a millimetre that a screen has for a picture: 150 in an inch. */
const screenDots = 150 / 25.4

/** The shorter side of a label of a carrier, in millimetres: four inches, about. */
const usual = { least: 96, most: 106 } as const

/**
 * The document of a carrier on a paper of a size, if it is a picture that fits there as large as its carrier made it, turned if need be.
 * It is never scaled, because then its bars would no longer be whole dots; and pages of PDF and labels of ZPL stay as they are.
 */
export async function placedOn(document: PrintedDocument, size: LabelSize | undefined) {
  const bytes = Buffer.from(document.content, 'base64')
  const page = pageIn(document.media_type, bytes)
  const asItIs = { ...document, ...(page && { page }), isPlaced: false }
  if (size === undefined || document.media_type !== 'image/png' || page === undefined) return asItIs
  const paper = labelPapers[size]
  const [room, high] = [paper.width / paper.across, paper.height / paper.down]
  const { width_mm, height_mm } = page
  const isUpright = fits(width_mm, room) && fits(height_mm, high)
  if (!isUpright && !(fits(height_mm, room) && fits(width_mm, high))) return asItIs
  const content = await drawn([paper.width * mm, paper.height * mm], 'Label', async ({ document: pdf }) => {
    pdf.addPage()
    const [x, y] = [(room / 2) * mm, (high / 2) * mm]
    if (!isUpright) pdf.rotate(90, { origin: [x, y] })
    const [width, height] = [width_mm * mm, height_mm * mm]
    pdf.image(bytes, x - width / 2, y - height / 2, { width, height })
  })
  return {
    ...{ media_type: 'application/pdf', content: content.toString('base64'), isPlaced: true },
    page: { width_mm: paper.width, height_mm: paper.height },
  }
}

/** A tenth of a millimetre more is only what was rounded. */
function fits(length: number, room: number): boolean {
  return length <= room + 0.1
}

/** The size of the first page of a document, if it says it. */
function pageIn(mediaType: string, bytes: Buffer): PageSize | undefined {
  if (mediaType === 'image/png') return pictureSize(bytes)
  return mediaType === 'application/pdf' ? pdfSize(bytes.toString('latin1')) : undefined
}

/** The size of a PNG by its dots and their density (PNG, 11.2.1 and 11.3.4.3); without one, by what labels usually measure. */
function pictureSize(bytes: Buffer): PageSize | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [across, down] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const shorter = Math.min(across, down)
  const density = densityIn(bytes) ?? densities.map((dpi) => dpi / 25.4).find((dots) => isUsual(shorter / dots))
  return density === undefined || shorter === 0
    ? undefined
    : { width_mm: rounded(across / density), height_mm: rounded(down / density) }
}

function isUsual(length: number): boolean {
  return length >= usual.least && length <= usual.most
}

/** The dots of a millimetre that a PNG asks for; undefined if they are those of a screen, which programs write without being asked. */
function densityIn(bytes: Buffer): number | undefined {
  for (let start = 8; start + 21 <= bytes.length; start += 12 + bytes.readUInt32BE(start)) {
    const type = bytes.toString('latin1', start + 4, start + 8)
    if (type === 'IDAT') return undefined
    if (type !== 'pHYs') continue
    const dots = bytes.readUInt32BE(start + 8) / 1000
    return bytes[start + 16] === 1 && dots > screenDots ? dots : undefined
  }
  return undefined
}

/** The size of the first page of a PDF whose objects are not packed (ISO 32000-1, 7.7.3.3). */
function pdfSize(text: string): PageSize | undefined {
  const [, box = ''] = /\/MediaBox\s*\[([\d.\s-]+)\]/.exec(text) ?? []
  const [left, bottom, right, top] = box.trim().split(/\s+/).map(Number)
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)]
  return width > 0 && height > 0 ? { width_mm: rounded(width / mm), height_mm: rounded(height / mm) } : undefined
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10
}
