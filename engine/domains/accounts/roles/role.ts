import type { EventBase } from '../../../entity/machine.ts'
import type { StaffRole } from '../../../kernel/account.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event } from '../../../kernel/event.ts'
import { type RoleTerms, resolvedTerms } from './terms.ts'

/** How many staff roles a business can have. */
const most = 50

type RoleEventBase = EventBase & { readonly role_id: number }

/** The events of the staff roles of a business, in its stream. */
export type StaffRoleEvent =
  /** The role is new, or all of it is replaced. */
  | Event<'StaffRoleSet', RoleEventBase & RoleTerms & { readonly name: string }>
  | Event<'StaffRoleDeleted', RoleEventBase>

/** The commands of the staff roles of a business. */
export type StaffRoleCommand =
  /** Without an id the role is new. */
  | (EventBase & RoleTerms & { readonly type: 'SetStaffRole'; readonly role_id?: number; readonly name: string })
  | (EventBase & { readonly type: 'DeleteStaffRole'; readonly role_id: number })

/** A staff role as its last event has set it. */
export interface StaffRoleState extends RoleTerms {
  readonly role_id: number
  readonly name: string
}

/** The staff roles of a business, in order of id. */
export interface StaffRoles {
  readonly roles: readonly StaffRoleState[]
  /** The highest id that any role had: ids are never given again. */
  readonly lastId: number
}

/** The staff roles of a new business. */
export const noStaffRoles: StaffRoles = { roles: [], lastId: 0 }

/** The staff roles after an event. */
export function staffRolesAfter({ roles, lastId }: StaffRoles, { type, data }: StaffRoleEvent): StaffRoles {
  const others = roles.filter(({ role_id }) => role_id !== data.role_id)
  if (type === 'StaffRoleDeleted') return { roles: others, lastId }
  const { at: _, by: __, ...role } = data
  return {
    roles: [...others, role].sort((one, other) => one.role_id - other.role_id),
    lastId: Math.max(lastId, role.role_id),
  }
}

/** Decides a command of the staff roles of a business. */
export function decideStaffRole(command: StaffRoleCommand, { roles, lastId }: StaffRoles): readonly StaffRoleEvent[] {
  const { at, by, role_id = lastId + 1 } = command
  const isKnown = roles.some((role) => role.role_id === role_id)
  if (command.role_id !== undefined && !isKnown) throw new EngineError('staff_role_not_found', { staff_role: role_id })
  if (command.type === 'DeleteStaffRole') return [{ type: 'StaffRoleDeleted', data: { at, by, role_id } }]
  const { type: _, ...data } = command
  if (roles.some((role) => role.name === data.name && role.role_id !== role_id))
    throw new EngineError('staff_role_name_taken', { received: data.name })
  if (!isKnown && roles.length >= most) throw new EngineError('too_many_staff_roles', { limit: most })
  return [{ type: 'StaffRoleSet', data: { ...data, role_id } }]
}

/** A staff role of a business by its id; one that leaves nothing where there is none, so that no mistake widens an account. */
export function staffRoleIn({ roles }: StaffRoles, id: number): StaffRole {
  const role = roles.find(({ role_id }) => role_id === id)
  if (role === undefined) return { id, name: '', scopes: [] }
  const { name, operations } = role
  return { id, name, operations, ...resolvedTerms(role) }
}
