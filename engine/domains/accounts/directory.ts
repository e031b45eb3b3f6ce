import type { Business, Person } from '../../kernel/account.ts'
import type { Directory, Facts } from '../../kernel/context.ts'
import { peopleModel } from './people.ts'
import { accountStateOf, asPerson, businessOf } from './read.ts'

/** The directory of accounts and businesses for the rest of the engine. */
export const directory: Omit<Directory, 'serves'> = {
  person: async (facts, id) => {
    const state = await accountStateOf(facts, id)
    const business = state && (await businessOf(facts, state.businessId))
    return state && business && asPerson(state, business)
  },
  people: async (facts, businessId, role) => {
    const business = await businessOf(facts, businessId)
    if (business === undefined) return []
    const rows = await facts.models.rows(peopleModel, { business_id: businessId, role })
    return personsOf(
      facts,
      business,
      rows.map(({ id }) => Number(id)),
    )
  },
  business: businessOf,
}

/** The persons with these account ids, all of one business. */
export async function personsOf(facts: Facts, business: Business, ids: readonly number[]): Promise<readonly Person[]> {
  const states = await Promise.all(ids.map((id) => accountStateOf(facts, id)))
  return states.flatMap((state) => (state === undefined ? [] : [asPerson(state, business)]))
}
