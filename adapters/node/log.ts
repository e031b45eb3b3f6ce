/** Tells what happened in a few words. The fields hold nothing personal: no identifier, key, query or part of an event. */
export type Tell = (fields: object, words: string) => void

/** Where the server tells what happens, by how much it matters. */
export interface Log {
  readonly debug: Tell
  readonly info: Tell
  readonly warn: Tell
  readonly error: Tell
}

/** The log of an interface that was given none: errors alone, on the standard error. */
export const errorLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, words) => console.error(JSON.stringify({ level: 'error', ...fields, msg: words })),
}

/**
 * What may be told of an error that nobody expected: its name, its code and where it was thrown, of its cause as well.
 * Not its message, which may repeat what it stumbled over.
 */
export function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, code, cause } = error as Error & { readonly code?: unknown }
  return {
    error: name,
    ...(isWord(code) ? { code } : {}),
    stack: framesOf(error),
    ...(cause === undefined ? {} : { cause: errorFields(cause) }),
  }
}

function isWord(code: unknown): boolean {
  return typeof code === 'number' || (typeof code === 'string' && /^[\w-]{1,60}$/.test(code))
}

/** The lines of a stack below the message, which may itself be of many lines. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const end = stack.indexOf(message)
  const below = end < 0 ? stack : stack.slice(end + message.length)
  const frames = below.split('\n').filter((line) => /^ {4}at .*(:\d+\)?|<anonymous>\)?)$/.test(line))
  return frames.slice(0, 20).map((line) => line.slice(7))
}
