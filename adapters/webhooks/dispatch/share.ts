import type { Limits } from './limits.ts'

/** How many attempts a URL may have at once. It grows while the URL answers as quickly as usual, and shrinks otherwise. */
export interface Share {
  /** A fraction is kept until it is a whole attempt. */
  size: number
  /** The usual milliseconds of an attempt; undefined before the first one. */
  usual: number | undefined
  /** Epoch milliseconds of the last halving: attempts that started before it do not halve it again. */
  halvedAt: number
  /** Attempts that have failed since the last delivery. */
  failures: number
}

/** How an attempt ended, for the share of its URL. */
export type Ending = 'delivered' | 'failed' | 'overloaded'

/** An attempt that has ended; instants are epoch milliseconds. */
interface Attempt {
  readonly ending: Ending
  readonly startedAt: number
  readonly now: number
  /** Whether at least half of the share was in use: nothing is learnt of more from less. */
  readonly wasInUse: boolean
}

/** The share of a URL of which nothing is known. */
export function newShare({ inFlight }: Limits): Share {
  return { size: inFlight, usual: undefined, halvedAt: Number.NEGATIVE_INFINITY, failures: 0 }
}

/** The statuses with which a receiver says that it is sent too much. */
const overloads: readonly (number | undefined)[] = [429, 503]

/** How an attempt ended by its status. */
export function endingOf({ failure, status }: { readonly failure?: string; readonly status?: number }): Ending {
  if (failure === undefined) return 'delivered'
  return overloads.includes(status) ? 'overloaded' : 'failed'
}

/** A URL at which so many attempts have failed in a row gets one at a time, until it takes something. */
const mostFailures = 8

/** How much slower than usual an attempt may be, as a factor and in milliseconds, before the share shrinks. */
const rising = { factor: 2, noise: 25 }

/** The part of a slower round of attempts that becomes usual; a faster attempt is usual at once. */
const drift = 0.002

/**
 * Adapts a share to an attempt: one more for each round of attempts that went well while it was in use, one less if they
 * take longer than usual, and half of it after a failure. Less than the initial share gets a receiver that says that it is sent
 * too much, or that keeps failing.
 */
export function adapt(share: Share, limits: Limits, attempt: Attempt): void {
  const { ending, startedAt, now } = attempt
  share.failures = ending === 'delivered' ? 0 : share.failures + 1
  if (ending === 'delivered') growOrShrink(share, limits, attempt)
  else if (startedAt >= share.halvedAt) {
    const isTooMuch = ending === 'overloaded' || share.failures > mostFailures
    const least = isTooMuch ? 1 : Math.min(limits.inFlight, share.size)
    share.size = Math.max(least, share.size / 2)
    share.halvedAt = now
  }
}

function growOrShrink(share: Share, { most, inFlight }: Limits, { startedAt, now, wasInUse }: Attempt): void {
  const duration = now - startedAt
  const { usual = duration } = share
  const step = 1 / Math.floor(share.size)
  share.usual = duration < usual ? duration : usual + step * drift * (duration - usual)
  const isRising = duration > rising.factor * usual + rising.noise
  if (isRising) share.size = Math.max(Math.min(inFlight, share.size), share.size - step)
  else if (wasInUse) share.size = Math.min(most, share.size + step)
}
