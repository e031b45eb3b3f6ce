import { listAccounts } from '../../../engine/index.ts'
import { may, type Visitor } from '../signed-in/session.ts'

/** The names of accounts of the visitor’s business; of a visitor who may not list accounts, the own one alone. */
export async function namesOf(visitor: Visitor, ids: readonly unknown[]): Promise<ReadonlyMap<number, string>> {
  const { context, account, name } = visitor
  const names = new Map<number, string>(name === undefined ? [] : [[account.id, name]])
  if (!may(visitor, listAccounts)) return names
  const asked = [...new Set(ids.filter((id) => typeof id === 'number'))]
  for (const person of await Promise.all(asked.map((id) => context.directory.person(context, id))))
    if (person?.name !== undefined && person.business.id === account.business.id) names.set(person.id, person.name)
  return names
}
