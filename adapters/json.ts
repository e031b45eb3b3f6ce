import { EngineError } from '../engine/index.ts'

/** Parses a text as JSON, or throws `malformed_json` with what is wrong and where. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\p{Cc}/gu, ' ').slice(0, 120) : ''
    throw new EngineError('malformed_json', { reason })
  }
}

/** The value of a text of JSON, or the error of one that is none. */
export function parsedOrError(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return error
  }
}
