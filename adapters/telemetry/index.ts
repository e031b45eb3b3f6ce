import type { Operation } from '../../engine/index.ts'
import type { Config } from '../node/config.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import { counted, instrument, together, type Watch } from './instrument.ts'
import { createLog } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type Observe, observeRequests } from './requests.ts'

/** What watches a server at work. */
export interface Telemetry {
  readonly log: Log
  /** Absent where they are switched off. */
  readonly metrics: Metrics | undefined
  readonly observe: Observe
  readonly watch: Watch
  /** The parts of an engine, as they are watched; the same where nothing is measured. */
  instrument<Given extends ContextParts>(parts: Given): Given
  operations(operations: readonly Operation[]): readonly Operation[]
  /** Writes and sends what waits; two seconds at most. */
  close(): Promise<void>
}

/** Log, metrics and spans as they are configured; what is not wanted is not even loaded. */
export async function createTelemetry(
  { logLevel, metrics: isCounting, tracesUrl, baseUrl }: Config,
  version: string,
): Promise<Telemetry> {
  const log = createLog(logLevel)
  const metrics = isCounting ? createMetrics(version) : undefined
  const tracing =
    tracesUrl && (await (await import('./tracing.ts')).createTracing(tracesUrl, schemeOf(baseUrl), version, log))
  const watches = [metrics, tracing].flatMap((one) => (one ? [one.watch] : []))
  const watch = together(watches)
  return {
    log,
    metrics,
    watch,
    observe: observeRequests({ log, metrics, tracing: tracing || undefined }),
    instrument: (parts) => (watches.length === 0 ? parts : instrument(parts, watch)),
    operations: (operations) => (metrics ? operations.map((one) => counted(one, metrics.count)) : operations),
    close: async () => {
      if (tracing) await tracing.close()
      log.close()
    },
  }
}

/** How callers reach the server. */
function schemeOf(baseUrl = 'http:'): string {
  return baseUrl.startsWith('https:') ? 'https' : 'http'
}
