/** The fewest and the most seconds. */
const bounds = { least: 3, most: 300 }

/** `OTEP_STORE_PATIENCE` in milliseconds: how long a call waits at most for an event store server; 10 s if not set. */
export function patienceFrom({ OTEP_STORE_PATIENCE: text }: Readonly<Record<string, string | undefined>>): number {
  const seconds = Number(text || '10')
  if (!/^\d{0,3}$/.test(text ?? '') || seconds < bounds.least || seconds > bounds.most)
    throw new Error(`OTEP_STORE_PATIENCE must be a number from ${bounds.least} to ${bounds.most}, not ${text}`)
  return seconds * 1_000
}
