import { setMaxListeners } from 'node:events'
import {
  checkCondition,
  checkQuery,
  EngineError,
  type EventStore,
  isEngineError,
  type ReadModel,
  type ReadModels,
  type Storage,
} from '../../../engine/index.ts'
import type { ModelState, NodeModels } from '../../node/models.ts'
import type { StartReader } from '../../node/start-log.ts'
import { wait as waitFor } from '../../node/wait.ts'
import { advance } from './advance.ts'
import { type CatchUp, createCatchUp } from './catch-up.ts'
import { stands } from './evidence.ts'
import type { LastApplied } from './generations.ts'
import { openModels } from './open.ts'
import { createTables, type Tables } from './tables.ts'

/** Options of the read models. */
export interface ReadModelOptions {
  readonly store: EventStore
  readonly models: readonly ReadModel[]
  /** The file of this node, opened on first use; in memory if absent. */
  readonly file?: string
  /** The name of the store without credentials; tables of another store are discarded. */
  readonly name?: string
  /** `Storage.identity`: tables of another history are discarded. */
  readonly identity?: Storage['identity']
  /** Called if the file had tables of another history. */
  readonly onOtherHistory?: (() => void) | undefined
  /** Called for each model when this process has first brought it to the end of the store. */
  readonly onCaughtUp?: ((reader: StartReader) => void) | undefined
}

interface Opened {
  readonly store: EventStore
  readonly tables: Tables
  readonly catchUp: CatchUp
  readonly closing: AbortSignal
}

/** Milliseconds that a lookup waits for a model; short while it is being built, because that takes long. */
const lookupTimeouts = { serving: 2_000, building: 200 }

/** Milliseconds before a follower retries after a failure; doubled each time. */
const retryDelay = { first: 1_000, longest: 30_000 }

/** The read models of a node, in SQLite. */
export function createReadModels(options: ReadModelOptions): NodeModels {
  const { store, models } = options
  const ending = new AbortController()
  const closing = ending.signal
  let opening: Promise<Opened> | undefined

  async function open(): Promise<Opened> {
    try {
      const tables = await openTables(options)
      return { store, tables, catchUp: createCatchUp(store, tables, closing, options.onCaughtUp), closing }
    } catch (error) {
      // Do not cache the failure: the store or the disk may be back next time.
      opening = undefined
      throw error
    }
  }

  async function whileOpen<Result>(body: (opened: Opened) => Result | Promise<Result>): Promise<Result> {
    if (closing.aborted) throw new EngineError('store_unavailable')
    opening ??= open()
    return body(await opening)
  }

  const lookUps = createLookUps(whileOpen)

  async function close() {
    if (closing.aborted) return
    ending.abort()
    const opened = await opening?.catch(() => undefined)
    opened?.tables.close()
  }

  return {
    ...lookUps(store),
    forRequest: lookUps,
    models,
    start: (signal, wait = waitFor) => {
      const until = endedBy(signal, closing)
      for (const model of models)
        void retryForever(until, wait, (calm) => whileOpen(({ catchUp }) => catchUp.follow(model, until, calm)))
    },
    state: () => whileOpen((opened) => Promise.all(models.map((model) => stateOf(opened, model)))).catch(refuse),
    scan: (model, after, limit) => whileOpen(({ tables }) => tables.scan(model, after, limit) ?? []).catch(refuse),
    count: (model) => whileOpen(({ tables }) => countOf(tables, model)).catch(refuse),
    rebuild: (model, signal, onPage = () => {}) =>
      whileOpen((opened) => rebuild(opened, model, signal, onPage)).catch(refuse),
    close,
  }
}

type WhileOpen = <Result>(body: (opened: Opened) => Result | Promise<Result>) => Promise<Result>

/** The look-ups, which reach the end that a store tells: the store of the models, or the view of it for a request. */
function createLookUps(whileOpen: WhileOpen): (store: Pick<EventStore, 'latest'>) => ReadModels {
  return ({ latest }) => {
    function lookUp<Found>(model: ReadModel, look: Look<Found>, patience?: number): Promise<Found> {
      return whileOpen((opened) => found(opened, model, look, latest, patience)).catch(refuse)
    }

    return {
      rows: (model, where, limit = -1, patience) =>
        lookUp(model, (tables, target) => tables.rows(model, where, limit, target), patience),
      page: async (model, query) => {
        checkQuery(model, query)
        return lookUp(model, (tables, target) => tables.page(model, query, target))
      },
      counts: async (model, by, condition = {}) => {
        checkCondition(model, condition, by)
        return lookUp(model, (tables, target) => tables.counts(model, by, condition, target))
      },
    }
  }
}

/** Each model listens to this signal, and Node takes more than ten listeners for a leak. */
function endedBy(...signals: AbortSignal[]): AbortSignal {
  const until = AbortSignal.any(signals)
  setMaxListeners(0, until)
  return until
}

/** Looks something up in the tables; returns `undefined` if the model has not reached `target`. */
type Look<Found> = (tables: Tables, target: string | undefined) => Found | undefined

async function found<Found>(
  { tables, catchUp }: Opened,
  model: ReadModel,
  look: Look<Found>,
  latest: EventStore['latest'],
  patience = Number.POSITIVE_INFINITY,
): Promise<Found> {
  const target = await latest()
  const lookNow = () => (catchUp.hasSeenEnd(model) ? look(tables, target) : undefined)
  const atOnce = lookNow()
  if (atOnce !== undefined) return atOnce
  const timeout = tables.serving(model) === undefined ? lookupTimeouts.building : lookupTimeouts.serving
  await catchUp.reach(model, target, Math.min(timeout, patience))
  const later = lookNow()
  if (later === undefined) throw new EngineError('store_unavailable')
  return later
}

async function stateOf({ tables, catchUp }: Opened, model: ReadModel): Promise<ModelState> {
  const isCaughtUp = await catchUp.reachEnd(model, lookupTimeouts.building)
  const { reach } = tables.serving(model) ?? tables.building(model)
  return {
    name: model.name,
    version: model.version,
    checkpoint: reach ?? undefined,
    isCaughtUp,
    wasCaughtUp: catchUp.hasSeenEnd(model),
    secondsBehind: isCaughtUp ? 0 : catchUp.secondsSince(model),
    looks: catchUp.looks(model),
  }
}

function countOf(tables: Tables, model: ReadModel): number {
  const serving = tables.serving(model)
  return serving === undefined ? 0 : tables.count(model, serving.generation)
}

async function rebuild(
  { store, tables, closing }: Opened,
  model: ReadModel,
  signal: AbortSignal,
  onPage: (rows: number) => void,
): Promise<boolean> {
  const until = AbortSignal.any([signal, closing])
  const { generation } = tables.building(model)
  let rows = tables.count(model, generation)
  while (!until.aborted) {
    const serving = tables.serving(model)
    if (serving !== undefined && serving.generation >= generation) return true
    await advance({ store, tables, model }, tables.building(model), until, (events) => {
      rows += events
      onPage(rows)
    })
  }
  return false
}

/** Retries until `signal` is aborted; the delay is reset when an attempt reports success. */
async function retryForever(
  signal: AbortSignal,
  wait: typeof waitFor,
  attempt: (calm: () => void) => Promise<void>,
): Promise<void> {
  let delay = retryDelay.first
  while (!signal.aborted) {
    await attempt(() => {
      delay = retryDelay.first
    }).catch(() => {})
    await wait(delay, signal)
    delay = Math.min(2 * delay, retryDelay.longest)
  }
}

/** Opens a file and checks that its tables belong to this store; discards those that do not. */
async function openTables(options: ReadModelOptions): Promise<Tables> {
  const { store, file = ':memory:', name = '', identity, onOtherHistory } = options
  const history = await identity?.()
  const database = openModels(file)
  try {
    const tables = createTables(database, name)
    if (history !== undefined && tables.claim(history) > 0) onOtherHistory?.()
    tables.rewind(await knownIn(store, tables))
    return tables
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Up to where the store holds what it held when the tables were made. Where an older backup was put back, positions are
 * given out again: after the last event that was applied to any table it may have been, and where one of those events is
 * gone, its table is thrown away and nothing is known of the others but their own last event.
 */
async function knownIn(store: EventStore, tables: Tables): Promise<string> {
  const applied = tables.lastApplied()
  const gone: LastApplied[] = []
  for (const last of applied) if (!(await stands(store, last))) gone.push(last)
  for (const { generation } of gone) tables.drop(generation)
  return gone.length > 0
    ? ''
    : (applied
        .map(({ position }) => position)
        .sort()
        .at(-1) ?? '')
}

/** Whatever is wrong with the file, the events are intact: the caller can do without it, or retry later. */
function refuse(error: unknown): never {
  if (isEngineError(error)) throw error
  const failure = new EngineError('store_unavailable')
  failure.cause = error
  throw failure
}
