import {
  findStream,
  localTime,
  readTimeline,
  type Timeline,
  type TimelineEvent,
  timelineName,
} from '../../engine/index.ts'
import { type Run, usageError } from './command.ts'
import { documentText, requestedFormat } from './document.ts'
import { withContext } from './session.ts'

/** `otep show`: prints a timeline. */
export const run: Run = async (invocation) => {
  const { positionals, values, stdout } = invocation
  const [number, second] = positionals
  if (number === undefined || second !== undefined) throw usageError('Name one tracking number.')
  const isDocument = values.json === true || ['format', 'accept', 'option'].some((name) => values[name] !== undefined)
  const text = await withContext(invocation, async (context) => {
    const asked = requestedFormat(invocation, context)
    const { stream, timeline } = await readTimeline(context, await findStream(context, number))
    if (!isDocument) return timelineText(timeline)
    return documentText(timeline, { ...asked, target: { ...asked.target, timeline: timelineName(stream) } })
  })
  stdout.write(text)
  return 0
}

function timelineText({ subject, current_status, events }: Timeline): string {
  const identifiers = Object.entries(subject).map(([kind, value]) => `${kind} ${value}`)
  return [identifiers.join(', '), `status: ${current_status ?? 'unknown'}`, '', ...events.map(eventText), ''].join('\n')
}

function eventText({ occurred_at, status_code, location, description, incident_reason, pod }: TimelineEvent): string {
  const { date, time, offset } = localTime(occurred_at)
  const more = [location?.name, description, incident_reason, pod?.recipient && `received by ${pod.recipient}`].filter(
    Boolean,
  )
  return `${date} ${time} ${offset}  ${status_code.padEnd(22)} ${more.join('; ')}`.trimEnd()
}
