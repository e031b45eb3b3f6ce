import * as v from 'valibot'
import { commandStamp } from '../../entity/operations.ts'
import { pick } from '../../entity/record.ts'
import { accountOf } from '../../kernel/call.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { ownAccountId } from './account.ts'
import { changeBusiness, changeByAdmin } from './change.ts'
import { staffRoleId } from './roles/terms.ts'
import { accountId, mailedName, openingHours, role } from './schema.ts'
import { ownStaffRoleId } from './staff-roles.ts'

const common = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag: 'Business' } as const

/** Corrects the name of an account, makes an employee an admin and back, or gives an employee a staff role. */
export const updateAccount = operation({
  ...common,
  name: 'update_account',
  summary:
    'Rename an account of the business, change its role between client_admin and client_employee, or give an employee a staff role; null takes it away.',
  rest: { method: 'PATCH', path: '/api/v1/accounts/{account_id}' },
  ids: { account_id: ownAccountId, staff_role_id: ownStaffRoleId },
  input: v.strictObject({
    account_id: accountId,
    name: v.exactOptional(mailedName),
    role: v.exactOptional(role),
    staff_role_id: v.exactOptional(v.nullable(staffRoleId)),
  }),
  output: v.strictObject({
    result: v.literal(true),
    account_id: v.number(),
    role,
    staff_role_id: v.exactOptional(staffRoleId),
  }),
  errors: [
    ...(['account_not_found', 'account_erased', 'role_kept', 'own_role_kept'] as const),
    ...(['staff_role_not_found', 'staff_role_not_for'] as const),
  ],
  audited: {
    event: () => 'account_change',
    concerned: (_, { account_id: account, role, staff_role_id }) => ({
      ...{ account, ...omitUndefined({ role }) },
      ...(staff_role_id === undefined ? {} : { staff_role: staff_role_id ?? 'none' }),
    }),
  },
  handle: async (context, { account_id, name, role, staff_role_id }) => {
    const stamp = commandStamp(context)
    const changed = await changeByAdmin(
      context,
      account_id,
      ...(name === undefined ? [] : [{ type: 'Rename', ...stamp, name } as const]),
      ...(role === undefined ? [] : [{ type: 'ChangeRole', ...stamp, role } as const]),
      ...(staff_role_id === undefined ? [] : [{ type: 'SetStaffRoleOf', ...stamp, staff_role_id } as const]),
    )
    return { result: true, ...pick(changed, ['account_id', 'role', 'staff_role_id']) }
  },
})

/** Corrects the name, the time zone or the opening hours of the caller's business. */
export const updateBusiness = operation({
  ...common,
  name: 'update_business',
  summary: 'Change the name, the time zone or the opening hours of the business. Its currency stays.',
  rest: { method: 'PATCH', path: '/api/v1/business' },
  input: v.strictObject({
    name: v.exactOptional(mailedName),
    time_zone: v.exactOptional(v.pipe(v.string(), v.maxLength(60), v.description('IANA name, as Europe/Paris.'))),
    opening_hours: v.exactOptional(
      v.pipe(openingHours, v.description('Replaces all opening hours; a day that is not named is closed.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    id: v.number(),
    name: v.string(),
    time_zone: v.string(),
    opening_hours: v.exactOptional(openingHours),
  }),
  errors: ['unknown_time_zone'],
  handle: async (context, input) => {
    const command = { type: 'ChangeBusiness', ...commandStamp(context), ...input } as const
    const {
      id,
      name,
      timeZone,
      openingHours: opening_hours,
    } = await changeBusiness(context, accountOf(context).business.id, command)
    return { result: true, id, name, time_zone: timeZone, ...(opening_hours && { opening_hours }) }
  },
})
