import { type Finding, pathTo, within } from '../../kernel/finding.ts'
import { isObject, type Members } from '../../kernel/members.ts'
import { isNotice } from '../../kernel/notice.ts'
import { unseenIn } from '../../kernel/number-key.ts'
import { isTerminal, type Profile, phaseOf } from '../../kernel/profile.ts'
import type { Projection } from '../../kernel/projection.ts'
import { readInstant } from '../../kernel/time.ts'
import type { EventCheck } from './checks.ts'
import { createJourney } from './journey.ts'
import { classOf, precedes } from './order.ts'
import { currentOf, stepFindings } from './timeline.ts'

/** A timeline document as a requirement checks it: its readable parts, and the findings of its schema. */
export interface Draft {
  readonly document: Members
  readonly profile: Profile
  /** Epoch milliseconds. */
  readonly now: number
  readonly formats: readonly Projection[]
  /** Findings of the schema. Requirements claim them by path. */
  readonly shape: readonly Finding[]
  /** Its events in force that are objects, with their paths, in the order of the document. */
  readonly events: readonly Placed[]
  /** How many of them lie ahead of the clock. */
  readonly ahead: number
  /** Its withdrawn events that are objects. */
  readonly withdrawn: readonly Placed[]
  /** The events in force with an instant and a code, in order of occurrence, but not those that lie ahead of the clock. */
  readonly ordered: readonly Placed[]
  /** The projection that level 2 asks for. */
  readonly held: Held
}

/** What level 2 asks of projections: the format that holds, or why none does. */
export interface Held {
  /** The first external format that covers every code and whose documents of this timeline fit its own schema. */
  readonly projection?: string
  readonly findings: readonly Finding[]
}

/** An event and its path in the document. */
export interface Placed {
  readonly path: string
  readonly event: Members
}

/** A requirement of level 1 or 2 for a timeline; `clause` is its source in the protocol. */
export interface Requirement {
  readonly id: string
  readonly level: 1 | 2
  readonly clause: string
  readonly summary: string
  readonly severity: 'error' | 'warning'
  readonly check: (draft: Draft) => readonly Finding[]
}

/** Claims the schema's findings whose path matches. */
export const shapeOf = (pattern: RegExp) => (draft: Draft) => draft.shape.filter(({ path }) => pattern.test(path))

/** Applies a check to every event. */
export const eachEvent = (check: EventCheck) => (draft: Draft) =>
  [...draft.events, ...draft.withdrawn].flatMap(({ path, event }) => {
    const finding = check(event, draft)
    return finding === undefined ? [] : [within(path, finding)]
  })

/** Reports identifiers with characters that nobody can see. */
export function unseenInIdentifiers({ document, events, withdrawn }: Draft): readonly Finding[] {
  const parents = [...events, ...withdrawn].map(({ path, event: { aggregation } }) => {
    return { path: pathTo(path, 'aggregation.parent'), subject: isObject(aggregation) ? aggregation.parent : undefined }
  })
  return [{ path: 'subject', subject: document.subject }, ...parents].flatMap(({ path, subject }) =>
    Object.entries(isObject(subject) ? subject : {}).flatMap(([member, value]): readonly Finding[] => {
      const characters = typeof value === 'string' ? unseenIn(value) : []
      if (characters.length === 0) return []
      const params = { characters: characters.slice(0, 10).join(', ') }
      return [{ path: pathTo(path, member), code: 'unseen_characters', params }]
    }),
  )
}

const coded = ({ path, event: { status_code, inherited_from } }: Placed) => ({
  path,
  status_code: String(status_code),
  ...(inherited_from !== undefined && { inherited_from }),
})

/** Findings of the state machine with these codes. A status without history (its path is empty) takes no step. */
export const steps =
  (...codes: readonly Finding['code'][]) =>
  (draft: Draft) =>
    stepFindings(draft.ordered.filter(({ path }) => path !== '').map(coded), draft.profile, ({ path }) =>
      pathTo(path, 'status_code'),
    ).filter(({ code }) => codes.includes(code))

/** Reports announcements that came after the journey had begun. */
export function lateAnnouncements({ ordered, profile }: Draft): readonly Finding[] {
  const journey = createJourney(profile)
  return ordered.map(coded).flatMap((event): readonly Finding[] => {
    if (journey.next(event) !== 'late') return []
    const params = { from: journey.status(), to: event.status_code }
    return [{ path: pathTo(event.path, 'status_code'), code: 'late_announcement', params }]
  })
}

/** The same document without its late announcements, which are no steps of the life cycle. */
export function withoutAnnouncements(draft: Draft): Draft {
  const late = new Set(lateAnnouncements(draft).map(({ path }) => path))
  return { ...draft, ordered: draft.ordered.filter(({ path }) => !late.has(pathTo(path, 'status_code'))) }
}

/** Reports a missing member of the document. */
export const missing =
  (member: string) =>
  ({ document }: Draft): readonly Finding[] =>
    document[member] === undefined ? [{ path: member, code: 'required', params: { field: member } }] : []

/** Compares the members that only repeat the events; empty if an event cannot be read, or if there are none. */
export function derivedFindings({ document, ordered, events, ahead, profile }: Draft): readonly Finding[] {
  const inForce = events.filter(({ event }) => event.withdrawn === undefined)
  const expected = currentOf(ordered.map(coded), profile)?.status_code
  if (expected === undefined || ordered.length + ahead < inForce.length) return []
  const { current_status: status, delivered } = document
  const isDelivered = phaseOf(profile, expected) === 'delivered'
  return [
    ...(typeof status === 'string' && status !== expected
      ? [
          {
            path: 'current_status',
            code: 'current_status_mismatch' as const,
            params: { expected, received: status.slice(0, 60) },
          },
        ]
      : []),
    ...(typeof delivered === 'boolean' && delivered !== isDelivered
      ? [{ path: 'delivered', code: 'delivered_mismatch' as const, params: { expected: isDelivered } }]
      : []),
  ]
}

/** Reports events that are not in order of occurrence; events without a readable instant are skipped. */
export function disorder({ events }: Draft): readonly Finding[] {
  let latest = Number.NEGATIVE_INFINITY
  return events.flatMap(({ path, event }): readonly Finding[] => {
    const at = readInstant(event.occurred_at) ?? latest
    const late = at < latest
    if (at > latest) latest = at
    return late ? [{ path: pathTo(path, 'occurred_at'), code: 'out_of_order' }] : []
  })
}

/** Reports events that cannot come after an event of the same instant that the document lists before them. */
export function contradictions({ events, profile }: Draft): readonly Finding[] {
  const listed = new Map<number, Map<string, { readonly first: string; readonly later: string }>>()
  return events.flatMap(({ path, event: { occurred_at, status_code, withdrawn } }): readonly Finding[] => {
    const at = readInstant(occurred_at)
    if (at === undefined || typeof status_code !== 'string' || withdrawn !== undefined || isNotice(status_code))
      return []
    const above = listed.get(at) ?? new Map()
    listed.set(at, above)
    const code = classOf(profile, status_code)
    const contradicted = [...above].find(([other]) => precedes(profile, code, other))?.[1]
    if (!above.has(code)) above.set(code, { first: path, later: status_code.slice(0, 60) })
    if (contradicted === undefined) return []
    return [
      {
        path: pathTo(path, 'occurred_at'),
        code: 'order_contradicted',
        params: { code: status_code.slice(0, 60), ...contradicted },
      },
    ]
  })
}

/** Reports an event_id that a producer uses twice. */
export function repeatedIds({ events, withdrawn }: Draft): readonly Finding[] {
  const seen = new Map<string, string>()
  return [...events, ...withdrawn].flatMap(({ path, event }): readonly Finding[] => {
    const { event_id: id, source } = event
    if (typeof id !== 'string') return []
    const key = JSON.stringify([id, (source as Members | undefined)?.provider ?? null])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, path)
    if (first === undefined) return []
    return [
      { path: pathTo(path, 'event_id'), code: 'duplicate_event_id', params: { received: id.slice(0, 60), first } },
    ]
  })
}

/** Whether a finding of the state machine is about a step out of a terminal status. */
export function leavesTerminal({ profile }: Draft, { params }: Finding): boolean {
  return typeof params?.from === 'string' && isTerminal(profile, params.from)
}
