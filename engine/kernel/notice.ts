/**
 * Whether a code is a notice: it says what was noticed on the way, and nothing about where the thing is in its life cycle. These
 * are the excursions of sensors, and the business step `sensor_reporting` of EPCIS.
 */
export function isNotice(code: string): boolean {
  return code === 'x-sensor_reporting' || /^x-[a-z-]+-excursion$/.test(code)
}
