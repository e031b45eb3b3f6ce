import { type Finding, pathTo, within } from '../../kernel/finding.ts'
import type { Members } from '../../kernel/members.ts'
import { type Profile, phaseOf } from '../../kernel/profile.ts'
import type { Projection } from '../../kernel/projection.ts'
import { readInstant } from '../../kernel/time.ts'
import type { EventCheck } from './checks.ts'
import { currentOf, stepFindings } from './timeline.ts'

/** A timeline document as a requirement sees it: what of it can be read, and what its schema has found. */
export interface Draft {
  readonly document: Members
  readonly profile: Profile
  /** Epoch milliseconds. */
  readonly now: number
  readonly formats: readonly Projection[]
  /** Findings of the schema, which requirements claim by path. */
  readonly shape: readonly Finding[]
  /** Its events (in force) that are objects, with their paths, as they stand. */
  readonly events: readonly Placed[]
  /** Its withdrawn events that are objects. */
  readonly withdrawn: readonly Placed[]
  /** Those in force that have an instant and a code, in order of occurrence. */
  readonly ordered: readonly Placed[]
}

/** An event and where it stands in the document. */
export interface Placed {
  readonly path: string
  readonly event: Members
}

/** One thing that a timeline has to fulfil, of level 1 or 2; `clause` says where the protocol asks for it. */
export interface Requirement {
  readonly id: string
  readonly level: 1 | 2
  readonly clause: string
  readonly summary: string
  readonly severity: 'error' | 'warning'
  readonly check: (draft: Draft) => readonly Finding[]
}

/** Claims the schema's findings whose path ends so. */
export const shapeOf = (pattern: RegExp) => (draft: Draft) => draft.shape.filter(({ path }) => pattern.test(path))

/** Asks the same of every event. */
export const eachEvent = (check: EventCheck) => (draft: Draft) =>
  [...draft.events, ...draft.withdrawn].flatMap(({ path, event }) => {
    const finding = check(event, draft)
    return finding === undefined ? [] : [within(path, finding)]
  })

const coded = ({ path, event }: Placed) => ({ path, status_code: String(event.status_code) })

/** Steps of the state machine that read in one of these ways; a status without history (its path is empty) takes no step. */
export const steps =
  (...codes: readonly Finding['code'][]) =>
  (draft: Draft) =>
    stepFindings(draft.ordered.filter(({ path }) => path !== '').map(coded), draft.profile, ({ path }) =>
      pathTo(path, 'status_code'),
    ).filter(({ code }) => codes.includes(code))

/** Finds that a member of the document is not there. */
export const missing =
  (member: string) =>
  ({ document }: Draft): readonly Finding[] =>
    document[member] === undefined ? [{ path: member, code: 'required', params: { field: member } }] : []

/** What the events say of members that only repeat them; nothing where an event cannot be read, or there is none. */
export function derivedFindings({ document, ordered, events, profile }: Draft): readonly Finding[] {
  const inForce = events.filter(({ event }) => event.withdrawn === undefined)
  if (ordered.length === 0 || ordered.length < inForce.length) return []
  const expected = currentOf(ordered.map(coded), profile)?.status_code ?? ''
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

/** Events stand in order of occurrence; those without a readable instant are passed over. */
export function disorder({ events }: Draft): readonly Finding[] {
  let latest = Number.NEGATIVE_INFINITY
  return events.flatMap(({ path, event }): readonly Finding[] => {
    const at = readInstant(event.occurred_at) ?? latest
    const late = at < latest
    if (at > latest) latest = at
    return late ? [{ path: pathTo(path, 'occurred_at'), code: 'out_of_order' }] : []
  })
}

/** An event_id stands once for each producer. */
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
