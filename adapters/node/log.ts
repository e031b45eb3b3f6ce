import { isOfOutage } from './outages.ts'

/** Logs an event in a few words. The fields contain no personal data: no identifier, key, query or part of an event. */
export type LogFunction = (fields: object, words: string) => void

/** The log of the server, by severity. */
export interface Log {
  readonly debug: LogFunction
  readonly info: LogFunction
  readonly warn: LogFunction
  readonly error: LogFunction
}

/** Marks the fields of what failed only because the store is lost. The log tells that of the store, and the rest at debug level. */
const ofOutage: unique symbol = Symbol('of an outage')

/** Whether the log tells what has these fields at debug level only. */
export function isQuiet(fields: object): boolean {
  return ofOutage in fields
}

/** Fields of what follows from something with these fields: it is logged at debug level only if that was. */
export function quietAs(fields: object): object {
  return isQuiet(fields) ? { [ofOutage]: true } : {}
}

/** The default log: errors only, on the standard error. */
export const errorLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, words) => {
    if (!isQuiet(fields)) console.error(JSON.stringify({ level: 'error', ...fields, msg: words }))
  },
}

/**
 * Log fields of an unexpected error: name, code and stack, also of its cause. Not the message, which may repeat
 * personal data.
 */
export function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, code, cause } = error as Error & { readonly code?: unknown }
  return {
    error: name,
    ...(isOfOutage(error) ? { [ofOutage]: true } : {}),
    ...(isWord(code) ? { code } : {}),
    stack: framesOf(error),
    ...(cause === undefined ? {} : { cause: errorFields(cause) }),
  }
}

function isWord(code: unknown): boolean {
  return typeof code === 'number' || (typeof code === 'string' && /^[\w-]{1,60}$/.test(code))
}

/** The stack frames below the message, which may have several lines. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const end = stack.indexOf(message)
  const below = end < 0 ? stack : stack.slice(end + message.length)
  const frames = below.split('\n').filter((line) => /^ {4}at .*(:\d+\)?|<anonymous>\)?)$/.test(line))
  return frames.slice(0, 20).map((line) => line.slice(7))
}
