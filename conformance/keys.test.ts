import { createHash } from 'node:crypto'
import t from 'tap'
import { createAuthenticate } from '../adapters/auth/index.ts'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'
import {
  type Context,
  call,
  domains,
  en,
  executeOperation,
  giveGrant,
  isEngineError,
  isWriting,
  type KeyScope,
  keyScopes,
  kindsOf,
  type Operation,
  type Role,
  redeemCode,
  rolePresets,
  roleScopes,
  roles,
  type Scope,
  scopes,
  scopesOf,
} from '../engine/index.ts'
import { areMany } from '../engine/testing/runs.test.fixture.ts'

/**
 * The matrix of access of API keys, grants and staff roles: each kind of account, with a key of each of its scopes, asks for
 * every operation. What is
 * expected is derived from where operations and scopes are declared.
 */
const operations = domains.flatMap((domain) => domain.operations)
const on = Object.fromEntries(operations.flatMap(({ module }) => (module === undefined ? [] : [[module, 'on']])))

/** A key of an account. */
async function keyOf({ send, tokens }: World, role: Role, terms: object): Promise<string> {
  const body = { name: 'Matrix', ...terms }
  const { status, body: made } = await send('POST', '/api/v1/api-keys', { token: tokens[role], body })
  if (status !== 200) throw new Error(JSON.stringify(made))
  return made.key
}

const resource = 'http://localhost:3000/mcp'
/** A client whose id is the address of its metadata. */
const client = 'https://desk.example/client.json'

/** An access token of a grant that an account made, with these scopes. */
async function tokenOf({ parts, ids }: World, role: Role, scopes: readonly string[]): Promise<string> {
  const person = await parts.directory.person(parts, ids[role])
  if (person === undefined) throw new Error(role)
  const caller = { kind: 'account', name: String(person.id), scopes: scopesOf[role], account: person } as const
  const context = { ...parts, caller, messages: en, requestId: 'test' }
  const program = {
    client_id: client,
    client_name: 'Desk',
    client_host: 'localhost',
    redirect_uri: 'http://localhost/',
  }
  const code_verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const { code } = await call(giveGrant, context, { ...program, challenge, resource, scopes })
  const { access_token } = await call(redeemCode, context, { client_id: client, code, code_verifier })
  return String(access_token)
}

/** The context of a call with a key or a token, for a business that has every module. */
async function contextWith({ parts }: World, key: string): Promise<Context> {
  const caller = await createAuthenticate(parts)(parts, `Bearer ${key}`, resource)
  const { account } = caller
  if (account === undefined) throw new Error('no account')
  const withModules = { ...account, business: { ...account.business, modules: on }, modules: on }
  return { ...parts, caller: { ...caller, account: withModules }, messages: en, requestId: 'test' }
}

/** Whether the door lets a call to the handler; nothing is asked that an input would name. */
async function isOpen(operation: Operation, context: Context): Promise<boolean> {
  try {
    const { requireFields: _, ids: __, ...open } = operation
    await executeOperation({ ...open, handle: async () => ({}) }, context, {})
    return true
  } catch (error) {
    if (isEngineError(error)) return false
    throw error
  }
}

/** Whether an account of a kind may call an operation at all, when it has signed in. */
function isOfRole(operation: Operation, role: Role): boolean {
  return kindsOf(operation).includes(role)
}

function namesOf(some: readonly Operation[]): readonly string[] {
  return some.map(({ name }) => name)
}

async function openTo(context: Context): Promise<readonly string[]> {
  const open = await Promise.all(operations.map((operation) => isOpen(operation, context)))
  return namesOf(operations.filter((_, index) => open[index]))
}

t.test(
  'given a key of one scope, when it asks for every operation, then only those of the scope are open',
  async (t) => {
    const made = await world()
    let pairs = 0
    for (const role of roles)
      for (const scope of keyScopes.filter((one) => scopesOf[role].includes(one))) {
        const context = await contextWith(made, await keyOf(made, role, { scopes: [scope], expires_in_hours: 1 }))
        const expected = operations.filter(
          (one) => isOfRole(one, role) && one.scopes.every((needed) => needed === scope),
        )
        t.strictSame(await openTo(context), namesOf(expected), `${role} with ${scope}`)
        pairs++
      }
    t.ok(pairs > 60)
  },
)

t.test('given a service account, then a key of one scope opens what that of a person does, no more', async (t) => {
  const made = await world()
  const { send, tokens } = made
  const ask = async (path: string, body: object) =>
    (await send('POST', `/api/v1/service-accounts${path}`, { token: tokens.client_admin, body })).body
  for (const role of ['client_admin', 'client_employee'] as const) {
    const { account_id } = await ask('', { role, name: 'Robot' })
    for (const scope of scopes.filter((one) => scopesOf[role].includes(one))) {
      const { code, key } = await ask(`/${account_id}/api-keys`, {
        name: 'Matrix',
        scopes: [scope],
        expires_in_hours: 1,
      })
      if (!(keyScopes as readonly string[]).includes(scope)) {
        t.equal(code, 'invalid_input', `no key of it has ${scope}`)
        continue
      }
      const expected = operations.filter((one) => isOfRole(one, role) && one.scopes.every((needed) => needed === scope))
      t.strictSame(await openTo(await contextWith(made, key)), namesOf(expected), `${role} with ${scope}`)
    }
  }
})

t.test('given a grant of one scope, then it opens what a key of that scope opens, and never more', async (t) => {
  const made = await world()
  for (const role of roles)
    for (const scope of scopes.filter((one) => scopesOf[role].includes(one))) {
      const isForPrograms = (keyScopes as readonly string[]).includes(scope)
      if (!isForPrograms) {
        await t.rejects(tokenOf(made, role, [scope]), { code: 'invalid_input' }, `${role} cannot give ${scope}`)
        continue
      }
      const context = await contextWith(made, await tokenOf(made, role, [scope]))
      const expected = operations.filter((one) => isOfRole(one, role) && one.scopes.every((needed) => needed === scope))
      t.strictSame(await openTo(context), namesOf(expected), `${role} with ${scope}`)
    }
})

t.test(
  'given a key of all scopes, then it has what its account has, but what needs somebody who signed in',
  async (t) => {
    const made = await world()
    for (const role of roles) {
      const scopes = keyScopes.filter((one) => scopesOf[role].includes(one))
      const isForKeys = ({ scopes: needed }: Operation) => needed.every((one) => scopes.includes(one as KeyScope))
      const own = operations.filter((one) => isOfRole(one, role) && isForKeys(one))
      const wide = await contextWith(made, await keyOf(made, role, { scopes }))
      t.strictSame(await openTo(wide), namesOf(own), role)

      const reader = await contextWith(made, await keyOf(made, role, { scopes, read_only: true }))
      const isPublic = ({ scopes: needed, hasViews }: Operation) => needed.length === 0 && !hasViews
      t.strictSame(
        await openTo(reader),
        namesOf(own.filter((one) => isPublic(one) || !isWriting(one))),
        `${role} reads`,
      )

      const [some] = own.filter(({ scopes: needed }) => needed.length > 0)
      const narrow = await contextWith(made, await keyOf(made, role, { scopes, operations: [some?.name] }))
      t.strictSame(
        await openTo(narrow),
        namesOf(own.filter((one) => one === some || isPublic(one))),
        `${role}: ${some?.name}`,
      )
    }
  },
)

/** Gives the employee of the first business a new staff role, by its administrator. */
async function narrow({ send, tokens, ids }: World, terms: object): Promise<void> {
  const token = tokens.client_admin
  const body = { name: JSON.stringify(terms).slice(0, 60), ...terms }
  const made = await send('POST', '/api/v1/staff-roles', { token, body })
  const given = await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, {
    token,
    body: { staff_role_id: made.body.staff_role_id },
  })
  if (given.status !== 200) throw new Error(JSON.stringify([made.body, given.body]))
}

const everybodysOwn = 'account:self'

/** What an employee may call with some scopes, and with those of its own account. */
function leftBy(some: readonly Scope[]): readonly Operation[] {
  return operations.filter(
    (one) =>
      isOfRole(one, 'client_employee') &&
      one.scopes.every((needed) => needed === everybodysOwn || some.includes(needed as Scope)),
  )
}

t.test(
  'given a staff role of one scope, then its session, key and grant open what the scope does, no more',
  async (t) => {
    const made = await world()
    const wide = keyScopes.filter((one) => scopesOf.client_employee.includes(one))
    const key = await keyOf(made, 'client_employee', { scopes: wide })
    const token = await tokenOf(made, 'client_employee', wide)
    t.ok(roleScopes.length > 20)
    for (const scope of roleScopes) {
      await narrow(made, { scopes: [scope] })
      const left = leftBy([scope])
      const session = await contextWith(made, made.tokens.client_employee)
      t.strictSame(await openTo(session), namesOf(left), `a session with ${scope}`)
      const isForKeys = (one: Operation) => one.scopes.every((needed) => (wide as readonly string[]).includes(needed))
      const byProgram = namesOf(left.filter(isForKeys))
      t.strictSame(await openTo(await contextWith(made, key)), byProgram, `a key with ${scope}`)
      t.strictSame(await openTo(await contextWith(made, token)), byProgram, `a grant with ${scope}`)
    }
  },
)

t.test('given a preset, or a role of operations or reading, then it leaves what the table says, no more', async (t) => {
  const made = await world()
  const open = async () => openTo(await contextWith(made, made.tokens.client_employee))
  const isOwnOrPublic = ({ scopes: needed, hasViews }: Operation) =>
    needed.every((one) => one === everybodysOwn) && !hasViews
  for (const [preset, terms] of Object.entries(rolePresets)) {
    await narrow(made, { preset })
    const reads = 'read_only' in terms
    const left = leftBy(terms.scopes).filter((one) => !reads || isOwnOrPublic(one) || !isWriting(one))
    t.strictSame(await open(), namesOf(left), preset)
  }
  await narrow(made, { scopes: roleScopes, read_only: true })
  t.strictSame(await open(), namesOf(leftBy(roleScopes).filter((one) => isOwnOrPublic(one) || !isWriting(one))))
  await narrow(made, { preset: 'dispatcher', operations: ['get_orders'] })
  const one = leftBy(roleScopes).filter((operation) => isOwnOrPublic(operation) || operation.name === 'get_orders')
  t.strictSame(await open(), namesOf(one))
})

t.test('given a key of one scope, when it calls each route, then no other is more than refused', async (t) => {
  const made = await world()
  const routed = operations.filter(({ rest, scopes }) => rest !== undefined && scopes.length > 0)
  const { send, tokens } = made
  for (const [place, scope] of keyScopes.entries()) {
    const role = roles.find((one) => scopesOf[one].includes(scope))
    if (role === undefined) continue
    const token = await keyOf(made, role, { scopes: [scope] })
    for (const [index, { name, rest, scopes }] of routed.entries()) {
      // The tests above ask for every pair. A route that asks at the same door shows it with its own scope and some others.
      const isAsked = scopes.some((one) => one === scope) || index % keyScopes.length === place
      if (rest === undefined || !isAsked) continue
      const path = rest.path.replace(/\{\w+(\.\.\.)?\}/g, '999999')
      const { status, body } = await send(rest.method, path, { token, ...(rest.method === 'GET' ? {} : { body: {} }) })
      const isRefused = status === 403 && body.code === 'forbidden'
      const isOther = scopes.some((one) => one !== scope)
      if (isRefused !== isOther) t.fail(`${name} with ${scope}: ${status} ${body.code}`)
    }
  }
  t.equal((await send('GET', '/api/v1/user', { token: tokens.driver })).status, 200)
})

t.test(
  'given a key of one scope, then agents see its tools, and EPCIS and GraphQL ask for the scope as well',
  async (t) => {
    const made = await world()
    const { send } = made
    const tools = operations.filter(({ mcp }) => mcp !== undefined && mcp.server !== 'developer')
    const headers = { Accept: 'application/json, text/event-stream' }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const held = keyScopes.filter((one) => scopesOf.client_admin.includes(one))
    for (const scope of held.filter((one, index) => areMany || one === 'orders:read' || index % 5 === 0)) {
      const token = await keyOf(made, 'client_admin', { scopes: [scope] })
      const { body } = await send('POST', '/mcp', { token, headers, body: list })
      const listed: readonly string[] = body.result.tools.map(({ name }: { name: string }) => name)
      const expected = tools.filter(
        (one) => (one.roles?.includes('client_admin') ?? true) && one.scopes.every((needed) => needed === scope),
      )
      t.strictSame(
        listed.filter((name) => name !== 'get_capabilities').toSorted(),
        [...namesOf(expected)].sort(),
        scope,
      )
      t.equal((await send('GET', '/epcis/events', { token })).status, scope === 'orders:read' ? 200 : 403, scope)
      const query = '{ brokerOrderAssignments { total } }'
      const { body: told } = await send('POST', '/graphql', { token, body: { query } })
      t.equal(told.errors[0].extensions.code, scope === 'orders:read' ? 'module_disabled' : 'forbidden', scope)
    }
  },
)
