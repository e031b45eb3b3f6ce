import type { Context } from '../../kernel/context.ts'
import type { CodeKind } from './status.ts'

const digits = 6

/** A new code: six decimal digits, each as likely as any other. */
export function newCode({ credentials }: Pick<Context, 'credentials'>): string {
  // 256 random bits: what is left over after dividing by a million tells nobody anything.
  return String(BigInt(`0x${credentials.token()}`) % 10n ** BigInt(digits)).padStart(digits, '0')
}

/** What is kept of a code: a keyed hash, which of the same code at another delivery, or for another person, is another. */
export function hashOfCode(
  { credentials }: Pick<Context, 'credentials'>,
  delivery: number,
  kind: CodeKind,
  code: string,
): string {
  return credentials.blind(`locker ${kind} code\0${delivery}\0${code}`)
}

/** Whether two hashes are the same, in a time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let place = 0; place < one.length; place++) difference |= one.charCodeAt(place) ^ other.charCodeAt(place)
  return difference === 0
}
