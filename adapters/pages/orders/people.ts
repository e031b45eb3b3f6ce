import { listAccounts, type Role } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/output.ts'
import { may, type Visitor } from '../signed-in/session.ts'

/** Somebody who can be chosen: the id and the name of an account. */
export type Choice = readonly [id: string, name: string]

/** The most people that one field offers; in a larger business the id is written. */
const mostChoices = 200

const rolesOf = { driver_id: 'driver', broker_id: 'contractor', customer_id: 'customer' } as const satisfies Record<
  string,
  Role
>

/** Members that name an account, by the kind that they name. */
type PersonMember = keyof typeof rolesOf

/** Whether a member of an input names an account of one kind. */
export function isPersonMember(name: string): name is PersonMember {
  return Object.hasOwn(rolesOf, name)
}

/** The people who can be chosen for these members; none for a visitor who may not list accounts, or where there are too many. */
export async function choicesFor(
  visitor: Visitor,
  members: readonly PersonMember[],
): Promise<ReadonlyMap<string, readonly Choice[]>> {
  if (!may(visitor, listAccounts)) return new Map()
  const found = await Promise.all(
    members.map(async (member) => {
      const query = { role: rolesOf[member], per_page: mostChoices }
      const { accounts, total } = await outputOf(listAccounts, visitor, query)
      const choices = accounts.map(({ id, name }): Choice => [String(id), name ?? String(id)])
      return [member, total > mostChoices ? [] : choices] as const
    }),
  )
  return new Map(found.filter(([, choices]) => choices.length > 0))
}

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
