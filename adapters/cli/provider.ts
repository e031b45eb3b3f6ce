import {
  addProvider,
  call,
  listProviders,
  removeProviderWebhook,
  revokeProvider,
  rotateProviderKey,
  setProviderWebhook,
} from '../../engine/index.ts'
import { printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { either, refuseOptions } from './either.ts'
import { hoursIn } from './hours.ts'
import { textOf } from './input.ts'

/** `otep provider`: manages the keys of providers: of all in a store, of those of one business at a server. */
export const run: Run = async (invocation) => {
  const [verb, name, format, ...rest] = invocation.positionals
  if (verb === 'webhook' && name !== undefined && rest.length === 0) return webhook(invocation, name, format)
  const more = format === undefined ? [] : [format, ...rest]
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'list' && name === undefined) return list(invocation)
  if (verb === 'add' && name !== undefined) return add(invocation, name)
  if (verb === 'rotate' && name !== undefined) return rotate(invocation, name)
  if (verb === 'revoke' && name !== undefined) return revoke(invocation, name)
  throw usageError('Use one of: add NAME, rotate NAME, list, revoke NAME, webhook NAME FORMAT.')
}

async function add(invocation: Invocation, name: string): Promise<number> {
  const { values } = invocation
  const asked = { name, ...hoursIn(values, 'expires', 'expires_in_hours') }
  const answer = await either(
    invocation,
    {
      check: () => reachIn(values),
      store: (context) => call(addProvider, context, { ...asked, ...reachIn(values) }),
      server: (server) => {
        refuseOptions(invocation, 'business', 'all-businesses', 'init')
        return server.call('add_own_provider', asked)
      },
    },
    values.init === true ? { isMade: true, servers: 'noted' } : { servers: 'required' },
  )
  return printKey(invocation, name, answer)
}

function reachIn({ business, 'all-businesses': all }: Invocation['values']) {
  if ((business === undefined) === (all === undefined))
    throw usageError('Use either --business ID or --all-businesses: for whom does the provider report?')
  return all === undefined ? { business_id: Number(business) } : { all_businesses: true }
}

async function rotate(invocation: Invocation, name: string): Promise<number> {
  const { values } = invocation
  const asked = {
    name,
    ...hoursIn(values, 'expires', 'expires_in_hours'),
    ...hoursIn(values, 'overlap', 'overlap_in_hours'),
  }
  const answer = await either(
    invocation,
    {
      store: (context) => call(rotateProviderKey, context, asked),
      server: (server) => server.call('rotate_key_of_own_provider', asked),
    },
    { servers: 'noted' },
  )
  return printKey(invocation, name, answer)
}

async function revoke(invocation: Invocation, name: string): Promise<number> {
  const answer = await either(invocation, {
    store: (context) => call(revokeProvider, context, { name }),
    server: (server) => server.call('revoke_own_provider', { name }),
  })
  printAnswer(invocation, answer, `The key of ${name} is revoked.`)
  return 0
}

/** The secret comes from the standard input, so that it is in no list of processes and no history. */
async function webhook(invocation: Invocation, name: string, format: string | undefined): Promise<number> {
  const { off } = invocation.values
  if ((off === true) === (format !== undefined)) throw usageError('Name the format of the webhooks, or use --off.')
  if (format === undefined) {
    const answer = await either(invocation, {
      store: (context) => call(removeProviderWebhook, context, { name }),
      server: (server) => server.call('remove_webhook_of_own_provider', { name }),
    })
    printAnswer(invocation, answer, `No webhooks of ${name} are taken any more.`)
    return 0
  }
  const secret = (await textOf({ bytes: undefined, stream: invocation.stdin })).trim()
  const asked = { name, format, secret }
  const answer = await either(invocation, {
    store: (context) => call(setProviderWebhook, context, asked),
    server: (server) => server.call('set_webhook_of_own_provider', asked),
  })
  printAnswer(invocation, answer, `${name} sends its webhooks to ${String(answer.address)}.`)
  return 0
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

async function list(invocation: Invocation): Promise<number> {
  const answer = await either(invocation, {
    store: (context) => call(listProviders, context, {}),
    server: (server) => server.call('list_own_providers'),
  })
  const { providers } = answer as { providers: readonly Record<string, string>[] }
  if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(providers)}\n`)
  else for (const one of providers) invocation.stdout.write(lineOf(one))
  return 0
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
