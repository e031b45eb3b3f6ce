import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Counts, Present } from '../health.ts'
import type { Count, Watch } from './instrument.ts'

/** What is counted. Labels are routes, formats and codes, never what a caller chooses. */
export interface Metrics extends Counts {
  readonly watch: Watch
  readonly count: Count
  /** Counts an answer by its route, method and class of status (`2xx`); `seconds` to its end. */
  answered(method: string, route: string, status: string, seconds: number): void
}

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts from zero. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    ...{ name: 'otep_http_request_duration_seconds', help: 'Requests by route, to the end of the answer.' },
    ...{ labelNames: ['method', 'route', 'status'], buckets, registers },
  })
  const calls = new Histogram({
    ...{ name: 'otep_store_call_duration_seconds', help: 'Appends to the store and reads of it, by outcome.' },
    ...{ labelNames: ['call', 'outcome'], buckets, registers },
  })
  const appended = new Counter({ name: 'otep_store_appended_events_total', help: 'Events appended.', registers })
  const projections = new Histogram({
    ...{ name: 'otep_projection_duration_seconds', help: 'Timelines written in a format.' },
    ...{ labelNames: ['format', 'outcome'], buckets, registers },
  })
  const ingested = new Counter({
    ...{ name: 'otep_ingest_events_total', help: 'Events that were pushed, by what became of them.' },
    ...{ labelNames: ['outcome'], registers },
  })
  const build = new Gauge({ name: 'otep_build_info', help: 'The version.', labelNames: ['version', 'node'], registers })
  build.set({ version, node: process.versions.node }, 1)
  const tell = createPresentGauges(registry)
  return {
    watch: (work) => {
      const start = performance.now()
      return ({ outcome }) => {
        const seconds = (performance.now() - start) / 1000
        if (work.kind === 'project') return projections.observe({ format: work.format, outcome }, seconds)
        calls.observe({ call: work.kind, outcome }, seconds)
        if (work.kind === 'append' && outcome === 'ok') appended.inc(work.events)
      }
    },
    count: (outcome, events) => ingested.inc({ outcome }, events),
    answered: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    text: (present) => {
      tell(present)
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

function createPresentGauges(registry: Registry): (present: Present) => void {
  const registers = [registry]
  const labelNames = ['model']
  const live = new Gauge({ name: 'otep_live_streams', help: 'Live answers that are open.', registers })
  const caughtUp = new Gauge({
    ...{ name: 'otep_read_model_caught_up', help: '1 where a read model has seen every event.', labelNames, registers },
  })
  const lag = new Gauge({
    ...{ name: 'otep_read_model_lag_seconds', help: 'Since a read model had seen every event.', labelNames, registers },
  })
  return ({ liveStreams, models }) => {
    live.set(liveStreams)
    for (const { name, isCaughtUp, secondsBehind } of models) {
      caughtUp.set({ model: name }, isCaughtUp ? 1 : 0)
      lag.set({ model: name }, secondsBehind)
    }
  }
}
