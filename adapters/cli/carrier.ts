import {
  type Answer,
  addCarrierAccount,
  call,
  listCarrierAccounts,
  type Operation,
  removeCarrierAccount,
  testCarrierAccount,
} from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { either, refuseOptions } from './either.ts'
import { openInput, textOf } from './input.ts'

/** `otep carrier`: manages the accounts of a business at carriers. */
export const run: Run = async (invocation) => {
  const [verb, name, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'list' && name === undefined) return list(invocation)
  if (verb === 'add' && name !== undefined) return add(invocation, name)
  if (verb === 'test' && name !== undefined) return test(invocation, numberOf(name))
  if (verb === 'remove' && name !== undefined) return remove(invocation, numberOf(name))
  throw usageError('Use one of: add CARRIER, list, test ID, remove ID.')
}

/** Calls an operation for the business of `--business`, or with a server for that of the key. */
function forBusiness(
  invocation: Invocation,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const businessId = () => {
    const { business } = invocation.values
    if (business === undefined) throw usageError('Use --business ID: whose account is it?')
    return numberOf(business)
  }
  return either(invocation, {
    check: businessId,
    store: (context) => call(operation, { ...context, caller: { ...context.caller, businessId: businessId() } }, input),
    server: (server) => {
      refuseOptions(invocation, 'business')
      return server.call(operation.name, input)
    },
  })
}

async function add(invocation: Invocation, carrier: string): Promise<number> {
  const { credentials: file, name } = invocation.values
  const asked = {
    carrier,
    ...(name === undefined ? {} : { name }),
    ...(file === undefined ? {} : { credentials: await credentialsIn(invocation, String(file)) }),
  }
  const answer = await forBusiness(invocation, addCarrierAccount, asked)
  printAnswer(invocation, answer, `Carrier account ${answer.carrier_account_id} of ${carrier} is added.`)
  return 0
}

/** Credentials come from a file or the standard input, because others may see the arguments of a process. */
async function credentialsIn(invocation: Invocation, file: string): Promise<unknown> {
  const text = await textOf(openInput({ ...invocation, positionals: [file] }))
  try {
    return JSON.parse(text)
  } catch {
    throw usageError('The credentials must be a JSON object, such as {"account": "..."}.')
  }
}

async function list(invocation: Invocation): Promise<number> {
  const answer = await forBusiness(invocation, listCarrierAccounts, {})
  const { accounts, carriers } = answer as unknown as Listed
  const { values, stdout } = invocation
  if (values.json === true) stdout.write(`${JSON.stringify({ accounts, carriers })}\n`)
  else {
    for (const { carrier_account_id: id, carrier, name, added_at } of accounts)
      stdout.write(`${String(id).padEnd(6)} ${carrier.padEnd(16)} ${name.padEnd(24)} added ${added_at}\n`)
    const known = carriers.map(
      ({ carrier, credentials }) => `${carrier} (${credentials.join(', ') || 'no credentials'})`,
    )
    stdout.write(`Carriers: ${known.join(', ')}\n`)
  }
  return 0
}

interface Listed {
  readonly accounts: readonly {
    readonly carrier_account_id: number
    readonly carrier: string
    readonly name: string
    readonly added_at: string
  }[]
  readonly carriers: readonly { readonly carrier: string; readonly credentials: readonly string[] }[]
}

async function test(invocation: Invocation, carrier_account_id: number): Promise<number> {
  const answer = await forBusiness(invocation, testCarrierAccount, { carrier_account_id })
  printAnswer(invocation, answer, answer.works === true ? 'The carrier accepts the account.' : String(answer.message))
  return answer.works === true ? 0 : 1
}

async function remove(invocation: Invocation, carrier_account_id: number): Promise<number> {
  const answer = await forBusiness(invocation, removeCarrierAccount, { carrier_account_id })
  printAnswer(invocation, answer, `Carrier account ${carrier_account_id} is removed.`)
  return 0
}
