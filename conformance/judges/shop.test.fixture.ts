import type { Timeline, TimelineEvent } from '../../engine/index.ts'
import { at, parcelOf } from '../../projections/shared/parcels.test.fixture.ts'
import type { Judged, ReadyJudge } from './judge.ts'

/** A parcel under the number TN, with these events. */
export function timeline(...events: readonly TimelineEvent[]): Timeline {
  return parcelOf(events, undefined, { tracking_number: 'TN' })
}

export const announced = at(7, 'information_submitted')
export const pickedUp = at(8, 'picked_up')
export const delivered = at(15, 'delivered')
export const cancelled = at(16, 'cancelled')
export const returned = at(17, 'return_to_sender')

/** A document for a judge; without a timeline, for a parcel without events. */
export function shown(document: unknown, of: Timeline = timeline()): Judged {
  const target = { baseUrl: 'https://track.example', options: {} }
  return { text: JSON.stringify(document), mediaType: 'application/json', timeline: of, target }
}

/** The findings of each judge in a document: first the shape, then the rules. */
export async function foundBy(judges: readonly ReadyJudge[], document: unknown, of: Timeline) {
  return Promise.all(judges.map((judge) => judge.judge(shown(document, of))))
}
