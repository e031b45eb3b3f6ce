import '../../adapters/pages/index.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { languages, type Texts, textsAt } from '../../adapters/locales/catalogue.ts'
import { areas } from '../../adapters/locales/texts.ts'
import { actionsIn } from '../../adapters/pages/orders/actions.ts'
import { filtersOf, formOf, kindsIn, secretsOf } from '../../adapters/pages/signed-in/kinds.ts'
import {
  actionLead,
  actionTitle,
  eventTitle,
  memberNames,
  statusName,
  thingTitle,
} from '../../adapters/pages/signed-in/operation-words.ts'
import type { Member, Members } from '../../adapters/pages/signed-in/schema.ts'
import { projectFile } from '../../conformance/program/files.ts'
import { en, letters, type Operation, orderTable, type Part } from '../../engine/index.ts'
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

/** What the pages of orders and of other things make of names in English: actions, members, values, what happens, and to what. */
function wordsOf(operations: readonly Operation[]): Record<string, Texts> {
  const kinds = kindsIn(operations)
  const actions = [
    ...actionsIn(operations),
    ...kinds.flatMap(({ files }) => files.map((operation) => ({ operation, members: {} }))),
    ...kinds.flatMap((kind) => kind.actions.map(({ operation }) => ({ operation, members: formOf(kind, operation) }))),
  ]
  const members = actions.flatMap((action) => within(action.members))
  const listed = kinds.flatMap((kind) => {
    const { fields, table, list, actions } = kind
    const parts = Object.entries<Part>(table?.parts ?? {})
    const ofTable = (table === undefined ? [] : withParts(table)).flatMap((part) => Object.entries(part.fields))
    const shown = ofTable.filter(([, { shownTo }]) => shownTo.length > 0)
    const secrets = actions.flatMap(({ operation }) => secretsOf(kind, operation))
    const names = table === undefined ? Object.keys(fields) : [...shown, ...parts].map(([name]) => name)
    return [...names, ...secrets, ...Object.keys(filtersOf(list))]
  })
  const { member, rows, value } = memberNames('en')
  const named = (names: readonly string[], text: (name: string) => unknown) =>
    Object.fromEntries([...new Set(names)].sort().map((name) => [name, String(text(name))]))
  /** Names of what can happen have no list: they are those that any language has words for. */
  const inAny = (area: string) => languages.flatMap((language) => Object.keys(textsAt(language, area) ?? {}))
  const ownTables = kinds.flatMap(({ table }) => (table === undefined ? [] : [table]))
  const tables = [orderTable, ...ownTables].flatMap((table: Part) => withParts(table))
  const events = tables.flatMap(({ moves }) => Object.values(moves).map(({ event }) => event))
  const titled = actions.map(({ operation }) => {
    const [title, summary] = [actionTitle(operation, 'en'), String(actionLead(operation, 'en'))]
    return [operation.name, { title, summary }]
  })
  const statuses = ownTables.map(({ category, statuses }) => {
    const names = Object.keys(statuses)
    return [category, named(names, (status) => statusName(category, status, 'en'))]
  })
  return {
    operation: Object.fromEntries(titled),
    event: named([...events, ...inAny('event')], (type) => eventTitle(type, 'en')),
    thing: named([...kinds.flatMap(({ noun, plural }) => [noun, plural]), ...inAny('thing')], (noun) =>
      thingTitle(noun, 'en'),
    ),
    field: {
      ...named([...members.map(([name]) => name), ...listed], member),
      ...named(
        inAny('field').filter((name) => name.endsWith('[]')),
        (name) => rows(name.slice(0, -2)),
      ),
    },
    choice: named([...members.flatMap(([, { choices }]) => choices), ...inAny('choice')], value),
    hint: named(
      members.map(([, { about }]) => about).filter((about) => about !== ''),
      (about) => about,
    ),
    status: Object.fromEntries(statuses),
  }
}

function withParts(table: Part): readonly Part[] {
  return [table, ...Object.values(table.parts ?? {})]
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
export function leavesOf(texts: Texts | undefined, path: string): readonly (readonly [path: string, text: string])[] {
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

/** Whether a language for recipients has a text, by its path. */
export function isForRecipients(path: string): boolean {
  return /^(page\.(site|track|recipient|news)|status\.order|phrase|profile)\./.test(path)
}

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
    const wanted = isWhole ? [...english.keys()] : [...english.keys()].filter(isForRecipients)
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
