import type { SquareCode } from '../../engine/index.ts'

/** Widths of bars and of the spaces between them, in turn, in modules. */
export interface Bars {
  readonly kind: 'bars'
  readonly widths: readonly number[]
  /** Width of all of them, in modules. */
  readonly across: number
}

/** A square of modules. */
export interface Square extends SquareCode {
  readonly kind: 'square'
}

/** The most modules of bars that a label is wide enough for, at the narrowest that scanners read well. */
const maxModules = 330

/** The code of a tracking number: GS1-128 for an SSCC, Code 128 for what fits, and a QR code otherwise. */
export async function codeOf(number: string): Promise<Bars | Square> {
  if (!/^[ -~]+$/.test(number)) return qrOf(number)
  const { default: bwip } = await import('bwip-js/node')
  const [drawn] = isSscc(number) ? bwip.raw('gs1-128', `(00)${number}`, {}) : bwip.raw('code128', number, {})
  if (drawn === undefined || !('sbs' in drawn)) throw new Error('There are no bars.')
  const across = drawn.sbs.reduce((sum, width) => sum + width, 0)
  return across > maxModules ? qrOf(number) : { kind: 'bars', widths: drawn.sbs, across }
}

/** Whether a number is a Serial Shipping Container Code: 17 digits and their check digit (GS1 General Specifications, 7.9). */
export function isSscc(number: string): boolean {
  if (!/^\d{18}$/.test(number)) return false
  const digits = [...number].map(Number)
  return digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 0 ? 3 : 1), 0) % 10 === 0
}

/** A number as people read it: an SSCC with its application identifier (GS1 General Specifications, 4.15). */
export function readable(number: string): string {
  return isSscc(number) ? `(00) ${number}` : number
}

/** Whether the package that draws codes is installed; it is loaded when the first code is drawn. */
export function drawsCodes(): boolean {
  try {
    import.meta.resolve('bwip-js/node')
    return true
  } catch {
    return false
  }
}

/** The QR code of a text, with error correction of level M. */
export async function qrOf(text: string): Promise<Square> {
  const { default: bwip } = await import('bwip-js/node')
  const [drawn] = bwip.raw('qrcode', text, {})
  if (drawn === undefined || !('pixs' in drawn)) throw new Error('There is no code.')
  return { kind: 'square', across: drawn.pixx, isDark: drawn.pixs.map((module) => module === 1) }
}
