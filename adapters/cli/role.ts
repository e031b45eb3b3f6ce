import { type Context, call, endStaffRole, giveStaffRole, putStaffRole, showStaffRoles } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, namesIn, type Run, usageError } from './command.ts'
import { withContext } from './session.ts'

/** `otep role`: manages the staff roles of a business. */
export const run: Run = async (invocation) => {
  const [verb, given, account, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'give' && given !== undefined && account !== undefined) return give(invocation, given, account)
  if (account !== undefined) throw usageError('Too many arguments.')
  if (verb === 'list' && given === undefined) return list(invocation)
  if (verb === 'add' && given !== undefined) return set(invocation, { name: given })
  if (verb === 'change' && given !== undefined) return set(invocation, { staff_role_id: numberOf(given) })
  if (verb === 'delete' && given !== undefined) return remove(invocation, given)
  throw usageError('Use one of: add NAME, list, change ROLE, delete ROLE, give ROLE ACCOUNT, give none ACCOUNT.')
}

function businessOf({ values }: Invocation): number {
  if (values.business === undefined) throw usageError('Use --business ID: whose staff role is it?')
  return numberOf(values.business)
}

function set(invocation: Invocation, which: { readonly name?: string; readonly staff_role_id?: number }) {
  const { name = which.name, preset, scopes, operations, 'read-only': readOnly } = invocation.values
  if (name === undefined) throw usageError('Use --name NAME: a changed role is replaced as a whole.')
  if ((preset === undefined) === (scopes === undefined))
    throw usageError('Use either --preset PRESET or --scopes SCOPES: what does the role leave?')
  const asked = {
    ...{ business_id: businessOf(invocation), ...which, name },
    ...(preset === undefined ? {} : { preset }),
    ...(scopes === undefined ? {} : { scopes: namesIn(scopes) }),
    ...(operations === undefined ? {} : { operations: namesIn(operations) }),
    ...(readOnly === true ? { read_only: true } : {}),
  }
  return withContext(invocation, async (context) => {
    const answer = await call(putStaffRole, context, asked)
    const sentence = `Staff role ${answer.staff_role_id}: ${name}. Give it with otep role give ${answer.staff_role_id} ACCOUNT.`
    printAnswer(invocation, answer, sentence)
    return 0
  })
}

function remove(invocation: Invocation, id: string): Promise<number> {
  const asked = { business_id: businessOf(invocation), staff_role_id: numberOf(id) }
  return withContext(invocation, async (context) => {
    printAnswer(invocation, await call(endStaffRole, context, asked), `Staff role ${id} is deleted.`)
    return 0
  })
}

function give(invocation: Invocation, id: string, account: string): Promise<number> {
  const asked = { account_id: numberOf(account), staff_role_id: id === 'none' ? null : numberOf(id) }
  return withContext(invocation, async (context) => {
    const sentence =
      id === 'none' ? `Account ${account} has no staff role.` : `Account ${account} has staff role ${id}.`
    printAnswer(invocation, await call(giveStaffRole, context, asked), sentence)
    return 0
  })
}

interface Listed {
  readonly id: number
  readonly name: string
  readonly preset?: string
  readonly scopes: readonly string[]
  readonly operations?: readonly string[]
  readonly read_only?: true
  readonly accounts: number
}

function list(invocation: Invocation): Promise<number> {
  const { values, stdout } = invocation
  const asked = { business_id: businessOf(invocation) }
  return withContext(invocation, async (context: Context) => {
    const { roles } = (await call(showStaffRoles, context, asked)) as { readonly roles: readonly Listed[] }
    if (values.json === true) stdout.write(`${JSON.stringify(roles)}\n`)
    else for (const role of roles) stdout.write(lineOf(role))
    return 0
  })
}

function lineOf({ id, name, preset, scopes, operations, read_only, accounts }: Listed): string {
  const only = [
    ...(read_only === true ? ['read only'] : []),
    ...(operations === undefined ? [] : [operations.join(',')]),
  ]
  const rights = [preset ?? scopes.join(','), ...only].join('; ')
  return `${String(id).padStart(6)}  accounts ${String(accounts).padEnd(4)} ${name} (${rights})\n`
}
