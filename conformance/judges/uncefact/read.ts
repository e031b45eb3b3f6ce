import type { Judged } from '../judge.ts'

/** A parsed document: objects, lists and values of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of JSON. */
export interface JsonObject {
  readonly [member: string]: Json | undefined
}

/** Whether a value is an object (and no list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The document as an object, or why it is none. */
export function read({ text }: Judged): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : 'The document is no object.'
  } catch {
    return 'The document is no JSON.'
  }
}

/** The elements of a list; a single value is a list of one, undefined an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as Json]
}

/** The objects among them. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).filter(isJsonObject)
}

/** Whether the document has the form of the message. */
export function isMessage({ target }: Judged): boolean {
  return target.options.dialect === 'message'
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Whether a value is an instant: RFC 3339, with an offset, on an existing day. */
export function isInstant(value: unknown): value is string {
  const parts = typeof value === 'string' ? dateTime.exec(value) : null
  if (parts === null) return false
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number)
  if (hour === undefined || minute === undefined || second === undefined || hour > 23 || minute > 59 || second > 59) {
    return false
  }
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day))
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day && !Number.isNaN(Date.parse(String(value)))
}
