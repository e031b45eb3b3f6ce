import { randomUUID } from 'node:crypto'
import { enableAssignment, operator, passwordOf, type World, world } from '../../adapters/auth/world.test.fixture.ts'
import { runPoliciesOnce } from '../../adapters/policies/index.ts'
import {
  addProvider,
  type Caller,
  call,
  domains,
  dueAnswers,
  en,
  endAnswerTime,
  type Role,
  registerAccount,
  serveWaiting,
  setModule,
  waitedRules,
} from '../../engine/index.ts'

/** The platform, as policies and deadlines act. */
const platform: Caller = { kind: 'operator', name: 'test', scopes: [] }

/** Somebody with an account, by id and token. */
interface Someone {
  readonly id: number
  readonly token: string
}

/** A business with two contractors and three drivers, its policies and its clock. */
export async function office() {
  const made = await world()
  await enableAssignment(made)
  const { parts, send, tokens, ids, business } = made
  const admin = tokens.client_admin
  const as = async (token: string, method: string, path: string, body?: object) => {
    const answer = await send(method, `/api/v1/${path}`, { token, ...(body && { body }) })
    return { ...answer.body, http: answer.status }
  }
  const contractors = [
    { id: ids.contractor, token: tokens.contractor },
    await added(made, 'contractor', 'max'),
  ] as const
  const drivers = [
    { id: ids.driver, token: tokens.driver },
    ...[await added(made, 'driver', 'dora'), await added(made, 'driver', 'dan')],
  ] as unknown as readonly [Someone, Someone, Someone]
  const modules = { modules: { broker_assignment: 'on' } }
  for (const { id } of contractors) await as(admin, 'PUT', `accounts/${id}/modules`, modules)
  return {
    ...{ ...made, admin, contractors, drivers, as },
    ...deeds(admin, as),
    settle: () => settle(made),
    enable: (state: 'on' | 'off') =>
      call(setModule, operator(made), { business_id: business, module: 'broker_assignment', state }),
    provider: (name: string) => call(addProvider, operator(made), { name, business_id: business }),
    told: (...types: readonly string[]) => told(parts, types),
  }
}

async function added(made: World, role: Role, name: string): Promise<Someone> {
  const person = { role, name, email: `${name}@one.example`, password: passwordOf(role) }
  const { account_id } = await call(registerAccount, operator(made), { ...person, business: made.business })
  const body = { email: person.email, password: person.password }
  const { access_token: token } = (await made.send('POST', '/api/v1/user/login', { body })).body
  return { id: Number(account_id), token }
}

type Ask = (token: string, method: string, path: string, body?: object) => Promise<ReturnType<typeof JSON.parse>>

/** What people of the office do, and see. */
function deeds(admin: string, as: Ask) {
  const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
  const delivery = { name: 'Ann Secret', phone: '+33 6 12 34 56 78', address }
  return {
    rule: async (given: object): Promise<number> =>
      (await as(admin, 'POST', 'assignment-rules', { rule: { name: 'One', ...given } })).rule_id,
    create: async (more: object = {}): Promise<number> =>
      (await as(admin, 'POST', 'orders', { type: 'D', delivery, ...more })).order_id,
    order: async (id: number) => (await as(admin, 'GET', `orders/${id}`)).order,
    offers: async (token: string): Promise<readonly number[]> => {
      const { offers } = await as(token, 'GET', 'broker-order-assignments/offers')
      return offers.map(({ order_id }: { order_id: number }) => order_id)
    },
    onDuty: (driver: Someone, on_duty = true) => as(driver.token, 'POST', 'drivers/on-duty', { on_duty }),
  }
}

/** Does what policies and deadlines do meanwhile, until nothing is left to do. */
async function settle({ parts, clock }: World): Promise<void> {
  const context = { ...parts, caller: platform, messages: en, requestId: randomUUID() }
  const { signal } = new AbortController()
  await runPoliciesOnce(parts)
  for (const { id, dueAt } of await dueAnswers(parts, clock.now, 0, 200))
    if (dueAt <= clock.now) await endAnswerTime(context, id)
  await runPoliciesOnce(parts)
  for (const { id } of await waitedRules(parts, clock.now, 0, 200)) await serveWaiting(context, id, signal)
}

/** The webhook events of these types, in the order of the events. */
async function told(parts: World['parts'], types: readonly string[]) {
  const found: { readonly type: string; readonly data: object }[] = []
  const sources = domains.flatMap(({ webhookEventSources = [] }) => webhookEventSources)
  for await (const event of parts.store.readAll())
    for (const { category, types: own, webhookEventsOf } of sources)
      if (event.stream.startsWith(`${category}-`) && own.includes(event.type))
        for (const { type, data } of await webhookEventsOf(parts, event))
          if (types.includes(type)) found.push({ type, data: data('business') })
  return found
}
