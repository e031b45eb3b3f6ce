import { isObject, type Members, type Reading } from '../../../engine/index.ts'
import { otepNamespace, otepPrefix, unextended } from '../extension.ts'
import { occurredAt } from './clock.ts'
import { leftOf } from './left.ts'
import { withdrawalOf } from './withdrawal.ts'

/** Whether an event is one of this project's own making, which tells in OTEP's words what it was made of. */
export function isOwn(event: unknown, prefixes: ReadonlyMap<string, string>): event is Members {
  if (!isObject(event) || prefixes.get('otep') !== otepNamespace) return false
  return isObject(event[`${otepPrefix}subject`]) && typeof event[`${otepPrefix}status_code`] === 'string'
}

/** The event that an own one was made of, member by member. */
export function ownReading(event: Members, path: string, prefixes: ReadonlyMap<string, string>): Reading {
  const { subject, profile, event_id, ...members } = unextended(event)
  const { recordTime, errorDeclaration } = event
  const names = Object.keys(members)
  const warnings = leftOf(event, path, prefixes, true)
  return {
    path,
    ...(isObject(subject) && { subject }),
    ...(typeof profile === 'string' && { profile }),
    event: {
      event_id: event_id ?? event.eventID,
      occurred_at: occurredAt(event),
      ...(recordTime === undefined ? {} : { recorded_at: recordTime }),
      ...members,
      ...(isObject(errorDeclaration) && { withdrawn: withdrawalOf(errorDeclaration) }),
    },
    ...(warnings.length > 0 && { warnings }),
    places: {
      ...Object.fromEntries([...names, 'subject', 'profile'].map((name) => [name, otepPrefix + name])),
      event_id: event_id === undefined ? 'eventID' : `${otepPrefix}event_id`,
      occurred_at: 'eventTime',
      recorded_at: 'recordTime',
      withdrawn: 'errorDeclaration',
    },
  }
}
