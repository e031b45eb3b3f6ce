import { EngineError } from '../../engine/index.ts'

/** Maximum nesting of arrays and objects in the input of an operation. */
export const maxLevels = 64

/**
 * Parses JSON. Throws `malformed_json` with the reason and position, or `invalid_input` with `too_deep` if the nesting
 * exceeds `levels`; depth is checked before anything recursive runs.
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

/** Whether more than `levels` brackets are open at once, outside of strings. */
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

/** The index where the string that starts here ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** The parsed value, or the error. */
export function parsedOrError(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return error
  }
}
