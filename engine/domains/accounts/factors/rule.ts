import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { instant } from '../../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../../kernel/time.ts'
import { ownAccountId } from '../account.ts'
import { changeBusiness } from '../change.ts'
import { accountStateOf, businessOf } from '../read.ts'
import { accountId } from '../schema.ts'
import { changeFactors } from './change.ts'
import { tellOfRemoval } from './notices.ts'

const tag = 'Business'
const admin = ['client_admin'] as const
const requiredOf = v.pipe(
  v.picklist(['nobody', 'staff']),
  v.description(
    '`staff`: administrators and employees set up a second factor at their next sign-in, if they have none.',
  ),
)

const ruleEntries = {
  required_of: requiredOf,
  required_from: v.exactOptional(
    v.pipe(
      instant,
      v.description('When sign-ins begin to need it, so that people can set one up before. Default: at once.'),
    ),
  ),
}

/** Tells whose accounts need a second factor. */
export const getFactorRule = operation({
  name: 'get_second_factor_rule',
  summary: 'Whose accounts of the business need a second factor to sign in, and from when.',
  scopes: ['accounts:read'],
  roles: ['client_admin', 'client_employee'],
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/business/second-factor' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), ...ruleEntries }),
  errors: [],
  handle: async (context) => {
    const business = await businessOf(context, accountOf(context).business.id)
    return { result: true, ...(business?.secondFactorRule ?? { required_of: 'nobody' }) }
  },
})

/** Sets whose accounts need a second factor. */
export const setFactorRule = operation({
  name: 'set_second_factor_rule',
  summary:
    'Say whose accounts of the business need a second factor to sign in, and from when. Sessions that are open go on.',
  scopes: ['accounts:write'],
  roles: admin,
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: '/api/v1/business/second-factor' },
  input: v.strictObject(ruleEntries),
  output: v.strictObject({ result: v.literal(true), ...ruleEntries }),
  errors: [],
  audited: { event: () => 'second_factor_rule', concerned: (_, { required_of }) => ({ required_of }) },
  handle: async (context, { required_of, required_from }) => {
    const { id: by, business } = accountOf(context)
    const isLater = required_of === 'staff' && required_from !== undefined
    const rule = { required_of, ...(isLater && { required_from: isoOf(instantOf(required_from)) }) }
    await changeBusiness(context, business.id, {
      ...{ type: 'RequireSecondFactor', at: isoOf(context.clock()), by },
      ...rule,
    })
    return { result: true, ...rule }
  },
})

const removed = v.strictObject({
  result: v.literal(true),
  account_id: v.number(),
  removed: v.pipe(v.number(), v.description('How many second factors it had.')),
})

/** Removes the second factors of a person who has lost them, and ends the sessions of the account. */
async function removeAll(context: Context, account_id: number, by: number | null) {
  const account = await accountStateOf(context, account_id)
  if (account === undefined) throw new EngineError('account_not_found')
  if (account.isErased) throw new EngineError('account_erased')
  let count = 0
  const { account: after } = await changeFactors(context, { account, by }, async ({ list }) => {
    count = list.length
    return [{ type: 'RemoveFactors', at: isoOf(context.clock()), by, account_id }]
  })
  if (count > 0) tellOfRemoval(context, after)
  return { result: true, account_id, removed: count }
}

/** Removes the second factors of an account of the business. */
export const removeFactorsOf = operation({
  name: 'remove_second_factors',
  summary:
    'Remove all second factors and recovery codes of a person of the business who has lost them. Ends all sessions of the account; the person gets an e-mail.',
  scopes: ['accounts:write'],
  roles: admin,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: '/api/v1/accounts/{account_id}/second-factors' },
  ids: { account_id: ownAccountId },
  input: v.strictObject({ account_id: accountId }),
  output: removed,
  errors: ['account_not_found', 'account_erased', 'service_account', 'own_factors_kept'],
  audited: { event: () => 'second_factors_removed', concerned: (_, { account_id: account }) => ({ account }) },
  handle: async (context, { account_id }) => {
    const { id } = accountOf(context)
    if (id === account_id) throw new EngineError('own_factors_kept')
    return removeAll(context, account_id, id)
  },
})

/** Removes the second factors of any account. */
export const clearFactors = operation({
  name: 'clear_second_factors',
  summary: 'Remove all second factors and recovery codes of an account, which ends its sessions.',
  scopes: ['platform:write'],
  risk: 'medium',
  ids: { account_id: 'rule' },
  input: v.strictObject({ account_id: accountId }),
  output: removed,
  errors: ['account_not_found', 'account_erased', 'service_account'],
  audited: { event: () => 'second_factors_removed', concerned: (_, { account_id: account }) => ({ account }) },
  handle: (context, { account_id }) => removeAll(context, account_id, null),
})
