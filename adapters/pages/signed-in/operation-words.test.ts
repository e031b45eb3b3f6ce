import t from 'tap'
import { domains, orderStatuses, orderTable } from '../../../engine/index.ts'
import { languagesWith, textsAt } from '../../locales/catalogue.ts'
import { actionsIn } from '../orders/actions.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import type { Member, Members } from './schema.ts'

const translations = languagesWith('operation').filter((language) => language !== 'en')

const actions = actionsIn(domains.flatMap(({ operations = [] }) => operations))

/** The members of inputs with all that is within them. */
function within(members: Members): readonly (readonly [name: string, member: Member])[] {
  return Object.entries(members).flatMap(([name, member]) => [
    [name, member] as const,
    ...within(member.members),
    ...within(member.items?.members ?? {}),
  ])
}

t.test('given what can be done with an order, then each language has words for it, and no others', async (t) => {
  const members = actions.flatMap((action) => within(action.members))
  const distinct = (all: readonly string[]) => [...new Set(all)].sort()
  const choices = distinct(members.flatMap(([, { choices }]) => choices))
  for (const language of translations) {
    const keysOf = (area: string) => Object.keys(textsAt(language, area) ?? {}).sort()
    t.same(keysOf('operation'), distinct(actions.map(({ operation }) => operation.name)), language)
    t.same(keysOf('field'), distinct(members.map(([name]) => name)), language)
    t.same(keysOf('hint'), distinct(members.map(([, { about }]) => about).filter((about) => about !== '')), language)
    const own = keysOf('choice')
    t.same(
      choices.filter((choice) => !own.includes(choice)),
      [],
      language,
    )
  }
})

t.test('given what happens to an order, then each language has words for it and for the status after it', async (t) => {
  const events = Object.values(orderTable.moves).map(({ event }) => event)
  for (const language of translations) {
    const own = Object.keys(textsAt(language, 'event') ?? {})
    t.same(
      events.filter((event) => !own.includes(event)),
      [],
      language,
    )
    for (const status of Object.keys(orderStatuses))
      t.not(orderStatusIn(language, status), orderStatusIn('en', status), `${language} ${status}`)
  }
})
