import type { Answered, Asked } from './shop.ts'

/** What a shop has refused, and what it answered. */
export interface Refusal extends Error {
  readonly asked: Asked
  readonly answered: Answered
  /** Milliseconds until it may be asked again. */
  readonly retryAfter?: number | undefined
}

/** Creates the refusal of a request. */
export function refusalOf(asked: Asked, answered: Answered, retryAfter: number | undefined): Refusal {
  return Object.assign(new Error('The shop refuses.'), { asked, answered, retryAfter })
}

/** Whether an error is a refusal of a shop. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'answered' in error
}

/** Reads `Retry-After` of an answer: milliseconds from `now` (epoch). */
export type RetryAfterOf = (
  status: number,
  value: string | readonly string[] | undefined,
  now: number,
) => number | undefined

/** Milliseconds from `now` (epoch) after which a shop that has had enough may be asked again. */
export function waitAfter({ status, headers }: Answered, now: number, read: RetryAfterOf): number | undefined {
  const standard = read(status, headers['retry-after'], now)
  if (standard !== undefined || status !== 429) return standard
  // BigCommerce says how long, and Walmart until when.
  const reset = numberIn(headers['x-rate-limit-time-reset-ms'])
  const until = numberIn(headers['x-next-replenish-time'] ?? headers['x-next-replenishment-time'])
  return reset ?? (until === undefined ? undefined : Math.max(0, until - now))
}

function numberIn(value: string | readonly string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
