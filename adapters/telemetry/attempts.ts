import { Counter, type Registry } from 'prom-client'
import { createDurations } from './durations.ts'

/** Endpoints that have their own label; the attempts to all others are counted as those of `other`. */
const mostEndpoints = 100

/** An attempt to deliver a webhook event. */
interface Attempt {
  readonly channel: string
  readonly endpoint: string
}

/**
 * Registers what is reported about attempts to deliver: durations by channel and outcome, and counts and seconds by endpoint. The
 * label is the id of an endpoint, which says nothing of its owner or URL. Only the first endpoints that receive an attempt have a
 * label, so that the number of series is bounded.
 */
export function createAttempts(registry: Registry): (seconds: number, attempt: Attempt, outcome: string) => void {
  const registers = [registry]
  const observe = createDurations(registry, {
    ...{ name: 'otep_webhook_attempt_duration_seconds', help: 'Attempts to deliver webhook events, by outcome.' },
    labels: ['channel', 'outcome'],
  })
  const attempts = new Counter({
    ...{ name: 'otep_webhook_endpoint_attempts_total', help: 'Attempts to deliver webhook events, by endpoint.' },
    ...{ labelNames: ['endpoint', 'outcome'], registers },
  })
  const duration = new Counter({
    ...{ name: 'otep_webhook_endpoint_attempt_seconds_total', help: 'Seconds that these attempts have taken.' },
    ...{ labelNames: ['endpoint'], registers },
  })
  const named = new Set<string>()
  return (seconds, { channel, endpoint: id }, outcome) => {
    observe(seconds, channel, outcome)
    if (named.size < mostEndpoints) named.add(id)
    const endpoint = named.has(id) ? id : 'other'
    attempts.inc({ endpoint, outcome: outcome === 'ok' ? 'ok' : 'failed' })
    duration.inc({ endpoint }, seconds)
  }
}
