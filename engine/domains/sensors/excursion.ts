import type { RecordedEvent } from '../../kernel/event.ts'
import { millionths, sensorKind, unitOf } from '../../kernel/sensor-kinds.ts'
import { isoOf } from '../../kernel/time.ts'
import type { Breach } from './breach.ts'
import { type BreachFact, type SeriesFact, timelineStreamOf } from './events.ts'

const facts: readonly string[] = [
  'SensorLimitBreached',
  'SensorBreachEnded',
  'SensorBreachCorrected',
  'SensorBreachWithdrawn',
]

/** What the timeline of a parcel is to say of a breach: its stream, and events of the protocol; undefined for other events. */
export function excursionOf(recorded: RecordedEvent) {
  if (!facts.includes(recorded.type)) return undefined
  const { type, data } = recorded as RecordedEvent<Exclude<SeriesFact, { type: 'SensorSeriesSummed' }>> &
    RecordedEvent<BreachFact>
  const { breach, was } = data
  const withdrawn = { withdrawn: { declared_at: recorded.recordedAt } }
  const before = { ...breach, version: breach.version - 1, from: was ?? breach.from }
  const events =
    type === 'SensorBreachWithdrawn'
      ? [{ ...eventOf(data, breach), ...withdrawn }]
      : type === 'SensorBreachCorrected'
        ? [{ ...eventOf(data, before), ...withdrawn }, eventOf(data, breach)]
        : [eventOf(data, breach)]
  return { stream: timelineStreamOf(data.timeline), events }
}

/** The event of a breach. Once it has ended, a repeated report adds for how long it lasted. */
function eventOf({ measured, minimum, maximum }: BreachFact['data'], breach: Breach) {
  const { id, version, from, until, extreme } = breach
  const isBelow = minimum !== undefined && extreme < minimum
  const bound = (isBelow ? minimum : maximum) ?? extreme
  const unit = unitOf(measured)
  const value = (millionth: number) => `${millionth / millionths}${unit === undefined ? '' : ` ${unit}`}`
  const minutes = Math.round(((until ?? from) - from) / 6000) / 10
  return {
    event_id: `excursion-${id}-${version}`,
    status_code: sensorKind(measured).excursion,
    occurred_at: isoOf(from),
    source: { type: 'exception' },
    incident_reason: `${measured}_${isBelow ? 'below_minimum' : 'above_maximum'}`,
    ...(until !== undefined && {
      description: `${isBelow ? 'Down' : 'Up'} to ${value(extreme)} for ${minutes} min; the limit is ${value(bound)}.`,
    }),
  }
}
