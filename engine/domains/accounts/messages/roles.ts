import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Staff roles. */
export const staffRoleMessages = {
  not_found: {
    staff_role_not_found: 'The business has no staff role {staff_role}.',
  },
  conflict: {
    staff_role_name_taken: 'Another staff role of the business is named {received}.',
    staff_role_in_use:
      'The staff role {role} cannot be deleted while accounts have it ({count}). Give them another one first.',
    too_many_staff_roles: 'The business has {limit} staff roles. Delete those that nobody needs.',
  },
  value: {
    staff_role_not_for: 'Only a client_employee can have a staff role, and this is a {received}.',
    preset_or_scopes: 'Give either a preset or scopes.',
  },
} as const satisfies Catalogue

/** A code of staff roles. */
export type StaffRoleCode = CodeOf<typeof staffRoleMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<StaffRoleCode, 'accounts'> {}
}
