import type { LabelDpi } from '../../engine/index.ts'

/** A place on a label, in millimetres. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What a label covers, in millimetres: every paper has room for it, so it looks alike on all. */
export const layout = { width: 100, height: 147 } as const

/** Where the parts of a label are. A bar of an SSCC is at least 31.75 mm high (GS1 General Specifications, symbol specification table 5). */
export const boxes = {
  from: { x: 5, y: 5, width: 58, height: 19 },
  service: { x: 66, y: 5, width: 29, height: 10 },
  parcel: { x: 66, y: 16, width: 29, height: 8 },
  to: { x: 5, y: 28, width: 60, height: 39 },
  qr: { x: 67, y: 28, width: 29, height: 29 },
  details: { x: 5, y: 71, width: 90, height: 19 },
  code: { x: 5, y: 94, width: 90, height: 37 },
  number: { x: 5, y: 133, width: 90, height: 8 },
  sample: { x: 5, y: 141, width: 90, height: 6 },
} as const satisfies Readonly<Record<string, Box>>

/** The lines between them. */
export const rules: readonly Box[] = [
  ...[26, 69, 92].map((y) => ({ x: 0, y, width: layout.width, height: 0.5 })),
  { x: 64.5, y: 0, width: 0.3, height: 26 },
]

/** The millimetres that a module of bars is wide; an SSCC asks for at least 0.495 (GS1 General Specifications, symbol specification table 5). */
const moduleWidth = { least: 0.25, most: 0.51 } as const

/** The dots of a millimetre. */
export function dotsOfMillimetre(dpi: LabelDpi): number {
  return dpi / 25.4
}

/** The dots that a module of bars is wide: as many as fit with ten modules of quiet on each side (ISO/IEC 15417, 4.5). */
export function dotsOfBar(width: number, modules: number, dpi: LabelDpi): number {
  const dots = dotsOfMillimetre(dpi)
  const most = Math.floor(moduleWidth.most * dots)
  return Math.max(Math.round(moduleWidth.least * dots), Math.min(most, Math.floor((width * dots) / (modules + 20))))
}

/** The dots that a module of a QR code is wide: as many as fit with four modules of quiet on each side (ISO/IEC 18004, 6.3.8). */
export function dotsOfSquare({ width, height }: Box, across: number, dpi: LabelDpi): number {
  return Math.max(2, Math.floor((Math.min(width, height) * dotsOfMillimetre(dpi)) / (across + 8)))
}
