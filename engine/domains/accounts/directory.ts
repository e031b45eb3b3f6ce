import type { Directory } from '../../kernel/context.ts'
import { peopleModel } from './people.ts'
import { accountStateOf, accountsOf, asPerson, businessOf } from './read.ts'

/** The directory of accounts and businesses for the rest of the engine. */
export const directory: Omit<Directory, 'serves'> = {
  person: async (facts, id) => {
    const state = await accountStateOf(facts, id)
    const business = state && (await businessOf(facts, state.business_id))
    return state && business && asPerson(state, business)
  },
  people: async (facts, businessId, role) => {
    const business = await businessOf(facts, businessId)
    if (business === undefined) return []
    const rows = await facts.models.rows(peopleModel, { business_id: businessId, role })
    return (await accountsOf(facts, rows)).map((state) => asPerson(state, business))
  },
  business: businessOf,
}
