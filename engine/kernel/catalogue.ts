/** The languages that the engine speaks, as BCP 47 tags; English comes first. */
export const languageTags = ['en', 'fr', 'de', 'es', 'zh-Hans', 'zh-Hant'] as const

/** A language that the engine speaks, as its BCP 47 tag. */
export type Language = (typeof languageTags)[number]

/** The kinds of refusals of a whole request; how a transport says each is its own matter. */
export type Kind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported'
  | 'invalid'
  | 'too_often'
  | 'failed'
  | 'unavailable'

/** The texts of some codes, in every language; `{name}` in a text is filled from the parameters. */
export interface Catalogue extends Readonly<Record<Language, Readonly<Record<string, string>>>> {
  /** The kind of each code that refuses a whole request; a code without one only describes a value. */
  readonly kinds?: Readonly<Record<string, Kind>>
}
