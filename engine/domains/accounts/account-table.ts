import * as v from 'valibot'
import { everybody, type Fields, type Moves, nobody, type StateOf, type Table } from '../../entity/field.ts'
import type { Family, Module, ModuleState } from '../../kernel/account.ts'
import { email, id } from '../../kernel/schemas.ts'
import { staffRoleId } from './roles/terms.ts'
import { accountId, familyList, mailedName, moduleStatesEntry, phone, role } from './schema.ts'

/** The decisions that hold for most fields: neither personal nor a price, and shown to everybody who may see the account. */
const shown = {
  personal: false,
  price: 'none',
  setBy: ['client_admin'],
  carried: false,
  shownTo: everybody,
  listed: 'no',
  webhooks: 'none',
} as const

/** For the engine only: how an account signs in. */
const inner = { ...shown, setBy: nobody, shownTo: nobody } as const

/** A fact about the person: sealed in the store, and erased. */
const personal = { ...shown, personal: true } as const

/** The next of the numbers that count what ends all sessions of an account. */
const nextGeneration = { of: (_: unknown, { generation }: { generation: number }) => generation + 1 } as const

/** The next of the numbers that count what ends all API keys of an account. */
const nextKeyGeneration = {
  of: (_: unknown, { key_generation }: { key_generation: number }) => key_generation + 1,
} as const

/** A service account works for the business itself; customers, contractors and drivers are people. */
const serviceRole = v.picklist(['client_admin', 'client_employee'])

/** The moves of an account. An account that is disabled can be changed too. */
const moves = {
  open: { from: 'nothing', event: 'AccountOpened' },
  open_service: { from: 'nothing', event: 'ServiceAccountOpened' },
  disable: { from: 'any', event: 'AccountDisabled' },
  enable: { from: 'any', event: 'AccountEnabled' },
  rename: { from: 'any', event: 'AccountRenamed' },
  change_role: { from: 'any', event: 'AccountRoleChanged' },
  set_staff_role: { from: 'any', event: 'AccountStaffRoleSet' },
  change_password: { from: 'any', event: 'PasswordChanged' },
  change_email: { from: 'any', event: 'EmailChanged' },
  set_module: { from: 'any', event: 'AccountModuleSet' },
  hide_prices: { from: 'any', event: 'HiddenPricesSet' },
  bind_identity: { from: 'any', event: 'IdentityBound' },
  turn_on_second_factor: { from: 'any', event: 'SecondFactorTurnedOn' },
  turn_off_second_factor: { from: 'any', event: 'SecondFactorTurnedOff' },
  erase: { from: 'any', event: 'AccountErased', erases: true },
} as const satisfies Moves<never>

const fields = {
  account_id: {
    ...shown,
    about: 'User id.',
    type: accountId,
    example: 7,
    set: { open: 'engine', open_service: 'engine' },
    setBy: nobody,
    shownAs: 'id',
    listed: 'column',
  },
  business_id: {
    ...inner,
    about: 'Id of the business that the account is of.',
    type: id,
    example: 1,
    set: { open: 'engine', open_service: 'engine' },
    listed: 'key',
  },
  role: {
    ...shown,
    about: 'The kind of account.',
    type: role,
    example: 'driver',
    set: { open: 'required', open_service: { required: serviceRole }, change_role: 'required' },
    listed: 'filter',
  },
  staff_role_id: {
    ...shown,
    about: 'The staff role that narrows what this employee may do; missing where there is none.',
    type: staffRoleId,
    example: 1,
    set: {
      open: 'optional',
      open_service: 'optional',
      set_staff_role: 'kept',
      change_role: 'cleared',
      erase: 'cleared',
    },
    listed: 'filter',
  },
  name: {
    ...personal,
    about: 'Name of the person, or of what a service account is for.',
    type: mailedName,
    example: 'Dee Driver',
    set: { open: 'required', open_service: 'required', rename: 'required' },
  },
  email: {
    ...personal,
    about: 'Email address of the person; a service account has none.',
    type: email,
    example: 'dee@example.com',
    set: { open: 'required', change_email: 'engine' },
  },
  is_active: {
    ...shown,
    about: 'Whether the account can sign in, or a service account call with its API keys.',
    type: v.boolean(),
    example: true,
    set: {
      open: { is: true },
      open_service: { is: true },
      disable: { is: false },
      enable: { is: true },
      erase: { is: false },
    },
    listed: 'column',
  },
  is_service: {
    ...shown,
    about: 'Whether no person signs in to it: it calls with API keys that administrators make. Missing otherwise.',
    type: v.literal(true),
    example: true,
    set: { open_service: { is: true } },
    setBy: nobody,
    listed: 'filter',
  },
  phone: {
    ...personal,
    about: 'Phone number of the person, confirmed by a code.',
    type: phone,
    example: '+14165550100',
    set: { open: 'sometimes' },
    setBy: nobody,
  },
  awaits_approval: {
    ...shown,
    about: 'Whether its person has registered and waits until the business enables the account; missing otherwise.',
    type: v.literal(true),
    example: true,
    set: { open: 'sometimes', enable: 'cleared', erase: 'cleared' },
    setBy: nobody,
  },
  is_invited: {
    ...shown,
    about: 'Whether its person was invited and has not set a password yet; missing otherwise.',
    type: v.literal(true),
    example: true,
    set: { open: 'sometimes', change_password: 'cleared', erase: 'cleared' },
    setBy: nobody,
  },
  has_second_factor: {
    ...shown,
    about: 'Whether a password is not enough to sign in; missing otherwise.',
    type: v.literal(true),
    example: true,
    set: { turn_on_second_factor: { is: true }, turn_off_second_factor: 'cleared', erase: 'cleared' },
    setBy: nobody,
  },
  personal_data_erased: {
    ...shown,
    about: 'Whether its person was erased; missing until then.',
    type: v.literal(true),
    example: true,
    set: {},
    setBy: nobody,
    of: ({ isErased }: { isErased: boolean }) => isErased || undefined,
  },
  modules: {
    ...shown,
    about: 'The modules of this account that were switched, and their states.',
    type: moduleStatesEntry,
    example: { broker_assignment: 'on' },
    set: {
      open: { is: {} },
      open_service: { is: {} },
      set_module: {
        of: ({ module, state }: { module: Module; state: ModuleState }, { modules }: { modules: object }) => ({
          ...modules,
          [module]: state,
        }),
      },
    },
  },
  hidden_prices: {
    ...shown,
    about: 'Order families whose prices are hidden from this customer.',
    type: familyList,
    example: ['device_orders'],
    set: {
      open: { is: [] },
      open_service: { is: [] },
      hide_prices: { of: ({ families }: { families: readonly Family[] }) => families },
    },
  },
  credential: {
    ...inner,
    about: 'The email address, blinded: the id of the stream of its credential. A service account has none.',
    type: v.string(),
    example: 'b',
    set: { open: 'engine', change_email: 'engine' },
  },
  /** A session of an earlier generation has ended. */
  generation: {
    ...inner,
    about: 'How often all sessions of the account were ended.',
    type: v.number(),
    example: 0,
    set: {
      open: { is: 0 },
      open_service: { is: 0 },
      disable: nextGeneration,
      change_password: nextGeneration,
      change_email: nextGeneration,
      turn_on_second_factor: nextGeneration,
      turn_off_second_factor: nextGeneration,
      erase: nextGeneration,
    },
  },
  /** An API key of an earlier generation has ended. A new password ends none: programs do not sign in with it. */
  key_generation: {
    ...inner,
    about: 'How often all API keys of the account were ended.',
    type: v.number(),
    example: 0,
    set: { open: { is: 0 }, open_service: { is: 0 }, disable: nextKeyGeneration, erase: nextKeyGeneration },
  },
  bindings: {
    ...inner,
    about: 'The identities of the person at identity providers, blinded, by issuer.',
    type: v.record(v.string(), v.string()),
    example: { 'https://idp.example': 'b' },
    set: { open: { is: {} }, open_service: { is: {} }, bind_identity: { of: withBinding } },
  },
  /** Such a password is accepted where staff has to use single sign-on: it is how an operator lets somebody in. */
  has_operator_password: {
    ...inner,
    about: 'Whether the operator has set the present password.',
    type: v.literal(true),
    example: true,
    set: {
      change_password: { of: ({ by }: { by: number | null }) => by === null || undefined },
      erase: 'cleared',
    },
  },
  opened_at: {
    ...inner,
    about: 'When the account was opened (ISO 8601, UTC).',
    type: v.string(),
    example: '2026-06-10T10:00:00.000Z',
    set: { open: 'now', open_service: 'now' },
  },
} as const satisfies Fields<keyof typeof moves>

function withBinding(
  { issuer, binding }: { issuer: string; binding: string },
  { bindings }: { bindings: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  return { ...bindings, [issuer]: binding }
}

/** The account of a person, or of a service. */
export const accountTable = {
  category: 'account',
  noun: 'account',
  id: 'account_id',
  statuses: {},
  moves,
  fields,
  missing: 'left out',
} as const satisfies Table

/** An account as its events have left it. */
export type AccountState = StateOf<typeof accountTable>
