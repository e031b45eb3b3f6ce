import { call, listAccounts, listStaffRoles, type Operation, type Role } from '../../../engine/index.ts'
import { type Kind, kindsIn, namedBy, rangeOf, type Values } from './kinds.ts'
import { outputOf } from './output.ts'
import { may, mayNow, type Visitor } from './session.ts'

/** Something that can be chosen: its id, and the words for it. */
export type Choice = readonly [id: string, words: string]

/** The most things that one field offers; of more, the id is written. */
const mostChoices = 200

const rolesOf = { driver_id: 'driver', broker_id: 'contractor', customer_id: 'customer' } as const satisfies Record<
  string,
  Role
>

/** Whether a member of an input names an account of one kind. */
export function isPersonMember(name: string): name is keyof typeof rolesOf {
  return Object.hasOwn(rolesOf, name)
}

/**
 * What can be chosen for the members of the input of an operation: accounts, staff roles, and the things of other kinds
 * that have pages. A member has no choices where the visitor may not list them, or where there are too many.
 */
export async function choicesFor(
  visitor: Visitor,
  operation: Pick<Operation, 'ids'>,
  members: readonly string[],
  operations: readonly Operation[],
): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const found = await Promise.all(
    members.map(async (name) => [name, await choicesOf(visitor, operation, name, operations)] as const),
  )
  return new Map(found.filter(([, choices]) => choices.length > 0))
}

async function choicesOf(
  visitor: Visitor,
  operation: Pick<Operation, 'ids'>,
  name: string,
  operations: readonly Operation[],
): Promise<readonly Choice[]> {
  if (isPersonMember(name)) return people(visitor, rolesOf[name])
  const noun = namedBy(operation, name)
  if (noun === 'driver' || noun === 'customer') return people(visitor, noun)
  if (noun === 'staff role') return staffRoles(visitor)
  const kind = kindsIn(operations).find((one) => one.noun === noun)
  return kind === undefined ? [] : things(visitor, kind)
}

/** The accounts of a kind; none for a visitor who may not list accounts. */
async function people(visitor: Visitor, role: Role): Promise<readonly Choice[]> {
  if (!may(visitor, listAccounts)) return []
  const { accounts, total } = await outputOf(listAccounts, visitor, { role, per_page: mostChoices })
  return total > mostChoices ? [] : accounts.map(({ id, name }) => [String(id), name ?? String(id)])
}

async function staffRoles(visitor: Visitor): Promise<readonly Choice[]> {
  if (!may(visitor, listStaffRoles)) return []
  const { roles } = await outputOf(listStaffRoles, visitor, {})
  return roles.length > mostChoices ? [] : roles.map(({ id, name }) => [String(id), name])
}

/** The things of a kind, each with its id and the first text that says more. */
async function things(visitor: Visitor, kind: Kind): Promise<readonly Choice[]> {
  const { list, many, id, status, fields } = kind
  if (!mayNow(visitor, list)) return []
  const { [many]: rows, total } = await call(list, visitor.context, rangeOf(list, 1, mostChoices))
  if (Number(total ?? 0) > mostChoices) return []
  const telling = Object.keys(fields).filter((name) => ![id, 'id', status?.member].includes(name))
  return (rows as readonly Values[]).map((row) => {
    const words = telling.map((name) => row[name]).find((value) => typeof value === 'string')
    return [String(row[id]), [row[id], words].filter((word) => word !== undefined).join(' · ')]
  })
}
