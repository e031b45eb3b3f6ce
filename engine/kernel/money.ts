/** Hundredths of decimal text with at most two digits behind the point: sums are made of whole numbers, as money must not be rounded by a float. */
export function hundredthsOf(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.')
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Decimal text with two digits behind the point, of hundredths that are not below zero: how facts and answers tell money. */
export function amountOf(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

/** The sum of amounts. */
export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + hundredthsOf(amount), 0))
}

/** What is left of an amount once another is taken from it, and never less than nothing. */
export function lessOf(amount: string, taken: string): string {
  return amountOf(Math.max(0, hundredthsOf(amount) - hundredthsOf(taken)))
}

/** Whether an amount is nothing. */
export function isNothing(amount: string): boolean {
  return hundredthsOf(amount) === 0
}
