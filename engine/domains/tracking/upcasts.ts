import type { Upcast } from '../../kernel/upcast.ts'
import type { TrackingEvent } from './events.ts'
import type { IdentifierAssigned } from './identifiers.ts'
import { splitPersonal } from './personal.ts'

/** Version 2 has what tells of people in a member of its own; version 1 had it where the producer said it. */
function separatePersonalData(member: 'event' | 'added' | 'withdrawn'): Upcast {
  return (data: Readonly<Record<string, object>>) => {
    const whole = data[member] ?? {}
    // A withdrawal is a part of its event, and its members are told by their place there.
    const { rest, personal } = splitPersonal(member === 'withdrawn' ? { withdrawn: whole } : whole)
    const left = member === 'withdrawn' ? rest : { [member]: rest }
    return { ...data, ...left, ...(personal && { personal }) }
  }
}

/** How events of earlier versions read today, with an entry for every type of event. */
export const upcasts = {
  TrackingEventRecorded: [separatePersonalData('event')],
  TrackingEventEnriched: [separatePersonalData('added')],
  TrackingEventWithdrawn: [separatePersonalData('withdrawn')],
  SubjectIdentified: [],
  PersonalDataErased: [],
  IdentifierAssigned: [],
} as const satisfies Record<(TrackingEvent | IdentifierAssigned)['type'], readonly Upcast[]>
