/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a JSON value is an object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects among a value or the elements of a list. */
export function objectsOf(value: unknown): readonly Members[] {
  return (Array.isArray(value) ? value : [value]).filter(isMembers)
}

/** The texts among a value or the elements of a list. */
export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((element) => typeof element === 'string')
}
