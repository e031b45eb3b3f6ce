import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { refusalCodes } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { within } from '../../kernel/finding.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { parse } from '../../kernel/parse.ts'
import { id, word } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import {
  accountsOfBusiness,
  actingFor,
  type CarrierAccount,
  carrierAccountId,
  carrierAccountStream,
  carrierAccounts,
  loadCarrierAccount,
  maxAccounts,
} from './account.ts'
import { askAccount, carrierNamed, carrierNames, reasonOf, unansweredCodes } from './asked.ts'

const tag = 'LabelService'
const path = '/api/v1/carrier-accounts'
const admins = ['client_admin'] as const

/** Milliseconds until a test of an account ends. */
const testDeadline = 10_000

const record = named(
  'CarrierAccount',
  v.strictObject({
    carrier_account_id: v.number(),
    carrier: v.string(),
    name: v.string(),
    added_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
  }),
)

const onAccount = v.strictObject({ carrier_account_id: id })
const ids = { carrier_account_id: carrierAccountId }

const credentials = v.record(v.pipe(v.string(), v.maxLength(60)), v.pipe(v.string(), v.maxLength(4000)))

/** Adds an account of a carrier. */
export const addCarrierAccount = operation({
  name: 'add_carrier_account',
  summary: 'Add an account at a carrier. Its credentials are sealed, and never answered.',
  scopes: ['labels:write'],
  roles: admins,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path },
  input: v.strictObject({
    carrier: v.pipe(word(60), v.description('One of the carriers of list_carrier_accounts, for example own-fleet.')),
    name: v.exactOptional(
      v.pipe(word(100), v.description('As the business calls it; the name of the carrier where absent.')),
    ),
    credentials: v.exactOptional(
      v.pipe(credentials, v.description('The members that the carrier needs; list_carrier_accounts says which.')),
    ),
  }),
  output: v.strictObject({ result: v.literal(true), ...record.entries }),
  errors: ['unknown_carrier', 'too_many_carrier_accounts', 'business_not_found', 'contention'],
  audited: {
    event: () => 'carrier_account_added',
    concerned: (_, { carrier }, answer) => ({
      carrier,
      ...(answer !== undefined && { carrier_account: Number(answer.carrier_account_id) }),
    }),
  },
  handle: async (context, { carrier: received, name = received, credentials = {} }) => {
    const carrier = await carrierNamed(context, received)
    if (carrier === undefined) {
      const params = { received, expected: carrierNames(context).join(', ') }
      throw new EngineError('invalid_input', { count: 1 }, [{ path: 'carrier', code: 'unknown_carrier', params }])
    }
    const { findings = [] } = parse(carrier.credentials, credentials)
    const found = findings.map((finding) => within('credentials', finding))
    if (found.length > 0) throw new EngineError('invalid_input', { count: found.length }, found)
    const added = await recorded(context, { carrier: received, name, personal: { credentials } })
    return { result: true, ...(await recordOf(context, added)) }
  },
})

async function recorded(
  context: Context,
  account: {
    readonly carrier: string
    readonly name: string
    readonly personal: { readonly credentials: Record<string, string> }
  },
): Promise<CarrierAccount> {
  const { id: business_id, by } = actingFor(context)
  // An operator may name any business.
  if ((await context.directory.business(context, business_id)) === undefined)
    throw new EngineError('business_not_found')
  return retryOnConflict(async () => {
    if ((await accountsOfBusiness(context)).length >= maxAccounts)
      throw new EngineError('too_many_carrier_accounts', { limit: maxAccounts })
    const { first: carrier_account_id, append } = await nextNumbers(context, 'carrier_account')
    const data = { at: isoOf(context.clock()), by, carrier_account_id, business_id, ...account }
    const events = carrierAccounts.decide({ type: 'AddCarrierAccount', ...data }, undefined).map(toNewEvent(context))
    const stream = carrierAccountStream(carrier_account_id)
    await context.store.appendMany([append, { stream, events, expected: 'no-stream' }])
    return (await loadCarrierAccount(context, carrier_account_id)).state
  })
}

async function recordOf(context: Context, { id, carrier, name, addedAt, businessId }: CarrierAccount) {
  const { timeZone = 'UTC' } = (await context.directory.business(context, businessId)) ?? {}
  return { carrier_account_id: id, carrier, name, added_at: zonedIso(Date.parse(addedAt), timeZone) }
}

/** Lists the accounts at carriers, and the carriers of which there can be accounts. */
export const listCarrierAccounts = operation({
  name: 'list_carrier_accounts',
  summary: 'The accounts of the business at carriers, without credentials, and the carriers that this server knows.',
  scopes: ['labels:read'],
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  page: 'carrier account',
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    accounts: v.array(record),
    carriers: v.array(
      v.strictObject({
        carrier: v.string(),
        title: v.string(),
        credentials: v.pipe(v.array(v.string()), v.description('The members of its credentials.')),
      }),
    ),
  }),
  errors: [],
  handle: async (context) => {
    const accounts = await accountsOfBusiness(context)
    const carriers = await Promise.all(carrierNames(context).map((name) => carrierNamed(context, name)))
    return {
      result: true,
      accounts: await Promise.all(accounts.map((account) => recordOf(context, account))),
      carriers: carriers.flatMap((carrier) => {
        if (carrier === undefined) return []
        const { entries = {} } = carrier.credentials as { readonly entries?: object }
        return [{ carrier: carrier.name, title: carrier.title, credentials: Object.keys(entries) }]
      }),
    }
  },
})

/** Asks a carrier whether it knows the credentials of an account. */
export const testCarrierAccount = operation({
  name: 'test_carrier_account',
  summary: 'Whether the carrier of an account answers and accepts its credentials. Nothing is bought.',
  scopes: ['labels:write'],
  roles: admins,
  risk: 'low',
  tag,
  rest: { method: 'POST', path: `${path}/{carrier_account_id}/test` },
  ids,
  input: onAccount,
  output: v.strictObject({
    result: v.literal(true),
    works: v.boolean(),
    code: v.exactOptional(v.picklist(unansweredCodes)),
    refusal: v.exactOptional(v.picklist(refusalCodes)),
    message: v.exactOptional(v.string()),
  }),
  errors: ['carrier_account_not_found', 'business_not_found'],
  handle: async (context, { carrier_account_id }) => {
    const { state } = await loadCarrierAccount(context, carrier_account_id)
    const outcome = await askAccount(context, state, 'track', { tracking_number: 'TEST' }, testDeadline)
    const isKnown = outcome.kind === 'refused' && outcome.refusal.code === 'unknown_number'
    if (outcome.kind === 'answered' || isKnown) return { result: true, works: true }
    return { result: true, works: false, ...omitUndefined(reasonOf(context, outcome)) }
  },
})

/** Removes an account at a carrier. */
export const removeCarrierAccount = operation({
  name: 'remove_carrier_account',
  summary: 'Remove an account at a carrier, and erase its credentials.',
  scopes: ['labels:write'],
  roles: admins,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: `${path}/{carrier_account_id}` },
  ids,
  input: onAccount,
  output: v.strictObject({ result: v.literal(true), carrier_account_id: v.number() }),
  errors: ['carrier_account_not_found', 'carrier_account_in_use', 'contention'],
  audited: {
    event: () => 'carrier_account_removed',
    concerned: (_, { carrier_account_id: carrier_account }) => ({ carrier_account }),
  },
  handle: async (context, { carrier_account_id }) => {
    // Without its credentials, nobody could find out whether a label was bought.
    if (await context.ports.carriers.isWaitedFor(context, carrier_account_id))
      throw new EngineError('carrier_account_in_use')
    const command = { type: 'RemoveCarrierAccount', at: isoOf(context.clock()), by: actingFor(context).by } as const
    const stream = carrierAccountStream(carrier_account_id)
    await execute(context.store, carrierAccounts, stream, command, toNewEvent(context))
    return { result: true, carrier_account_id }
  },
})
