import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { MetricsSource, NodeState } from '../node/health.ts'
import type { Peers } from '../node/peers.ts'
import { createAttempts } from './attempts.ts'
import { createDurations } from './durations.ts'
import type { Count, Watch } from './instrument.ts'

/** The metrics. Labels are routes, formats, codes and names of providers, never values that a caller chooses. */
export interface Metrics extends MetricsSource {
  readonly watch: Watch
  readonly count: Count
  /** Counts a refusal by the limit that was met. */
  refused(limit: string): void
  /** Counts a forwarded address that is ignored, because its peer is not a trusted proxy. */
  ignoredForwarding(): void
  /** Counts a response by route, method and status class (`2xx`); `seconds` until its end. */
  answered(method: string, route: string, status: string, seconds: number): void
}

/** Creates the metrics: those of this process, or of a server of several processes together. */
export function createMetrics(version: string, peers?: Peers): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const observeRequest = createDurations(registry, {
    ...{ name: 'otep_http_request_duration_seconds', help: 'Requests by route, to the end of the answer.' },
    labels: ['method', 'route', 'status'],
  })
  const observeCall = createDurations(registry, {
    ...{ name: 'otep_store_call_duration_seconds', help: 'Appends to the store and reads of it, by outcome.' },
    labels: ['call', 'outcome'],
  })
  const appended = new Counter({ name: 'otep_store_appended_events_total', help: 'Events appended.', registers })
  const observeProjection = createDurations(registry, {
    ...{ name: 'otep_projection_duration_seconds', help: 'Timelines written in a format.' },
    labels: ['format', 'outcome'],
  })
  const observeAttempt = createAttempts(registry)
  const ingested = new Counter({
    ...{ name: 'otep_ingest_events_total', help: 'Events that were pushed, by what became of them.' },
    ...{ labelNames: ['outcome'], registers },
  })
  const refused = new Counter({
    ...{ name: 'otep_refused_requests_total', help: 'Requests and connections refused, by the limit that was met.' },
    ...{ labelNames: ['limit'], registers },
  })
  const ignored = new Counter({
    ...{ name: 'otep_untrusted_forwarding_total', help: 'Forwarded addresses of peers that are not trusted proxies.' },
    registers,
  })
  const build = new Gauge({
    ...{ name: 'otep_build_info', help: 'The version.', labelNames: ['version', 'node'] },
    ...{ registers, aggregator: 'first' },
  })
  build.set({ version, node: process.versions.node }, 1)
  new Gauge({ name: 'otep_processes', help: 'Processes that serve the port.', registers }).set(1)
  const tell = createGauges(registry)
  return {
    watch: (work) => {
      const start = performance.now()
      return ({ outcome }) => {
        const seconds = (performance.now() - start) / 1000
        if (work.kind === 'project') return observeProjection(seconds, work.format, outcome)
        if (work.kind === 'attempt') return observeAttempt(seconds, work, outcome)
        observeCall(seconds, work.kind, outcome)
        if (work.kind === 'append' && outcome === 'ok') appended.inc(work.events)
      }
    },
    count: (outcome, events) => ingested.inc({ outcome }, events),
    refused: (limit) => refused.inc({ limit }),
    ignoredForwarding: () => ignored.inc(),
    answered: (method, route, status, seconds) => observeRequest(seconds, method, route, status),
    reader: (look) => readerOf(registry, async () => tell(await look()), peers),
    contentType: registry.contentType,
  }
}

/** Sets gauges to the present state of the node. */
type Tell = (present: NodeState) => void

function createGauges(registry: Registry): Tell {
  const gauges = [createPresentGauges, createMailGauge, createMemoryGauges].map((create) => create(registry))
  return (present) => {
    for (const tell of gauges) tell(present)
  }
}

/** Milliseconds that other processes have to tell their metrics. */
const tellingTime = 2_000

/** Returns how to read the metrics of all processes; `refresh` sets the gauges of this one. */
function readerOf(registry: Registry, refresh: () => Promise<void>, peers: Peers | undefined): () => Promise<string> {
  const own = async () => {
    await refresh()
    return registry.getMetricsAsJSON()
  }
  if (peers === undefined) return () => refresh().then(() => registry.metrics())
  peers.answer('metrics', own)
  return async () => {
    const [mine, others] = await Promise.all([own(), peers.ask('metrics', tellingTime)])
    return AggregatorRegistry.aggregate([mine, ...(others as (typeof mine)[])]).metrics()
  }
}

function createMailGauge(registry: Registry): Tell {
  const mail = new Gauge({
    ...{ name: 'otep_mail_failing_since_timestamp_seconds', help: 'Since when no e-mail was taken.' },
    ...{ labelNames: ['fault'], registers: [registry], aggregator: 'min' },
  })
  return ({ mailFailure }) => {
    mail.reset()
    if (mailFailure !== undefined) mail.set({ fault: mailFailure.fault }, mailFailure.since / 1000)
  }
}

function createMemoryGauges(registry: Registry): Tell {
  const [labelNames, registers] = [['structure'], [registry]]
  const bytesHeld = new Gauge({
    ...{ name: 'otep_memory_held_bytes', help: 'What is kept in memory, estimated, by structure.' },
    ...{ labelNames, registers },
  })
  const bound = new Gauge({
    ...{ name: 'otep_memory_bound_bytes', help: 'The most that a structure keeps.', labelNames, registers },
  })
  return ({ held }) => {
    for (const { structure, bytes, most } of held) {
      bytesHeld.set({ structure }, bytes)
      bound.set({ structure }, most)
    }
  }
}

function createPresentGauges(registry: Registry): Tell {
  const registers = [registry]
  const labelNames = ['model']
  const live = new Gauge({ name: 'otep_live_streams', help: 'Live answers that are open.', registers })
  const caughtUp = new Gauge({
    ...{ name: 'otep_read_model_caught_up', help: '1 where a read model has seen every event.' },
    ...{ labelNames, registers, aggregator: 'min' },
  })
  const lag = new Gauge({
    ...{ name: 'otep_read_model_lag_seconds', help: 'Since a read model had seen every event.' },
    ...{ labelNames, registers, aggregator: 'max' },
  })
  const large = new Gauge({
    ...{ name: 'otep_large_calls', help: 'Large calls that run, and that wait for a turn.' },
    ...{ labelNames: ['state'], registers },
  })
  const waiting = new Gauge({
    ...{ name: 'otep_webhook_deliveries_waiting', help: 'Deliveries that this node is to send.', registers },
  })
  const inFlight = new Gauge({
    ...{ name: 'otep_webhook_attempts_in_flight', help: 'Attempts to deliver under way.', registers },
  })
  const parked = new Gauge({
    ...{ name: 'otep_webhook_events_parked', help: 'Events of which no webhook events could be made.' },
    ...{ registers, aggregator: 'max' },
  })
  const damages = new Gauge({
    ...{ name: 'otep_store_damaged_events', help: 'Events found damaged since the start.' },
    ...{ registers, aggregator: 'max' },
  })
  const refused = new Gauge({
    ...{ name: 'otep_store_writes_refused', help: '1 if the store refused the last write.' },
    ...{ registers, aggregator: 'max' },
  })
  const keys = new Gauge({
    ...{ name: 'otep_provider_key_expires_timestamp_seconds', help: 'When the key of a provider expires.' },
    ...{ labelNames: ['provider'] },
    ...{ registers, aggregator: 'first' },
  })
  return (present) => {
    const { liveStreams, largeCalls, models, webhooks, parkedEvents, damaged, areWritesRefused, keyExpiries } = present
    keys.reset()
    for (const { provider, expiresAt } of keyExpiries) keys.set({ provider }, Date.parse(expiresAt) / 1000)
    damages.set(damaged ?? Number.NaN)
    refused.set(areWritesRefused ? 1 : 0)
    live.set(liveStreams)
    large.set({ state: 'running' }, largeCalls.running)
    large.set({ state: 'waiting' }, largeCalls.waiting)
    waiting.set(webhooks.waiting)
    inFlight.set(webhooks.inFlight)
    parked.set(parkedEvents ?? Number.NaN)
    for (const { name, isCaughtUp, secondsBehind } of models) {
      caughtUp.set({ model: name }, isCaughtUp ? 1 : 0)
      lag.set({ model: name }, secondsBehind)
    }
  }
}
