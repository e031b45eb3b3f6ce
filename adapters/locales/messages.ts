import { en, type Letters, type Messages } from '../../engine/index.ts'
import { inEach, textsAt } from './catalogue.ts'

/** The messages of the engine in a language; those that it lacks are in English. */
export const messagesIn = inEach((language): Messages => ({ ...en, ...(textsAt(language, 'code') as Messages) }))

/** The e-mails of the engine in a language; those that it lacks are in English, by the engine. */
export const lettersIn = inEach((language) => textsAt(language, 'letter') as Letters | undefined)

/** What a context says to a caller who speaks a language. */
export const spokenIn = inEach((language) => ({ messages: messagesIn(language), letters: lettersIn(language) }))
