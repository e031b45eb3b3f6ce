import type { Code } from '../../kernel/messages/index.ts'
import { dayIn, zonedIso } from '../../kernel/zone.ts'
import type { RuledOrder } from './ports.ts'
import { type Rule, weekdays } from './rule.ts'

/** When an order is to be carried out, in the time zone of its business. */
interface Moment {
  readonly weekday: (typeof weekdays)[number]
  /** `HH:MM`; undefined for an order of a later day without a time window. */
  readonly time: string | undefined
  /** Whether its day has come. */
  readonly isDue: boolean
  /** Whether the day, and the time, stay as they are while time goes on. */
  readonly isDayFixed: boolean
  readonly isTimeFixed: boolean
}

/** What of an order rules look at, besides itself. */
export interface Setting {
  readonly zone: string | undefined
  readonly postalCode: string
  readonly moment: Moment
}

/** Why a rule does not take an order, and whether it may take it later, as time goes on. */
export interface Mismatch {
  readonly code: Code
  readonly isPassing: boolean
}

/** When an order is to be carried out: on its scheduled day, unless that is over, and else today. */
export function momentOf(
  { scheduleDate, timeWindow }: Pick<RuledOrder, 'scheduleDate' | 'timeWindow'>,
  now: number,
  timeZone: string,
): Moment {
  const today = dayIn(now, timeZone)
  const day = scheduleDate === undefined || scheduleDate < today ? today : scheduleDate
  const isDue = day === today
  const time = timeWindow?.start ?? (isDue ? zonedIso(now, timeZone).slice(11, 16) : undefined)
  const weekday = weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'monday'
  return { weekday, time, isDue, isDayFixed: !isDue, isTimeFixed: timeWindow !== undefined }
}

/** Why an order does not fit a rule, whatever the time; undefined if it does. */
export function lastingMismatch(
  { is_on = true, when = {} }: Rule,
  order: Pick<RuledOrder, 'type' | 'service' | 'tags'>,
  { zone = '', postalCode }: Setting,
): Code | undefined {
  if (!is_on) return 'rule_is_off'
  if (when.types?.includes(order.type) === false) return 'rule_of_other_types'
  if (when.services?.includes(order.service ?? '') === false) return 'rule_of_other_services'
  if (when.tags?.every((tag) => order.tags.includes(tag)) === false) return 'rule_of_other_tags'
  if (when.zones?.includes(zone) === false) return 'rule_of_other_zones'
  if (when.postal_codes?.some((prefix) => postalCode.startsWith(prefix)) === false) return 'rule_of_other_postal_codes'
  return undefined
}

/** Why an order does not fit a rule now; undefined if it does. */
export function mismatch(
  rule: Rule,
  order: Pick<RuledOrder, 'type' | 'service' | 'tags'>,
  setting: Setting,
): Mismatch | undefined {
  const lasting = lastingMismatch(rule, order, setting)
  if (lasting !== undefined) return { code: lasting, isPassing: false }
  const { weekday, time, isDue, isDayFixed, isTimeFixed } = setting.moment
  const { weekdays: days, hours } = rule.when ?? {}
  if (days?.includes(weekday) === false) return { code: 'rule_of_other_weekdays', isPassing: !isDayFixed }
  if (hours !== undefined && (time === undefined || time < hours.start || time >= hours.end))
    return { code: 'rule_of_other_hours', isPassing: !isTimeFixed }
  return rule.target === 'drivers' && !isDue ? { code: 'rule_for_its_day', isPassing: true } : undefined
}
