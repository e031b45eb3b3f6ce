import { html } from 'hono/html'
import type { Operation, PageLanguage } from '../../../../engine/index.ts'
import type { MemberNames } from '../../signed-in/input-fields.ts'
import { type ChangeNames, factTitle, thingTitle } from '../../signed-in/values.ts'
import { inLanguage } from '../../texts/language.ts'
import { people } from '../../texts/people.ts'
import { type Html, titleOf, visible } from '../../words.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { OrderWords } from './order-words.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

/** The words of each language but English. */
export const orderWords: Readonly<Record<Exclude<PageLanguage, 'en'>, OrderWords>> = {
  fr,
  de,
  es,
  'zh-Hans': hans,
  'zh-Hant': hant,
  ar,
}

function wordsIn(language: PageLanguage): OrderWords | undefined {
  return language === 'en' ? undefined : orderWords[language]
}

/** The name of an action in the words of a language. */
export function actionTitle({ name, mcp }: Operation, language: PageLanguage): string {
  return wordsIn(language)?.actions[name]?.[0] ?? mcp?.title ?? titleOf(name)
}

/** What an action does, in one sentence; the rest of its summary is for those who write programs. */
export function actionLead({ name, summary }: Operation, language: PageLanguage): string | Html {
  const english = /^.*?[.](?= |$)/.exec(summary)?.[0] ?? summary
  return wordsIn(language)?.actions[name]?.[1] ?? inEnglish(english, language)
}

/** What happened, in the words of a language. */
export function eventTitle(type: string, language: PageLanguage): string | Html {
  const events: Readonly<Partial<Record<string, string>>> = wordsIn(language)?.events ?? {}
  return events[type] ?? inEnglish(factTitle(type), language)
}

/** A reason, or another value to choose, in the words of a language. */
export function valueTitle(value: string, language: PageLanguage): string {
  return wordsIn(language)?.values[value] ?? titleOf(value)
}

/** A kind of account in the words of a language. */
export function roleTitle(role: string, language: PageLanguage): string {
  const kinds: Readonly<Record<string, string>> = language === 'en' ? {} : inLanguage(people.kinds, language)
  return kinds[role] ?? titleOf(role)
}

/** How a list of changes names what changes and what happened, in the words of a language. */
export function changeNames(language: PageLanguage): ChangeNames {
  const things = wordsIn(language)?.things ?? {}
  return {
    thing: (about) => {
      const [, category = '', id = ''] = /^(.*) (\S+)$/.exec(about) ?? []
      return things[category] === undefined
        ? inEnglish(thingTitle(about), language)
        : `${things[category]} ${visible(id)}`
    },
    fact: (type) => eventTitle(type, language),
  }
}

/** How a form names its members and the values to choose from, in the words of a language. */
export function memberNames(language: PageLanguage): MemberNames {
  const own = wordsIn(language)
  return {
    member: (name) => own?.members[name] ?? titleOf(name),
    value: (value) => valueTitle(value, language),
    hint: (about) => own?.hints[about] ?? inEnglish(about, language),
  }
}

/** English words on a page of a language: they are marked where it is another one. */
function inEnglish(english: string, language: PageLanguage): string | Html {
  return language === 'en' ? english : html`<bdi lang="en">${english}</bdi>`
}
