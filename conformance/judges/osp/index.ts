import type { Timeline } from '../../../engine/index.ts'
import { rulesJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'

interface Tracking {
  readonly delivered: boolean
  readonly status: string
  readonly events: readonly { readonly date: string; readonly time: string; readonly timestamp: string }[]
}

/** The judges of the Open Shipping Protocol, whose draft has schemas in its text and no file of them: its rules, written by hand. */
export const judges: readonly ReadyJudge[] = [
  rulesJudge<Tracking>('rules of OSP 0.1 (hand-written)', 'osp', ({ delivered, status, events }, { timeline }) => [
    delivered !== timeline.delivered && 'It and the timeline do not agree on the delivery.',
    delivered && status !== 'delivered' && 'What is delivered has another status.',
    !isNewestFirst(events, timeline) && 'The events are not those of the timeline, the newest first.',
    events.some(({ date, time, timestamp }) => !timestamp.startsWith(`${date}T${time}`)) &&
      'A day or a time is not that of its timestamp.',
  ]),
]

function isNewestFirst(events: Tracking['events'], timeline: Timeline): boolean {
  const times = timeline.events.map(({ occurred_at }) => occurred_at).reverse()
  return events.length === times.length && events.every(({ timestamp }, index) => timestamp === times[index])
}
