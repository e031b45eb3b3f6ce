import type { Upcast } from '../../kernel/upcast.ts'
import type { TrackingEvent } from './events.ts'
import type { IdentifierAssigned } from './identifiers.ts'
import { splitPersonal } from './personal.ts'

/** Version 2 has personal data in a separate member; version 1 had it where the producer put it. */
function separatePersonalData(member: 'event' | 'added' | 'withdrawn'): Upcast {
  return (data: Readonly<Record<string, object>>) => {
    const whole = data[member] ?? {}
    // A withdrawal is part of its event; the paths of its personal members start there.
    const { rest, personal } = splitPersonal(member === 'withdrawn' ? { withdrawn: whole } : whole)
    const left = member === 'withdrawn' ? rest : { [member]: rest }
    return { ...data, ...left, ...(personal && { personal }) }
  }
}

/** The upcasts of every event type. */
export const upcasts = {
  TrackingEventRecorded: [separatePersonalData('event')],
  TrackingEventEnriched: [separatePersonalData('added')],
  TrackingEventWithdrawn: [separatePersonalData('withdrawn')],
  SubjectIdentified: [],
  PersonalDataErased: [],
  IdentifierAssigned: [],
} as const satisfies Record<(TrackingEvent | IdentifierAssigned)['type'], readonly Upcast[]>
