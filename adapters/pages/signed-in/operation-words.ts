import { html } from 'hono/html'
import type { Operation } from '../../../engine/index.ts'
import { memberOf, textsAt } from '../../locales/catalogue.ts'
import { accountTexts } from '../texts/account.ts'
import { type Html, titleOf, visible } from '../words.ts'
import type { MemberNames } from './input-fields.ts'
import { type ChangeNames, thingTitle as changedThing, factTitle } from './values.ts'

/** What a language calls a thing that the interface names in English; undefined for English, which is made from that name. */
function wordFor(language: string, area: string, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce(memberOf, textsAt(language, area))
  return typeof found === 'string' ? found : undefined
}

/** The name of an action in the words of a language. */
export function actionTitle({ name, mcp }: Operation, language: string): string {
  return wordFor(language, 'operation', name, 'title') ?? mcp?.title ?? titleOf(name)
}

/** The name of an action on a page, where English words on one of another language are marked. */
export function actionName(operation: Operation, language: string): string | Html {
  return wordFor(language, 'operation', operation.name, 'title') ?? inEnglish(actionTitle(operation, 'en'), language)
}

/** What an action does, in one sentence; the rest of its summary is for those who write programs. */
export function actionLead({ name, summary }: Operation, language: string): string | Html {
  const english = /^.*?[.](?= |$)/.exec(summary)?.[0] ?? summary
  return wordFor(language, 'operation', name, 'summary') ?? inEnglish(english, language)
}

/** What happened, in the words of a language. */
export function eventTitle(type: string, language: string): string | Html {
  return wordFor(language, 'event', type) ?? inEnglish(factTitle(type), language)
}

/**
 * A reason, or another value to choose, in the words of a language. Where a value means something else in a field than in
 * others, its words are those of `field value`.
 */
export function valueTitle(value: string, language: string, field = ''): string {
  return wordFor(language, 'choice', `${field} ${value}`) ?? wordFor(language, 'choice', value) ?? titleOf(value)
}

/** What a thing is called: `Carrier package`. */
export function thingTitle(noun: string, language: string): string {
  return wordFor(language, 'thing', noun) ?? titleOf(noun)
}

/** What a thing is called on a page, where English words on one of another language are marked. */
export function thingName(noun: string, language: string): string | Html {
  return wordFor(language, 'thing', noun) ?? inEnglish(titleOf(noun), language)
}

/** The status of a thing of a category in the words of a language. */
export function statusTitle(category: string, status: string, language: string): string {
  const own = status.toLowerCase()
  // `LABEL_PURCHASED` of a label is `Purchased`.
  const english = own.startsWith(`${category}_`) ? own.slice(category.length + 1) : own
  return wordFor(language, 'status', category, status) ?? titleOf(english)
}

/** The same on a page, where English words on one of another language are marked. */
export function statusName(category: string, status: string, language: string): string | Html {
  return wordFor(language, 'status', category, status) ?? inEnglish(statusTitle(category, status, 'en'), language)
}

/** The name of a field in the words of a language. */
export function fieldTitle(name: string, language: string): string | Html {
  return wordFor(language, 'field', name) ?? inEnglish(titleOf(name), language)
}

/** A kind of account in the words of a language. */
export function roleTitle(role: string, language: string): string {
  const kinds: Readonly<Record<string, string>> = language === 'en' ? {} : accountTexts(language).people.kinds
  return kinds[role] ?? titleOf(role)
}

/** How a list of changes names what changes and what happened, in the words of a language. */
export function changeNames(language: string): ChangeNames {
  return {
    thing: (about) => {
      const [, category = '', id = ''] = /^(.*) (\S+)$/.exec(about) ?? []
      const thing = wordFor(language, 'thing', category)
      return thing === undefined ? inEnglish(changedThing(about), language) : `${thing} ${visible(id)}`
    },
    fact: (type) => eventTitle(type, language),
  }
}

/** How a form names its members and the values to choose from, in the words of a language. */
export function memberNames(language: string): MemberNames {
  return {
    member: (name) => wordFor(language, 'field', name) ?? titleOf(name),
    rows: (name) => wordFor(language, 'field', `${name}[]`) ?? wordFor(language, 'field', name) ?? titleOf(name),
    value: (value, name) => valueTitle(value, language, name),
    hint: (about) => wordFor(language, 'hint', about) ?? inEnglish(about, language),
  }
}

/** English words on a page of a language: they are marked where it is another one. */
function inEnglish(english: string, language: string): string | Html {
  return language === 'en' ? english : html`<bdi lang="en">${english}</bdi>`
}
