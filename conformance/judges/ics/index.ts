import ICAL from 'ical.js'
import { type Judged, type ReadyJudge, readyJudge } from '../judge.ts'

type Calendar = readonly unknown[]

/** The judges of calendars. */
export const judges: readonly ReadyJudge[] = [
  readyJudge({
    name: 'ical.js',
    format: 'ics',
    takes: ({ mediaType }) => ['application/json', 'text/calendar'].includes(mediaType),
    judge: (judged) => {
      try {
        return faultsOf(judged).filter((fault) => fault !== false)
      } catch (error) {
        return [`It is no calendar: ${error}.`]
      }
    },
  }),
]

function faultsOf({ text, mediaType }: Judged): readonly (string | false)[] {
  const isText = mediaType === 'text/calendar'
  const read: Calendar = isText ? ICAL.parse(text) : JSON.parse(text)
  const calendar = new ICAL.Component(read as never)
  const again = ICAL.parse(calendar.toString())
  return [
    JSON.stringify(again) !== JSON.stringify(read) && 'It is another calendar when it is written and read again.',
    calendar.name !== 'vcalendar' && 'It is no VCALENDAR.',
    calendar.getFirstPropertyValue('version') !== '2.0' && 'It is of another version.',
    typeof calendar.getFirstPropertyValue('prodid') !== 'string' && 'It does not say what made it.',
    ...(isText ? lineFaults(text) : []),
    ...calendar.getAllSubcomponents().flatMap(entryFaults),
  ]
}

function lineFaults(text: string): readonly (string | false)[] {
  const lines = text.split('\r\n')
  return [
    lines.at(-1) !== '' && 'Its last line does not end.',
    lines.some((line) => /[\r\n]/.test(line)) && 'A line ends without CRLF.',
    lines.some((line) => Buffer.byteLength(line) > 75) && 'A line has more than 75 bytes.',
  ]
}

function entryFaults(component: InstanceType<typeof ICAL.Component>): readonly (string | false)[] {
  const event = new ICAL.Event(component)
  const start = event.startDate
  const end = component.getFirstPropertyValue('dtend') === null ? undefined : event.endDate
  const once = ['uid', 'dtstamp', 'dtstart', 'summary', 'status', 'url']
  const stamp = component.getFirstPropertyValue('dtstamp')
  return [
    component.name !== 'vevent' && 'An entry is no VEVENT.',
    ...once.map((name) => component.getAllProperties(name).length !== 1 && `An entry has not one ${name}.`),
    !(stamp instanceof ICAL.Time) && 'DTSTAMP is no time.',
    !start.isDate && start.zone !== ICAL.Timezone.utcTimezone && 'DTSTART is not in UTC.',
    end !== undefined && end.compare(start) <= 0 && 'It ends before it begins.',
    end !== undefined && end.isDate !== start.isDate && 'It begins on a day and ends at a time.',
    !['TENTATIVE', 'CONFIRMED', 'CANCELLED'].includes(String(component.getFirstPropertyValue('status'))) &&
      'Its status is none of RFC 5545.',
  ]
}
