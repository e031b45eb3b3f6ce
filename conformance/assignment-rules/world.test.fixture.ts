import { randomUUID } from 'node:crypto'
import { enableAssignment, operator, passwordOf, world } from '../../adapters/auth/world.test.fixture.ts'
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
export interface Someone {
  readonly id: number
  readonly token: string
}

/** A business with two contractors and three drivers, its policies and its clock. */
export async function office() {
  const made = await world()
  const { parts, clock, send, tokens, ids, business } = made
  await enableAssignment(made)
  const admin = tokens.client_admin
  const added = async (role: Role, name: string): Promise<Someone> => {
    const person = { role, name, email: `${name}@one.example`, password: passwordOf(role) }
    const { account_id } = (await call(registerAccount, operator(made), { ...person, business })) as Record<
      string,
      number
    >
    const body = { email: person.email, password: person.password }
    return { id: Number(account_id), token: (await send('POST', '/api/v1/user/login', { body })).body.access_token }
  }
  const contractors = [{ id: ids.contractor, token: tokens.contractor }, await added('contractor', 'second')] as const
  const drivers = [
    { id: ids.driver, token: tokens.driver },
    await added('driver', 'dora'),
    await added('driver', 'dan'),
  ] as const
  for (const { id } of contractors)
    await send('PUT', `/api/v1/accounts/${id}/modules`, {
      token: admin,
      body: { modules: { broker_assignment: 'on' } },
    })
  const context = () => ({ ...parts, caller: platform, messages: en, requestId: randomUUID() })
  /** What policies and deadlines do meanwhile, until nothing is left to do. */
  const settle = async () => {
    await runPoliciesOnce(parts)
    for (const { id, dueAt } of await dueAnswers(parts, clock.now, 0, 200))
      if (dueAt <= clock.now) await endAnswerTime(context(), id)
    await runPoliciesOnce(parts)
    for (const { id } of await waitedRules(parts, clock.now, 0, 200)) await serveWaiting(context(), id)
  }
  const as = async (token: string, method: string, path: string, body?: object) => {
    const answer = await send(method, `/api/v1/${path}`, { token, ...(body && { body }) })
    return { ...answer.body, http: answer.status }
  }
  const rule = async (given: object): Promise<number> =>
    (await as(admin, 'POST', 'assignment-rules', { rule: { name: 'One', ...given } })).rule_id
  const create = async (more: object = {}): Promise<number> => {
    const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
    const delivery = { name: 'Ann Secret', phone: '+33 6 12 34 56 78', address }
    return (await as(admin, 'POST', 'orders', { type: 'D', delivery, ...more })).order_id
  }
  const order = async (id: number) => (await as(admin, 'GET', `orders/${id}`)).order
  const offers = async (token: string): Promise<readonly number[]> =>
    (await as(token, 'GET', 'broker-order-assignments/offers')).offers.map(
      ({ order_id }: { order_id: number }) => order_id,
    )
  const onDuty = (driver: Someone, on_duty = true) => as(driver.token, 'POST', 'drivers/on-duty', { on_duty })
  const enable = (state: 'on' | 'off') =>
    call(setModule, operator(made), { business_id: business, module: 'broker_assignment', state })
  const provider = (name: string) => call(addProvider, operator(made), { name, business_id: business })
  /** The webhook events of these types, in the order of the events. */
  const told = async (...types: readonly string[]) => {
    const found: { type: string; data: unknown }[] = []
    for await (const event of parts.store.readAll())
      for (const source of domains.flatMap(({ webhookEventSources = [] }) => webhookEventSources))
        if (event.stream.startsWith(`${source.category}-`) && source.types.includes(event.type))
          for (const one of await source.webhookEventsOf(parts, event))
            if (types.includes(one.type)) found.push({ type: one.type, data: one.data('business') })
    return found
  }
  return {
    ...made,
    admin,
    contractors,
    drivers,
    settle,
    as,
    rule,
    create,
    order,
    offers,
    onDuty,
    enable,
    told,
    provider,
    context,
  }
}
