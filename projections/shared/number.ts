import { digits } from './template/json.ts'

/** A number in plain decimals, as geo URIs, event hashes and XML Schema have them: never `1e-7`. */
export function decimalOf(number: number): string {
  const text = digits(number)
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text
}
