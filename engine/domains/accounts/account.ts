import type { EventBase } from '../../entity/machine.ts'
import type { Family, Module, ModuleState, Role } from '../../kernel/account.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { AccountEvent } from './events.ts'

/** The stream of an account. */
export function accountStream(id: number): StreamName {
  return `account-${id}`
}

/** An account as its facts have it. */
export interface AccountState {
  readonly id: number
  readonly businessId: number
  readonly role: Role
  readonly credential: string
  readonly isActive: boolean
  /** Counts what ends all of its sessions. */
  readonly generation: number
  readonly modules: Readonly<Partial<Record<Module, ModuleState>>>
  readonly hiddenPrices: readonly Family[]
  /** The identity that is bound to it, blinded, by issuer. */
  readonly bindings: ReadonlyMap<string, string>
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly openedAt: string
}

/** Who asks: what is of another business does not exist for it; null for the platform and for the account itself. */
interface ScopedCommand extends EventBase {
  readonly within: number | null
}

/** What can be asked of an account. */
export type AccountCommand =
  | (EventBase & {
      readonly type: 'OpenAccount'
      readonly account_id: number
      readonly business_id: number
      readonly role: Role
      readonly credential: string
      readonly personal: { readonly name: string; readonly email: string }
    })
  | (ScopedCommand & { readonly type: 'SetActive'; readonly is_active: boolean })
  | (ScopedCommand & { readonly type: 'SetAccountModule'; readonly module: Module; readonly state: ModuleState })
  | (ScopedCommand & { readonly type: 'HidePrices'; readonly families: readonly Family[] })
  | (ScopedCommand & { readonly type: 'ChangePassword' })
  | (ScopedCommand & { readonly type: 'BindIdentity'; readonly issuer: string; readonly binding: string })

const evolve: Reducer<AccountState | undefined, AccountEvent> = (account, fact) => {
  if (fact.type === 'AccountOpened') return opened(fact.data)
  return account && { ...account, ...changed(account, fact) }
}

function opened(data: Extract<AccountEvent, { readonly type: 'AccountOpened' }>['data']): AccountState {
  const { account_id: id, business_id: businessId, role, credential, personal } = data
  const own = { id, businessId, role, credential, name: personal?.name, email: personal?.email, openedAt: data.at }
  return { ...own, isActive: true, generation: 0, modules: {}, hiddenPrices: [], bindings: new Map() }
}

function changed(
  { generation, modules, bindings }: AccountState,
  fact: Exclude<AccountEvent, { readonly type: 'AccountOpened' }>,
): Partial<AccountState> {
  switch (fact.type) {
    case 'AccountDisabled':
      return { isActive: false, generation: generation + 1 }
    case 'AccountEnabled':
      return { isActive: true }
    case 'PasswordChanged':
      return { generation: generation + 1 }
    case 'AccountModuleSet':
      return { modules: { ...modules, [fact.data.module]: fact.data.state } }
    case 'HiddenPricesSet':
      return { hiddenPrices: fact.data.families }
    case 'IdentityBound':
      return { bindings: new Map([...bindings, [fact.data.issuer, fact.data.binding]]) }
    default: {
      // An event of a later version changes nothing here.
      void (fact satisfies never)
      return {}
    }
  }
}

function decide(command: AccountCommand, account: AccountState | undefined): readonly AccountEvent[] {
  if (command.type === 'OpenAccount') {
    const { type: _, ...data } = command
    return account === undefined ? [{ type: 'AccountOpened', data }] : []
  }
  const { at, by, within } = command
  if (account === undefined || (within !== null && within !== account.businessId))
    throw new EngineError('account_not_found')
  const base = { at, by, account_id: account.id }
  switch (command.type) {
    case 'SetActive':
      return setActive(account, base, command.is_active)
    case 'SetAccountModule':
      return setModule(account, base, command)
    case 'HidePrices':
      return hidePrices(account, base, command.families)
    case 'ChangePassword':
      return [{ type: 'PasswordChanged', data: base }]
    case 'BindIdentity':
      return bindIdentity(account, base, command)
    default:
      return command satisfies never
  }
}

type AccountEventBase = EventBase & { readonly account_id: number }

function setActive(account: AccountState, base: AccountEventBase, isActive: boolean): readonly AccountEvent[] {
  if (!isActive && base.by === account.id) throw new EngineError('own_account_kept')
  if (isActive === account.isActive) return []
  return [{ type: isActive ? 'AccountEnabled' : 'AccountDisabled', data: base }]
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

/** In one order, each once, so that the same families are the same fact. */
function hidePrices(
  account: AccountState,
  base: AccountEventBase,
  families: readonly Family[],
): readonly AccountEvent[] {
  if (account.role !== 'customer') throw new EngineError('not_a_customer', { customer: account.id })
  const sorted = [...new Set(families)].sort()
  if (sorted.join() === [...account.hiddenPrices].sort().join()) return []
  return [{ type: 'HiddenPricesSet', data: { ...base, families: sorted } }]
}

function bindIdentity(
  account: AccountState,
  base: AccountEventBase,
  { issuer, binding }: { readonly issuer: string; readonly binding: string },
): readonly AccountEvent[] {
  const known = account.bindings.get(issuer)
  if (known === binding) return []
  if (known !== undefined) throw new EngineError('binding_conflict')
  return [{ type: 'IdentityBound', data: { ...base, issuer, binding } }]
}

/** The decider of one account. */
export const accounts: Decider<AccountState | undefined, AccountCommand, AccountEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}
