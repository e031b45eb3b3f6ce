import type { Context } from '../../kernel/context.ts'
import { excerptOf, type Finding, pathTo, within } from '../../kernel/finding.ts'
import { isObject, type Members } from '../../kernel/members.ts'
import { capFindings, maxFindings, parse } from '../../kernel/parse.ts'
import { bareCode, type Profile, phaseOf } from '../../kernel/profile.ts'
import { atOnce } from '../../kernel/steps.ts'
import { isoOf, readInstant } from '../../kernel/time.ts'
import { isAhead } from './ahead.ts'
import type { Draft, Placed, Requirement } from './draft.ts'
import { heldProjection } from './held.ts'
import { inTimelineOrder } from './order.ts'
import { identifierMissing, underStatusName, withBareAddresses } from './records.ts'
import { requirements } from './requirements.ts'
import { eventSchema, timelineSchema } from './schema.ts'

/** A finding and the requirement that it violates; none in the note that findings are left out. */
interface Breach extends Finding {
  readonly requirement?: string
}

/** Whether a document conforms, its level, and all findings. */
export interface Conformance {
  readonly conformant: boolean
  /** 0 if it does not conform; otherwise the highest level whose requirements are all met. */
  readonly level: 0 | 1 | 2
  /** At level 2: the format of an external standard in which the timeline can be written. */
  readonly projection?: string
  readonly errors: readonly Breach[]
  readonly warnings: readonly Breach[]
}

/** The number of events in a document, counted before they are checked. */
export function sizeOf(document: unknown): number {
  if (!isObject(document)) return 0
  const { events, future_events: future, withdrawn_events: withdrawn } = document
  const sizes = [events, future, withdrawn].map((list) => (Array.isArray(list) ? list.length : 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** What a validation needs of its context; without formats, no projection is found. */
type ValidationContext = Pick<Context, 'profiles' | 'clock'> & Pick<Draft, 'formats'>

/** Checks a document against every requirement of the protocol (OTEP 0.1, section 9). */
export function validate(document: unknown, context: ValidationContext): Conformance {
  return atOnce(validation(document, context))
}

/** Checks a document as `validate` does, in steps of 100 events or of one requirement. */
export function* validation(document: unknown, context: ValidationContext): Generator<void, Conformance> {
  const draft = yield* draftOf(document, context)
  const claimed = new Set<Finding>()
  const breaches: { readonly requirement: Requirement; readonly found: readonly Breach[] }[] = []
  for (const requirement of requirements as readonly Requirement[]) {
    const found = requirement.check(draft).filter((finding) => !claimed.has(finding))
    for (const finding of found) claimed.add(finding)
    breaches.push({
      requirement,
      found: found.map((finding) => ({ ...underStatusName(finding), requirement: requirement.id })),
    })
    yield
  }
  const ofSeverity = (severity: Requirement['severity']) =>
    breaches.flatMap(({ requirement, found }) => (requirement.severity === severity ? found : []))
  const errors = ofSeverity('error')
  const met = (level: number) =>
    breaches.every(({ requirement, found }) => requirement.level !== level || found.length === 0)
  const level = errors.length > 0 ? 0 : met(2) ? 2 : 1
  return {
    conformant: errors.length === 0,
    level,
    ...(level === 2 && draft.held.projection !== undefined && { projection: draft.held.projection }),
    errors: capFindings(errors),
    warnings: capFindings(ofSeverity('warning')),
  }
}

function* draftOf(document: unknown, { profiles, formats, clock }: ValidationContext): Generator<void, Draft> {
  const raw: Members = isObject(document) ? document : {}
  const profile = profiles.find(({ name }) => name === raw.profile)
  const known = profile ?? profiles[0]
  const loose =
    typeof raw.current_status === 'string' ? { ...raw, current_status: bareCode(known, raw.current_status) } : raw
  const placed = (list: readonly unknown[], name: string) => placedObjects(list, name, known)
  const [inForce, future] = [loose.events, loose.future_events].map((list) => (Array.isArray(list) ? list : []))
  const listed = [...placed(inForce ?? [], 'events'), ...placed(future ?? [], 'future_events')]
  const events = listed.length === 0 ? statusAsEvent(loose, clock()) : listed
  const withdrawn = Array.isArray(loose.withdrawn_events) ? placed(loose.withdrawn_events, 'withdrawn_events') : []
  const unknownProfile: Finding[] =
    profile !== undefined || typeof loose.profile !== 'string'
      ? []
      : [
          {
            path: 'profile',
            code: 'unknown_profile',
            params: { received: excerptOf(loose.profile), expected: profiles.map(({ name }) => name).join(', ') },
          },
        ]
  const shape = yield* shapeFindings(document)
  const now = clock()
  // A status without history is what its document says, whenever that is.
  const isFuture = ({ path, event }: Placed) =>
    path !== '' && event.withdrawn === undefined && isAhead(readInstant(event.occurred_at) ?? now, now)
  const draft = {
    document: loose,
    profile: known,
    now,
    formats,
    shape: [...shape.map(withTimeCode), ...withoutIdentifier(loose.subject), ...unknownProfile],
    events,
    ahead: events.filter(isFuture).length,
    withdrawn,
    ordered: yield* inOrder(
      events.filter((one) => one.event.withdrawn === undefined && !isFuture(one)),
      known,
    ),
  }
  return { ...draft, held: yield* heldProjection(draft) }
}

const eventsPerStep = 100

/** The findings of the schema, event by event, so that checking a hostile document ends early. */
function* shapeFindings(document: unknown): Generator<void, readonly Finding[]> {
  if (!isObject(document)) return parse(timelineSchema, document).findings ?? []
  const { events, future_events, withdrawn_events, ...rest } = document
  const found: Finding[] = [...(parse(timelineSchema, rest).findings ?? [])]
  for (const [name, list] of Object.entries({ events, future_events, withdrawn_events })) {
    if (list === undefined) continue
    if (!Array.isArray(list)) found.push(...(parse(timelineSchema, { subject: {}, [name]: list }).findings ?? []))
    else {
      for (let index = 0; index < list.length && found.length <= maxFindings; index++) {
        if (index % eventsPerStep === eventsPerStep - 1) yield
        const { findings = [] } = parse(eventSchema, list[index])
        found.push(...findings.map((finding) => within(pathTo(name, index), finding)))
      }
    }
  }
  return found
}

function withoutIdentifier(subject: unknown): readonly Finding[] {
  return isObject(subject) ? identifierMissing(subject).map((finding) => ({ ...finding, path: 'subject' })) : []
}

function withTimeCode(finding: Finding): Finding {
  const isTime = finding.code === 'required' && finding.path.endsWith('.occurred_at')
  return isTime ? { ...finding, code: 'occurred_at_required' } : finding
}

/** The event for the current status of a source without history. */
function statusAsEvent({ current_status, current_status_at, delivered }: Members, now: number): readonly Placed[] {
  if (typeof current_status !== 'string') return []
  const occurred_at = current_status_at ?? isoOf(now)
  return [{ path: '', event: { status_code: current_status, occurred_at, source: {}, delivered } }]
}

function placedObjects(events: readonly unknown[], name: string, profile: Profile): readonly Placed[] {
  return events.flatMap((event, index) =>
    isObject(event) ? [{ path: pathTo(name, index), event: withBareAddresses(event, profile) }] : [],
  )
}

/** The events that have a time and a known code, in the order of a timeline. Those without an id keep the order of the document. */
function* inOrder(events: readonly Placed[], profile: Profile): Generator<void, readonly Placed[]> {
  const timed = events.flatMap(({ path, event }) => {
    const { occurred_at, status_code, event_id, source } = event
    const at = readInstant(occurred_at)
    if (at === undefined || typeof status_code !== 'string' || phaseOf(profile, status_code) === undefined) return []
    const id = typeof event_id === 'string' ? event_id : ''
    const { provider } = isObject(source) ? source : {}
    const place = {
      at,
      code: status_code,
      id,
      provider: typeof provider === 'string' ? provider : '',
      isWithdrawn: false,
    }
    return [{ place, item: { path, event } }]
  })
  const ordered = yield* inTimelineOrder(timed, ({ place }) => place, profile)
  return ordered.map(({ item }) => item)
}
