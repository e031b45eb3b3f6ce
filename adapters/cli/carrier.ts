import {
  addCarrierAccount,
  type Context,
  call,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { openInput, textOf } from './input.ts'
import { withContext } from './session.ts'

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

/** Runs something for the business of `--business`. */
function forBusiness(invocation: Invocation, run: (context: Context) => Promise<number>): Promise<number> {
  const { business } = invocation.values
  if (business === undefined) throw usageError('Use --business ID: whose account is it?')
  const businessId = numberOf(business)
  return withContext(invocation, (context) => run({ ...context, caller: { ...context.caller, businessId } }))
}

async function add(invocation: Invocation, carrier: string): Promise<number> {
  const { credentials: file, name } = invocation.values
  const asked = {
    carrier,
    ...(name === undefined ? {} : { name }),
    ...(file === undefined ? {} : { credentials: await credentialsIn(invocation, String(file)) }),
  }
  return forBusiness(invocation, async (context) => {
    const answer = await call(addCarrierAccount, context, asked)
    printAnswer(invocation, answer, `Carrier account ${answer.carrier_account_id} of ${carrier} is added.`)
    return 0
  })
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

function list(invocation: Invocation): Promise<number> {
  return forBusiness(invocation, async (context) => {
    const { accounts, carriers } = (await call(listCarrierAccounts, context, {})) as unknown as Listed
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
  })
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

function test(invocation: Invocation, carrier_account_id: number): Promise<number> {
  return forBusiness(invocation, async (context) => {
    const answer = await call(testCarrierAccount, context, { carrier_account_id })
    printAnswer(invocation, answer, answer.works === true ? 'The carrier accepts the account.' : String(answer.message))
    return answer.works === true ? 0 : 1
  })
}

function remove(invocation: Invocation, carrier_account_id: number): Promise<number> {
  return forBusiness(invocation, async (context) => {
    const answer = await call(removeCarrierAccount, context, { carrier_account_id })
    printAnswer(invocation, answer, `Carrier account ${carrier_account_id} is removed.`)
    return 0
  })
}
