import { call, endStaffRole, giveStaffRole, putStaffRole, showStaffRoles } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, namesIn, type Run, usageError } from './command.ts'
import { either, refuseOptions } from './either.ts'
import type { Server } from './remote/server.ts'

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

async function set(invocation: Invocation, which: { readonly name?: string; readonly staff_role_id?: number }) {
  const { name = which.name, preset, scopes, operations, 'read-only': readOnly } = invocation.values
  if (name === undefined) throw usageError('Use --name NAME: a changed role is replaced as a whole.')
  if ((preset === undefined) === (scopes === undefined))
    throw usageError('Use either --preset PRESET or --scopes SCOPES: what does the role leave?')
  const asked = {
    ...{ ...which, name },
    ...(preset === undefined ? {} : { preset }),
    ...(scopes === undefined ? {} : { scopes: namesIn(scopes) }),
    ...(operations === undefined ? {} : { operations: namesIn(operations) }),
    ...(readOnly === true ? { read_only: true } : {}),
  }
  const answer = await either(invocation, {
    check: () => businessOf(invocation),
    store: (context) => call(putStaffRole, context, { business_id: businessOf(invocation), ...asked }),
    server: (server) =>
      ofOwn(invocation, server, which.staff_role_id === undefined ? 'create_staff_role' : 'update_staff_role', asked),
  })
  const sentence = `Staff role ${answer.staff_role_id}: ${name}. Give it with otep role give ${answer.staff_role_id} ACCOUNT.`
  printAnswer(invocation, answer, sentence)
  return 0
}

async function remove(invocation: Invocation, id: string): Promise<number> {
  const asked = { staff_role_id: numberOf(id) }
  const answer = await either(invocation, {
    check: () => businessOf(invocation),
    store: (context) => call(endStaffRole, context, { business_id: businessOf(invocation), ...asked }),
    server: (server) => ofOwn(invocation, server, 'delete_staff_role', asked),
  })
  printAnswer(invocation, answer, `Staff role ${id} is deleted.`)
  return 0
}

async function give(invocation: Invocation, id: string, account: string): Promise<number> {
  const asked = { account_id: numberOf(account), staff_role_id: id === 'none' ? null : numberOf(id) }
  const answer = await either(invocation, {
    store: (context) => call(giveStaffRole, context, asked),
    server: (server) => ofOwn(invocation, server, 'update_account', asked),
  })
  const sentence = id === 'none' ? `Account ${account} has no staff role.` : `Account ${account} has staff role ${id}.`
  printAnswer(invocation, answer, sentence)
  return 0
}

/** Calls an operation for the business of the key. */
function ofOwn(invocation: Invocation, server: Server, name: string, input: Readonly<Record<string, unknown>> = {}) {
  refuseOptions(invocation, 'business')
  return server.call(name, input)
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

async function list(invocation: Invocation): Promise<number> {
  const { values, stdout } = invocation
  const answer = await either(invocation, {
    check: () => businessOf(invocation),
    store: (context) => call(showStaffRoles, context, { business_id: businessOf(invocation) }),
    server: (server) => ofOwn(invocation, server, 'list_staff_roles'),
  })
  const { roles } = answer as { readonly roles: readonly Listed[] }
  if (values.json === true) stdout.write(`${JSON.stringify(roles)}\n`)
  else for (const role of roles) stdout.write(lineOf(role))
  return 0
}

function lineOf({ id, name, preset, scopes, operations, read_only, accounts }: Listed): string {
  const only = [
    ...(read_only === true ? ['read only'] : []),
    ...(operations === undefined ? [] : [operations.join(',')]),
  ]
  const rights = [preset ?? scopes.join(','), ...only].join('; ')
  return `${String(id).padStart(6)}  accounts ${String(accounts).padEnd(4)} ${name} (${rights})\n`
}
