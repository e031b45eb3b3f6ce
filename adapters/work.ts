import { setMaxListeners } from 'node:events'
import { hostname } from 'node:os'
import { isoOf, type Policy, type Storage, startLife } from '../engine/index.ts'
import { createAuthenticate } from './auth/index.ts'
import { sweepFiles } from './blobs/sweep.ts'
import { followParcels } from './deadlines/follow-parcels.ts'
import { watchDeadlines } from './deadlines/index.ts'
import type { EngineParts } from './engine.ts'
import type { Mqtt } from './mqtt/index.ts'
import { dropCachedTexts } from './node/cached-texts.ts'
import type { Config } from './node/config.ts'
import { type Heartbeat, isForgotten, type NotedLeases, noteHeld } from './node/heartbeats.ts'
import type { Journeys } from './node/journeys.ts'
import type { Limits } from './node/limits.ts'
import { errorFields, type Log } from './node/log.ts'
import { orElse } from './node/or-else.ts'
import { packageVersion } from './node/version.ts'
import { createPatientLeases, createWait } from './node/wait.ts'
import { newsMailOf } from './pages/track/news/mails.ts'
import { startPolicies } from './policies/index.ts'
import type { Watch } from './telemetry/instrument.ts'

/** What the work of a node reports to. */
interface WorkReports {
  readonly log: Log
  readonly watch: Watch
  /** Where the spans of journeys are sent; absent if nowhere. */
  readonly journeys?: Journeys | undefined
  /** What else follows events, such as what is said by MQTT. */
  readonly policies?: readonly Policy[]
}

/** The work of a node besides answering requests. */
interface Work {
  /** Aborted when the work is about to stop. */
  readonly signal: AbortSignal
  /** Aborted when the parts and the store are about to be closed. */
  readonly closing: AbortSignal
  /** Ends the work, and closes the parts and the store. */
  stop(): Promise<void>
}

/** Starts what a node does besides answering requests: read models, policies, deadlines, webhooks and caches. */
export async function startWork(
  parts: EngineParts,
  store: Storage,
  { log, watch, journeys, policies: added = [] }: WorkReports,
  stopping: readonly AbortSignal[] = [],
): Promise<Work> {
  const close = async () => {
    await parts.messenger.close()
    await parts.webhooks.close()
    await parts.models.close()
    await store.close()
  }
  await orElse(() => parts.webhooks.begin(store.leases), close)
  const ending = new AbortController()
  const signal = AbortSignal.any([...stopping, ending.signal])
  // Every policy listens to it.
  setMaxListeners(0, signal)
  const wait = createWait(store)
  parts.models.start(signal, wait)
  dropCachedTexts(signal)
  const name = parts.randomId()
  const noted = noteHeld(store.leases, name)
  const leases = createPatientLeases(noted.leases, store, signal)
  const clock = { signal, now: () => performance.now(), wait }
  const life = startLife(store.leases, {
    ...{ ...clock, name, told: heartbeatOf(parts, name, noted, () => wait(longestLook, signal)) },
    isForgotten: (told) => isForgotten(told, parts.clock()),
    failed: (error) => log.warn(errorFields(error), 'the node could not show that it lives'),
  })
  const run = { ...clock, log, life }
  const policies = startPolicies({ ...parts, writeNews: newsMailOf, journeys, added }, { ...store, leases }, run)
  const following = followParcels(parts, { ...run, leases })
  const deadlines = ([undefined, 'carriers', 'pools'] as const).map((apart) => watchDeadlines(parts, run, apart))
  const clocks = [...deadlines, sweepFiles(parts, run), following]
  const sending = parts.webhooks.run({ ...run, leases, watch })
  return {
    signal,
    closing: ending.signal,
    stop: async () => {
      ending.abort()
      parts.carriers.close()
      await parts.singleSignOn.close()
      await Promise.all([policies, ...clocks, sending, life.ended])
      await close()
    },
  }
}

/** Milliseconds that a sign of life waits for how far the read models are. */
const longestLook = 1_000

/** How a node says how it is. It lives also while its read models take long, or fail. */
function heartbeatOf(
  { models, clock, server }: EngineParts,
  name: string,
  { held }: NotedLeases,
  patience: () => Promise<void>,
): () => Promise<Heartbeat> {
  const own = { name, host: hostname(), pid: process.pid, version: packageVersion(), since: isoOf(clock()) }
  let states: Heartbeat['models'] = []
  let looking: Promise<void> | undefined
  async function look(): Promise<void> {
    states = (await models.state()).map(({ wasCaughtUp: _, looks: __, ...state }) => state)
  }
  return async () => {
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined
      })
    await Promise.race([looking, patience()])
    return { ...own, at: isoOf(clock()), leases: held(), models: states, ingest: server.counted() }
  }
}

/** The parts of a node, and its limits. */
type LimitedParts = EngineParts & { readonly limits: Limits }

/** Starts the work of a node, and MQTT if that is configured. */
export async function startWithMqtt(
  config: Config,
  parts: LimitedParts,
  store: Storage,
  reports: WorkReports,
  stopping: readonly AbortSignal[],
): Promise<Work> {
  const mqtt = await speakMqtt(config, parts, store, reports.log)
  const work = await startWork(parts, store, { ...reports, policies: mqtt?.policies ?? [] }, stopping)
  return {
    ...work,
    stop: async () => {
      await mqtt?.close()
      await work.stop()
    },
  }
}

async function speakMqtt(
  { mqtt: setting, host, outsideIssuer }: Config,
  { limits, ...parts }: LimitedParts,
  store: Storage,
  log: Log,
): Promise<Mqtt | undefined> {
  if (setting === undefined) return undefined
  const { startMqtt } = await import('./mqtt/index.ts')
  const { observations } = await import('./rest/sensorthings/observations.ts')
  const authenticate = createAuthenticate(parts, () => {}, outsideIssuer)
  const mqtt = await startMqtt(setting, {
    ...{ parts, authenticate, limits, observations, log, host, wait: createWait(store) },
  })
  if (mqtt.port !== undefined) log.info({ port: mqtt.port }, 'MQTT is spoken')
  return mqtt
}
