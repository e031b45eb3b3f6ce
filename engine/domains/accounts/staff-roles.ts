import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { NamedId } from '../../kernel/operation.ts'
import { peopleModel } from './people.ts'
import { businessOf } from './read.ts'
import type { StaffRoleState } from './roles/role.ts'
import { resolvedTerms } from './roles/terms.ts'

export { staffRoleId } from './roles/terms.ts'

/** The staff roles of a business, in order of id; refuses one that does not exist with `business_not_found`. */
export async function staffRolesOf(
  context: Pick<Context, 'store'>,
  businessId: number,
): Promise<readonly StaffRoleState[]> {
  const business = await businessOf(context, businessId)
  if (business === undefined) throw new EngineError('business_not_found')
  return business.staffRoles.roles
}

/** A staff role of a business; refuses with `staff_role_not_found` if there is none. */
export async function requireStaffRole(
  context: Pick<Context, 'store'>,
  businessId: number,
  id: number,
): Promise<StaffRoleState> {
  const role = (await staffRolesOf(context, businessId)).find(({ role_id }) => role_id === id)
  if (role === undefined) throw new EngineError('staff_role_not_found', { staff_role: id })
  return role
}

/** The id of a staff role of the caller's business; null names none. */
export const ownStaffRoleId: NamedId = {
  noun: 'staff_role',
  require: (context, id) => requireStaffRole(context, accountOf(context).business.id, Number(id)),
}

/** How many accounts have a staff role, disabled ones too. */
export async function countHolders(
  { models }: Pick<Context, 'models'>,
  business_id: number,
  staff_role_id: number,
): Promise<number> {
  return (await models.page(peopleModel, { where: { business_id, staff_role_id }, limit: 0 })).total
}

/** A staff role as answers show it. */
export async function staffRoleRecordOf(context: Context, businessId: number, role: StaffRoleState) {
  const { role_id: id, name, preset, operations } = role
  const { scopes, isReadOnly } = resolvedTerms(role)
  const accounts = await countHolders(context, businessId, id)
  return { id, name, ...omitUndefined({ preset, operations, read_only: isReadOnly || undefined }), scopes, accounts }
}
