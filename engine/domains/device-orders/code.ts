import type { Context } from '../../kernel/context.ts'

const digits = 6

/** A new pickup code: six decimal digits, each as likely as any other. */
export function newPickupCode({ credentials }: Pick<Context, 'credentials'>): string {
  // 256 random bits: what is left over after dividing by a million tells nobody anything.
  return String(BigInt(`0x${credentials.token()}`) % 10n ** BigInt(digits)).padStart(digits, '0')
}

/** What is kept of a code: a keyed hash, which of the same code at another device order is another. */
export function hashOfCode({ credentials }: Pick<Context, 'credentials'>, pieceId: string, code: string): string {
  return credentials.blind(`pickup code\0${pieceId}\0${code}`)
}

/** Whether two hashes are the same, in a time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let place = 0; place < one.length; place++) difference |= one.charCodeAt(place) ^ other.charCodeAt(place)
  return difference === 0
}
