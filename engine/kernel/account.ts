import type { LabelDpi, LabelSize } from './printed-label.ts'

/** The kinds of account. A contractor works for a broker, a customer buys from a business. */
export const roles = ['client_admin', 'client_employee', 'contractor', 'customer', 'driver'] as const

/** A kind of account. */
export type Role = (typeof roles)[number]

/** The roles that work for the business itself. */
export const staff: readonly Role[] = ['client_admin', 'client_employee']

/** The order families whose prices a business can hide from a customer, independently of each other. */
export const families = [
  'local_delivery',
  'label_service',
  'shipping_service',
  'ltl_service',
  'storage_services',
  'moving_services',
  'device_orders',
] as const

/** An order family. */
export type Family = (typeof families)[number]

interface ModuleRow {
  /** Who gives it to a business. A business that has it may switch it off and on. */
  readonly enabledBy: 'platform' | 'business'
  /** Whether its operations exist in this version. */
  readonly isBuilt: boolean
  /** Under which path its operations are, if it is an opt-in family: those answer 409 while it is not on. */
  readonly optInPath?: `/${string}`
}

/** The modules: parts of the platform and opt-in families that are switched for a business, and some of them for an account too. */
const moduleTable = {
  broker_assignment: { enabledBy: 'platform', isBuilt: true },
  device_orders: { enabledBy: 'business', isBuilt: true },
  order_chat: { enabledBy: 'business', isBuilt: false, optInPath: '/api/v1/order-chat' },
  operations_agent: { enabledBy: 'business', isBuilt: false, optInPath: '/api/v1/operations-agent' },
  sms_marketing: { enabledBy: 'business', isBuilt: false, optInPath: '/api/v1/sms-marketing' },
} as const satisfies Readonly<Record<string, ModuleRow>>

/** A module. */
export type Module = keyof typeof moduleTable

/** The names of the modules. */
export const modules = Object.keys(moduleTable) as readonly Module[]

/** What a module is. */
export function moduleRow(module: Module): ModuleRow {
  return moduleTable[module]
}

/** `off`: by the business. `revoked`: by the platform. `not_migrated`: the system has no tables for it yet. */
export const moduleStates = ['on', 'off', 'revoked', 'not_migrated'] as const

/** State of a module. */
export type ModuleState = (typeof moduleStates)[number]

/** State of each module; a missing one is off. */
export type Modules = Readonly<Partial<Record<Module, ModuleState>>>

/** The state of a module; one that does not exist in this version is not on, whatever was recorded. */
export function moduleState(known: Modules, module: Module): ModuleState {
  const state = known[module] ?? 'off'
  return state === 'on' && !moduleRow(module).isBuilt ? 'off' : state
}

/** Whether a module is on for a business, or for an account. */
export function hasModule({ modules }: Pick<Account | Business, 'modules'>, module: Module): boolean {
  return modules[module] === 'on'
}

/** A business: the tenant that orders, accounts and devices belong to. */
export interface Business {
  readonly id: number
  readonly name: string
  /** IANA name of its time zone, used for days and times in answers. */
  readonly timeZone: string
  /** Currency of its prices and its customers' wallets (ISO 4217). */
  readonly currency: string
  readonly modules: Modules
  /** When it is open, in its time zone; absent where it was not said. */
  readonly openingHours?: OpeningHours
  /** What its labels are printed on where a request does not say it: 100 x 150 mm if absent. */
  readonly labelSize?: LabelSize
  /** The dots of an inch of its label printers: 203 if absent. */
  readonly labelDpi?: LabelDpi
}

type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'

/** From when until when it is open on each day of the week (HH:MM, in order); a day that is not named is closed. */
export type OpeningHours = Readonly<
  Partial<Record<Weekday, readonly { readonly start: string; readonly end: string }[]>>
>

/** An account as the rest of the engine sees it. */
export interface Account {
  /** The user id. */
  readonly id: number
  readonly role: Role
  readonly business: Business
  readonly modules: Modules
  /** Families whose prices are hidden from this account; only customers have any. */
  readonly hiddenPrices: readonly Family[]
  /** What the business has narrowed it to; only employees have one. */
  readonly staffRole?: StaffRole | undefined
}

/** A role that a business makes for its employees. It narrows what a client employee may do, and never adds anything. */
export interface StaffRole {
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The only operations that it leaves; all of its scopes if absent. */
  readonly operations?: readonly string[] | undefined
  readonly isReadOnly?: boolean | undefined
}

/** An account with the name and email of its person, as shown in lists and records. */
export interface Person extends Account {
  /** Missing after an erasure. */
  readonly name?: string
  readonly email?: string
  /** Whether it can sign in. */
  readonly isActive: boolean
}

/** All scopes that an operation may require. */
export const scopes = [
  'account:self',
  'orders:read',
  'orders:write',
  'labels:read',
  'labels:write',
  'routes:read',
  'routes:write',
  'drivers:read',
  'drivers:write',
  'analytics:read',
  'address:read',
  'approvals:read',
  'approvals:write',
  'devices:read',
  'devices:write',
  'wallet:read',
  'wallet:write',
  'accounts:read',
  'accounts:write',
  'wms:read',
  'datasets:read',
  'alliance:read',
  'uniorder:read',
  'uniorder:write',
  'customer_shipping:read',
  'customer_shipping:write',
  'storage:read',
  'storage:write',
  'webhooks:read',
  'webhooks:write',
  'partner_lockers:read',
  'partner_lockers:write',
] as const

/** A permission of a token. */
export type Scope = (typeof scopes)[number]

/** Scopes for somebody who has signed in: with them, a key could give itself more rights, or decide in place of a person. */
const personalScopes = ['account:self', 'accounts:write', 'approvals:write'] as const satisfies readonly Scope[]

/** A scope that an API key can have. */
export type KeyScope = Exclude<Scope, (typeof personalScopes)[number]>

/** The scopes that an API key can have. */
export const keyScopes: readonly KeyScope[] = scopes.filter((scope): scope is KeyScope => !isPersonal(scope))

function isPersonal(scope: Scope): boolean {
  return (personalScopes as readonly Scope[]).includes(scope)
}

/** Scopes of a partner: a provider that is bound to one business. Staff have some of them too. */
export const partnerScopes = [
  'partner_lockers:read',
  'partner_lockers:write',
  'third_party:write',
  'ohp:write',
] as const satisfies readonly string[]

const staffScopes = scopes.filter((scope) => !/^(customer_shipping|storage|wallet):/.test(scope))

/** The most that each kind of account may do. Operations restrict it further by role, and records by owner. */
export const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  client_admin: [...staffScopes, 'wallet:write'],
  client_employee: staffScopes.filter((scope) => !['accounts:write', 'webhooks:write'].includes(scope)),
  contractor: [
    ...(['account:self', 'orders:read', 'orders:write', 'routes:read', 'routes:write'] as const),
    ...(['drivers:read', 'address:read', 'approvals:read'] as const),
  ],
  customer: [
    'account:self',
    ...(['orders:read', 'orders:write', 'address:read', 'analytics:read', 'devices:read', 'approvals:read'] as const),
    ...(['wallet:read', 'uniorder:read', 'uniorder:write', 'customer_shipping:read'] as const),
    ...(['customer_shipping:write', 'storage:read', 'storage:write', 'labels:read', 'labels:write'] as const),
    ...(['webhooks:read', 'webhooks:write'] as const),
  ],
  driver: ['account:self', 'orders:read', 'orders:write', 'routes:read', 'drivers:read', 'drivers:write'],
}
