/** The languages that the engine speaks, as BCP 47 tags; English comes first. */
export const languageTags = ['en', 'fr', 'de', 'es', 'zh-Hans', 'zh-Hant'] as const

/** A language that the engine speaks, as its BCP 47 tag. */
export type Language = (typeof languageTags)[number]

/** The texts of some codes, in every language; `{name}` in a text is filled from the parameters. */
export type Catalogue = Readonly<Record<Language, Readonly<Record<string, string>>>>
