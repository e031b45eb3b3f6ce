import { type ChangedHeader, type CustomHeader, isSameHeader } from '../../kernel/custom-headers.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import type { AttemptFailure } from '../../kernel/webhooks.ts'
import type { EndpointHealthEvent, WebhookEventBase } from './events.ts'
import { refuse } from './refuse.ts'

/** What is set for one endpoint, and what is known of its health. */
export interface Tuning {
  /** Whether nothing is sent: what waits is kept. */
  readonly isOff?: true
  /** Whether it was switched off because it failed for too long. */
  readonly isDisabled?: true
  /** Concurrent attempts at most. */
  readonly inFlight?: number
  /** Attempts started in a second at most. */
  readonly perSecond?: number
  /** What people call it; absent if it has no name, and after an erasure. */
  readonly name?: string
  /** Headers of the owner; absent if there are none, and after an erasure. */
  readonly headers?: readonly CustomHeader[]
  /** Since when it has been failing (ISO 8601, UTC); absent once it has recovered. */
  readonly failingSince?: string
  /** When it was last switched on (ISO 8601, UTC). */
  readonly onSince?: string
}

/** The tunings of an owner's endpoints, by id; those that were never tuned are absent. */
export type Tunings = Readonly<Record<string, Tuning>>

/** Changes an endpoint; absent members stay, and null removes a limit or the name. */
export interface TuneEndpoint extends WebhookEventBase {
  readonly type: 'TuneEndpoint'
  readonly endpoint_id: string
  readonly on?: boolean
  readonly in_flight?: number | null
  readonly per_second?: number | null
  readonly name?: string | null
  /** All headers from now on; one without a value keeps the value that is set. */
  readonly headers?: readonly ChangedHeader[]
}

/** Records that an endpoint fails or has recovered; does nothing if this is known. */
export interface ReportHealth {
  readonly type: 'ReportHealth'
  /** ISO 8601, UTC. */
  readonly at: string
  readonly endpoint_id: string
  /** Since when it has been failing; absent if it no longer does. */
  readonly since?: string
  readonly status?: number
  readonly failure?: AttemptFailure
  /** Whether it is switched off if it fails: after so many days of failure since it was last switched on. */
  readonly disableAfterDays: number
  /** Whether its receiver said that it is gone; it is then switched off at once. */
  readonly gone?: true
}

/**
 * The commands on one endpoint of an owner. Refusals: `webhook_endpoint_not_found`, and `invalid_input` for a header without
 * a value that is not set.
 */
export type TuningCommand = TuneEndpoint | ReportHealth

/** Whether a command is about one endpoint. */
export function isTuning(command: { readonly type: string }): command is TuningCommand {
  return command.type === 'TuneEndpoint' || command.type === 'ReportHealth'
}

/** Whether an event is about one endpoint. */
export function isTuned(event: { readonly type: string }): event is EndpointHealthEvent {
  return event.type.startsWith('WebhookEndpoint')
}

const day = 86_400_000

/** The events that follow from a command on one of the endpoints with these ids. */
export function decideOnTuning(
  command: TuningCommand,
  tunings: Tunings,
  ids: readonly string[],
): readonly EndpointHealthEvent[] {
  const { endpoint_id } = command
  const tuning = tunings[endpoint_id] ?? {}
  const isKnown = ids.includes(endpoint_id)
  if (command.type === 'ReportHealth') return isKnown ? reported(command, tuning) : []
  if (!isKnown) throw new EngineError('webhook_endpoint_not_found')
  const { type: _, headers, name, ...plain } = command
  const personal = {
    ...(headers && { headers: withValues(headers, tuning.headers) }),
    ...(name === undefined ? {} : { name }),
  }
  const data = { ...plain, ...(Object.keys(personal).length > 0 && { personal }) }
  const event = { type: 'WebhookEndpointTuned', data } as const
  const [before, after] = [tuning, tuned(event, tuning)].map(({ onSince: _, ...rest }) => JSON.stringify(rest))
  return before === after ? [] : [event]
}

/** The headers with the values that are kept. */
function withValues(changed: readonly ChangedHeader[], kept: readonly CustomHeader[] = []): readonly CustomHeader[] {
  const found = changed.map(({ name, value }) => ({
    name,
    value: value ?? kept.find((one) => isSameHeader(one, { name }))?.value,
  }))
  refuse(
    found.flatMap(({ value }, index): readonly Finding[] =>
      value === undefined ? [{ path: pathTo(pathTo('headers', index), 'value'), code: 'webhook_header_value' }] : [],
    ),
  )
  return found.map(({ name, value = '' }) => ({ name, value }))
}

function reported(command: ReportHealth, tuning: Tuning): readonly EndpointHealthEvent[] {
  const { at, endpoint_id, since, status, failure, disableAfterDays, gone } = command
  if (since === undefined)
    return tuning.failingSince === undefined
      ? []
      : [{ type: 'WebhookEndpointRecovered', data: { at, endpoint_id, since: tuning.failingSince } }]
  const answer = { ...(status === undefined ? {} : { status }), ...(failure === undefined ? {} : { failure }) }
  const data = { at, endpoint_id, since, ...answer }
  const { onSince = since } = tuning
  // An answer from before it was switched on says nothing of now.
  const isNews = tuning.isOff !== true && (tuning.onSince === undefined || Date.parse(at) >= Date.parse(tuning.onSince))
  if (gone) return isNews ? [{ type: 'WebhookEndpointDisabled', data: { ...data, gone } }] : []
  const failed = Date.parse(at) - Math.max(Date.parse(since), Date.parse(onSince))
  const isTooLong = disableAfterDays > 0 && tuning.isOff !== true && failed >= disableAfterDays * day
  return [
    ...(tuning.failingSince === undefined ? [{ type: 'WebhookEndpointFailing', data } as const] : []),
    ...(isTooLong ? [{ type: 'WebhookEndpointDisabled', data } as const] : []),
  ]
}

/** The tunings after an event. */
export function tuningsAfter(event: EndpointHealthEvent, tunings: Tunings): Tunings {
  const { endpoint_id } = event.data
  return { ...tunings, [endpoint_id]: tuned(event, tunings[endpoint_id] ?? {}) }
}

/** The tunings of the endpoints that are left. */
export function tuningsOf(ids: readonly string[], tunings: Tunings): Tunings {
  return Object.fromEntries(Object.entries(tunings).filter(([id]) => ids.includes(id)))
}

function tuned(event: EndpointHealthEvent, tuning: Tuning): Tuning {
  const { failingSince: _, ...well } = tuning
  switch (event.type) {
    case 'WebhookEndpointFailing':
      return { ...well, failingSince: event.data.since }
    case 'WebhookEndpointRecovered':
      return well
    case 'WebhookEndpointDisabled':
      return { ...tuning, failingSince: event.data.since, isOff: true, isDisabled: true }
    default:
      return {
        ...switched(event.data, tuning),
        ...limitsAfter(event.data, tuning),
        ...nameAfter(event.data, tuning),
        ...headersAfter(event.data, tuning),
      }
  }
}

type Tuned = Extract<EndpointHealthEvent, { type: 'WebhookEndpointTuned' }>['data']

function switched({ at, on }: Tuned, { failingSince, ...tuning }: Tuning): Tuning {
  const { isOff, isDisabled, onSince } = tuning
  const failing = failingSince === undefined ? {} : { failingSince }
  if (on === true) return { ...failing, onSince: at }
  const since = onSince === undefined ? {} : { onSince }
  if (on === false) return { ...failing, ...since, isOff: true }
  return { ...failing, ...since, ...(isOff ? { isOff } : {}), ...(isDisabled ? { isDisabled } : {}) }
}

function limitsAfter({ in_flight, per_second }: Tuned, { inFlight, perSecond }: Tuning): Tuning {
  const [most, rate] = [
    in_flight === undefined ? inFlight : in_flight,
    per_second === undefined ? perSecond : per_second,
  ]
  return { ...(most == null ? {} : { inFlight: most }), ...(rate == null ? {} : { perSecond: rate }) }
}

function nameAfter({ personal }: Tuned, { name: before }: Tuning): Tuning {
  const name = personal?.name === undefined ? before : personal.name
  return name == null ? {} : { name }
}

function headersAfter({ personal }: Tuned, tuning: Tuning): Tuning {
  const headers = personal?.headers ?? tuning.headers ?? []
  return headers.length === 0 ? {} : { headers }
}
