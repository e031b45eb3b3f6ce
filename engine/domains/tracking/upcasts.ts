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

/** The next version of each type is the first one with which what is learnt of an event is a further version of it. */
const beforeVersions: Upcast = (data: object) => ({ ...data, before_versions: true })

/** Version 4 is the first one whose events are reported with the present namespace of OTEP's own members. */
const formerNamespace: Upcast = (data: object) => ({ ...data, former_namespace: true })

/** The upcasts of every event type. */
export const upcasts = {
  TrackingEventRecorded: [separatePersonalData('event'), beforeVersions, formerNamespace],
  TrackingEventEnriched: [separatePersonalData('added'), beforeVersions],
  TrackingEventWithdrawn: [separatePersonalData('withdrawn'), beforeVersions],
  TrackingEventBecameDue: [],
  SubjectIdentified: [beforeVersions],
  PersonalDataErased: [beforeVersions],
  TimelineSplit: [],
  IdentifierAssigned: [],
} as const satisfies Record<(TrackingEvent | IdentifierAssigned)['type'], readonly Upcast[]>
