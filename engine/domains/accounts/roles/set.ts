import type { EventBase } from '../../../entity/machine.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { changeBusiness } from '../change.ts'
import { countHolders, requireStaffRole } from '../staff-roles.ts'
import { type RoleTerms, requireRoleTerms } from './terms.ts'

/** A staff role to make, or all of it that replaces one. */
interface GivenRole extends RoleTerms {
  readonly staff_role_id?: number
  readonly name: string
}

/** Makes or replaces a staff role of a business and returns its id. What it leaves counts for its people from then on. */
export async function setStaffRole(
  context: Context,
  businessId: number,
  stamp: EventBase,
  { staff_role_id, ...given }: GivenRole,
): Promise<number> {
  requireRoleTerms(context, given)
  const named = staff_role_id === undefined ? {} : { role_id: staff_role_id }
  const { staffRoles } = await changeBusiness(context, businessId, {
    ...{ type: 'SetStaffRole', ...stamp, ...named, ...given },
  })
  return staff_role_id ?? staffRoles.lastId
}

/**
 * Deletes a staff role that no account has. An account that is given the role in the same moment on another node keeps its id,
 * and can do nothing but look after itself until it gets another: a missing role leaves nothing.
 */
export async function deleteStaffRole(
  context: Context,
  businessId: number,
  stamp: EventBase,
  role_id: number,
): Promise<void> {
  const { name } = await requireStaffRole(context, businessId, role_id)
  const count = await countHolders(context, businessId, role_id)
  if (count > 0) throw new EngineError('staff_role_in_use', { role: name, count })
  await changeBusiness(context, businessId, { type: 'DeleteStaffRole', ...stamp, role_id })
}
