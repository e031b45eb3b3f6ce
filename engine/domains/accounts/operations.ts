import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { inputEntries } from '../../entity/input.ts'
import { commandStamp } from '../../entity/operations.ts'
import { pick, recordOf } from '../../entity/record.ts'
import type { Module, ModuleState } from '../../kernel/account.ts'
import type { Concerned } from '../../kernel/audit.ts'
import { accountOf, requireModule } from '../../kernel/call.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { ownAccountId } from './account.ts'
import { accountTable } from './account-table.ts'
import { changeAccount, changeBusiness, changeByAdmin } from './change.ts'
import { invite } from './links/invitations.ts'
import { tellOfApproval } from './links/notices.ts'
import { openAccount } from './open.ts'
import { peopleModel } from './people.ts'
import { accountRecord, accountStateOf, accountsOf } from './read.ts'
import { staffRoleId } from './roles/terms.ts'
import { accountId, allModules, familyList, moduleStatesEntry, moduleSwitches, newPassword, role } from './schema.ts'
import { ownStaffRoleId } from './staff-roles.ts'

const tag = 'Business'
const admin = ['client_admin'] as const
const write = ['accounts:write']

function entriesOf(switches: Readonly<Partial<Record<Module, ModuleState>>>) {
  return Object.entries(switches) as readonly [Module, ModuleState][]
}

/** The account that an answer names. */
function accountIn(answer: Answer | undefined): Concerned {
  return typeof answer?.account_id === 'number' ? { account: answer.account_id } : {}
}

/** Adds an account to the caller's business. */
export const addAccount = operation({
  name: 'add_account',
  summary:
    'Add an employee, contractor, customer or driver with an initial password. An email address has one account. Where the server sends e-mails, the answer is the same if that is in another business: only its owner learns that.',
  scopes: write,
  roles: admin,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/accounts' },
  ids: { staff_role_id: ownStaffRoleId },
  input: v.strictObject({
    ...pick(inputEntries(accountTable, 'open'), ['role', 'email', 'name', 'staff_role_id'] as const),
    password: newPassword,
  }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), role }),
  errors: ['email_taken', 'too_busy', 'staff_role_not_found', 'staff_role_not_for'],
  audited: { event: () => 'account_open', concerned: (_context, { role }, answer) => ({ role, ...accountIn(answer) }) },
  handle: async (context, input) => {
    const { id, business } = accountOf(context)
    const reserves = context.messenger.sendsMail
    const { accountId: account_id } = await openAccount(context, { ...input, business: business.id, reserves }, id)
    if (reserves) await invite(context, account_id)
    return { result: true, account_id, role: input.role }
  },
})

/** Lists the accounts of the business of the caller. */
export const listAccounts = operation({
  name: 'list_accounts',
  summary: 'The accounts of the business, in order of id.',
  scopes: ['accounts:read'],
  roles: ['client_admin', 'client_employee'],
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/accounts' },
  page: 'account',
  ids: { account_id: 'filter', staff_role_id: 'filter' },
  input: v.strictObject({
    account_id: v.exactOptional(accountId),
    role: v.exactOptional(role),
    staff_role_id: v.exactOptional(staffRoleId),
    is_service: v.exactOptional(
      v.pipe(v.boolean(), v.description('Only service accounts, or only those of people. Default: both.')),
    ),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, accounts: v.array(accountRecord) }),
  errors: [],
  handle: async (context, { account_id, role: kind, staff_role_id, is_service, ...input }) => {
    const { business } = accountOf(context)
    const { range, paging } = pageOf(input)
    const where = {
      business_id: business.id,
      ...omitUndefined({ account_id, role: kind, staff_role_id }),
      ...(is_service === undefined ? {} : { is_service: is_service ? 1 : null }),
    }
    const { rows, total } = await context.models.page(peopleModel, { where, ...range })
    const states = await accountsOf(context, rows)
    const accounts = states.map((state) => recordOf(accountTable, state, viewOf(context)))
    return { result: true, total, ...paging, accounts }
  },
})

/** Enables or disables an account. */
export const setAccountStatus = operation({
  name: 'set_account_status',
  summary: 'Disable an account of the business, which ends its sessions, or enable it again.',
  scopes: write,
  roles: admin,
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: '/api/v1/accounts/{account_id}/status' },
  ids: { account_id: ownAccountId },
  input: v.strictObject({ account_id: accountId, is_active: v.boolean() }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), is_active: v.boolean() }),
  errors: ['account_not_found', 'account_erased', 'own_account_kept'],
  audited: {
    event: ({ is_active }) => (is_active ? 'account_enable' : 'account_disable'),
    concerned: (_, { account_id: account }) => ({ account }),
  },
  handle: async (context, { account_id, is_active }) => {
    const before = await accountStateOf(context, account_id)
    const after = await changeByAdmin(context, account_id, { type: 'SetActive', ...commandStamp(context), is_active })
    if (before?.awaits_approval === true && after.is_active) tellOfApproval(context, after)
    return { result: true, account_id, is_active }
  },
})

/** Switches modules of an account. */
export const setAccountModules = operation({
  name: 'set_account_modules',
  summary:
    'Switch the modules of an account on or off: contractor order assignment, for contractors. An account may have what the business has.',
  scopes: write,
  roles: admin,
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: '/api/v1/accounts/{account_id}/modules' },
  ids: { account_id: ownAccountId },
  input: v.strictObject({
    account_id: accountId,
    modules: v.strictObject(pick(moduleSwitches.entries, ['broker_assignment'])),
  }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), modules: moduleStatesEntry }),
  errors: ['account_not_found', 'account_erased', 'module_not_of_account', 'module_disabled'],
  handle: async (context, { account_id, modules: switches }) => {
    for (const [module, state] of entriesOf(switches)) if (state === 'on') requireModule(context, module)
    const stamp = commandStamp(context)
    const commands = entriesOf(switches).map(
      ([module, state]) => ({ type: 'SetAccountModule', ...stamp, module, state }) as const,
    )
    const { modules } = await changeAccount(context, account_id, ...commands)
    return { result: true, account_id, modules }
  },
})

/** Hides the prices of order families from a customer. */
export const setHiddenPrices = operation({
  name: 'set_hidden_prices',
  summary: 'Set the order families whose prices are hidden from a customer of the business. All others are visible.',
  scopes: write,
  roles: admin,
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: '/api/v1/accounts/{account_id}/hidden-prices' },
  ids: { account_id: ownAccountId },
  input: v.strictObject({ account_id: accountId, families: familyList }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), families: familyList }),
  errors: ['account_not_found', 'account_erased', 'not_a_customer'],
  handle: async (context, { account_id, families: input }) => {
    const command = { type: 'HidePrices', ...commandStamp(context), families: input } as const
    const { hidden_prices: families } = await changeAccount(context, account_id, command)
    return { result: true, account_id, families }
  },
})

/** Switches modules of the caller's business. */
export const setBusinessModules = operation({
  name: 'set_business_modules',
  summary:
    'Switch modules of the business on or off. A module that the platform has revoked, or has to enable first, does not change.',
  scopes: write,
  roles: admin,
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: '/api/v1/business/modules' },
  input: v.strictObject({ modules: moduleSwitches }),
  output: v.strictObject({ result: v.literal(true), modules: moduleStatesEntry }),
  errors: ['module_not_switchable', 'module_not_built'],
  handle: async (context, { modules: switches }) => {
    const { business } = accountOf(context)
    const stamp = commandStamp(context)
    const commands = entriesOf(switches).map(
      ([module, state]) => ({ type: 'SetBusinessModule', ...stamp, module, state }) as const,
    )
    const { modules } = await changeBusiness(context, business.id, ...commands)
    return { result: true, modules: allModules(modules) }
  },
})
