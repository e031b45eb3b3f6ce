import {
  type CodeMapping,
  codeOf,
  type Profile,
  type Projection,
  phaseOf,
  type Subject,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { parcel } from '../../profiles/index.ts'

/** An event at half past an hour of 10 June 2026, two hours east of Greenwich. */
export function at(hour: number, status_code: string, more: Partial<TimelineEvent> = {}): TimelineEvent {
  const time = `2026-06-10T${String(hour).padStart(2, '0')}:30:00`
  const phase = Object.entries(parcel.codes).find(([code]) => code === status_code)?.[1].phase ?? 'x-experimental'
  return {
    ...{ event_id: `${hour}`, otep_version: '0.1', occurred_at: `${time}+02:00`, recorded_at: `${time}.500+02:00` },
    ...{ status_code, phase, ...more },
  }
}

/** A parcel with these events; the last one counts unless another status is given. */
export function parcelOf(
  events: readonly TimelineEvent[],
  current = events.at(-1)?.status_code,
  subject: Subject = { tracking_number: 'TN 1', order_id: 77 },
): Timeline {
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject },
    ...(current === undefined ? {} : { current_status: current }),
    ...{ delivered: current === 'delivered', events },
  }
}

/** The published mappings of the parcel profile, without the codes that are like another one. */
export function parcelMappings({ codes }: Pick<Projection, 'codes'>): readonly (readonly [string, CodeMapping])[] {
  return Object.entries(codes(parcel) ?? {}).filter(([code]) => codeOf(parcel, code)?.like === undefined)
}

/** The documents of a shop's format that it answers, and no requests. */
export function answersOf<Doc extends object>({
  project,
}: {
  readonly project: (timeline: Timeline, target: Target) => Doc
}): (timeline: Timeline, target: Target) => Exclude<Doc, readonly unknown[]> {
  return (timeline, target) => {
    const document = project(timeline, target)
    if (Array.isArray(document)) throw new Error('These are requests.')
    return document as Exclude<Doc, readonly unknown[]>
  }
}

/** A timeline of this profile with one event of this code; `x-*` means an unknown one. */
export function onlyOf(profile: Profile, code: string): Timeline {
  const status_code = code === 'x-*' ? 'x-unheard_of' : code
  const phase = phaseOf(profile, status_code) ?? ''
  const timeline = parcelOf([at(8, status_code, { phase })])
  return { ...timeline, profile: profile.name, delivered: phase === 'delivered' }
}
