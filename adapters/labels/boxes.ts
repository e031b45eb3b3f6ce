/** A place on a label, in millimetres. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The size of a label, in millimetres. */
export const labelSize = { width: 100, height: 150 } as const

/** Where the parts of a label are. */
export const boxes = {
  from: { x: 5, y: 5, width: 58, height: 19 },
  service: { x: 66, y: 5, width: 29, height: 10 },
  parcel: { x: 66, y: 16, width: 29, height: 8 },
  to: { x: 5, y: 28, width: 60, height: 39 },
  qr: { x: 68, y: 28, width: 27, height: 27 },
  details: { x: 5, y: 71, width: 90, height: 19 },
  code: { x: 5, y: 95, width: 90, height: 38 },
  number: { x: 5, y: 135, width: 90, height: 8 },
  sample: { x: 5, y: 143, width: 90, height: 6 },
} as const satisfies Readonly<Record<string, Box>>

/** The lines between them. */
export const rules: readonly Box[] = [
  ...[26, 69, 92].map((y) => ({ x: 0, y, width: labelSize.width, height: 0.5 })),
  { x: 64.5, y: 0, width: 0.3, height: 26 },
]

/** The dots that a module of bars is wide: at most four, so that the code with ten modules of quiet on each side (ISO/IEC 15417, 4.5) fits. */
export function dotsOfModule(dotsAcross: number, modules: number): number {
  return Math.max(2, Math.min(4, Math.floor(dotsAcross / (modules + 20))))
}
