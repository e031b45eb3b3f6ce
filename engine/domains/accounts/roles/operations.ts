import * as v from 'valibot'
import { commandStamp } from '../../../entity/operations.ts'
import { accountOf } from '../../../kernel/call.ts'
import { named } from '../../../kernel/named.ts'
import { operation } from '../../../kernel/operation.ts'
import { ownStaffRoleId, staffRoleRecordOf, staffRolesOf } from '../staff-roles.ts'
import { namedOperations } from '../terms.ts'
import { deleteStaffRole, setStaffRole } from './set.ts'
import { roleEntries, rolePreset, rolePresetNames, rolePresets, roleScope, staffRoleId } from './terms.ts'

const path = '/api/v1/staff-roles'
const tag = 'Business'
/** No employee has the scope, so nobody with a staff role changes one. */
const byAdmin = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag } as const
const one = { rest: `${path}/{staff_role_id}`, ids: { staff_role_id: ownStaffRoleId } } as const

const left = { scopes: v.array(roleScope), read_only: v.exactOptional(v.literal(true)) }

/** A staff role as answers show it. */
export const staffRoleRecord = named(
  'StaffRole',
  v.strictObject({
    id: staffRoleId,
    name: v.string(),
    preset: v.exactOptional(rolePreset),
    ...left,
    operations: namedOperations,
    accounts: v.pipe(v.number(), v.description('How many accounts have it, disabled ones too.')),
  }),
)

const audited = { event: () => 'staff_role_change' }

function concernedRole(id: unknown): Readonly<Record<string, number>> {
  return typeof id === 'number' ? { staff_role: id } : {}
}

/** Lists the staff roles of the caller's business. */
export const listStaffRoles = operation({
  name: 'list_staff_roles',
  summary: 'The staff roles of the business, in order of id, and the presets that one can be made of.',
  scopes: ['accounts:read'],
  roles: ['client_admin', 'client_employee'],
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  mcp: { title: 'List the staff roles', server: 'developer' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    roles: v.array(staffRoleRecord),
    presets: v.array(v.strictObject({ name: rolePreset, ...left })),
  }),
  errors: [],
  handle: async (context) => {
    const { id } = accountOf(context).business
    const roles = await staffRolesOf(context, id)
    return {
      result: true,
      roles: await Promise.all(roles.map((role) => staffRoleRecordOf(context, id, role))),
      presets: rolePresetNames.map((name) => ({ name, ...rolePresets[name] })),
    }
  },
})

/** Makes a staff role. */
export const createStaffRole = operation({
  ...byAdmin,
  name: 'create_staff_role',
  summary: 'Make a staff role: what is left to the employees who get it, as a preset or as scopes.',
  rest: { method: 'POST', path },
  mcp: { title: 'Make a staff role', server: 'developer' },
  input: v.strictObject(roleEntries),
  output: v.strictObject({ result: v.literal(true), staff_role_id: v.number() }),
  errors: ['staff_role_name_taken', 'too_many_staff_roles', 'preset_or_scopes'],
  audited: { ...audited, concerned: (_, __, answer) => concernedRole(answer?.staff_role_id) },
  handle: async (context, role) => {
    const { business } = accountOf(context)
    return { result: true, staff_role_id: await setStaffRole(context, business.id, commandStamp(context), role) }
  },
})

/** Replaces a staff role. */
export const updateStaffRole = operation({
  ...byAdmin,
  name: 'update_staff_role',
  summary: 'Replace the name and the terms of a staff role. They count at once for everybody who has it.',
  rest: { method: 'PUT', path: one.rest },
  mcp: { title: 'Replace a staff role', server: 'developer', idempotent: true },
  ids: one.ids,
  input: v.strictObject({ staff_role_id: staffRoleId, ...roleEntries }),
  output: v.strictObject({ result: v.literal(true), staff_role_id: v.number() }),
  errors: ['staff_role_not_found', 'staff_role_name_taken', 'preset_or_scopes'],
  audited: { ...audited, concerned: (_, { staff_role_id }) => concernedRole(staff_role_id) },
  handle: async (context, role) => {
    const { business } = accountOf(context)
    return { result: true, staff_role_id: await setStaffRole(context, business.id, commandStamp(context), role) }
  },
})

/** Deletes a staff role that nobody has. */
export const removeStaffRole = operation({
  ...byAdmin,
  name: 'delete_staff_role',
  summary: 'Delete a staff role that no account has. Its id is not given again.',
  rest: { method: 'DELETE', path: one.rest },
  mcp: { title: 'Delete a staff role', server: 'developer', destructive: true },
  ids: one.ids,
  input: v.strictObject({ staff_role_id: staffRoleId }),
  output: v.strictObject({ result: v.literal(true), staff_role_id: v.number() }),
  errors: ['staff_role_not_found', 'staff_role_in_use'],
  audited: { ...audited, concerned: (_, { staff_role_id }) => concernedRole(staff_role_id) },
  handle: async (context, { staff_role_id }) => {
    await deleteStaffRole(context, accountOf(context).business.id, commandStamp(context), staff_role_id)
    return { result: true, staff_role_id }
  },
})
