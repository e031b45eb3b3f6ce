import {
  addProvider,
  type Context,
  call,
  listProviders,
  revokeProvider,
  rotateProviderKey,
} from '../../engine/index.ts'
import { printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { either } from './either.ts'
import { hoursIn } from './hours.ts'

/** `otep provider`: manages the keys of providers. */
export const run: Run = async (invocation) => {
  const [verb, name, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'list' && name === undefined) return list(invocation)
  if (verb === 'add' && name !== undefined) return add(invocation, name)
  if (verb === 'rotate' && name !== undefined) return rotate(invocation, name)
  if (verb === 'revoke' && name !== undefined) return revoke(invocation, name)
  throw usageError('Use one of: add NAME, rotate NAME, list, revoke NAME.')
}

function add(invocation: Invocation, name: string): Promise<number> {
  const { values } = invocation
  const { business, 'all-businesses': all } = values
  if ((business === undefined) === (all === undefined))
    throw usageError('Use either --business ID or --all-businesses: for whom does the provider report?')
  const reach = all === undefined ? { business_id: Number(business) } : { all_businesses: true }
  const asked = { name, ...reach, ...hoursIn(values, 'expires', 'expires_in_hours') }
  const run = async (context: Context) => printKey(invocation, name, await call(addProvider, context, asked))
  return either(invocation, { store: run }, { isMade: values.init === true, forServers: true })
}

function rotate(invocation: Invocation, name: string): Promise<number> {
  const { values } = invocation
  const terms = {
    ...hoursIn(values, 'expires', 'expires_in_hours'),
    ...hoursIn(values, 'overlap', 'overlap_in_hours'),
  }
  const run = async (context: Context) =>
    printKey(invocation, name, await call(rotateProviderKey, context, { name, ...terms }))
  return either(invocation, { store: run }, { forServers: true })
}

function revoke(invocation: Invocation, name: string): Promise<number> {
  const run = async (context: Context) => {
    printAnswer(invocation, await call(revokeProvider, context, { name }), `The key of ${name} is revoked.`)
    return 0
  }
  return either(invocation, { store: run })
}

function printKey({ values, stdout, stderr }: Invocation, name: string, answer: Readonly<Record<string, unknown>>) {
  const { key, expires_at, previous_key_until } = answer
  if (values.json === true) stdout.write(`${JSON.stringify(answer)}\n`)
  else {
    if (previous_key_until !== undefined) stderr.write(`The key before is accepted until ${previous_key_until}.\n`)
    const end = expires_at === undefined ? '' : `, and expires at ${expires_at}`
    stderr.write(`The key of ${name}. It is shown only once${end}; keep it safe:\n`)
    stdout.write(`${key}\n`)
  }
  return 0
}

function list(invocation: Invocation): Promise<number> {
  const run = async (context: Context) => {
    const { providers } = (await call(listProviders, context, {})) as { providers: readonly Record<string, string>[] }
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(providers)}\n`)
    else for (const one of providers) invocation.stdout.write(lineOf(one))
    return 0
  }
  return either(invocation, { store: run })
}

function lineOf({ name = '', business_id, state = '', added_at, ...ends }: Readonly<Record<string, string>>): string {
  const { expires_at = 'never', previous_key_until, last_used_at = 'never' } = ends
  const reach = business_id === undefined ? 'all businesses' : `business ${business_id}`
  const before = previous_key_until === undefined ? '' : `  key before until ${previous_key_until}`
  return (
    `${name.padEnd(24)} ${state.padEnd(8)} ${reach.padEnd(14)} ` +
    `added ${added_at}  expires ${expires_at}${before}  last used ${last_used_at}\n`
  )
}
