/** The supported languages as BCP 47 tags, English first. */
export const languageTags = ['en', 'fr', 'de', 'es', 'zh-Hans', 'zh-Hant'] as const

/** A supported language, as a BCP 47 tag. */
export type Language = (typeof languageTags)[number]

/** The languages of the tracking page: those of messages, and Arabic. */
export const pageLanguages = [...languageTags, 'ar'] as const

/** A language of the tracking page. */
export type PageLanguage = (typeof pageLanguages)[number]

/** Kinds of refusals of a whole request; each transport maps them to its own statuses. */
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

/** The texts of some codes in every language; `{name}` is replaced by a parameter. */
export interface Catalogue extends Readonly<Record<Language, Readonly<Record<string, string>>>> {
  /** The kind of each code that refuses a whole request. A code without a kind only describes a value. */
  readonly kinds?: Readonly<Record<string, Kind>>
}
