import * as v from 'valibot'
import { commandStamp } from '../../entity/operations.ts'
import { pick } from '../../entity/record.ts'
import { accountOf } from '../../kernel/call.ts'
import { labelDpi, labelSize } from '../../kernel/label-request.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { ownAccountId } from './account.ts'
import { changeBusiness, changeByAdmin } from './change.ts'
import { staffRoleId } from './roles/terms.ts'
import { accountId, businessEntries, describedBusiness, mailedName, openingHours, role } from './schema.ts'
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

/** Corrects what the caller's business is called, when it is open, and what its labels are printed on. */
export const updateBusiness = operation({
  ...common,
  name: 'update_business',
  summary: 'Change the name, the time zone, the opening hours or the labels of the business. Its currency stays.',
  rest: { method: 'PATCH', path: '/api/v1/business' },
  input: v.strictObject({
    name: v.exactOptional(mailedName),
    time_zone: v.exactOptional(v.pipe(v.string(), v.maxLength(60), v.description('IANA name, as Europe/Paris.'))),
    opening_hours: v.exactOptional(
      v.pipe(openingHours, v.description('Replaces all opening hours; a day that is not named is closed.')),
    ),
    label_size: v.exactOptional(
      v.pipe(labelSize, v.description('What labels are printed on where a request does not say it.')),
    ),
    label_dpi: v.exactOptional(
      v.pipe(labelDpi, v.description('Dots per inch of the label printers, where a request does not say it.')),
    ),
  }),
  output: v.strictObject({ result: v.literal(true), ...businessEntries }),
  errors: ['unknown_time_zone'],
  handle: async (context, input) => {
    const command = { type: 'ChangeBusiness', ...commandStamp(context), ...input } as const
    const changed = await changeBusiness(context, accountOf(context).business.id, command)
    return { result: true, ...describedBusiness(changed) }
  },
})
