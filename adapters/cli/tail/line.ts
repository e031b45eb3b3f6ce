import { type FeedChange, localTime, type TimelineEvent } from '../../../engine/index.ts'
import { printable } from '../printable.ts'

/** A change as a program reads it: a timeline of one number has no separate name. */
export type Change = Omit<FeedChange, 'timeline'> & { readonly timeline?: string }

/** The colours of the phases, as SGR parameters (ECMA-48): good is green, trouble is red, the way back is yellow. */
const colours: Readonly<Record<string, number>> = {
  delivered: 32,
  exception: 31,
  return: 33,
  out_for_delivery: 36,
  pre_shipment: 90,
}

/** A change as a line for people; `paint` adds colours. */
export function lineOf({ change, event, subject, current_status }: Change, isColoured: boolean): string {
  const paint = (text: string, colour: number | undefined) =>
    isColoured && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text
  const number = printable(String(subject.tracking_number ?? Object.values(subject)[0] ?? ''))
  if (event === undefined) return `${''.padEnd(23)}  ${number}  ${change}  ${current_status ?? ''}`.trimEnd()
  const code = paint(printable(event.status_code).padEnd(22), colours[event.phase])
  const kind = change === 'recorded' ? [] : [change]
  return `${timeOf(event)}  ${number.padEnd(16)}  ${code} ${[...kind, ...detailsOf(event)].join('; ')}`.trimEnd()
}

function timeOf({ occurred_at }: TimelineEvent): string {
  const { date, time, offset } = localTime(occurred_at)
  return `${date} ${time} ${offset}`
}

/** What a carrier wrote is untrusted, and printed without control characters. */
function detailsOf({ location, description, incident_reason, source }: TimelineEvent): readonly string[] {
  const all = [location?.name, description, incident_reason, source?.provider]
  return all.flatMap((text) => (text === undefined || text === '' ? [] : [printable(text)]))
}
