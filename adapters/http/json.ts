import { EngineError } from '../../engine/index.ts'

/** How deep lists and objects may lie in each other where they are no document that is read as a whole. */
export const maxLevels = 64

/**
 * Parses a text as JSON, or throws `malformed_json` with what is wrong and where; and `invalid_input` with `too_deep` where
 * lists and objects lie deeper than so many levels, before anything that goes as deep is done with it.
 */
export function parseJson(text: string, levels = Number.POSITIVE_INFINITY): unknown {
  if (isDeeper(text, levels))
    throw new EngineError('invalid_input', { count: 1 }, [{ path: '', code: 'too_deep', params: { limit: levels } }])
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\p{Cc}/gu, ' ').slice(0, 120) : ''
    throw new EngineError('malformed_json', { reason })
  }
}

/** Whether more lists and objects than so many are open at once, by the brackets outside of strings alone. */
function isDeeper(text: string, levels: number): boolean {
  if (levels >= text.length) return false
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '[' || sign === '{') open++
    else if (sign === ']' || sign === '}') open--
    if (open > levels) return true
  }
  return false
}

/** Where the string that begins here ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** The value of a text of JSON, or the error of one that is none. */
export function parsedOrError(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return error
  }
}
