import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { NewEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { versionOf } from '../../kernel/upcast.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import {
  type Assignment,
  assignmentsOf,
  type Identifier,
  type IdentifierAssigned,
  identifierStream,
} from './identifiers.ts'
import type { TrackingState } from './reducer.ts'
import { upcasts } from './upcasts.ts'

/** A stream as one call sees it: its state with what the call adds, and where it stood when it was read. */
interface Held<State> {
  state: State
  readonly revision: number
  readonly added: NewEvent[]
}

/** Timelines that one call after another works on, so that each need not be read from its beginning every time. */
export interface Known {
  /** Takes the timeline out, if it is here: who has it may change it. */
  take(stream: StreamName): { readonly state: TrackingState; readonly revision: number } | undefined
  /** Keeps a timeline as it stands in the store at this revision, if there is room. */
  keep(stream: StreamName, state: TrackingState, revision: number): void
}

/** Room for timelines of so many events together. */
export function createKnown(limit: number): Known {
  const states = new Map<StreamName, { readonly state: TrackingState; readonly revision: number }>()
  let size = 0
  return {
    take(stream) {
      const known = states.get(stream)
      if (known === undefined) return undefined
      states.delete(stream)
      size -= known.state.entries.size
      return known
    },
    keep(stream, state, revision) {
      if (size + state.entries.size > limit) return
      states.set(stream, { state, revision })
      size += state.entries.size
    },
  }
}

const nothingKnown: Known = { take: () => undefined, keep: () => {} }

/** What one call reads and what it is going to append; thrown away and made anew when another writer was faster. */
export interface Workspace {
  assignments(identifier: Identifier): Promise<readonly Assignment[]>
  assign(identifier: Identifier, timeline: StreamName, from: number | undefined): Promise<void>
  timeline(stream: StreamName): Promise<TrackingState>
  record(stream: StreamName, events: readonly TrackingEvent[]): Promise<void>
  /** Everything to be appended, one entry a stream. */
  appends(): readonly Append[]
  /** After these were appended: leaves the timelines to the next call. */
  leave(): void
}

/** Begins a call of a context: who caused its events, and the request that did, are written on every one of them. */
export function createWorkspace(
  { store, caller, requestId, randomId }: Context,
  known: Known = nothingKnown,
): Workspace {
  const identifiers = new Map<StreamName, Held<Assignment[]>>()
  const timelines = new Map<StreamName, Held<TrackingState>>()
  const cause = { actor: `${caller.kind}:${caller.name}`, correlationId: requestId }

  function dressed<E extends TrackingEvent | IdentifierAssigned>(event: E): NewEvent<E> {
    return { ...event, id: randomId(), metadata: { ...cause, schemaVersion: versionOf(event.type, upcasts) } }
  }

  async function heldIdentifier(stream: StreamName) {
    const held = identifiers.get(stream)
    if (held !== undefined) return held
    const events = (await store.read(stream)) as readonly IdentifierAssigned[]
    return hold(identifiers, stream, assignmentsOf(events), events.length - 1)
  }

  async function heldTimeline(stream: StreamName) {
    const held = timelines.get(stream)
    if (held !== undefined) return held
    const { state, revision } = known.take(stream) ?? { state: tracking.initial(), revision: -1 }
    // Others write as well, so what has come since is read in any case.
    const since = await store.read(stream, { from: revision + 1 })
    const upToDate = fold(tracking, since as readonly TrackingEvent[], state)
    return hold(timelines, stream, upToDate, revision + since.length)
  }

  async function assign(identifier: Identifier, timeline: StreamName, from: number | undefined) {
    const stream = identifierStream(identifier)
    const held = await heldIdentifier(stream)
    const data = { ...identifier, timeline, ...(from === undefined ? {} : { from: isoOf(from) }) }
    held.added.push(dressed({ type: 'IdentifierAssigned', data }))
    held.state.push({ timeline, from })
  }

  async function record(stream: StreamName, events: readonly TrackingEvent[]) {
    const held = await heldTimeline(stream)
    for (const event of events) {
      held.added.push(dressed(event))
      held.state = tracking.evolve(held.state, event)
    }
  }

  return {
    assignments: async (identifier) => (await heldIdentifier(identifierStream(identifier))).state,
    assign,
    timeline: async (stream) => (await heldTimeline(stream)).state,
    record,
    appends: () => [...appendsOf(identifiers), ...appendsOf(timelines)],
    leave: () => {
      for (const [stream, { state, revision, added }] of timelines) known.keep(stream, state, revision + added.length)
    },
  }
}

function hold<State>(
  cache: Map<StreamName, Held<State>>,
  stream: StreamName,
  state: State,
  revision: number,
): Held<State> {
  const held = { state, revision, added: [] }
  cache.set(stream, held)
  return held
}

function appendsOf(cache: ReadonlyMap<StreamName, Held<unknown>>): readonly Append[] {
  return [...cache].flatMap(([stream, { revision, added }]) =>
    added.length === 0 ? [] : [{ stream, events: added, expected: revision < 0 ? 'no-stream' : revision }],
  )
}
