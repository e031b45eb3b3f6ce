/** A currency from abroad, and what a unit of it costs in that of the books. */
export const abroad = { currency: 'EUR', decimals: 2, rate: '1.2345' } as const

/** Units as decimal text. */
export function written(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`
}

/** The units of decimal text; or the code of what is wrong with it. */
export function unitsIn(text: string, decimals: number, isSigned = false): bigint | string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(0|[1-9][0-9]*)(?:[.]([0-9]{1,4}))?$/.exec(text) ?? []
  if (whole === '' || whole.length > 9 || (sign !== '' && !isSigned)) return 'not_an_amount'
  if (isSigned && /^0*$/.test(whole + fraction)) return 'not_an_amount'
  if (/[1-9]/.test(fraction.slice(decimals))) return 'too_precise'
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return sign === '' ? units : -units
}

/** Units from abroad in those of the books, rounded half up. */
export function converted(units: bigint, decimals: number): bigint {
  const [whole = '', fraction = ''] = abroad.rate.split('.')
  const numerator = units * BigInt(whole + fraction) * 10n ** BigInt(decimals)
  const denominator = 10n ** BigInt(fraction.length + abroad.decimals)
  return (2n * numerator + denominator) / (2n * denominator)
}
