import type { Caller, Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { type Finding, within } from '../../kernel/finding.ts'
import type { SourceEvent, Target } from '../../kernel/projection.ts'
import type { Pauses } from '../../kernel/steps.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import type { StoredEvent } from './events.ts'
import { findStream } from './find.ts'
import type { SourceBook, SourceName } from './ports.ts'
import { readTimeline } from './read.ts'
import { type CheckedRecord, isRefusal, type RecordResult, type SourceRecord } from './records.ts'
import { readOwn } from './visible.ts'

/** The result of a source event that concerns no timeline: refused if another one has its id. */
export async function resultOfIgnored(
  { path, source }: SourceRecord,
  caller: Caller,
  sources: SourceBook,
): Promise<RecordResult> {
  const known = { path, warnings: [] }
  if ((await sources.compare(caller.name, source)) !== 'other') return { ...known, outcome: 'ignored', errors: [] }
  const reused: Finding = { path: 'eventID', code: 'event_id_reused', params: { received: source.id } }
  return { ...known, outcome: 'rejected', errors: [within(path, reused)] }
}

/** The result of a record; of an accepted one also its provider, and whether its timeline was erased. */
type Result = Pick<RecordResult, 'outcome'> & { readonly provider?: string; readonly isErased?: boolean }

/**
 * Keeps the source of every event that was not refused. A source that names a thing whose personal data was erased is
 * not kept, because it may contain some.
 */
export async function keepSources(
  sources: SourceBook,
  records: readonly CheckedRecord[],
  results: readonly Result[],
  caller: Caller,
  next: Pauses['next'],
): Promise<void> {
  const found = new Map<SourceEvent, { provider: string; isErased: boolean }>()
  for (const [index, record] of records.entries()) {
    const result = results[index]
    if (isRefusal(record) || record.source === undefined || result === undefined) continue
    const { outcome, provider = caller.name, isErased = false } = result
    if (outcome === 'rejected') continue
    found.set(record.source, { provider, isErased: isErased || found.get(record.source)?.isErased === true })
  }
  for (const [source, { provider, isErased }] of found) {
    const pause = next()
    if (pause !== undefined) await pause
    if (!isErased) await sources.keep(provider, source)
  }
}

/** The names of the source events that these events were made of. */
export function sourcesIn(events: readonly Pick<StoredEvent, 'source'>[]): readonly SourceName[] {
  const names = events.flatMap((event) => nameOf(event) ?? [])
  return [...new Map(names.map((name) => [keyOf(name), name])).values()]
}

function nameOf({ source }: Pick<StoredEvent, 'source'>): SourceName | undefined {
  const { provider, event } = source ?? {}
  return provider === undefined || event === undefined ? undefined : { provider, id: event.id }
}

function keyOf({ provider, id }: SourceName): string {
  return `${provider}\0${id}`
}

/** The businesses of the orders whose timeline a thing has; empty if there are none. */
export async function businessesOfThing(context: Context, thing: string): Promise<readonly number[]> {
  try {
    const { timeline } = await readTimeline(context, await findStream(context, thing))
    return await context.ports.tracking.businessesOf(context, timeline.subject)
  } catch (error) {
    return noneIfUnknown(error)
  }
}

/** The names of the source events of a thing, if the caller may see its timeline; none otherwise. */
export async function sourcesOfOwn(context: Context, thing: string): Promise<readonly SourceName[]> {
  try {
    const {
      events,
      future_events: future = [],
      withdrawn_events: withdrawn = [],
    } = (await readOwn(context, thing)).timeline
    return sourcesIn([...events, ...future, ...withdrawn])
  } catch (error) {
    return noneIfUnknown(error)
  }
}

function noneIfUnknown(error: unknown): readonly [] {
  if (isEngineError(error, 'timeline_not_found') || isEngineError(error, 'ambiguous_identifier')) return []
  throw error
}

/**
 * The kept sources of the events of a timeline that the caller may see: its own; all of them if it may see the subject,
 * or if sources are public. Refuses callers without credentials with `unauthenticated`, unless they are.
 */
export async function visibleSources(
  context: Context,
  { subject, events, withdrawn_events: withdrawn = [] }: Timeline,
): Promise<NonNullable<Target['sourcesOf']>> {
  const { caller, ports, publicSources = false } = context
  if (caller.kind === 'anonymous' && !publicSources) throw new EngineError('unauthenticated')
  const isForAll = publicSources || caller.kind === 'operator'
  const isWhole =
    isForAll ||
    (caller.kind === 'account' &&
      caller.scopes.includes('orders:read') &&
      (await ports.tracking.isOwn(context, subject)))
  const isOwn = ({ source }: TimelineEvent) => caller.kind === 'provider' && source?.provider === caller.name
  // What happened to a container concerns more than the things that an account may see.
  const isShown = ({ inherited_from }: TimelineEvent) => isWhole && (isForAll || inherited_from === undefined)
  const names = sourcesIn([...events, ...withdrawn].filter((event) => isShown(event) || isOwn(event)))
  const kept = await ports.tracking.sourcesOf(context, names)
  const found = new Map(names.map((name, index) => [keyOf(name), kept[index] ?? []]))
  return (event) => {
    const name = nameOf(event)
    return (name && found.get(keyOf(name))) ?? []
  }
}
