import { addProvider, type Context, call, listProviders, revokeProvider } from '../../engine/index.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { withContext } from './session.ts'

/** `otep provider`: manages the keys of providers. */
export const run: Run = async (invocation) => {
  const [verb, name, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'list' && name === undefined) return list(invocation)
  if ((verb === 'add' || verb === 'revoke') && name !== undefined) return change(invocation, verb, name)
  throw usageError('Use one of: add NAME, list, revoke NAME.')
}

function change(invocation: Invocation, verb: 'add' | 'revoke', name: string): Promise<number> {
  const run = async (context: Context) => {
    const { business } = invocation.values
    const answer = await (verb === 'add'
      ? call(addProvider, context, { name, ...(business === undefined ? {} : { business_id: Number(business) }) })
      : call(revokeProvider, context, { name }))
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(answer)}\n`)
    else if (verb === 'revoke') invocation.stdout.write(`The key of ${name} is revoked.\n`)
    else {
      invocation.stderr.write(`The key of ${name}. It is shown only once; keep it safe:\n`)
      invocation.stdout.write(`${answer.key}\n`)
    }
    return 0
  }
  return withContext(invocation, run, { isMade: verb === 'add' })
}

function list(invocation: Invocation): Promise<number> {
  return withContext(invocation, async (context) => {
    const { providers } = (await call(listProviders, context, {})) as { providers: readonly Record<string, string>[] }
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(providers)}\n`)
    for (const { name = '', state = '', added_at, last_used_at = 'never' } of invocation.values.json === true
      ? []
      : providers) {
      invocation.stdout.write(`${name.padEnd(24)} ${state.padEnd(8)} added ${added_at}  last used ${last_used_at}\n`)
    }
    return 0
  })
}
