import {
  codeOf,
  deriveId,
  type Expected,
  instantOf,
  latestExpected,
  localTime,
  type Target,
  type Timeline,
} from '../../engine/index.ts'
import { type Order, orderDocuments, pageShown } from '../shared/fold.ts'
import { profileOf } from '../shared/profile.ts'
import { nameOf } from '../shared/subject.ts'
import { utcOf } from '../shared/time.ts'
import { type Row, rows } from './codes.ts'
import type { Calendar, Entry, Property } from './schema.ts'

/** What a calendar says beside its timeline: when a delivery is expected, and the current status in words. */
interface Said {
  readonly expected: Expected | undefined
  readonly status: string | undefined
}

/** A timeline as a calendar with one entry, if a time is expected, or known. */
export const { project, write, pieces } = calendarOf((timeline, target) => ({
  expected: latestExpected(timeline.events),
  status: phraseOf(timeline, target),
}))

/** The members of the projection that make documents, with what somebody says of a timeline. */
export function calendarOf(saidOf: (timeline: Timeline, target: Target) => Said) {
  return orderDocuments<Row, Calendar>(rows, (order) => {
    const said = saidOf(order.timeline, order.target)
    const span = spanOf(order, said.expected)
    const { value } = nameOf(order.timeline.subject)
    const properties: Property[] = [
      text('version', '2.0'),
      text('prodid', '-//otep-engine//timeline//EN'),
      text('name', value),
      ['refresh-interval', {}, 'duration', 'PT1H'],
    ]
    return ['vcalendar', properties, span === undefined ? [] : [entryOf(order, span, said.status)]]
  })
}

function entryOf({ row, timeline, target }: Order<Row>, span: readonly Property[], status: string | undefined): Entry {
  const { value } = nameOf(timeline.subject)
  return [
    'vevent',
    [
      text('uid', deriveId('ics', timeline.profile, target.timeline ?? value)),
      ['dtstamp', {}, 'date-time', secondOf(latestRecorded(timeline))],
      ...span,
      text('summary', status === undefined ? value : `${value}: ${status}`),
      text('status', row.status),
      text('transp', 'TRANSPARENT'),
      ['url', {}, 'uri', pageShown(timeline, target)],
    ],
    [],
  ]
}

/** The moment of the delivery, or the time or days at which it is expected. */
function spanOf({ stage, since }: Order<Row>, expected: Expected | undefined): readonly Property[] | undefined {
  if (stage === 'delivered' && since !== undefined) return [moment('dtstart', since)]
  if (expected === undefined) return undefined
  const { estimated_delivery_at: until, estimated_delivery_from: from } = expected
  if (isEdge(until) && (from === undefined || isEdge(from)))
    return [day('dtstart', localTime(from ?? until).date), day('dtend', dayAfter(localTime(until).date))]
  if (from === undefined || secondOf(from) >= secondOf(until)) return [moment('dtstart', until)]
  return [moment('dtstart', from), moment('dtend', until)]
}

/** Midnight and the last minute of a day stand for the whole day, as carriers use them. */
function isEdge(time: string): boolean {
  return ['00:00', '23:59'].includes(localTime(time).time)
}

function moment(name: string, time: string): Property {
  return [name, {}, 'date-time', secondOf(time)]
}

/** In UTC, so that a calendar shows the hours of its zone. */
function secondOf(time: string): string {
  return utcOf(time).replace(/\.\d+/, '')
}

/** A day is the same everywhere: that of the destination. */
function day(name: string, date: string): Property {
  return [name, {}, 'date', date]
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}

/** Texts have no control characters (RFC 5545, section 3.3.11). */
function text(name: string, value: string): Property {
  return [name, {}, 'text', value.toWellFormed().replace(/\p{Cc}+/gu, ' ')]
}

function latestRecorded({ events }: Timeline): string {
  return events.reduce(
    (latest, { recorded_at }) => (instantOf(recorded_at) > instantOf(latest) ? recorded_at : latest),
    '1970-01-01T00:00:00Z',
  )
}

function phraseOf(timeline: Timeline, target: Target): string | undefined {
  const { current_status: code } = timeline
  return code === undefined ? undefined : (codeOf(profileOf(timeline, target), code)?.phrases.en ?? code)
}
