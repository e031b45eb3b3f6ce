/** The GS1 check digit of a key without it: weights 3 and 1 from the right (GS1 General Specifications, section 7.9). */
function checkDigitOf(digits: string): number {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    sum += place % 2 === 0 ? digit * 3 : digit
  }
  return (10 - (sum % 10)) % 10
}

/** Whether the last digit of a GS1 key (SSCC, GLN) is its check digit. */
export function hasCheckDigit(key: string): boolean {
  return Number(key.at(-1)) === checkDigitOf(key.slice(0, -1))
}
