import { fold } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { instantOf } from '../../../kernel/time.ts'
import type { Subject } from '../../../kernel/timeline.ts'
import { isAhead } from '../ahead.ts'
import { tracking } from '../commands.ts'
import type { TrackingEvent } from '../events.ts'
import {
  type Assignment,
  assignmentsOf,
  type Identifier,
  type IdentifierAssigned,
  identifiersOf,
  isShared,
  keyOf,
  timelineStream,
} from '../identifiers.ts'
import type { TrackingState } from '../reducer.ts'

/** A fact as it is stored. */
export type Fact = RecordedEvent<TrackingEvent>

/** What is decided of a timeline that is to be split. */
interface Parted {
  readonly leaving: readonly TrackingEvent[]
  readonly staying: readonly TrackingEvent[]
  readonly isErased: boolean
}

/** The facts that a timeline consists of now: those after it was last split. */
export function presentFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.slice(facts.findLastIndex(({ type }) => type === 'TimelineSplit') + 1)
}

/** The providers of the events in facts, in order of their first event. */
export function providersIn(facts: readonly Fact[]): readonly string[] {
  return [...new Set(facts.flatMap(({ type, data }) => (type === 'TrackingEventRecorded' ? [data.provider] : [])))]
}

/** Parts the facts of some providers from those of all others. Refuses to split off a provider that is not there, or all of them. */
export function partedBy(facts: readonly Fact[], providers: readonly string[]): Parted {
  const present = presentFacts(facts)
  const known = providersIn(present)
  const missing = providers.find((name) => !known.includes(name))
  if (missing !== undefined)
    throw new EngineError('provider_not_in_timeline', { received: missing, expected: known.join(', ') })
  if (known.every((name) => providers.includes(name)))
    throw new EngineError('nothing_left_of_timeline', { expected: known.join(', ') })
  const isLeaving = ({ data }: Fact) => 'provider' in data && providers.includes(data.provider ?? '')
  return {
    leaving: movedFacts(present.filter(isLeaving)),
    staying: movedFacts(present.filter((fact) => !isLeaving(fact))),
    isErased: facts.some(({ type }) => type === 'PersonalDataErased'),
  }
}

/**
 * Facts to be recorded once more. Whether a thing was in a container, and whether an event lay ahead of its time, is decided by these
 * alone. A future event that an earlier version sent at once gets no mark, because it would be sent again.
 */
function movedFacts(facts: readonly Fact[]): readonly TrackingEvent[] {
  let isContained = false
  let latest = Number.NEGATIVE_INFINITY
  const moved: TrackingEvent[] = []
  for (const { type, data, recordedAt } of facts) {
    if (type === 'TimelineSplit' || type === 'PersonalDataErased') continue
    const { contained, ahead, ...rest } = data
    const first = data.moved ?? recordedAt
    const isAheadAt = (at: number) => isAhead(at, Date.parse(first))
    const at = type === 'TrackingEventRecorded' ? instantOf(data.event.occurred_at) : Number.NEGATIVE_INFINITY
    const wasTold = ahead === undefined && isAheadAt(at)
    latest = Math.max(latest, at)
    isContained ||= 'personal' in data && data.personal?.aggregation?.parent !== undefined
    const told = {
      ...rest,
      moved: first,
      ...(isContained && { contained: true }),
      ...(isAheadAt(latest) && !wasTold && { ahead: true }),
    }
    moved.push({ type, data: told } as TrackingEvent)
  }
  return moved
}

/** The identifiers that facts name. */
export function subjectOf(facts: readonly TrackingEvent[]): Subject {
  return fold<TrackingState, TrackingEvent>(tracking, facts).subject
}

/** The stream of an identifier, and what was assigned in it. */
export interface Known {
  readonly identifier: Identifier
  readonly events: readonly RecordedEvent<IdentifierAssigned>[]
}

/** The name of a timeline that is split off: the next one under its first identifier. */
export function nextName(known: readonly Known[], from: StreamName): StreamName | undefined {
  const opener = known.find(({ events }) => events.some(({ data }) => data.timeline === from))
  return opener && timelineStream(opener.identifier, opener.events.length + 1)
}

/**
 * The assignment that makes an identifier lead to the timeline that is split off: for its providers alone where the others say it, too;
 * undefined if the identifier does not lead to the timeline that is split.
 */
export function reassigned(
  { identifier, events }: Known,
  {
    from,
    to,
    providers,
    staying,
  }: { from: StreamName; to: StreamName; providers: readonly string[]; staying: Subject },
): IdentifierAssigned | undefined {
  const current: Assignment | undefined = assignmentsOf(events).findLast(({ timeline }) => timeline === from)
  const since = events.findLast(({ data }) => data.timeline === from)?.data.from
  if (current === undefined) return undefined
  const data = { ...identifier, timeline: to, ...(since !== undefined && { from: since }) }
  const isNamedByBoth = identifiersOf(staying).some((one) => isSame(one, identifier))
  if (isNamedByBoth && isShared(identifier.kind)) return { type: 'IdentifierAssigned', data }
  if (isNamedByBoth) return { type: 'IdentifierAssigned', data: { ...data, providers } }
  const whose = current.providers === undefined ? {} : { providers: current.providers }
  return { type: 'IdentifierAssigned', data: { ...data, ...whose, instead_of: from } }
}

function isSame(one: Identifier, other: Identifier): boolean {
  return one.kind === other.kind && keyOf(one.value) === keyOf(other.value)
}
