/** Cents of a decimal text with at most two decimals. Sums use integers, because floats would round money. */
export function hundredthsOf(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.')
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Decimal text with two decimals, from a non-negative number of cents; the form of money in events and answers. */
export function amountOf(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

/** The sum of amounts. */
export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + hundredthsOf(amount), 0))
}

/** The rest of an amount after subtracting another, at least zero. */
export function lessOf(amount: string, taken: string): string {
  return amountOf(Math.max(0, hundredthsOf(amount) - hundredthsOf(taken)))
}

/** Whether an amount is zero. */
export function isNothing(amount: string): boolean {
  return hundredthsOf(amount) === 0
}
