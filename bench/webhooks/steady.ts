import { setTimeout } from 'node:timers/promises'
import type { NewDelivery } from '../../adapters/node/deliveries.ts'
import { measured, type Sample } from '../harness.ts'
import type { Receivers } from './receivers.ts'
import type { Sending } from './sending.ts'
import { hangingPath, sharedNow } from './wire.ts'

/** Deliveries that are emitted at a steady rate, whether or not the last one has arrived. */
interface Steady {
  readonly receivers: Receivers
  readonly sending: Sending
  readonly deliveries: readonly NewDelivery[]
  /** Per second. */
  readonly rate: number
}

/**
 * Emits at a steady rate, and measures the time from the planned moment of each until its receiver has all of it, for
 * endpoints that answer. Throws if one of these does not arrive.
 */
export async function sendSteadily({ receivers, sending, deliveries, rate }: Steady): Promise<Sample> {
  const answered = deliveries.filter(({ endpoint }) => !endpoint.url.includes(hangingPath))
  const emitted = new Map<string, number>()
  await receivers.begin('times')
  sending.start()
  const sample = await measured(answered.length, async () => {
    const start = sharedNow()
    const kept: Promise<void>[] = []
    for (const [index, delivery] of deliveries.entries()) {
      const at = start + (index * 1_000) / rate
      if (at > sharedNow()) await setTimeout(at - sharedNow())
      emitted.set(delivery.eventId, at)
      kept.push(sending.emit({ ...delivery, dueAt: Date.now() }))
    }
    await Promise.all(kept)
    await sending.delivered(answered.length)
  })
  const { times } = await receivers.begin('count')
  const latencies = new Map(times.map(([id, at]) => [id, at - (emitted.get(id) ?? Number.NaN)]))
  if (answered.some(({ eventId }) => !latencies.has(eventId))) throw new Error('A delivery has not come.')
  return { ...sample, figures: figuresOf([...latencies.values()]) }
}

/** The tail matters: the slowest percentiles of a hundred deliveries. */
function figuresOf(latencies: readonly number[]): Readonly<Record<string, number>> {
  const sorted = [...latencies].sort((a, b) => a - b)
  const below = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { 'p50 ms': below(0.5), 'p95 ms': below(0.95), 'p99 ms': below(0.99) }
}
