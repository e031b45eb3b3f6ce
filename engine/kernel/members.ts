/** A JSON object of which nothing is known but that it is one. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a JSON value is an object, and not a list or null. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
