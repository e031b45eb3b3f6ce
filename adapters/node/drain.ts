/** The most seconds. */
const longestDrain = 300

/** `OTEP_DRAIN_SECONDS`: `5`. */
export function drainFrom({ OTEP_DRAIN_SECONDS: text = '0' }: Readonly<Record<string, string | undefined>>): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > longestDrain)
    throw new Error(`OTEP_DRAIN_SECONDS must be a number from 0 to ${longestDrain}, not ${text}`)
  return Number(text)
}
