import { ownId } from '../../entity/access.ts'
import { type EventBase, reducerOf } from '../../entity/machine.ts'
import { type Family, type Module, type ModuleState, type Role, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { type AccountState, accountTable } from './account-table.ts'
import type { AccountEvent } from './events.ts'

export type { AccountState } from './account-table.ts'

/** The stream of an account. */
export function accountStream(id: number): StreamName {
  return `account-${id}`
}

/** The commands of an account. */
export type AccountCommand =
  | (EventBase & {
      readonly type: 'OpenAccount'
      readonly account_id: number
      readonly business_id: number
      readonly role: Role
      readonly credential: string
      readonly is_invited?: true
      readonly awaits_approval?: true
      readonly staff_role_id?: number
      readonly personal: { readonly name: string; readonly email: string; readonly phone?: string }
    })
  | (EventBase & {
      readonly type: 'OpenServiceAccount'
      readonly account_id: number
      readonly business_id: number
      readonly role: Role
      readonly staff_role_id?: number
      readonly personal: { readonly name: string }
    })
  | (EventBase & { readonly type: 'SetActive'; readonly is_active: boolean })
  | (EventBase & { readonly type: 'Rename'; readonly name: string })
  | (EventBase & { readonly type: 'ChangeRole'; readonly role: Role })
  | (EventBase & { readonly type: 'SetStaffRoleOf'; readonly staff_role_id: number | null })
  | (EventBase & { readonly type: 'SetAccountModule'; readonly module: Module; readonly state: ModuleState })
  | (EventBase & { readonly type: 'HidePrices'; readonly families: readonly Family[] })
  | (EventBase & { readonly type: 'ChangePassword' })
  | (EventBase & {
      readonly type: 'ChangeEmail'
      readonly credential: string
      readonly personal: { readonly email: string }
    })
  /** `LinkIdentity` replaces the identity of the issuer that the account had before. */
  | (EventBase & { readonly type: 'BindIdentity' | 'LinkIdentity'; readonly issuer: string; readonly binding: string })
  | (EventBase & { readonly type: 'SetSecondFactor'; readonly is_on: boolean })
  | (EventBase & { readonly type: 'EraseAccount' })

function decide(command: AccountCommand, account: AccountState | undefined): readonly AccountEvent[] {
  if (command.type === 'OpenAccount' || command.type === 'OpenServiceAccount') {
    if (command.staff_role_id !== undefined) requireEmployee(command.role)
    return account === undefined ? [openedBy(command)] : []
  }
  const { at, by } = command
  if (account === undefined) throw new EngineError('account_not_found')
  const base = { at, by, account_id: account.account_id }
  if (command.type === 'EraseAccount') return account.isErased ? [] : [{ type: 'AccountErased', data: base }]
  if (account.isErased) throw new EngineError('account_erased')
  if (account.is_service && signsIn.includes(command.type)) throw new EngineError('service_account')
  switch (command.type) {
    case 'SetActive':
      return setActive(account, base, command.is_active)
    case 'Rename':
      return command.name === account.name
        ? []
        : [{ type: 'AccountRenamed', data: { ...base, personal: { name: command.name } } }]
    case 'ChangeRole':
      return changeRole(account, base, command.role)
    case 'SetStaffRoleOf':
      return setStaffRole(account, base, command.staff_role_id)
    case 'SetAccountModule':
      return setModule(account, base, command)
    case 'HidePrices':
      return hidePrices(account, base, command.families)
    case 'ChangePassword':
      return [{ type: 'PasswordChanged', data: base }]
    case 'ChangeEmail': {
      const { credential, personal } = command
      return [{ type: 'EmailChanged', data: { ...base, credential, personal } }]
    }
    case 'SetSecondFactor': {
      if (command.is_on === (account.has_second_factor === true)) return []
      return [{ type: command.is_on ? 'SecondFactorTurnedOn' : 'SecondFactorTurnedOff', data: base }]
    }
    case 'BindIdentity':
    case 'LinkIdentity':
      return bindIdentity(account, base, command)
    default:
      return command satisfies never
  }
}

/** The commands that are about how a person signs in. */
const signsIn: readonly AccountCommand['type'][] = [
  'ChangePassword',
  'ChangeEmail',
  'BindIdentity',
  'LinkIdentity',
  'SetSecondFactor',
]

function openedBy(
  command: Extract<AccountCommand, { readonly type: 'OpenAccount' | 'OpenServiceAccount' }>,
): AccountEvent {
  if (command.type === 'OpenAccount') {
    const { type: _, ...data } = command
    return { type: 'AccountOpened', data }
  }
  const { type: _, ...data } = command
  return { type: 'ServiceAccountOpened', data }
}

type AccountEventBase = EventBase & { readonly account_id: number }

function setActive(account: AccountState, base: AccountEventBase, isActive: boolean): readonly AccountEvent[] {
  if (!isActive && base.by === account.account_id) throw new EngineError('own_account_kept')
  if (isActive === account.is_active) return []
  return [{ type: isActive ? 'AccountEnabled' : 'AccountDisabled', data: base }]
}

/** Customers, contractors and drivers have orders, wallets and assignments as what they are; another kind is another account. */
function changeRole(account: AccountState, base: AccountEventBase, role: Role): readonly AccountEvent[] {
  if (role === account.role) return []
  if (base.by === account.account_id) throw new EngineError('own_role_kept')
  if (!staff.includes(role) || !staff.includes(account.role))
    throw new EngineError('role_kept', { received: account.role, expected: role })
  return [{ type: 'AccountRoleChanged', data: { ...base, role } }]
}

/** Only employees are narrowed: an administrator who could not do everything could not help anybody either. */
function setStaffRole(account: AccountState, base: AccountEventBase, id: number | null): readonly AccountEvent[] {
  if (id === (account.staff_role_id ?? null)) return []
  if (id !== null) requireEmployee(account.role)
  return [{ type: 'AccountStaffRoleSet', data: { ...base, staff_role_id: id } }]
}

function requireEmployee(role: Role): void {
  if (role !== 'client_employee') throw new EngineError('staff_role_not_for', { received: role })
}

function setModule(
  account: AccountState,
  base: AccountEventBase,
  { module, state }: { readonly module: Module; readonly state: ModuleState },
): readonly AccountEvent[] {
  if (account.role !== 'contractor' || module !== 'broker_assignment')
    throw new EngineError('module_not_of_account', { module, received: account.role })
  if ((account.modules[module] ?? 'off') === state) return []
  return [{ type: 'AccountModuleSet', data: { ...base, module, state } }]
}

/** Sorted and distinct, so that the same families give the same event. */
function hidePrices(
  account: AccountState,
  base: AccountEventBase,
  families: readonly Family[],
): readonly AccountEvent[] {
  if (account.role !== 'customer') throw new EngineError('not_a_customer', { customer: account.account_id })
  const sorted = [...new Set(families)].sort()
  if (sorted.join() === [...account.hidden_prices].sort().join()) return []
  return [{ type: 'HiddenPricesSet', data: { ...base, families: sorted } }]
}

function bindIdentity(
  account: AccountState,
  base: AccountEventBase,
  { type, issuer, binding }: Extract<AccountCommand, { readonly binding: string }>,
): readonly AccountEvent[] {
  const known = Object.hasOwn(account.bindings, issuer) ? account.bindings[issuer] : undefined
  if (known === binding) return []
  if (known !== undefined && type === 'BindIdentity') throw new EngineError('binding_conflict')
  return [{ type: 'IdentityBound', data: { ...base, issuer, binding } }]
}

const reduce = reducerOf(accountTable)

/** The decider of one account. */
export const accounts: Decider<AccountState | undefined, AccountCommand, AccountEvent> = {
  initial: () => undefined,
  evolve: (state, { type, data }) => reduce(state, { type, data: { ...data } }),
  decide,
}

/** The id of an account of the caller's business. */
export const ownAccountId = ownId<AccountState>({
  entity: {
    category: accountTable.category,
    refusals: { missing: 'account_not_found', param: 'account' },
    access: { belongs: (context, { business_id }) => business_id === accountOf(context).business.id },
  },
  decider: accounts,
})
