import {
  type EventStore,
  isEngineError,
  type Operation,
  type Projection,
  type Timeline,
  wrapStore,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** A measured piece of work. */
export type Work =
  | { readonly kind: 'append'; readonly streams: number; readonly events: number }
  | { readonly kind: 'read' }
  | { readonly kind: 'project'; readonly format: string; readonly events: number }
  | { readonly kind: 'attempt'; readonly channel: string; readonly endpoint: string }

/** The result of a piece of work: `ok`, the code of a refusal, or `failed`. */
interface Outcome {
  readonly outcome: string
  /** Number of events that a read returned. */
  readonly events?: number
}

/** Called when a piece of work starts; the returned function is called when it ends. */
export type Watch = (work: Work) => (ended: Outcome) => void

/** Combines several watches. */
export function together(watches: readonly Watch[]): Watch {
  const [one, ...others] = watches
  if (one === undefined) return () => () => {}
  if (others.length === 0) return one
  return (work) => {
    const ends = watches.map((watch) => watch(work))
    return (ended) => {
      for (const end of ends) end(ended)
    }
  }
}

/** Adds measurement to the store and the formats of an engine. */
export function instrument<Given extends ContextParts>(parts: Given, watch: Watch): Given {
  const [first, ...others] = parts.formats
  const watched = (format: Projection) => watchedFormat(format, watch)
  return {
    ...parts,
    store: wrapStore(parts.store, (store) => watchedCalls(store, watch)),
    formats: [watched(first), ...others.map(watched)],
  }
}

function watchedCalls(store: EventStore, watch: Watch): Pick<EventStore, 'append' | 'appendMany' | 'read'> {
  return {
    append: (stream, events, expected) =>
      watched(watch, { kind: 'append', streams: 1, events: events.length }, () =>
        store.append(stream, events, expected),
      ),
    appendMany: (appends) => {
      const events = appends.reduce((sum, append) => sum + append.events.length, 0)
      return watched(watch, { kind: 'append', streams: appends.length, events }, () => store.appendMany(appends))
    },
    read: (stream, range) => watched(watch, { kind: 'read' }, () => store.read(stream, range)),
  }
}

function watched<Result extends object>(watch: Watch, work: Work, run: () => Promise<Result>): Promise<Result> {
  const end = watch(work)
  // No `await`, which would make three promises of each read.
  return run().then(
    (result) => {
      end({ outcome: 'ok', ...(work.kind === 'read' && Array.isArray(result) ? { events: result.length } : {}) })
      return result
    },
    (error: unknown) => {
      end({ outcome: outcomeOf(error) })
      throw error
    },
  )
}

function watchedFormat(format: Projection, watch: Watch): Projection {
  function begin({ events }: Timeline) {
    return watch({ kind: 'project', format: format.name, events: events.length })
  }

  function whole<Result>(timeline: Timeline, make: () => Result): Result {
    const end = begin(timeline)
    try {
      const result = make()
      end({ outcome: 'ok' })
      return result
    } catch (error) {
      end({ outcome: outcomeOf(error) })
      throw error
    }
  }

  function* inSteps<Step, Result>(timeline: Timeline, make: () => Iterable<Step, Result>): Generator<Step, Result> {
    const end = begin(timeline)
    let outcome = 'aborted'
    try {
      const result = yield* make()
      outcome = 'ok'
      return result
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      end({ outcome })
    }
  }

  const { steps } = format
  return {
    ...format,
    project: (timeline, target) => whole(timeline, () => format.project(timeline, target)),
    write: (timeline, target) => whole(timeline, () => format.write(timeline, target)),
    pieces: (timeline, target) => inSteps(timeline, () => format.pieces(timeline, target)),
    ...(steps && { steps: (timeline, target) => inSteps(timeline, () => steps(timeline, target)) }),
    representations: format.representations.map(({ pieces, ...representation }) => ({
      ...representation,
      ...(pieces && { pieces: (timeline, target) => inSteps(timeline, () => pieces(timeline, target)) }),
    })),
  }
}

function outcomeOf(error: unknown): string {
  return isEngineError(error) ? error.code : 'failed'
}

/** Called with the number of ingested events by outcome: `accepted`, `rejected` and so on. */
export type Count = (outcome: string, events: number) => void

const outcomes = ['accepted', 'duplicate', 'enriched', 'rejected', 'withheld', 'ignored']

/** An operation whose ingest outcomes are counted. */
export function counted(operation: Operation, count: Count): Operation {
  if (!operation.scopes.includes('otep:ingest')) return operation
  return {
    ...operation,
    handle: async (context, input) => {
      const answer = await operation.handle(context, input)
      const data = (answer.data ?? {}) as Readonly<Record<string, unknown>>
      for (const outcome of outcomes) {
        const events = data[outcome]
        if (typeof events === 'number' && events > 0) count(outcome, events)
      }
      return answer
    },
  }
}
