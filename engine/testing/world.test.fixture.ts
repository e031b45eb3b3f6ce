import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { profiles } from '../../profiles/index.ts'
import { domains, en } from '../domains/of-all.ts'
import { createOrder } from '../domains/orders/create.ts'
import { type Account, type Business, type Role, scopesOf } from '../kernel/account.ts'
import { call } from '../kernel/call.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { isEngineError } from '../kernel/errors.ts'
import type { EventStore } from '../kernel/event-store.ts'
import type { Operation } from '../kernel/operation.ts'
import type { WebhookEvent } from '../kernel/webhook-event.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createMemoryModels } from '../store/memory-models.ts'
import { sealedStore } from '../store/sealed.ts'
import { toNewEvent } from '../store/to-new-event.ts'
import { outside } from './context.ts'
import { recordCall } from './recording.test.fixture.ts'
import { createMemoryVault } from './vault.test.fixture.ts'

/** Toronto is four hours behind UTC in June. */
export const business: Business = { id: 1, name: 'Acme', timeZone: 'America/Toronto', currency: 'CAD', modules: {} }

function account(id: number, role: Role, of = business): Account {
  return { id, role, business: of, modules: {}, hiddenPrices: [] }
}

/** One account of each kind, a second customer, driver and contractor, and the staff of another business. */
export const people = {
  admin: account(1, 'client_admin'),
  employee: account(2, 'client_employee'),
  customer: account(3, 'customer'),
  otherCustomer: account(4, 'customer'),
  driver: account(5, 'driver'),
  otherDriver: account(6, 'driver'),
  contractor: account(7, 'contractor'),
  otherContractor: account(8, 'contractor'),
  stranger: account(9, 'client_admin', { ...business, id: 2 }),
  strangeDriver: account(10, 'driver', { ...business, id: 2 }),
  goneDriver: account(11, 'driver'),
  pricelessCustomer: { ...account(12, 'customer'), hiddenPrices: ['local_delivery'] } satisfies Account,
} as const

/** Somebody who has no account but may erase. */
export const operator: Caller = { kind: 'operator', name: 'root', scopes: ['otep:erase'] }

/** A recipient. */
export const ann = {
  name: 'Ann Müller-Lys',
  phone: '+33 6 12 34 56 78',
  address: { street: '1 Main Street', locality: 'Toronto', country: 'CA' },
} as const

const webhookEventSources = domains.flatMap((domain) => domain.webhookEventSources ?? [])

const known: readonly Account[] = Object.values(people)

const directory: Context['directory'] = {
  ...outside.directory,
  person: async (_, id) => {
    const found = known.find((one) => one.id === id)
    return found && { ...found, isActive: found !== people.goneDriver }
  },
}

/** A store with the parts around it, and a way to ask as anybody. Answers are checked by the schema of their operation. */
export function world() {
  let now = Date.parse('2026-06-10T16:00:00Z')
  const clock = () => now
  const plain = createMemoryStore(clock)
  const erasures = domains.flatMap((domain) => domain.erasures ?? [])
  const store = sealedStore(plain, { vault: createMemoryVault(), upcasts: {}, erasures })
  const context = (who: Account | Caller): Context => ({
    ...{ ...outside, directory },
    ...{ store, models, clock, randomId: () => crypto.randomUUID() },
    ...{ profiles, formats: [] as never, baseUrl: 'http://localhost:3000', messages: en, requestId: 'r' },
    caller: 'kind' in who ? who : { kind: 'account', name: String(who.id), scopes: scopesOf[who.role], account: who },
  })
  const models = createMemoryModels(store)
  async function ask<Input extends GenericSchema, Output extends GenericSchema>(
    who: Account | Caller,
    operation: Operation<Input, Output>,
    input: unknown,
  ): Promise<v.InferOutput<Output>> {
    const { price_hidden, ...answer } = await call(operation, context(who), input)
    if (price_hidden !== undefined && price_hidden !== true) throw new Error('price_hidden is true or missing')
    recordCall({ operation: operation.name, input, status: 200, answer })
    return v.parse(operation.output, answer)
  }
  /** The code of the refusal, or with `invalid_input` what was found where. */
  async function refused<Input extends GenericSchema, Output extends GenericSchema>(
    who: Account | Caller,
    operation: Operation<Input, Output>,
    input: unknown,
  ): Promise<string | undefined> {
    try {
      await call(operation, context(who), input)
      return undefined
    } catch (error) {
      if (!isEngineError(error)) throw error
      if (error.code !== 'invalid_input') return error.code
      return error.findings.map(({ path, code }) => `${path} ${code}`).join(', ')
    }
  }
  const create = async (more: object = {}, who: Account = people.admin): Promise<number> =>
    (await ask(who, createOrder, { type: 'D', delivery: ann, ...more })).order_id
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return {
    store,
    plain,
    models,
    context,
    ask,
    refused,
    create,
    pass,
    webhookEvents: () => webhookEventsIn(context(operator)),
  }
}

/** Gives an owner of webhooks a signing secret. */
export async function haveSecret(store: EventStore, context: Context, owner = 'business.1'): Promise<void> {
  const data = { at: '2026-06-01T00:00:00.000Z', by: 1, personal: { secret: `a secret of ${owner}` } }
  const events = [toNewEvent(context)({ type: 'WebhookSecretReplaced', data })]
  await store.append(`webhook-${owner}`, events, 'any')
}

/** What all domains tell webhooks of the recorded events, in the order of the events. */
async function webhookEventsIn(context: Context): Promise<readonly WebhookEvent[]> {
  const found: WebhookEvent[] = []
  for await (const event of context.store.readAll())
    for (const { category, types, webhookEventsOf } of webhookEventSources)
      if (event.stream.startsWith(`${category}-`) && types.includes(event.type))
        found.push(...(await webhookEventsOf(context, event)))
  return found
}
