const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether a time zone of this name exists (IANA Time Zone Database); offsets such as +01:00 are not names. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && formatIn(name) !== undefined
  } catch {
    return false
  }
}

/** An instant (epoch milliseconds) as ISO 8601 with the zone's offset at that time, to the second. */
export function zonedIso(instant: number, zone: string): string {
  const local = localParts(instant, zone)
  const minutes = Math.round((Date.parse(`${local}Z`) - Math.floor(instant / 1000) * 1000) / 60_000)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
}

/** The calendar day of an instant in the zone: `YYYY-MM-DD`. */
export function dayIn(instant: number, zone: string): string {
  return localParts(instant, zone).slice(0, 10)
}

const day = 86_400_000

/**
 * The instant (epoch milliseconds) of a local time in the zone, as `2026-06-10T08:30`. Of a time that the clocks show twice it is the
 * first; one that they skip counts as if they had not been put forward.
 */
export function instantIn(local: string, zone: string): number {
  const shown = Date.parse(`${local}Z`)
  const at = (near: number) => shown - (Date.parse(`${localParts(near, zone)}Z`) - near)
  const isShown = (instant: number) => Date.parse(`${localParts(instant, zone)}Z`) === shown
  const [before, after] = [at(shown - day), at(shown + day)]
  return !isShown(before) && isShown(after) ? after : before
}

function localParts(instant: number, zone: string): string {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Cached for each of the about 600 zones, because creating a format costs a thousand times as much as using it. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const two = '2-digit'
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  } as Intl.DateTimeFormatOptions)
  formats.set(timeZone, format)
  return format
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
