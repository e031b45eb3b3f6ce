import t from 'tap'
import type { Timeline, TimelineEvent } from '../../engine/index.ts'
import { ics } from './index.ts'
import { textOfCalendar } from './text.ts'

const target = { baseUrl: 'https://api.example', options: {} }

function timeline(over: Partial<TimelineEvent>, of: Partial<Timeline> = {}): Timeline {
  const event: TimelineEvent = {
    ...{ event_id: 'a', otep_version: '0.1', status_code: 'in_transit', phase: 'transit' },
    ...{ occurred_at: '2026-06-10T09:30:00-04:00', recorded_at: '2026-06-10T13:45:00.250Z', ...over },
  }
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'SR1' } },
    ...{ current_status: event.status_code, delivered: event.status_code === 'delivered', events: [event], ...of },
  }
}

function linesOf(of: Timeline): readonly string[] {
  return textOfCalendar(ics.project(of, target)).split('\r\n')
}

const timesOf = (of: Timeline) => linesOf(of).filter((line) => /^DT(START|END)/.test(line))

t.test('given a window, when it is projected, then the calendar has it in UTC', async (t) => {
  const of = timeline({
    estimated_delivery_from: '2026-06-12T14:00:00+02:00',
    estimated_delivery_at: '2026-06-12T16:00:00.5+02:00',
  })
  const lines = linesOf(of)
  t.match(lines[6], /^UID:[\da-f-]{36}$/)
  t.same(lines.toSpliced(6, 1), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//otep-engine//timeline//EN',
    'NAME:SR1',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'BEGIN:VEVENT',
    'DTSTAMP:20260610T134500Z',
    'DTSTART:20260612T120000Z',
    'DTEND:20260612T140000Z',
    'SUMMARY:SR1: In transit',
    'STATUS:CONFIRMED',
    'TRANSP:TRANSPARENT',
    'URL:https://api.example/track/SR1',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

t.test('given days, a moment, a delivery or nothing, when it is projected, then the entry says so', async (t) => {
  t.same(timesOf(timeline({ estimated_delivery_at: '2026-06-12T23:59:59+02:00' })), [
    'DTSTART;VALUE=DATE:20260612',
    'DTEND;VALUE=DATE:20260613',
  ])
  t.same(
    timesOf(
      timeline({
        estimated_delivery_from: '2026-06-30T00:00:00-11:00',
        estimated_delivery_at: '2026-07-01T23:59:59-11:00',
      }),
    ),
    ['DTSTART;VALUE=DATE:20260630', 'DTEND;VALUE=DATE:20260702'],
  )
  t.same(timesOf(timeline({ estimated_delivery_at: '2026-06-12T12:00:00Z' })), ['DTSTART:20260612T120000Z'])
  const backwards = { estimated_delivery_from: '2026-06-12T13:00:00Z', estimated_delivery_at: '2026-06-12T12:00:00Z' }
  t.same(timesOf(timeline(backwards)), ['DTSTART:20260612T120000Z'])
  const estimated = { estimated_delivery_at: '2026-06-12T12:00:00Z' }
  t.same(timesOf(timeline({ ...estimated, status_code: 'delivered', phase: 'delivered' })), [
    'DTSTART:20260610T133000Z',
  ])
  t.same(timesOf(timeline({})), [])
  const cancelled = timeline({ ...estimated, status_code: 'cancelled', phase: 'exception' })
  t.ok(linesOf(cancelled).includes('STATUS:CANCELLED'))
})

t.test('given a better estimate, when it is projected again, then the entry is the same one', async (t) => {
  const uidOf = (of: Timeline) => linesOf(of).find((line) => line.startsWith('UID:'))
  const one = uidOf(timeline({ estimated_delivery_at: '2026-06-12T12:00:00Z' }))
  t.equal(uidOf(timeline({ estimated_delivery_at: '2026-06-13T12:00:00Z' })), one)
  const other = timeline({ estimated_delivery_at: '2026-06-12T12:00:00Z' }, { subject: { tracking_number: 'SR2' } })
  t.not(uidOf(other), one)
})

t.test('given long and hostile texts, when they are written, then lines are escaped and short', async (t) => {
  const estimated = { estimated_delivery_at: '2026-06-12T12:00:00Z' }
  const number = 'a,b;c\\d\r\nEND:VEVENT 👩‍👩‍👧'.repeat(10)
  const lines = linesOf(timeline(estimated, { subject: { tracking_number: number } }))
  t.ok(lines.every((line) => Buffer.byteLength(line) <= 75))
  t.equal(lines.filter((line) => line === 'END:VEVENT').length, 1)
  const summary = lines.join('\r\n').replaceAll('\r\n ', '').split('\r\n')
  t.ok(summary.some((line) => line.startsWith('SUMMARY:a\\,b\\;c\\\\d END:VEVENT')))
})
