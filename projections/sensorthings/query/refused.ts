import { EngineError, excerptOf, meantBy } from '../../../engine/index.ts'

/** The refusal of a query option, with the reason. */
export function refused(option: string, reason: string): EngineError {
  return new EngineError('query_parameter_refused', { parameter: excerptOf(option), reason })
}

/** The refusal of a name that is none of the known ones; it names the one that was probably meant. */
export function unknownName(option: string, what: string, name: string, known: readonly string[]): EngineError {
  const meant = meantBy(name, known)
  return refused(option, `there is no ${what} ${shown(name)}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}

/** The beginning of a text, for a message. */
export function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}
