import { type Context, call, endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, namesIn, type Run, usageError } from './command.ts'
import { hoursIn } from './hours.ts'
import { withContext } from './session.ts'

/** `otep key`: manages the API keys of accounts. */
export const run: Run = async (invocation) => {
  const [verb, id, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'list') return list(invocation, id)
  if (verb === 'add' && id !== undefined) return add(invocation, id)
  if (verb === 'rotate' && id !== undefined) return rotate(invocation, id)
  if (verb === 'revoke' && id !== undefined) return revoke(invocation, id)
  throw usageError('Use one of: add ACCOUNT, list [ACCOUNT], rotate KEY, revoke KEY.')
}

function add(invocation: Invocation, account: string): Promise<number> {
  const { values } = invocation
  const { name, scopes, operations } = values
  if (name === undefined || scopes === undefined)
    throw usageError('Use --name NAME and --scopes SCOPES: what is the key for, and what may it do?')
  const asked = {
    ...{ account_id: numberOf(account), name, scopes: namesIn(scopes) },
    ...(operations === undefined ? {} : { operations: namesIn(operations) }),
    ...(values['read-only'] === true ? { read_only: true } : {}),
    ...hoursIn(values, 'expires', 'expires_in_hours'),
  }
  return withContext(invocation, async (context) => printKey(invocation, await call(issueApiKey, context, asked)))
}

function rotate(invocation: Invocation, id: string): Promise<number> {
  const { values } = invocation
  const asked = {
    key_id: numberOf(id),
    ...hoursIn(values, 'expires', 'expires_in_hours'),
    ...hoursIn(values, 'overlap', 'overlap_in_hours'),
  }
  return withContext(invocation, async (context) => printKey(invocation, await call(renewApiKey, context, asked)))
}

function revoke(invocation: Invocation, id: string): Promise<number> {
  return withContext(invocation, async (context) => {
    printAnswer(invocation, await call(endApiKey, context, { key_id: numberOf(id) }), `API key ${id} is revoked.`)
    return 0
  })
}

function printKey({ values, stdout, stderr }: Invocation, answer: Readonly<Record<string, unknown>>): number {
  const { key, key_id, expires_at, previous_key_until } = answer
  if (values.json === true) stdout.write(`${JSON.stringify(answer)}\n`)
  else {
    if (previous_key_until !== undefined) stderr.write(`The key before is accepted until ${previous_key_until}.\n`)
    stderr.write(`API key ${key_id}. It is shown only once, and expires at ${expires_at}; keep it safe:\n`)
    stdout.write(`${key}\n`)
  }
  return 0
}

type Listed = Readonly<Record<string, unknown>>

function list(invocation: Invocation, account: string | undefined): Promise<number> {
  const { values, stdout } = invocation
  return withContext(invocation, async (context: Context) => {
    const asked = account === undefined ? {} : { account_id: numberOf(account) }
    const { keys } = (await call(listAllApiKeys, context, asked)) as { keys: readonly Listed[] }
    if (values.json === true) stdout.write(`${JSON.stringify(keys)}\n`)
    else for (const key of keys) stdout.write(lineOf(key))
    return 0
  })
}

function lineOf(key: Listed): string {
  const { key_id, account_id, name = '(erased)', state, expires_at, scopes, operations, read_only } = key
  const { at = 'never' } = (key.last_used ?? {}) as { at?: string }
  const only = [
    ...(read_only === true ? ['read only'] : []),
    ...(Array.isArray(operations) ? [operations.join(',')] : []),
  ]
  const rights = [(scopes as readonly string[]).join(','), ...only].join('; ')
  return (
    `${String(key_id).padStart(6)}  account ${account_id}  ${String(state).padEnd(8)} ` +
    `expires ${expires_at}  last used ${at}  ${name} (${rights})\n`
  )
}
