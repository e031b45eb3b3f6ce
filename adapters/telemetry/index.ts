import type { Operation } from '../../engine/index.ts'
import type { Config } from '../node/config.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Journeys } from '../node/journeys.ts'
import type { Log } from '../node/log.ts'
import type { Peers } from '../node/peers.ts'
import type { ObserveAnswers } from '../node/server.ts'
import { counted, instrument, together, type Watch } from './instrument.ts'
import { createLog } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOutages, type Outages } from './outages.ts'
import { type Observe, observeAnswers, observeRequests } from './requests.ts'

/** The telemetry of a server. */
export interface Telemetry {
  readonly log: Log
  readonly outages: Outages
  /** Absent if metrics are switched off. */
  readonly metrics: Metrics | undefined
  readonly observe: Observe
  /** For responses that no handler makes; absent if there are spans, which such responses do not have. */
  readonly observeAnswers: ObserveAnswers | undefined
  readonly watch: Watch
  /** Where the spans of journeys are sent; absent if nowhere. */
  readonly journeys: Journeys | undefined
  /** The parts of an engine with measurement; unchanged if nothing is measured. */
  instrument<Given extends ContextParts>(parts: Given): Given
  operations(operations: readonly Operation[]): readonly Operation[]
  /** Flushes logs and spans; takes two seconds at most. */
  close(): Promise<void>
}

/** Creates log, metrics and spans as configured; unused ones are not even loaded. Metrics are those of all peers. */
export async function createTelemetry(
  { logLevel, metrics: isCounting, tracesUrl, journeysUrl, baseUrl }: Config,
  version: string,
  peers?: Peers,
): Promise<Telemetry> {
  const log = createLog(logLevel, undefined, peers?.number)
  const outages = createOutages(log)
  const metrics = isCounting ? createMetrics(version, peers) : undefined
  const tracing =
    tracesUrl && (await (await import('./tracing.ts')).createTracing(tracesUrl, schemeOf(baseUrl), version, log))
  const journeys =
    journeysUrl === undefined ? undefined : await (await import('./journeys.ts')).openJourneys(journeysUrl)
  const watches = [metrics, tracing].flatMap((one) => (one ? [one.watch] : []))
  const watch = together(watches)
  return {
    log,
    outages,
    metrics,
    watch,
    journeys,
    observe: observeRequests({ log, metrics, tracing: tracing || undefined, isStoreLost: outages.isLost }),
    observeAnswers: tracing ? undefined : observeAnswers({ log, metrics }),
    instrument: (parts) => (watches.length === 0 ? parts : instrument(parts, watch)),
    operations: (operations) => (metrics ? operations.map((one) => counted(one, metrics.count)) : operations),
    close: async () => {
      if (tracing) await tracing.close()
      await journeys?.close()
      log.close()
    },
  }
}

/** The scheme of the public address. */
function schemeOf(baseUrl = 'http:'): string {
  return baseUrl.startsWith('https:') ? 'https' : 'http'
}
