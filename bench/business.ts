import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { createParts } from '../adapters/main.ts'
import { secretOf } from '../adapters/node/secret.ts'
import {
  type Caller,
  type Context,
  call,
  domains,
  en,
  perform,
  registerAccount,
  type Storage,
  scopesOf,
} from '../engine/index.ts'

/** Calls an operation by its name. */
export type Ask = (operation: string, input: object) => Promise<Readonly<Record<string, unknown>>>

/** An engine on a store, and its business. */
export interface Business {
  readonly id: number
  readonly parts: ReturnType<typeof createParts>
  /** Calls operations as the admin of the business. */
  readonly ask: Ask
}

/** Opens a business on a store; the read models are in the file, if one is named, and in memory otherwise. */
export async function openBusiness(store: Storage, modelsFile?: string): Promise<Business> {
  const parts = createParts({
    store,
    secret: secretOf(randomBytes(32).toString('hex')),
    ...(modelsFile !== undefined && { modelsFile: { file: modelsFile, name: 'bench' } }),
  })
  const contextOf = (caller: Caller): Context => ({
    ...parts,
    ...{ caller, messages: en, requestId: parts.randomId() },
  })
  const operator = contextOf({ kind: 'operator', name: 'bench', scopes: ['platform:write'] })
  const business = { name: 'Acme', time_zone: 'America/Toronto', currency: 'CAD' }
  const who = { role: 'client_admin', email: 'admin@acme.example', name: 'Admin', password: 'harbour-lamp-quilt-77' }
  const { account_id } = await call(registerAccount, operator, { ...who, business })
  const account = await parts.directory.person(operator, Number(account_id))
  if (account === undefined) throw new Error('The account of the business is not there.')
  const caller: Caller = { kind: 'account', name: String(account.id), scopes: scopesOf.client_admin, account }
  const operations = new Map(domains.flatMap((domain) => domain.operations).map((one) => [one.name, one]))
  const ask: Ask = async (name, input) => {
    const operation = operations.get(name)
    if (operation === undefined) throw new Error(`There is no operation ${name}.`)
    return perform(operation, contextOf(caller), v.parse(operation.input, input))
  }
  return { id: account.business.id, parts, ask }
}
