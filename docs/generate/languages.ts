import '../../adapters/pages/index.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { languages, type Texts, textsAt } from '../../adapters/locales/catalogue.ts'
import { areas } from '../../adapters/locales/texts.ts'
import { actionsIn } from '../../adapters/pages/orders/actions.ts'
import {
  actionLead,
  actionTitle,
  changeNames,
  eventTitle,
  memberNames,
} from '../../adapters/pages/signed-in/operation-words.ts'
import type { Member, Members } from '../../adapters/pages/signed-in/schema.ts'
import { projectFile } from '../../conformance/program/files.ts'
import { en, letters, type Operation } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { code, page, table } from './markdown.ts'

/** The file with a digest of each English text from when the translations were last known to fit. */
export const sourcesFile = 'adapters/locales/sources.txt'

/** Every English text, in the form of a file of a language. */
export function englishTexts(operations: readonly Operation[]): { readonly [area: string]: Texts } {
  const tree: Record<string, Texts> = { code: en as Texts, letter: letters, ...wordsOf(operations) }
  for (const [area, texts] of areas) put(tree, area.split('.'), texts)
  for (const { name, codes, words = {} } of profiles) {
    const phrases = Object.entries(codes).map(([code, row]) => [code, row.phrases.en])
    put(tree, ['phrase', name], Object.fromEntries(phrases))
    put(tree, ['profile', name], words as Texts)
  }
  return tree
}

function put(tree: Record<string, Texts>, [key = '', ...rest]: readonly string[], texts: Texts): void {
  if (rest.length === 0) tree[key] = texts
  else {
    tree[key] ??= {}
    put(tree[key] as Record<string, Texts>, rest, texts)
  }
}

/** What `/orders` makes of names in English: its actions, their members and values, what happens, and to what. */
function wordsOf(operations: readonly Operation[]): Record<string, Texts> {
  const actions = actionsIn(operations)
  const members = actions.flatMap((action) => within(action.members))
  const { member, value } = memberNames('en')
  const { thing } = changeNames('en')
  const named = (names: readonly string[], text: (name: string) => unknown) =>
    Object.fromEntries([...new Set(names)].sort().map((name) => [name, String(text(name))]))
  /** Names of what can happen have no list: they are those that any language has words for. */
  const inAny = (area: string) => languages.flatMap((language) => Object.keys(textsAt(language, area) ?? {}))
  return {
    operation: Object.fromEntries(
      actions.map(({ operation }) => [
        operation.name,
        { title: actionTitle(operation, 'en'), summary: String(actionLead(operation, 'en')) },
      ]),
    ),
    event: named(inAny('event'), (type) => eventTitle(type, 'en')),
    thing: named(inAny('thing'), (category) => String(thing(`${category} 1`)).replace(/ 1$/, '')),
    field: named(
      members.map(([name]) => name),
      member,
    ),
    choice: named([...members.flatMap(([, { choices }]) => choices), ...inAny('choice')], value),
    hint: named(
      members.map(([, { about }]) => about).filter((about) => about !== ''),
      (about) => about,
    ),
  }
}

/** The members of inputs with all that is within them. */
function within(members: Members): readonly (readonly [name: string, member: Member])[] {
  return Object.entries(members).flatMap(([name, member]) => [
    [name, member] as const,
    ...within(member.members),
    ...within(member.items?.members ?? {}),
  ])
}

/** Each text with its path. */
function leavesOf(texts: Texts | undefined, path: string): readonly (readonly [path: string, text: string])[] {
  if (texts === undefined) return []
  if (typeof texts === 'string') return [[path, texts]]
  return Object.entries(texts).flatMap(([key, value]) => leavesOf(value as Texts, path === '' ? key : `${path}.${key}`))
}

/** The digest of each English text, a line each, as `sources.txt` has them. */
export function digestsOf(operations: readonly Operation[]): string {
  const lines = leavesOf(englishTexts(operations), '').map(([path, text]) => {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
    return `${digest} ${path}`
  })
  return `${lines.sort((one, other) => (one.slice(9) < other.slice(9) ? -1 : 1)).join('\n')}\n`
}

const names = new Intl.DisplayNames('en', { type: 'language' })

/** What each language has, what it lacks, and what has changed since it was translated. */
export function languagesPage(operations: readonly Operation[]): string {
  const english = new Map(leavesOf(englishTexts(operations), ''))
  const known = new Set(readFileSync(projectFile(sourcesFile), 'utf8').trimEnd().split('\n'))
  const changed = digestsOf(operations)
    .trimEnd()
    .split('\n')
    .filter((line) => !known.has(line))
    .map((line) => line.slice(9))
  const rows = languages.map((language) => {
    const own = new Map(language === 'en' ? english : leavesOf(textsAt(language, ''), ''))
    const isWhole = language === 'en' || textsAt(language, 'code') !== undefined
    const wanted = [...english.keys()].filter((path) => isWhole || own.has(path.split('.').slice(0, 3).join('.')))
    return {
      row: [names.of(language) ?? language, code(language), isWhole ? 'whole' : 'for recipients', String(own.size)],
      missing: wanted.filter((path) => !own.has(path)),
      unused: [...own.keys()].filter((path) => !english.has(path)),
      language,
    }
  })
  const list = (title: string, all: readonly (readonly [string, readonly string[]])[]) => [
    `## ${title}`,
    ...all.flatMap(([name, paths]) => (paths.length === 0 ? [] : [`${name}: ${paths.map(code).join(', ')}.`])),
    ...(all.every(([, paths]) => paths.length === 0) ? ['None.'] : []),
  ]
  return page(
    'Languages',
    ['adapters/locales/', sourcesFile],
    [
      `The languages of pages, answers and e-mails. A whole language has every text; one for recipients has the tracking page,
its e-mails and the statuses of orders. [How one is added](../how-to/add-a-language.md).`,
      table(
        ['language', 'tag', 'has', 'texts'],
        rows.map(({ row }) => row),
      ),
      ...list(
        'Missing texts',
        rows.map(({ language, missing }) => [code(language), missing]),
      ),
      ...list(
        'Unused texts',
        rows.map(({ language, unused }) => [code(language), unused]),
      ),
      ...list('English texts that have changed since they were translated', [['All languages', changed]]),
    ],
  )
}
