import { call, endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, namesIn, type Run, usageError } from './command.ts'
import { either, refuseOptions } from './either.ts'
import { hoursIn } from './hours.ts'

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

async function add(invocation: Invocation, account: string): Promise<number> {
  const { values } = invocation
  const { name, scopes, operations } = values
  if (name === undefined || scopes === undefined)
    throw usageError('Use --name NAME and --scopes SCOPES: what is the key for, and what may it do?')
  const asked = {
    ...{ name, scopes: namesIn(scopes) },
    ...(operations === undefined ? {} : { operations: namesIn(operations) }),
    ...(values['read-only'] === true ? { read_only: true } : {}),
    ...hoursIn(values, 'expires', 'expires_in_hours'),
  }
  const answer = await either(
    invocation,
    {
      check: () => numberOf(account),
      store: (context) => call(issueApiKey, context, { account_id: numberOf(account), ...asked }),
      server: (server) => {
        if (account !== 'me')
          throw usageError('A server makes keys of the account that has signed in: otep key add me.')
        refuseOptions(invocation, 'init')
        return server.call('create_api_key', asked)
      },
    },
    { servers: values.init === true ? 'noted' : 'required' },
  )
  return printKey(invocation, answer)
}

async function rotate(invocation: Invocation, id: string): Promise<number> {
  const { values } = invocation
  const asked = {
    key_id: numberOf(id),
    ...hoursIn(values, 'expires', 'expires_in_hours'),
    ...hoursIn(values, 'overlap', 'overlap_in_hours'),
  }
  const answer = await either(
    invocation,
    {
      store: (context) => call(renewApiKey, context, asked),
      server: (server) => server.call('rotate_api_key', asked),
    },
    { servers: 'noted' },
  )
  return printKey(invocation, answer)
}

async function revoke(invocation: Invocation, id: string): Promise<number> {
  const asked = { key_id: numberOf(id) }
  const answer = await either(invocation, {
    store: (context) => call(endApiKey, context, asked),
    server: (server) => server.call('revoke_api_key', asked),
  })
  printAnswer(invocation, answer, `API key ${id} is revoked.`)
  return 0
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

async function list(invocation: Invocation, account: string | undefined): Promise<number> {
  const { values, stdout } = invocation
  const asked = account === undefined ? {} : { account_id: numberOf(account) }
  const keys = await either<readonly Listed[]>(invocation, {
    store: async (context) => (await call(listAllApiKeys, context, asked)).keys as readonly Listed[],
    server: async (server) => {
      const all = await server.all<Listed>('list_api_keys', 'keys')
      return all.filter(({ account_id }) => asked.account_id === undefined || account_id === asked.account_id)
    },
  })
  if (values.json === true) stdout.write(`${JSON.stringify(keys)}\n`)
  else for (const key of keys) stdout.write(lineOf(key))
  return 0
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
