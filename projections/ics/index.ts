import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { type Calendar, calendarSchema } from './schema.ts'
import { textOfCalendar } from './text.ts'

export { calendarOf } from './project.ts'
export { textOfCalendar } from './text.ts'

/** iCalendar: the expected delivery as an entry of a calendar that people subscribe to. */
export const ics: Projection<Calendar> = {
  name: 'ics',
  title: 'Calendar',
  standard: 'iCalendar (RFC 5545), jCal (RFC 7265)',
  version: '1',
  representations: [{ mediaType: 'text/calendar', write: textOfCalendar }],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'The history: an entry has the current status in words, and no events, places or proof of delivery.',
    'Without an expected time, and without a delivery, the calendar has no entry.',
    'Fractions of seconds.',
  ],
  schema: calendarSchema,
  project,
  write,
  pieces,
}
