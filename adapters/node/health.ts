import { Hono } from 'hono'
import { registerStream, type Storage } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import type { QueueState } from './deliveries.ts'
import { errorFields, type Log } from './log.ts'
import type { ModelState, NodeModels } from './models.ts'

/** What is so at the moment that is asked about. */
export interface Present {
  /** Answers that stay open and tell changes. */
  readonly liveStreams: number
  readonly models: readonly ModelState[]
  /** What this node is still to send. */
  readonly webhooks: QueueState
}

/** What has been counted, as Prometheus reads it. */
export interface Counts {
  readonly contentType: string
  text(present: Present): Promise<string>
}

/** What the health of a node is told from. */
export interface HealthOptions {
  readonly store: Storage
  readonly models: Pick<NodeModels, 'state'>
  readonly webhooks: { queue(): Promise<QueueState> }
  readonly version: string
  /** Aborted when the server is about to stop. */
  readonly stopping: AbortSignal
  readonly log: Log
  readonly liveStreams: () => number
  readonly metrics: Counts | undefined
}

/**
 * For whom looks after the server: `/healthz` answers as long as the process can, `/readyz` tells whether it is to be
 * given requests, `/metrics` what has been counted.
 */
export function createHealth(options: HealthOptions): Hono {
  const { version, metrics, liveStreams, webhooks } = options
  const look = createLook(options)
  const app = new Hono()
  app.get('/healthz', () => answer(200, { status: 'alive', version }))
  app.get('/readyz', async () => {
    const seen = await look()
    return answer(seen.isReady ? 200 : 503, told(seen, version))
  })
  if (metrics !== undefined) {
    const text = shared(async () => {
      const [{ models = [] }, { value = nothing }] = await Promise.all([look(), within(patience, webhooks.queue)])
      return metrics.text({ liveStreams: liveStreams(), models, webhooks: value })
    })
    app.get('/metrics', async () => {
      return new Response(await text(), { headers: { ...headers, 'Content-Type': metrics.contentType } })
    })
  }
  return app
}

/** What is said of a queue that cannot be looked at. */
const nothing = { waiting: Number.NaN, inFlight: Number.NaN }

const headers = { ...baseHeaders, 'Cache-Control': 'no-store' }

function answer(status: number, body: object): Response {
  const retry = status === 503 ? { 'Retry-After': '1' } : {}
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, ...retry, 'Content-Type': 'application/json; charset=utf-8' },
  })
}

/** What a look at the node has shown. */
interface Seen {
  readonly isReady: boolean
  readonly isStopping: boolean
  /** How long the store took to answer, in milliseconds; nothing where it did not. */
  readonly storeMs: number | undefined
  /** Nothing where they could not be asked. */
  readonly models: readonly ModelState[] | undefined
}

function told({ isReady, isStopping, storeMs, models }: Seen, version: string): object {
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

/** How long the store and the models may take to answer, in milliseconds. */
const patience = 1_000

/**
 * Looks at the store and the models; those who ask at the same time share a look, so that asking often, or asking what
 * does not answer, costs little. A model that was caught up once may fall behind: look-ups bring it up themselves.
 */
function createLook({ store, models, stopping, log }: HealthOptions): () => Promise<Seen> {
  let wasCaughtUp = false
  let isLost = false

  async function look(): Promise<Seen> {
    const isStopping = stopping.aborted
    if (isStopping) return { isReady: false, isStopping, storeMs: undefined, models: undefined }
    const [read, state] = await Promise.all([
      within(patience, () => readTime(store)),
      within(patience, () => models.state()),
    ])
    noteStore(read.failure)
    noteModels(state.value)
    return { isReady: !isLost && wasCaughtUp, isStopping, storeMs: read.value, models: state.value }
  }

  function noteStore(failure: object | undefined) {
    if ((failure !== undefined) === isLost) return
    isLost = !isLost
    if (isLost) log.error({ ...failure }, 'store lost')
    else log.info({}, 'store is back')
  }

  function noteModels(states: readonly ModelState[] | undefined) {
    if (wasCaughtUp || states === undefined || !states.every((model) => model.wasCaughtUp)) return
    wasCaughtUp = true
    log.info({ models: states.map(({ name, version }) => `${name} ${version}`) }, 'read models are caught up')
  }

  return shared(look)
}

/** Asks once for all who ask at the same time. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** How long a small read takes, in milliseconds. */
async function readTime(store: Storage): Promise<number> {
  const start = performance.now()
  await store.read(registerStream, { limit: 1 })
  return performance.now() - start
}

/** What was answered, or what may be told of why it was not. */
interface Asked<Value> {
  readonly value?: Value
  readonly failure?: object
}

/** What comes in time. */
async function within<Value>(ms: number, ask: () => Promise<Value>): Promise<Asked<Value>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Asked<Value>>((resolve) => {
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
