/** A language, as a BCP 47 tag such as `en` or `zh-Hant`. Which ones there are, the composition root knows. */
export type Language = string

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

/**
 * Codes with what they say in English, by the kind of the refusal; those below `value` refuse no request, and only describe a
 * value. `{name}` is replaced by a parameter.
 */
export type Catalogue = Readonly<Partial<Record<Kind | 'value', Readonly<Record<string, string>>>>>

/** The codes of a catalogue. */
export type CodeOf<C extends Catalogue> = { readonly [K in keyof C]: keyof C[K] & string }[keyof C]
