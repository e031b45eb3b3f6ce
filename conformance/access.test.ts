import t from 'tap'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'
import { firstMove } from '../engine/entity/record.ts'
import { recorded } from '../engine/entity/recorded.ts'
import {
  type Account,
  type Caller,
  type Context,
  call,
  domains,
  en,
  entities,
  executeOperation,
  isEngineError,
  type Operation,
  type Role,
  roles,
  scopesOf,
  type Table,
} from '../engine/index.ts'

const operations = domains.flatMap((domain) => domain.operations)
const providerScopes = operations.flatMap(({ scopes, by }) => (by?.includes('provider') ? scopes : []))
const on = Object.fromEntries(operations.flatMap(({ module }) => (module === undefined ? [] : [[module, 'on']])))

/** A delivery of a webhook is no stream: conformance/webhooks.ci.test.ts reads those of others. */
const elsewhere = ['delivery']

/** Each id that an operation has the door check: where the input has it, and what it names. */
const named = operations.flatMap((operation) =>
  Object.entries(operation.ids ?? {}).flatMap(([path, rule]) =>
    typeof rule === 'string' || elsewhere.includes(rule.noun) ? [] : [{ operation, path, noun: rule.noun }],
  ),
)

/** An account with every module, as a caller with all scopes of its role. */
async function callerOf({ parts }: World, id: number): Promise<Caller> {
  const person = await parts.directory.person(parts, id)
  if (person === undefined) throw new Error(`no account ${id}`)
  const account: Account = { ...person, business: { ...person.business, modules: on }, modules: on }
  return { kind: 'account', name: String(id), scopes: scopesOf[person.role], account }
}

/** The accounts and a provider of a business. */
async function callersOf(made: World, { business, ids }: Pick<World, 'business' | 'ids'>, provider: string) {
  const accounts = await Promise.all(roles.map((role: Role) => callerOf(made, ids[role])))
  return [...accounts, { kind: 'provider', name: provider, scopes: providerScopes, businessId: business } as const]
}

/** Records one of an entity for the first business, made of the examples of its table; answers its id. */
async function record({ parts, business, ids }: World, table: Table): Promise<number> {
  const examples = Object.fromEntries(Object.entries(table.fields).map(([name, { example }]) => [name, example]))
  const values = { ...examples, business_id: business, provider: 'acme', customer_id: ids.customer }
  const move = firstMove(table)
  const { event = '', to } = table.moves[move] ?? {}
  const data = { at: '2026-06-10T10:00:00.000Z', by: 1, to, ...recorded(table, move, values) }
  const id = Number(examples[table.id])
  // The assignments of an order to providers share the stream of the order.
  const stream = `${table.category}-${table.category === 'third_party' ? examples.order_id : id}` as const
  const metadata = { actor: 'test', correlationId: 'test', schemaVersion: 1 }
  await parts.store.append(stream, [{ id: crypto.randomUUID(), type: event, data, metadata }], 'no-stream')
  return id
}

type Make = (name: string, input: object) => Promise<Readonly<Record<string, unknown>>>

/** A world in which the first business has one of everything, and the id of each by its noun. */
async function furnished() {
  const made = await world()
  const { parts, ids } = made
  const contextOf = (caller: Caller): Context => ({ ...parts, caller, messages: en, requestId: 'test' })
  const found = new Map<string, number | string>()
  for (const table of entities) if (table.access !== undefined) found.set(table.category, await record(made, table))
  const admin = contextOf(await callerOf(made, ids.client_admin))
  const make: Make = async (name, input) => {
    const operation = operations.find((one) => one.name === name)
    if (operation === undefined) throw new Error(name)
    return (await call(operation, admin, input)) as Readonly<Record<string, unknown>>
  }
  const order = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }
  await make('assign_driver', { order_id: found.get('order'), driver_id: ids.driver })
  await make('post_route_board', { seats: 1 })
  await make('create_assignment_rule', { rule: { name: 'Ours', target: 'drivers' } })
  await make('propose_write', { tool: 'create_order', arguments: order })
  await make('create_staff_role', { name: 'Dispatch', preset: 'dispatcher' })
  await make('create_api_key', { name: 'Import', scopes: ['orders:read'] })
  const program = {
    client_id: 'desk',
    client_name: 'Desk',
    client_host: 'localhost',
    redirect_uri: 'http://localhost/',
  }
  await make('give_grant', {
    ...program,
    challenge: 'c',
    resource: 'http://localhost:3000/mcp',
    scopes: ['orders:read'],
  })
  const { asyncId } = await make('bulk_create_orders_async', { orders: [order] })
  const { job_id } = await make('uniorder_create_batch_async', { orders: [{}] })
  await make('add_carrier_account', { carrier: 'sandbox', credentials: { account: 'acme' } })
  await make('set_exchange_rate', { from: 'USD', to: 'CAD', rate: '1.37' })
  for (const noun of [
    'route_board',
    'assignment_rule',
    'approval',
    'proposal',
    'api_key',
    'staff_role',
    'grant',
    'carrier_account',
    'exchange_rate',
  ])
    found.set(noun, 1)
  found
    .set('batch', Number(asyncId))
    .set('uniorder', `order-${found.get('order')}`)
    .set('uniorder_job', Number(job_id))
    .set('account', ids.customer)
    .set('customer', ids.customer)
    .set('driver', ids.driver)
  return { made, contextOf, found }
}

/** A value that has an id at a path and nothing else. */
function valueAt([member, ...rest]: readonly string[], id: unknown): unknown {
  if (member === undefined) return id
  return member === '*' ? [valueAt(rest, id)] : { [member]: valueAt(rest, id) }
}

/** What the door answers to a value: `ran` if the handler would run, otherwise the code of the refusal. */
async function door(operation: Operation, context: Context, value: unknown): Promise<string> {
  try {
    const { requireFields, ...open } = operation
    await executeOperation({ ...open, handle: async () => ({}) }, context, value)
    return 'ran'
  } catch (error) {
    if (isEngineError(error)) return error.code
    throw error
  }
}

t.test(
  'given one of everything, when another business names it, then the door answers as if there were none',
  async (t) => {
    const { made, contextOf, found } = await furnished()
    const strangers = await callersOf(made, made.other, 'rival')
    const owners = await callersOf(made, made, 'acme')
    t.ok(named.length > 90)
    for (const { operation, path, noun } of named) {
      const id = found.get(noun)
      const ask = (caller: Caller, one: unknown) => door(operation, contextOf(caller), valueAt(path.split('.'), one))
      const reached = await Promise.all(owners.map((caller) => ask(caller, id)))
      t.ok(reached.includes('ran'), `${operation.name}: somebody may name this ${noun} (${reached.join()})`)
      for (const caller of strangers) {
        if ((await door(operation, contextOf(caller), {})) !== 'ran') continue
        const refusal = await ask(caller, id)
        t.match(refusal, /_not_found$|^not_a_customer$/, `${operation.name}: ${path} as ${caller.account?.role}`)
        t.equal(refusal, await ask(caller, 999_999), `${operation.name}: ${path} tells nothing`)
      }
    }
  },
)
