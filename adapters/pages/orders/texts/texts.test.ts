import t from 'tap'
import { domains, orderStatuses, orderTable, pageLanguages } from '../../../../engine/index.ts'
import type { Member, Members } from '../../signed-in/schema.ts'
import { orderStatusIn } from '../../texts/order-statuses.ts'
import { complete } from '../../texts.test.fixture.ts'
import { actionsIn } from '../actions.ts'
import { orderWords } from '../words/index.ts'
import { ownTexts } from './index.ts'

const translations = pageLanguages.filter((language) => language !== 'en')

/** All texts of a tree; those that have numbers, with some. */
function textsIn(tree: object): readonly string[] {
  return Object.values(tree).flatMap((text: unknown) => {
    if (typeof text === 'function') return [String(text(5, 7))]
    return typeof text === 'object' && text !== null ? textsIn(text) : [String(text)]
  })
}

t.test('given a text in English, then each language has it, with the same numbers', async (t) => complete(t, ownTexts))

t.test('given texts in a language, then none is the English one', async (t) => {
  const english = new Set(textsIn(ownTexts.en).filter((text) => text.length > 12))
  for (const language of translations)
    t.same(
      textsIn([ownTexts[language], orderWords[language]]).filter((text) => english.has(text)),
      [],
      language,
    )
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
    const all = textsIn([ownTexts[language], orderWords[language]])
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
    const of = (table: object) => Object.keys(table).sort()
    t.same(of(words.actions), distinct(actions.map(({ operation }) => operation.name)), language)
    t.same(of(words.members), distinct(members.map(([name]) => name)), language)
    t.same(of(words.hints), distinct(members.map(([, { about }]) => about).filter((about) => about !== '')), language)
    for (const choice of choices) t.type(words.values[choice], 'string', `${language} ${choice}`)
  }
})

t.test('given what happens to an order, then each language has words for it and for the status after it', async (t) => {
  const events = Object.values(orderTable.moves).map(({ event }) => event)
  for (const language of translations) {
    const words: Readonly<Record<string, string | undefined>> = orderWords[language].events
    for (const event of events) t.match(words[event], /\S/, `${language} ${event}`)
    for (const status of Object.keys(orderStatuses))
      t.not(orderStatusIn(language, status), orderStatusIn('en', status), `${language} ${status}`)
  }
})
