import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { recordOf } from '../../entity/record.ts'
import { moduleStates, modules } from '../../kernel/account.ts'
import { EngineError } from '../../kernel/errors.ts'
import { currencyCode } from '../../kernel/money.ts'
import { operation } from '../../kernel/operation.ts'
import { email } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { accountTable } from './account-table.ts'
import { changeAccount, changeBusiness, changeEmail, changePassword } from './change.ts'
import { blindEmail } from './credential.ts'
import { renewedHash } from './new-password.ts'
import { openAccount } from './open.ts'
import { peopleModel } from './people.ts'
import { accountRecord, accountStateOf, accountsOf, businessOf } from './read.ts'
import { accountId, allModules, mailedName, moduleStatesEntry, newPassword, role } from './schema.ts'

/** The scope of callers with access to the store itself; no account has it. */
const scopes = ['platform:write']

const businessId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Opens an account in any business, or in a new business. */
export const registerAccount = operation({
  name: 'register_account',
  summary: 'Open an account in a business, or in a new business.',
  scopes,
  risk: 'medium',
  secret: true,
  input: v.strictObject({
    role,
    email,
    name: mailedName,
    password: newPassword,
    business: v.union([
      businessId,
      v.strictObject({
        name: mailedName,
        time_zone: v.pipe(v.string(), v.maxLength(60), v.description('IANA name, for example Europe/Paris.')),
        currency: currencyCode,
      }),
    ]),
  }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), business_id: v.number() }),
  errors: ['email_taken', 'business_not_found', 'unknown_time_zone', 'too_busy'],
  handle: async (context, account) => {
    const { accountId: account_id, businessId: business_id } = await openAccount(context, account, null)
    return { result: true, account_id, business_id }
  },
})

const { id, ...rest } = accountRecord.entries

/** Lists the accounts of all businesses, or of one. */
export const listAllAccounts = operation({
  name: 'list_all_accounts',
  summary: 'Accounts of all businesses or of one, in order of id.',
  scopes,
  risk: 'low',
  ids: { business_id: 'filter' },
  input: v.strictObject({ business_id: v.exactOptional(businessId) }),
  output: v.strictObject({
    result: v.literal(true),
    accounts: v.array(v.strictObject({ id, business_id: businessId, ...rest })),
  }),
  errors: [],
  handle: async (context, { business_id }) => {
    const rows = await context.models.rows(peopleModel, business_id === undefined ? {} : { business_id })
    const accounts = (await accountsOf(context, rows)).map((state) => {
      const { id, ...record } = recordOf(accountTable, state, viewOf(context))
      return { id, business_id: state.business_id, ...record }
    })
    return { result: true, accounts }
  },
})

/** Disables or enables any account. */
export const switchAccount = operation({
  name: 'switch_account',
  summary: 'Disable an account, which ends its sessions, or enable it again.',
  scopes,
  risk: 'medium',
  ids: { account_id: 'rule' },
  input: v.strictObject({ account_id: accountId, is_active: v.boolean() }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), is_active: v.boolean() }),
  errors: ['account_not_found', 'account_erased'],
  handle: async (context, { account_id, is_active }) => {
    const stamp = { at: isoOf(context.clock()), by: null }
    await changeAccount(context, account_id, { type: 'SetActive', ...stamp, is_active })
    return { result: true, account_id, is_active }
  },
})

/** Sets the password of any account. */
export const resetPassword = operation({
  name: 'reset_password',
  summary: 'Set the password of an account, which ends its sessions.',
  scopes,
  risk: 'medium',
  secret: true,
  ids: { account_id: 'rule' },
  input: v.strictObject({ account_id: accountId, password: newPassword }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number() }),
  errors: ['account_not_found', 'account_erased', 'service_account', 'email_taken', 'too_busy'],
  handle: async (context, { account_id, password }) => {
    const hash = await renewedHash(context, account_id, 'password', password)
    await changePassword(context, account_id, hash, null)
    return { result: true, account_id }
  },
})

/** Gives any account another email address, also one that its business's single sign-on refuses to its person. */
export const replaceEmail = operation({
  name: 'replace_email',
  summary: 'Give an account another email address, which ends its sessions. Its password stays.',
  scopes,
  risk: 'medium',
  secret: true,
  ids: { account_id: 'rule' },
  input: v.strictObject({ account_id: accountId, email }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number() }),
  errors: ['account_not_found', 'account_erased', 'service_account', 'email_taken', 'email_unchanged'],
  handle: async (context, { account_id, email: address }) => {
    const account = await accountStateOf(context, account_id)
    if (account === undefined) throw new EngineError('account_not_found')
    if (account.isErased) throw new EngineError('account_erased')
    if (account.credential === blindEmail(context.credentials, address)) throw new EngineError('email_unchanged')
    await changeEmail(context, account, address, null)
    return { result: true, account_id }
  },
})

/** Sets the state of a business's module, which only the platform may do. */
export const setModule = operation({
  name: 'set_module',
  summary: 'Set the state of a module of a business: on, off, revoked, or not migrated.',
  scopes,
  risk: 'medium',
  ids: { business_id: 'rule' },
  input: v.strictObject({ business_id: businessId, module: v.picklist(modules), state: v.picklist(moduleStates) }),
  output: v.strictObject({
    result: v.literal(true),
    business_id: v.number(),
    module: v.picklist(modules),
    state: v.picklist(moduleStates),
  }),
  errors: ['business_not_found', 'module_not_built'],
  handle: async (context, { business_id, module, state }) => {
    const stamp = { at: isoOf(context.clock()), by: null }
    await changeBusiness(context, business_id, { type: 'SetBusinessModule', ...stamp, module, state })
    return { result: true, business_id, module, state }
  },
})

/** Shows the states of a business's modules. */
export const showModules = operation({
  name: 'show_modules',
  summary: 'The state of each module of a business.',
  scopes,
  risk: 'low',
  ids: { business_id: 'rule' },
  input: v.strictObject({ business_id: businessId }),
  output: v.strictObject({ result: v.literal(true), business_id: v.number(), modules: moduleStatesEntry }),
  errors: ['business_not_found'],
  handle: async (context, { business_id }) => {
    const business = await businessOf(context, business_id)
    if (business === undefined) throw new EngineError('business_not_found')
    return { result: true, business_id, modules: allModules(business.modules) }
  },
})
