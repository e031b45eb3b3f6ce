import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { ics } from '../../../projections/ics/index.ts'
import { textOfCalendar } from '../../../projections/ics/text.ts'
import { judges } from './index.ts'

const target = { baseUrl: 'https://api.example', options: {} }

const event: TimelineEvent = {
  ...{ event_id: 'a', otep_version: '0.1', status_code: 'in_transit', phase: 'transit' },
  ...{ occurred_at: '2026-06-10T09:30:00-04:00', recorded_at: '2026-06-10T13:45:00.000Z' },
  estimated_delivery_from: '2026-06-12T14:00:00+02:00',
  estimated_delivery_at: '2026-06-12T16:00:00+02:00',
}

const timeline: Timeline = {
  ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'SR;1,\\é'.repeat(20) } },
  ...{ current_status: 'in_transit', delivered: false, events: [event] },
}

const json = JSON.stringify(ics.project(timeline, target))
const text = textOfCalendar(ics.project(timeline, target))
const judged = (document: string, mediaType: string) =>
  judges[0]?.judge({ text: document, mediaType, timeline, target })

t.test('given a calendar as JSON and as text, when it is judged, then nothing is found', async (t) => {
  t.same(await judged(json, 'application/json'), [])
  t.same(await judged(text, 'text/calendar'), [])
})

const faults: readonly (readonly [fault: string, document: string])[] = [
  ['no end of a line', text.replaceAll('\r\n', '\n')],
  ['a long line', text.replaceAll('\r\n ', '')],
  ['no version', text.replace('VERSION:2.0\r\n', '')],
  ['no maker', text.replace(/PRODID:[^\r]*\r\n/, '')],
  ['no stamp', text.replace(/DTSTAMP:[^\r]*\r\n/, '')],
  ['a local time', text.replace('T120000Z', 'T120000')],
  ['an end before the start', text.replace('T140000Z', 'T110000Z')],
  ['a day and a time', text.replace(/DTEND:[^\r]*/, 'DTEND;VALUE=DATE:20260613')],
  ['an unknown status', text.replace('CONFIRMED', 'MAYBE')],
  ['two names', text.replace(/(UID:[^\r]*\r\n)/, '$1$1')],
  ['another component', text.replaceAll('VEVENT', 'VTODO')],
  ['a list of nothing', '[]'],
]

for (const [fault, document] of faults)
  t.test(`given ${fault}, when it is judged, then it is found`, async (t) => {
    t.not(document, text)
    t.ok(((await judged(document, 'text/calendar')) ?? []).length > 0)
  })
