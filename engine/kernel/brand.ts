import type { FileName } from './files.ts'

/** The logo of a business: an uploaded image, and its size in pixels. */
export interface Logo {
  readonly file: FileName
  readonly width: number
  readonly height: number
}

/** How a business shows itself to the recipients of its parcels. */
export interface Brand {
  /** The name that recipients know. */
  readonly name: string
  /** `#rrggbb`. */
  readonly accent?: string | undefined
  readonly website?: string | undefined
  readonly support?: string | undefined
  readonly logo?: Logo | undefined
}
