import type { Context } from './context.ts'
import { EngineError } from './errors.ts'
import { withoutUnseen } from './number-key.ts'
import { instantOf } from './time.ts'

const digits = 6

/** A new code that people type: six decimal digits, each as likely as any other. */
export function newShortCode({ credentials }: Pick<Context, 'credentials'>): string {
  // 256 random bits: the remainder of a division by a million is evenly distributed for every practical purpose.
  return String(BigInt(`0x${credentials.token()}`) % 10n ** BigInt(digits)).padStart(digits, '0')
}

/** A code as it is meant, without the spaces that people type and what nobody can see. */
export function typedCode(text: unknown): string {
  return withoutUnseen(String(text)).replace(/\s/g, '')
}

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let place = 0; place < one.length; place++) difference |= one.charCodeAt(place) ^ other.charCodeAt(place)
  return difference === 0
}

/** Wrong codes so far, and until when no code is accepted. */
export interface Attempts {
  /** Wrong codes since the last right one, new one or pause. */
  readonly failures: number
  /** Epoch milliseconds. */
  readonly locked_until: number
}

/** No wrong code since the last right one. */
export const noAttempts = { failures: 0, locked_until: 0 } as const satisfies Attempts

const maxFailures = 5
const lockTime = 15 * 60_000

/** The attempts after one more wrong code at an instant (ISO 8601): the fifth in a row locks for 15 minutes. */
export function afterWrongCode({ failures, locked_until }: Attempts, at: string): Attempts {
  const isLast = failures + 1 >= maxFailures
  return isLast ? { failures: 0, locked_until: instantOf(at) + lockTime } : { failures: failures + 1, locked_until }
}

/** Refuses with `too_many_attempts` while no code is accepted. */
export function requireUnlocked({ locked_until }: Attempts, at: string): void {
  const seconds = Math.ceil((locked_until - instantOf(at)) / 1000)
  if (seconds > 0) throw new EngineError('too_many_attempts', { seconds })
}
