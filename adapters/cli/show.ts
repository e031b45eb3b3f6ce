import {
  findStream,
  localTime,
  readTimeline,
  type Timeline,
  type TimelineEvent,
  timelineName,
} from '../../engine/index.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { documentText, optionOf, requestedFormat } from './document.ts'
import { either } from './either.ts'
import { operationNamed, requestFor } from './remote/requests.ts'
import type { Server } from './remote/server.ts'

/** `otep show`: prints a timeline. */
export const run: Run = async (invocation) => {
  const { positionals, values, stdout } = invocation
  const [number, second] = positionals
  if (number === undefined || second !== undefined) throw usageError('Name one tracking number.')
  const isDocument = values.json === true || ['format', 'accept', 'option'].some((name) => values[name] !== undefined)
  const text = await either(invocation, {
    store: async (context) => {
      const asked = requestedFormat(invocation, context)
      const { stream, timeline } = await readTimeline(context, await findStream(context, number))
      if (!isDocument) return timelineText(timeline)
      return documentText(timeline, { ...asked, target: { ...asked.target, timeline: timelineName(stream) } })
    },
    server: async (server) =>
      isDocument
        ? documentOf(server, number, invocation)
        : timelineText((await server.call('otep_tracking', { tracking_number: number })).data as Timeline),
  })
  stdout.write(text)
  return 0
}

/** The document that a server writes; plain JSON is indented for people. */
async function documentOf(server: Server, number: string, { values }: Invocation): Promise<string> {
  const { format = 'otep', option, accept } = values as Readonly<Record<string, string | undefined>>
  const asked = { tracking_number: number, format, ...(option === undefined ? {} : optionOf(option)) }
  if (accept === undefined) return `${JSON.stringify((await server.call('otep_tracking', asked)).data, null, 2)}\n`
  const { headers, ...request } = requestFor(operationNamed('otep_tracking'), asked, '')
  // JSON without a profile would come in an envelope.
  const isJson = /^application\/json *$/i.test(accept)
  const Accept = isJson ? `application/json; profile="urn:otep:format:${format}"` : accept
  const text = await (await server.send({ ...request, headers: { ...headers, Accept } })).text()
  return text.endsWith('\n') ? text : `${text}\n`
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
