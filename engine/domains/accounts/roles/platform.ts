import * as v from 'valibot'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { changeAccount } from '../change.ts'
import { accountStateOf } from '../read.ts'
import { accountId } from '../schema.ts'
import { requireStaffRole, staffRoleRecordOf, staffRolesOf } from '../staff-roles.ts'
import { staffRoleRecord } from './operations.ts'
import { deleteStaffRole, setStaffRole } from './set.ts'
import { roleEntries, staffRoleId } from './terms.ts'

/** The scope of callers with access to the store itself; no account has it. */
const scopes = ['platform:write']

const business_id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const stampOf = ({ clock }: { readonly clock: () => number }) => ({ at: isoOf(clock()), by: null })

/** Lists the staff roles of any business. */
export const showStaffRoles = operation({
  name: 'show_staff_roles',
  summary: 'The staff roles of a business, in order of id.',
  scopes,
  risk: 'low',
  ids: { business_id: 'rule' },
  input: v.strictObject({ business_id }),
  output: v.strictObject({ result: v.literal(true), roles: v.array(staffRoleRecord) }),
  errors: ['business_not_found'],
  handle: async (context, { business_id: id }) => {
    const roles = await staffRolesOf(context, id)
    return { result: true, roles: await Promise.all(roles.map((role) => staffRoleRecordOf(context, id, role))) }
  },
})

/** Makes a staff role of any business, or replaces one. */
export const putStaffRole = operation({
  name: 'set_staff_role',
  summary: 'Make a staff role of a business; with an id, replace that one.',
  scopes,
  risk: 'medium',
  ids: { business_id: 'rule', staff_role_id: 'rule' },
  input: v.strictObject({ business_id, staff_role_id: v.exactOptional(staffRoleId), ...roleEntries }),
  output: v.strictObject({ result: v.literal(true), staff_role_id: v.number() }),
  errors: [
    ...(['business_not_found', 'staff_role_not_found', 'staff_role_name_taken'] as const),
    ...(['too_many_staff_roles', 'preset_or_scopes'] as const),
  ],
  handle: async (context, { business_id: id, ...role }) => ({
    result: true,
    staff_role_id: await setStaffRole(context, id, stampOf(context), role),
  }),
})

/** Deletes a staff role of any business. */
export const endStaffRole = operation({
  name: 'end_staff_role',
  summary: 'Delete a staff role of a business that no account has.',
  scopes,
  risk: 'medium',
  ids: { business_id: 'rule', staff_role_id: 'rule' },
  input: v.strictObject({ business_id, staff_role_id: staffRoleId }),
  output: v.strictObject({ result: v.literal(true), staff_role_id: v.number() }),
  errors: ['business_not_found', 'staff_role_not_found', 'staff_role_in_use'],
  handle: async (context, { business_id: id, staff_role_id }) => {
    await deleteStaffRole(context, id, stampOf(context), staff_role_id)
    return { result: true, staff_role_id }
  },
})

/** Gives any employee a staff role of its business, or none. */
export const giveStaffRole = operation({
  name: 'give_staff_role',
  summary: 'Give an employee a staff role of its business; null takes it away.',
  scopes,
  risk: 'medium',
  ids: { account_id: 'rule', staff_role_id: 'rule' },
  input: v.strictObject({ account_id: accountId, staff_role_id: v.nullable(staffRoleId) }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), staff_role_id: v.nullable(v.number()) }),
  errors: ['account_not_found', 'account_erased', 'staff_role_not_found', 'staff_role_not_for'],
  handle: async (context, { account_id, staff_role_id }) => {
    const account = await accountStateOf(context, account_id)
    if (account === undefined) throw new EngineError('account_not_found')
    if (staff_role_id !== null) await requireStaffRole(context, account.business_id, staff_role_id)
    await changeAccount(context, account_id, { type: 'SetStaffRoleOf', ...stampOf(context), staff_role_id })
    return { result: true, account_id, staff_role_id }
  },
})
