import * as v from 'valibot'
import { inputEntries } from '../../entity/input.ts'
import { pick } from '../../entity/record.ts'
import { accountOf } from '../../kernel/call.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { scopesOfAccount } from '../../kernel/rights.ts'
import { ownAccountId } from './account.ts'
import { accountTable } from './account-table.ts'
import { madeKey, makeKey } from './keys/make.ts'
import { newKeyEntries } from './keys/terms.ts'
import { openServiceAccount } from './open.ts'
import { accountStateOf, asAccount, businessOf } from './read.ts'
import { accountId, role } from './schema.ts'
import { ownStaffRoleId } from './staff-roles.ts'

const byAdmin = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag: 'Business' } as const
const opening = pick(inputEntries(accountTable, 'open_service'), ['role', 'name', 'staff_role_id'] as const)
const opened = v.strictObject({ result: v.literal(true), account_id: v.number(), role })

/** Adds an account to the caller's business that no person signs in to. */
export const createServiceAccount = operation({
  ...byAdmin,
  name: 'create_service_account',
  summary:
    'Add an account for a program: it has no password, and nobody can sign in to it. It calls with the API keys that administrators make for it.',
  rest: { method: 'POST', path: '/api/v1/service-accounts' },
  ids: { staff_role_id: ownStaffRoleId },
  input: v.strictObject(opening),
  output: opened,
  errors: ['staff_role_not_found', 'staff_role_not_for'],
  audited: {
    event: () => 'account_open',
    concerned: (_, { role: kind }, answer) => ({
      ...{ role: kind, service: true },
      ...(typeof answer?.account_id === 'number' ? { account: answer.account_id } : {}),
    }),
  },
  handle: async (context, input) => {
    const { id, business } = accountOf(context)
    const account_id = await openServiceAccount(context, { ...input, business: business.id }, id)
    return { result: true, account_id, role: input.role }
  },
})

/** Makes an API key of a service account of the caller's business. */
export const createServiceAccountKey = operation({
  ...byAdmin,
  name: 'create_service_account_key',
  summary:
    'Make an API key of a service account of the business, within what the account may do. The key is shown only once.',
  secret: true,
  rest: { method: 'POST', path: '/api/v1/service-accounts/{account_id}/api-keys' },
  ids: { account_id: ownAccountId },
  input: v.strictObject({ account_id: accountId, ...newKeyEntries }),
  output: madeKey,
  errors: ['account_not_found', 'account_erased', 'not_service_account', 'too_many_api_keys'],
  audited: {
    event: () => 'key_made',
    concerned: (_, { account_id: account }, answer) => ({
      account,
      ...(typeof answer?.key_id === 'number' ? { key: answer.key_id } : {}),
    }),
  },
  handle: async (context, { account_id, ...terms }) => {
    const [account, business] = [
      await accountStateOf(context, account_id),
      await businessOf(context, accountOf(context).business.id),
    ]
    if (account === undefined || business === undefined) throw new EngineError('account_not_found')
    if (account.is_service !== true) throw new EngineError('not_service_account', { account: account_id })
    const within = scopesOfAccount(asAccount(account, business))
    return makeKey(context, account_id, terms, { by: accountOf(context).id, within })
  },
})

/** Opens an account in any business that no person signs in to. */
export const registerServiceAccount = operation({
  name: 'register_service_account',
  summary: 'Open an account for a program in a business: nobody can sign in to it, and it calls with its API keys.',
  scopes: ['platform:write'],
  risk: 'medium',
  ids: { business_id: 'rule' },
  input: v.strictObject({
    business_id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    ...pick(opening, ['role', 'name'] as const),
  }),
  output: opened,
  errors: ['business_not_found'],
  handle: async (context, { business_id: business, ...input }) => {
    const account_id = await openServiceAccount(context, { ...input, business }, null)
    return { result: true, account_id, role: input.role }
  },
})
