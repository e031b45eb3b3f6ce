import * as v from 'valibot'
import { type Scope, scopesOf } from '../../../kernel/account.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/named.ts'
import { distinct, maxCharacters } from '../../../kernel/schemas.ts'
import { shortName } from '../schema.ts'
import { namedOperations, requireTerms } from '../terms.ts'

/** The scopes that a staff role can leave: those of an employee, beside `account:self`, which everybody keeps. */
export const roleScopes: readonly Scope[] = scopesOf.client_employee.filter((scope) => scope !== 'account:self')

/**
 * THE LIST of presets: what usual staff roles leave, as scopes, so that an operation that is new later is in them too. None is
 * ever taken out, because recorded roles name them.
 */
export const rolePresets = {
  dispatcher: {
    scopes: [
      ...(['orders:read', 'orders:write', 'routes:read', 'routes:write', 'drivers:read', 'drivers:write'] as const),
      ...(['address:read', 'analytics:read', 'approvals:read'] as const),
    ],
  },
  warehouse: {
    scopes: [
      ...(['orders:read', 'labels:read', 'labels:write', 'wms:read', 'devices:read', 'devices:write'] as const),
      ...(['partner_lockers:read', 'partner_lockers:write', 'address:read'] as const),
    ],
  },
  'read-only': { scopes: roleScopes.filter((scope) => scope.endsWith(':read')), read_only: true },
} as const satisfies Readonly<Record<string, { readonly scopes: readonly Scope[]; readonly read_only?: true }>>

/** The name of a preset. */
type RolePreset = keyof typeof rolePresets

/** The names of the presets. */
export const rolePresetNames = Object.keys(rolePresets) as readonly RolePreset[]

/** What a staff role leaves of what an employee may do: a preset or scopes, and fewer of them if it says more. */
export interface RoleTerms {
  readonly preset?: RolePreset
  readonly scopes?: readonly Scope[]
  /** The only operations; all of its scopes if absent. */
  readonly operations?: readonly string[]
  readonly read_only?: true
}

/** The scopes of some terms, and whether they only read. */
export function resolvedTerms({ preset, scopes = [], read_only }: RoleTerms): {
  readonly scopes: readonly Scope[]
  readonly isReadOnly: boolean
} {
  const given: { readonly scopes: readonly Scope[]; readonly read_only?: true } =
    preset === undefined ? { scopes } : rolePresets[preset]
  return { scopes: given.scopes, isReadOnly: read_only === true || given.read_only === true }
}

/** The id of a staff role in its business. */
export const staffRoleId = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(1),
  v.description('Id of a staff role of the business.'),
)

/** A scope that a staff role can leave. */
export const roleScope = named('StaffRoleScope', v.picklist(roleScopes))

/** The name of a preset. */
export const rolePreset = v.picklist(rolePresetNames)

/** The name and the terms of a staff role in a request. */
export const roleEntries = {
  name: v.pipe(shortName, maxCharacters(60), v.description('As the business calls it; no other role has this name.')),
  preset: v.exactOptional(v.pipe(rolePreset, v.description('A usual role. Instead of `scopes`.'))),
  scopes: v.exactOptional(
    v.pipe(
      v.array(roleScope),
      v.minLength(1),
      v.maxLength(roleScopes.length),
      distinct(),
      v.description('What it leaves of what an employee may do. Instead of `preset`.'),
    ),
  ),
  operations: namedOperations,
  read_only: v.exactOptional(v.pipe(v.literal(true), v.description('It leaves only what changes nothing.'))),
}

/** Refuses terms with both a preset and scopes or with neither, and operations that do not exist. */
export function requireRoleTerms(context: Context, { preset, scopes, operations }: RoleTerms): void {
  if ((preset === undefined) === (scopes === undefined))
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'preset', code: 'preset_or_scopes' }])
  requireTerms(context, { scopes: scopes ?? [], operations }, roleScopes)
}
