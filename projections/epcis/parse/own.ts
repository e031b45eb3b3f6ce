import { isObject, type Members, type Reading } from '../../../engine/index.ts'
import {
  formerForm,
  nativeName,
  type OwnStart,
  ownStarts,
  setNative,
  unextended,
  unextendedValue,
} from '../extension.ts'
import { occurredAt } from './clock.ts'
import type { Names } from './context.ts'
import { leftOf } from './left.ts'
import { nativeSensors } from './sensors.ts'
import { withdrawalOf } from './withdrawal.ts'

/** The names by which events of this server are known, and how its own members are written. */
export interface OwnNames extends OwnStart {
  readonly subject: string
  readonly status_code: string
}

/** The names of events of this server, in a document with these prefixes. */
export function ownNamesIn({ prefixes }: Pick<Names, 'prefixes'>): readonly OwnNames[] {
  const known = namesByPrefixes.get(prefixes)
  if (known !== undefined) return known
  const made = ownStarts(prefixes).map((own) => {
    const { start } = own
    return { ...own, subject: `${start}subject`, status_code: `${start}status_code` }
  })
  namesByPrefixes.set(prefixes, made)
  return made
}

const namesByPrefixes = new WeakMap<Names['prefixes'], readonly OwnNames[]>()

/** Whether an event has the members that this server adds to its own documents. */
export function isOwn(event: unknown, { subject, status_code }: OwnNames): event is Members {
  return isObject(event) && isObject(event[subject]) && typeof event[status_code] === 'string'
}

const noPrefixes: ReadonlyMap<string, string> = new Map()

/** Members that the native event does not have, or has at another place. */
const elsewhere: ReadonlySet<string> = new Set(['subject', 'profile', 'event_id'])

/** The native event from which this server made an event, member by member. */
export function ownReading(event: Members, path: string, own: OwnStart): Reading {
  const { start, form } = own
  const [subjectName, profileName, idName] = [`${start}subject`, `${start}profile`, `${start}event_id`] as const
  const { recordTime, errorDeclaration, eventID } = event
  const { [subjectName]: subject, [profileName]: profile, [idName]: id } = event
  const occurred = occurredAt(event)
  const native: Record<string, unknown> = {
    event_id: id === undefined ? eventID : unextendedValue(id, own),
    occurred_at: occurred ?? event.eventTime,
  }
  if (recordTime !== undefined) native.recorded_at = recordTime
  const places: Record<string, string> = { subject: subjectName, profile: profileName }
  for (const name in event) {
    const member = name.startsWith(start) ? nativeName(name, start) : undefined
    if (member === undefined || elsewhere.has(member)) continue
    setNative(native, name, event[name], own)
    places[member] = name
  }
  if (isObject(native.source)) native.source = withWords(native.source, event)
  if (isObject(errorDeclaration) && !isReplacement(errorDeclaration))
    native.withdrawn = withdrawalOf(errorDeclaration, noPrefixes, String(occurred), [own])
  Object.assign(native, nativeSensors(event))
  places.event_id = id === undefined ? 'eventID' : idName
  places.occurred_at = 'eventTime'
  places.recorded_at = 'recordTime'
  places.withdrawn = 'errorDeclaration'
  const warnings = leftOf(event, path, start)
  return {
    path,
    ...(isObject(subject) && { subject: unextended(subject, own) }),
    ...(typeof profile === 'string' && { profile: String(unextendedValue(profile, own)) }),
    event: native,
    ...(warnings.length > 0 && { warnings }),
    ...(form === formerForm && { formerNamespace: true }),
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
