import { Hono, type Context as Request } from 'hono'
import { type Held, isoOf, registerStream, type Storage } from '../../engine/index.ts'
import { baseHeaders, challenge } from '../http/headers.ts'
import { retryLater } from '../http/retry.ts'
import type { QueueState } from './deliveries.ts'
import type { FairQueue } from './fair-queue.ts'
import { isInside, type metricsPort } from './inside.ts'
import { errorFields, type Log } from './log.ts'
import type { MailFailure } from './mail.ts'
import type { ModelState, NodeModels } from './models.ts'

/** The current state of the node, for gauges. */
export interface NodeState {
  /** Open live responses. */
  readonly liveStreams: number
  readonly models: readonly ModelState[]
  /** Events found damaged since the start; absent if the store keeps no checksums. */
  readonly damaged: number | undefined
  readonly areWritesRefused: boolean
  /** Absent if the mail server has taken the last message, or there is none. */
  readonly mailFailure: MailFailure | undefined
  readonly largeCalls: { readonly running: number; readonly waiting: number }
  /** Webhook deliveries of this node that are still to be sent. */
  readonly webhooks: QueueState
  /** Events of the store of which no webhook events could be made; absent where the store does not answer. */
  readonly parkedEvents: number | undefined
  readonly keyExpiries: readonly KeyExpiry[]
  readonly held: readonly Held[]
}

/** When the key of a provider expires (ISO 8601, UTC). */
interface KeyExpiry {
  readonly provider: string
  readonly expiresAt: string
}

/** The metrics in the format of Prometheus. */
export interface MetricsSource {
  readonly contentType: string
  /** Returns how to read them; `look` tells the present state of this node. */
  reader(look: () => Promise<NodeState>): () => Promise<string>
}

/** Dependencies of the health endpoints. */
interface HealthOptions {
  readonly store: Storage
  readonly areWritesRefused: () => boolean
  /** Absent if no e-mails are sent. */
  readonly mailFailure?: (() => MailFailure | undefined) | undefined
  readonly models: Pick<NodeModels, 'state'>
  readonly webhooks: { queue(): Promise<QueueState>; parked(): Promise<number> }
  readonly version: string
  /** Aborted when the server is about to stop. */
  readonly stopping: AbortSignal
  readonly log: Log
  readonly liveStreams: () => number
  readonly largeCalls: Pick<FairQueue, 'state'>
  readonly keyExpiries: () => Promise<readonly KeyExpiry[]>
  /** What this process keeps in memory. */
  readonly held: () => readonly Held[]
  readonly metrics: MetricsSource | undefined
  /** Whether `/metrics` is only for requests that came to its own port. */
  readonly areMetricsApart?: boolean
  /** `OTEP_METRICS_TOKEN`. */
  readonly metricsToken?: string | undefined
}

/**
 * The endpoints for operators: `/healthz` (the process is alive), `/readyz` (the node may receive requests, and reads
 * succeed; with `?writes`, writes too), `/metrics`. From elsewhere than this machine, the last one and the details of
 * `/readyz` need a token.
 */
export function createHealth(options: HealthOptions): Hono {
  const { version, metrics, liveStreams, largeCalls, webhooks, store, areWritesRefused, mailFailure } = options
  const { areMetricsApart, metricsToken } = options
  const state = () => ({
    damaged: store.damaged?.(),
    areWritesRefused: areWritesRefused(),
    mailFailure: mailFailure?.(),
  })
  const look = createProbe(options)
  const app = new Hono()
  app.get('/healthz', () => answer(200, { status: 'alive', version }))
  app.get('/readyz', async (request) => {
    const seen = await look()
    const mustWrite = request.req.query('writes') !== undefined
    const current = state()
    const isFit = seen.isReady && !(mustWrite && current.areWritesRefused)
    const { status, ...details } = statusBody(seen, version)
    return answer(isFit ? 200 : 503, {
      status,
      ...(isInside(request, metricsToken) && {
        ...{ ...details, ...stateBody(current) },
        ...(mailFailure && { mail: mailBody(current.mailFailure) }),
      }),
    })
  })
  if (metrics !== undefined) {
    const present = async (): Promise<NodeState> => {
      const [{ models = [] }, { value = unknownQueue }, { value: parkedEvents }, { value: expiries = [] }] =
        await Promise.all([
          look(),
          within(probeTimeout, webhooks.queue),
          within(probeTimeout, webhooks.parked),
          within(probeTimeout, options.keyExpiries),
        ])
      const now = { liveStreams: liveStreams(), largeCalls: largeCalls.state(), held: options.held(), ...state() }
      return { models, webhooks: value, parkedEvents, keyExpiries: expiries, ...now }
    }
    const text = shared(metrics.reader(present))
    app.get('/metrics', async (request) => {
      if (areMetricsApart && !(request.env as Partial<typeof metricsPort> | undefined)?.isMetricsPort)
        return request.notFound()
      if (!isInside(request, metricsToken)) return refused(metricsToken !== undefined, request)
      return new Response(await text(), { headers: { ...headers, 'Content-Type': metrics.contentType } })
    })
  }
  return app
}

/** What is for the inside alone is not there for others, unless there is a token for it. */
function refused(isForToken: boolean, request: Request): Response | Promise<Response> {
  return isForToken ? new Response(null, { status: 401, headers: { ...headers, ...challenge } }) : request.notFound()
}

/** The state of a queue that cannot be read. */
const unknownQueue = { waiting: Number.NaN, inFlight: Number.NaN }

const headers = { ...baseHeaders, 'Cache-Control': 'no-store' }

function answer(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, ...retryLater(status), 'Content-Type': 'application/json; charset=utf-8' },
  })
}

/** The result of a probe of the node. */
interface NodeStatus {
  readonly isReady: boolean
  readonly isStopping: boolean
  /** Milliseconds that the store took to answer; absent if it did not. */
  readonly storeMs: number | undefined
  /** Absent if they could not be read. */
  readonly models: readonly ModelState[] | undefined
}

function statusBody({ isReady, isStopping, storeMs, models }: NodeStatus, version: string) {
  return {
    status: isReady ? 'ready' : isStopping ? 'stopping' : 'unready',
    version,
    store: storeMs === undefined ? { reachable: false } : { reachable: true, ms: Math.round(storeMs * 100) / 100 },
    ...(models === undefined
      ? {}
      : {
          models: models.map(({ name, version, isCaughtUp, secondsBehind }) => ({
            name,
            version,
            caught_up: isCaughtUp,
            lag_seconds: Math.round(secondsBehind),
          })),
        }),
  }
}

function stateBody({ damaged, areWritesRefused }: Pick<NodeState, 'damaged' | 'areWritesRefused'>): object {
  return { writes: areWritesRefused ? 'refused' : 'accepted', ...(damaged === undefined ? {} : { damaged }) }
}

/** E-mails that fail make no node unready: what it serves needs none. */
function mailBody(failure: MailFailure | undefined): object {
  return failure === undefined ? { failing: false } : { failing: true, ...failure, since: isoOf(failure.since) }
}

/** Time limit for the store and the models, in milliseconds. */
const probeTimeout = 1_000

/**
 * Probes the store and the models. Concurrent callers share a probe, so frequent probes of a hanging store cost little.
 * A model that has caught up once may fall behind later: lookups bring it up to date.
 */
function createProbe({ store, models, stopping, log }: HealthOptions): () => Promise<NodeStatus> {
  let wasCaughtUp = false
  let found: 'starting' | 'there' | 'missing' | 'lost' = 'starting'

  async function look(): Promise<NodeStatus> {
    const isStopping = stopping.aborted
    if (isStopping) return { isReady: false, isStopping, storeMs: undefined, models: undefined }
    const [read, state] = await Promise.all([
      within(probeTimeout, () => readTime(store)),
      within(probeTimeout, () => models.state()),
    ])
    if (store.lost === undefined) noteStore(read.failure)
    noteModels(state.value)
    return { isReady: read.failure === undefined && wasCaughtUp, isStopping, storeMs: read.value, models: state.value }
  }

  /** One line for each change. A store that has not answered yet is not lost. */
  function noteStore(failure: object | undefined) {
    const before = found
    if (failure === undefined) found = 'there'
    else if (found !== 'lost') found = found === 'there' ? 'lost' : 'missing'
    if (found === before) return
    if (found === 'lost') log.error({ ...failure }, 'store lost')
    else if (found === 'missing') log.warn({ ...failure }, 'the store does not answer yet')
    else if (before !== 'starting') log.info({}, 'store is back')
  }

  function noteModels(states: readonly ModelState[] | undefined) {
    if (wasCaughtUp || states === undefined || !states.every((model) => model.wasCaughtUp)) return
    wasCaughtUp = true
    log.info({ models: states.map(({ name, version }) => `${name} ${version}`) }, 'read models are caught up')
  }

  return shared(look)
}

/** Concurrent callers share one call. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** Milliseconds that a small read takes. */
async function readTime(store: Storage): Promise<number> {
  const start = performance.now()
  await store.read(registerStream, { limit: 1 })
  return performance.now() - start
}

/** The answer, or log fields that say why there is none. */
interface ProbeResult<Value> {
  readonly value?: Value
  readonly failure?: object
}

/** The answer, if it arrives within `ms` milliseconds. */
async function within<Value>(ms: number, ask: () => Promise<Value>): Promise<ProbeResult<Value>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ProbeResult<Value>>((resolve) => {
    timer = setTimeout(resolve, ms, { failure: { error: 'timeout', ms } })
  })
  try {
    return await Promise.race([ask().then((value) => ({ value })), late])
  } catch (error) {
    return { failure: errorFields(error) }
  } finally {
    clearTimeout(timer)
  }
}
