import * as v from 'valibot'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { named } from '../../kernel/named.ts'
import { millionths, unitOf } from '../../kernel/sensor-kinds.ts'
import { isoOf } from '../../kernel/time.ts'
import type { WebhookEventSource, WebhookEventType } from '../../kernel/webhook-event.ts'
import type { BreachFact } from './events.ts'

const breachSchema = named(
  'SensorBreach',
  v.strictObject({
    timeline: v.pipe(v.string(), v.description('Name of the timeline of the parcel.')),
    tracking_number: v.exactOptional(v.string()),
    breach_id: v.pipe(
      v.number(),
      v.description('Counted from 1 in the timeline: the beginning and the end have the same.'),
    ),
    limit_id: v.number(),
    type: v.pipe(v.string(), v.description('What was measured.')),
    unit: v.exactOptional(v.string()),
    minimum: v.exactOptional(v.number()),
    maximum: v.exactOptional(v.number()),
    extreme: v.pipe(v.number(), v.description('The value that was furthest out so far.')),
    began_at: v.string(),
    ended_at: v.exactOptional(v.string()),
    seconds: v.exactOptional(v.pipe(v.number(), v.description('How long it lasted.'))),
  }),
)

const example = {
  timeline: 'tracking_number:SR1',
  tracking_number: 'SR1',
  breach_id: 1,
  limit_id: 3,
  type: 'temperature',
  unit: 'Cel',
  minimum: 2,
  maximum: 8,
  extreme: 11.5,
  began_at: '2026-11-21T08:20:00.000Z',
}

const sent = {
  channel: 'tenant',
  field: 'tracking_event_webhook_url',
  data: breachSchema,
  isInternal: true,
} as const

/** The webhook events that say how limits of sensors were passed. */
export const webhookEventTypes: readonly WebhookEventType[] = [
  {
    ...sent,
    name: 'sensor.limit_breached',
    summary: 'A sensor of a parcel was out of its limit for longer than that tolerates.',
    example,
  },
  {
    ...sent,
    name: 'sensor.breach_ended',
    summary: 'What was out of its limit is within it again; says for how long it was out.',
    example: { ...example, ended_at: '2026-11-21T09:05:00.000Z', seconds: 2700 },
  },
]

const names: Readonly<Record<string, string>> = {
  SensorLimitBreached: 'sensor.limit_breached',
  SensorBreachEnded: 'sensor.breach_ended',
}

/** What makes webhook events of breaches. */
export const breachSource: WebhookEventSource = {
  category: 'sensor_series',
  types: Object.keys(names),
  webhookEventsOf: async (_, event) => {
    const { type, data, stream, recordedAt } = event as RecordedEvent<BreachFact>
    const name = names[type]
    if (name === undefined) return []
    return [
      {
        type: name,
        id: deriveId(name, stream, String(data.breach.id)),
        audience: { kind: 'tenant', businessId: data.business },
        occurredAt: recordedAt,
        subject: `timeline/${deriveId(data.timeline)}`,
        data: () => breachMembers(data),
      },
    ]
  },
}

/** A breach as webhooks have it. */
export function breachMembers({ timeline, measured, minimum, maximum, breach }: BreachFact['data']) {
  const { id: breach_id, limit: limit_id, from, until, extreme } = breach
  const unit = unitOf(measured)
  const [, number] = /^tracking_number:([^#]*)/.exec(timeline) ?? []
  return {
    timeline,
    ...(number !== undefined && { tracking_number: decodeURIComponent(number) }),
    ...{ breach_id, limit_id, type: measured },
    ...(unit !== undefined && { unit }),
    ...(minimum !== undefined && { minimum: minimum / millionths }),
    ...(maximum !== undefined && { maximum: maximum / millionths }),
    ...{ extreme: extreme / millionths, began_at: isoOf(from) },
    ...(until !== undefined && { ended_at: isoOf(until), seconds: Math.round((until - from) / 1000) }),
  }
}
