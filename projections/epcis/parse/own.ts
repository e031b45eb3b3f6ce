import { isObject, type Members, type Reading } from '../../../engine/index.ts'
import { nativeName, otepPrefix, setNative, unextended } from '../extension.ts'
import { occurredAt } from './clock.ts'
import { leftOf } from './left.ts'
import { withdrawalOf } from './withdrawal.ts'

const [subjectName, codeName, profileName, idName] = ['subject', 'status_code', 'profile', 'event_id'].map(
  (name) => otepPrefix + name,
) as [string, string, string, string]

/** Whether an event has the members that this server adds to its own documents. */
export function isOwn(event: unknown): event is Members {
  return isObject(event) && isObject(event[subjectName]) && typeof event[codeName] === 'string'
}

const noPrefixes: ReadonlyMap<string, string> = new Map()

/** Members that the native event does not have, or has under another name. */
const elsewhere: ReadonlySet<string> = new Set([subjectName, profileName, idName])

/** The native event from which this server made an event, member by member. */
export function ownReading(event: Members, path: string): Reading {
  const { recordTime, errorDeclaration, eventID } = event
  const { [subjectName]: subject, [profileName]: profile, [idName]: id } = event
  const occurred = occurredAt(event)
  const native: Record<string, unknown> = { event_id: id ?? eventID, occurred_at: occurred ?? event.eventTime }
  if (recordTime !== undefined) native.recorded_at = recordTime
  const places: Record<string, string> = { subject: subjectName, profile: profileName }
  for (const name in event) {
    if (!name.startsWith(otepPrefix) || elsewhere.has(name)) continue
    setNative(native, nativeName(name), event[name])
    places[nativeName(name)] = name
  }
  if (isObject(native.source)) native.source = withWords(native.source, event)
  if (isObject(errorDeclaration) && !isReplacement(errorDeclaration))
    native.withdrawn = withdrawalOf(errorDeclaration, noPrefixes, String(occurred))
  places.event_id = id === undefined ? 'eventID' : idName
  places.occurred_at = 'eventTime'
  places.recorded_at = 'recordTime'
  places.withdrawn = 'errorDeclaration'
  const warnings = leftOf(event, path, true)
  return {
    path,
    ...(isObject(subject) && { subject: unextended(subject) }),
    ...(typeof profile === 'string' && { profile }),
    event: native,
    ...(warnings.length > 0 && { warnings }),
    places,
  }
}

/** Whether an event was replaced by one in which more is known; that one says everything again. */
function isReplacement({ reason, correctiveEventIDs }: Members): boolean {
  return reason === undefined && Array.isArray(correctiveEventIDs) && correctiveEventIDs.length > 0
}

/** The source, with the words of its source event, which are those of the event itself. */
function withWords(source: Members, { action, bizStep, disposition }: Members): Members {
  if (!isObject(source.event)) return source
  const words = {
    ...source.event,
    action,
    ...(bizStep !== undefined && { biz_step: bizStep }),
    ...(disposition !== undefined && { disposition }),
  }
  return { ...source, event: words }
}
