import { sensorKinds } from './sensor-kinds.ts'

/** Codes of notices; `x-sensor_reporting` is the business step `sensor_reporting` of EPCIS. */
const notices: ReadonlySet<string> = new Set([
  ...Object.values(sensorKinds).map(({ excursion }) => excursion),
  'x-sensor_reporting',
])

/** Whether a code is a notice: it says what was noticed on the way, and nothing about where the thing is in its life cycle. */
export function isNotice(code: string): boolean {
  return notices.has(code)
}
