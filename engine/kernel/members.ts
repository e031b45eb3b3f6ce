/** A JSON object with unknown members. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
