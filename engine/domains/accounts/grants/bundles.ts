import { keyScopes, type Scope } from '../../../kernel/account.ts'

/**
 * THE LIST of profiles: bundles of scopes that the connection of an agent is narrowed to, and that a client can ask for by
 * name; `*` for all (document 1, agent tool server).
 */
export const scopeBundles: Readonly<Record<string, readonly Scope[] | '*'>> = {
  'ops-readonly': [
    'orders:read',
    'labels:read',
    'routes:read',
    'drivers:read',
    'analytics:read',
    'address:read',
    'approvals:read',
  ],
  support: ['orders:read', 'analytics:read', 'address:read', 'approvals:read'],
  'ops-write': [
    'orders:read',
    'orders:write',
    'labels:read',
    'labels:write',
    'routes:read',
    'routes:write',
    'drivers:read',
    'analytics:read',
    'address:read',
    'approvals:read',
    'approvals:write',
  ],
  'wms-readonly': ['wms:read', 'orders:read'],
  'datasets-readonly': ['datasets:read'],
  'alliance-readonly': ['alliance:read'],
  full: '*',
}

/** What a client gets that names no scope: an agent that reads. */
const usual = 'ops-readonly'

/**
 * The scopes that a client asks for (RFC 6749, 3.3), with bundles taken apart. Scopes that no program can have, and unknown
 * ones, are left out: a typo asks for less, never for more.
 */
export function requestedScopes(text: string | undefined): readonly string[] {
  const names = (text ?? usual).split(' ')
  const wanted = names.flatMap((name) => (Object.hasOwn(scopeBundles, name) ? (scopeBundles[name] ?? []) : name))
  return keyScopes.filter((scope) => wanted.includes('*') || wanted.includes(scope))
}
