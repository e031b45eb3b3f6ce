import { digits, type Plain } from './template/index.ts'

/** A number in plain decimals, as geo URIs, event hashes and XML Schema have them: never `1e-7`. */
export function decimalOf(number: number): Plain {
  const text = digits(number)
  return text.includes('e') ? (number.toFixed(20).replace(/\.?0+$/, '') as Plain) : text
}
