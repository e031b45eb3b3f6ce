import { type Account, type Role, roles, type Scope, type StaffRole, scopesOf } from './account.ts'
import type { Caller } from './context.ts'
import { isWriting, type Operation } from './operation.ts'
import { isHidden } from './prices.ts'

/** What is asked at the door. Without a name it is no operation. */
export type Door = Pick<Operation, 'scopes' | 'roles' | 'by' | 'pays' | 'module'> &
  Partial<Pick<Operation, 'name' | 'risk' | 'writes' | 'hasViews'>>

/** What everybody who has signed in may do for their own account; no staff role takes it away. */
const ownScope: Scope = 'account:self'

/** What the operators of a server may see of all of it. No kind of account has it, and no key can: a setting of the server gives it. */
export const serverScope = 'server:read'

/**
 * THE TABLE of access: the kinds of account that may call an operation, from its own declaration (`scopes`, `roles`, `by`) and
 * the scopes of each kind. The door, the pages, the tools of agents and the documentation follow from it.
 */
export function kindsOf(operation: Pick<Operation, 'scopes' | 'roles' | 'by'>): readonly Role[] {
  return roles.filter(
    (kind) =>
      isForKind(operation, kind) &&
      operation.scopes.every((scope) => (scopesOf[kind] as readonly string[]).includes(scope)),
  )
}

/** Whether an operation does not exclude a kind of account, whatever its scopes. */
export function isForKind({ roles: named, by }: Pick<Operation, 'roles' | 'by'>, kind: Role): boolean {
  return (named?.includes(kind) ?? true) && (by?.includes(kind) ?? true)
}

/** The scopes of an account at this moment: those of its kind, narrowed by its staff role. */
export function scopesOfAccount({ role, staffRole }: Pick<Account, 'role' | 'staffRole'>): readonly Scope[] {
  const own = scopesOf[role]
  return staffRole === undefined ? own : own.filter((scope) => scope === ownScope || staffRole.scopes.includes(scope))
}

/** Whether a caller may call an operation while every module is on. Lists of tools and pages show exactly these. */
export function isOpenTo(operation: Door, caller: Caller): boolean {
  const { scopes, pays } = operation
  return (
    scopes.every((scope) => caller.scopes.includes(scope)) &&
    (caller.account === undefined || isForKind(operation, caller.account.role)) &&
    !isHidden(caller, pays) &&
    !isOutsideKey(caller, operation) &&
    !isOutsideRole(caller, operation)
  )
}

/** Whether the API key of a caller, if it has one, is narrowed so that this is outside. What anybody may call never is. */
export function isOutsideKey({ key }: Pick<Caller, 'key'>, door: Door): boolean {
  return key !== undefined && isOutside(key, door)
}

/** Whether the staff role of a caller, if it has one, is narrowed so that this is outside. One's own account never is. */
export function isOutsideRole({ account }: Pick<Caller, 'account'>, door: Door): boolean {
  const isOwn = door.scopes.length > 0 && door.scopes.every((scope) => scope === ownScope)
  return account?.staffRole !== undefined && !isOwn && isOutside(account.staffRole, door)
}

function isOutside({ operations, isReadOnly }: Pick<StaffRole, 'operations' | 'isReadOnly'>, door: Door): boolean {
  const { name, scopes, hasViews } = door
  if (scopes.length === 0 && !hasViews) return false
  const isNamed = operations === undefined || (name !== undefined && operations.includes(name))
  return !isNamed || (isReadOnly === true && isWriting(door))
}
