import t from 'tap'
import { domains, isObject, pageLanguages } from '../../../../engine/index.ts'
import type { Member, Members } from '../../signed-in/schema.ts'
import { actionsIn } from '../actions.ts'
import { orderWords } from '../words/index.ts'
import { ownTexts } from './index.ts'

const translations = pageLanguages.filter((language) => language !== 'en')

type Say = (...values: readonly number[]) => string

/** All texts of a tree, by path; a fixed one as a function without parameters. */
function textsIn(tree: object, path = ''): readonly (readonly [path: string, say: Say])[] {
  return Object.entries(tree).flatMap(([name, text]: [string, unknown]) => {
    if (typeof text === 'function') return [[`${path}${name}`, text as Say] as const]
    if (isObject(text) || Array.isArray(text)) return textsIn(text, `${path}${name}.`)
    return [[`${path}${name}`, () => String(text)] as const]
  })
}

const numbersIn = (text: string): readonly string[] => (text.match(/\d+/g) ?? []).sort()

t.test('given a text in English, then each language has it, with the same numbers', async (t) => {
  const english = textsIn(ownTexts.en)
  for (const language of translations) {
    const texts = new Map(textsIn(ownTexts[language]))
    t.same([...texts.keys()].sort(), english.map(([path]) => path).sort(), language)
    for (const [path, say] of english)
      for (const number of [0, 1, 2, 5, 11]) {
        const said = texts.get(path)?.(number, number + 20) ?? ''
        t.not(said.trim(), '', `${language} ${path}`)
        const isDigit = (one: string) => language !== 'ar' || !['1', '2'].includes(one)
        const expected = numbersIn(say(number, number + 20)).filter(isDigit)
        // Arabic says one and two of something in words, and has no digit for them.
        t.same(numbersIn(said).filter(isDigit), expected, `${language} ${path}: ${said}`)
      }
  }
})

t.test('given the plurals of a language, then numbers of orders are said in them', async (t) => {
  const said = (language: keyof typeof ownTexts, ...numbers: number[]) => numbers.map(ownTexts[language].total)
  t.same(said('de', 0, 1, 2, 1234), ['0 Aufträge', '1 Auftrag', '2 Aufträge', '1.234 Aufträge'])
  t.same(said('fr', 0, 1, 2), ['0 commande', '1 commande', '2 commandes'])
  t.same(said('ar', 1, 2, 5, 11, 100), ['طلب واحد', 'طلبان', '5 طلبات', '11 طلبًا', '100 طلب'])
  t.equal(ownTexts.es.imports.checked(1, 2), 'Se crearía 1 pedido y se rechazarían 2 líneas.')
})

t.test('given texts in a language, then they have its punctuation', async (t) => {
  for (const language of translations) {
    const trees = [ownTexts[language], orderWords[language] ?? {}]
    const all = trees.flatMap((tree) => textsIn(tree).map(([, say]) => say(5, 7)))
    for (const text of all) t.notMatch(text, /['"]/, `${language}: ${text}`)
    if (language === 'fr')
      for (const text of all) t.notMatch(text, /[^\u00A0\u202F][;!?»]|[^\u00A0] ?: |«[^\u00A0]/, text)
  }
})

const operations = domains.flatMap(({ operations = [] }) => operations)

/** The members of inputs with all that is within them. */
function within(members: Members): readonly (readonly [name: string, member: Member])[] {
  return Object.entries(members).flatMap(([name, member]) => [
    [name, member] as const,
    ...within(member.members),
    ...within(member.items?.members ?? {}),
  ])
}

t.test('given what can be done with an order, then each language has words for it, and no others', async (t) => {
  const actions = actionsIn(operations)
  const members = actions.flatMap((action) => within(action.members))
  const distinct = (all: readonly string[]) => [...new Set(all)].sort()
  const choices = members.flatMap(([, { choices }]) => choices)
  for (const language of translations) {
    const words = orderWords[language]
    if (words === undefined) return t.fail(`${language} has no words`)
    const of = (table: object) => Object.keys(table).sort()
    t.same(of(words.actions), distinct(actions.map(({ operation }) => operation.name)), language)
    t.same(of(words.members), distinct(members.map(([name]) => name)), language)
    t.same(of(words.hints), distinct(members.map(([, { about }]) => about).filter((about) => about !== '')), language)
    for (const choice of choices) t.type(words.values[choice], 'string', `${language} ${choice}`)
  }
})
