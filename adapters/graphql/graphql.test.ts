import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import t from 'tap'
import * as v from 'valibot'
import { type Operation, operation, priceOf, unpriced } from '../../engine/index.ts'
import { enableAssignment, world } from '../auth/world.test.fixture.ts'
import { schemaOf } from './schema.ts'

const path = '/api/v1/broker-order-assignments'
const ann = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }

const assignment = `assignOrdersToBroker(order_ids: $orders, broker_id: $broker, note: $note) {
  result assigned skipped errors { order_id code message }
}`
const assign = `mutation Assign($orders: [Int!]!, $broker: Int!, $note: String) { ${assignment} }`

/** A business with a contractor who may be assigned orders. */
async function market(operations?: readonly Operation[]) {
  const w = await world(operations === undefined ? {} : { operations })
  const { send, tokens, ids } = w
  const admin = tokens.client_admin
  const enable = async () => {
    const body = { modules: { broker_assignment: 'on' } }
    await enableAssignment(w)
    await send('PUT', `/api/v1/accounts/${ids.contractor}/modules`, { token: admin, body })
  }
  const create = async (): Promise<number> =>
    (await send('POST', '/api/v1/orders', { token: admin, body: { type: 'D', delivery: ann } })).body.order_id
  const ask = (query: string, variables: object = {}, token: string | undefined = admin, headers = {}) =>
    send('POST', '/graphql', { token, body: { query, variables }, headers })
  return { ...w, admin, enable, create, ask, broker: ids.contractor }
}

t.test('given orders, when they are assigned and released in GraphQL, then it is as in REST', async (t) => {
  const { enable, create, ask, send, admin, tokens, broker } = await market()
  await enable()
  const orders = [await create(), await create(), await create()]
  const given = await ask(assign, { orders: [...orders, 999], broker, note: 'Ring' })
  t.equal(given.status, 200)
  t.same(given.body, {
    data: {
      assignOrdersToBroker: {
        ...{ result: true, assigned: 3, skipped: 1 },
        errors: [{ order_id: 999, code: 'order_not_found', message: 'There is no order 999.' }],
      },
    },
  })
  const record =
    'id order_id order_ref order_status_id scheduled_date route_id broker_id broker_name status note assigned_by assigned_at ended_by ended_at end_reason'
  const list = `{ brokerOrderAssignments(per_page: 2, page: 1, status: active) { result total page per_page assignments { ${record} } } }`
  const rest = await send('GET', `${path}?per_page=2&page=1&status=active`, { token: admin })
  t.same((await ask(list)).body, { data: { brokerOrderAssignments: rest.body } })
  t.equal(rest.body.assignments.length, 2)
  t.equal(rest.body.assignments[0].note, 'Ring')
  const revoke = 'mutation { revokeBrokerOrderAssignments(order_ids: [1], reason: "Late") { result revoked skipped } }'
  t.same((await ask(revoke)).body.data, { revokeBrokerOrderAssignments: { result: true, revoked: 1, skipped: 0 } })
  const release = 'mutation { releaseBrokerOrderAssignment(order_id: 2) { result message } }'
  t.same((await ask(release, {}, tokens.contractor)).body.data, {
    releaseBrokerOrderAssignment: { result: true, message: 'Order 2 is no longer assigned to you.' },
  })
  t.equal((await send('POST', `${path}/release`, { token: tokens.contractor, body: { order_id: 3 } })).status, 200)
})

t.test('given a refusal, when it is asked for either way, then it is the same', async (t) => {
  const { enable, create, ask, send, admin, tokens, broker } = await market()
  const both = async (query: string, [method, where, body]: readonly [string, string, object?], token = admin) => {
    const rest = await send(method, where, { token, ...(body === undefined ? {} : { body }) })
    const { errors } = (await ask(query, {}, token)).body
    const { code, message, errors: found } = rest.body
    t.match(errors, [{ message, extensions: { code, status: rest.status } }], `${code} ${rest.status}`)
    t.same(errors[0].extensions.errors, found)
    return [rest.status, code]
  }
  const listing = '{ brokerOrderAssignments { total } }'
  const giving = (orders: string, to: number) =>
    `mutation { assignOrdersToBroker(order_ids: ${orders}, broker_id: ${to}) { result } }`
  const releasing = 'mutation { releaseBrokerOrderAssignment(order_id: 1) { message } }'
  const release = ['POST', `${path}/release`, { order_id: 1 }] as const
  t.same(await both(listing, ['GET', path]), [403, 'module_disabled'])
  await enable()
  const order = await create()
  const give = (order_ids: readonly number[], to: number) => ['POST', path, { order_ids, broker_id: to }] as const
  t.same(await both(giving('[]', broker), give([], broker)), [422, 'invalid_input'])
  t.same(await both(giving('[1]', 999), give([order], 999)), [422, 'invalid_input'])
  t.same(await both(giving('[1]', broker), give([order], broker), tokens.client_employee), [403, 'wrong_account'])
  t.same(await both(listing, ['GET', path], tokens.customer), [403, 'wrong_account'])
  t.same(await both(releasing, release, tokens.contractor), [400, 'release_not_assigned'])
  t.same(await both('{ brokerOrderAssignments(per_page: 201) { total } }', ['GET', `${path}?per_page=201`]), [
    422,
    'invalid_input',
  ])
  const french = { 'Accept-Language': 'fr' }
  const told = await ask(releasing, {}, tokens.contractor, french)
  t.equal(told.body.errors[0].message, 'La commande 1 ne vous est pas attribuée.')
  t.same(told.body.data, { releaseBrokerOrderAssignment: null })
})

t.test('given nobody or a wrong token, when GraphQL is asked, then it is refused', async (t) => {
  const { send } = await market()
  const body = { query: '{ __typename }' }
  const nobody = await send('POST', '/graphql', { body })
  t.match(nobody, { status: 401, body: { errors: [{ extensions: { code: 'unauthenticated', status: 401 } }] } })
  t.match(nobody.headers.get('www-authenticate'), /^Bearer/)
  t.match(nobody.headers.get('content-type'), /^application\/json/)
  t.equal((await send('POST', '/graphql', { body, token: 'nothing' })).status, 401)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await send(method, '/graphql?query={__typename}')
    t.equal(answer.status, 405)
    t.equal(answer.headers.get('allow'), 'POST, OPTIONS')
  }
})

t.test(
  'given the hash of a document, when it is sent alone, then the client is told to send the document',
  async (t) => {
    const { send, admin: token } = await market()
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }
    const { status, body } = await send('POST', '/graphql', { token, body: { extensions } })
    t.match([status, body.errors], [200, [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }]])
    const both = await send('POST', '/graphql', { token, body: { extensions, query: '{ __typename }' } })
    t.match(both, { status: 200, body: { data: { __typename: 'Query' } } })
  },
)

t.test('given a body that is no request, when it is sent, then it is refused', async (t) => {
  const { send, admin: token } = await market()
  const status = async (body: unknown) => (await send('POST', '/graphql', { token, body })).status
  const query = '{ __typename }'
  t.equal(await status('{'), 400)
  t.equal(await status([{ query }, { query }]), 422, 'no batches')
  t.equal(await status({}), 422)
  t.equal(await status({ query, variables: [1] }), 422)
  t.equal(await status({ query: 5 }), 422)
  t.equal(await status({ query, more: 1 }), 422)
  t.equal(await status({ query: `{ __typename } #${'x'.repeat(16 * 1024)}` }), 422)
  t.equal(await status({ query, variables: { a: 'x'.repeat(200_000) } }), 413)
  t.equal(await status({ query, variables: null, operationName: null, extensions: {} }), 200)
})

t.test(
  'given a document that is wrong or asks for too much, when it is sent, then nothing is carried out',
  async (t) => {
    const { ask, enable, broker } = await market()
    await enable()
    const code = async (query: string, variables: object = {}) => {
      const { body } = await ask(query, variables)
      t.equal(body.data, undefined)
      return body.errors?.[0]?.extensions?.code
    }
    const list = 'brokerOrderAssignments'
    const aliases = (count: number, field: string) =>
      Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ')
    const nested = (depth: number) => `${'...{'.repeat(depth)} __typename ${'}'.repeat(depth)}`
    t.equal(await code('{'), 'graphql_invalid')
    t.equal(await code(`{ ${list} { nothing } }`), 'graphql_invalid', 'an unknown field')
    t.equal(await code('{ orders { id } }'), 'graphql_invalid')
    t.equal(await code(`{ ${list}(page: "one") { total } }`), 'graphql_invalid', 'a wrong type')
    t.equal(await code(`{ ${list}(status: gone) { total } }`), 'graphql_invalid')
    t.equal(await code(`{ ${list} }`), 'graphql_invalid')
    t.equal(await code('subscription { a }'), 'graphql_invalid')
    t.equal(await code(assign, { orders: ['one'], broker }), 'graphql_invalid', 'a variable of a wrong type')
    t.equal(await code(assign, { broker }), 'graphql_invalid', 'a variable that is missing')
    t.equal(await code('query A { __typename } query B { __typename }'), 'graphql_one_operation')
    t.equal(await code('fragment A on Query { __typename }'), 'graphql_one_operation')
    t.equal(await code(`{ ${aliases(11, '__typename')} }`), 'graphql_too_many_fields')
    t.equal(
      await code(`{ ...A ...B } fragment A on Query { ${aliases(6, '__typename')} } fragment B on Query { ...A }`),
      'graphql_too_many_fields',
      'each use of a fragment counts',
    )
    t.equal(await code(`{ ${'a { '.repeat(9)} b ${'} '.repeat(10)}`), 'graphql_too_deep')
    t.equal(
      await code(`{ __schema { types { ${'fields { type { '.repeat(9)} name ${'} } '.repeat(9)} } } }`),
      'graphql_too_deep',
    )
    t.equal(
      await code(
        '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      ),
      'graphql_too_costly',
    )
    t.equal(
      await code(`{ ${aliases(4, `${list}(per_page: 200) { assignments { ${aliases(15, 'id')} } }`)} }`),
      'graphql_too_costly',
    )
    const sized = `query($n: Int) { ${aliases(4, `${list}(per_page: $n) { assignments { ${aliases(15, 'id')} } }`)} }`
    t.equal(await code(sized, { n: 200 }), 'graphql_too_costly')
    t.equal(await code(sized), 'graphql_too_costly', 'a size that is not told may be the largest')
    t.equal((await ask(sized, { n: 10 })).body.errors, undefined)
    t.equal(await code(`{ ...A } fragment A on Query { ...A }`), 'graphql_invalid', 'a ring of fragments')
    t.equal(await code('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'), 'graphql_invalid')
    t.equal(await code('{ ...A }'), 'graphql_invalid')
    const bomb = Array.from({ length: 30 }, (_, i) => `fragment F${i} on B { ...F${i + 1} ...F${i + 1} }`).join(' ')
    t.equal(await code(`{ ${list} { ...F0 } } ${bomb} fragment F30 on B { id }`), 'graphql_too_costly')
    t.equal(await code(`{ ${'a '.repeat(2001)} }`), 'graphql_invalid', 'too many tokens')
    t.same((await ask(`{ ${nested(63)} }`)).body, { data: { __typename: 'Query' } })
    for (const depth of [64, 1000]) t.equal(await code(`{ ${nested(depth)} }`), 'graphql_too_deep')
    for (const bracket of ['[', '{a:', '{', '(']) {
      t.equal(await code(`{x(a:${bracket.repeat(990)}`), 'graphql_too_deep', bracket)
      t.equal(await code(`{ x${bracket.repeat(990)}`), 'graphql_too_deep', bracket)
    }
    t.equal(await code(`{x(a:${'['.repeat(1990)}`), 'graphql_too_deep')
    const text = '({['.repeat(99)
    const quoted = `query($text: String = "${text}") { __typename } #${text}`
    t.equal(await code(quoted.replace('__typename', 'nothing')), 'graphql_invalid', 'no brackets of the document')
    t.equal(await code('{ x(a: "'), 'graphql_invalid', 'a text without an end')
    const { status, body } = await ask('{ __typename }', JSON.parse(`{"a":${'['.repeat(500)}${']'.repeat(500)}}`))
    const tooDeep = { extensions: { code: 'invalid_input', errors: [{ code: 'too_deep' }] } }
    t.match([status, body], [422, { errors: [tooDeep] }], 'nor may variables')
  },
)

t.test('given an agent that asks what there is, when it asks as tools do, then it is told', async (t) => {
  const { ask } = await market()
  const { body } = await ask(getIntrospectionQuery())
  const schema = printSchema(buildClientSchema(body.data))
  t.match(schema, /brokerOrderAssignments\([\s\S]*per_page: Int\n {2}\): BrokerOrderAssignments\n/)
  t.match(schema, /order_ids: \[Int!\]!/)
  t.match(schema, /enum BrokerOrderAssignmentsAssignmentsStatus \{\n {2}active\n {2}revoked\n {2}released\n\}/)
  t.match(schema, /type Mutation \{[\s\S]*assignOrdersToBroker[\s\S]*revokeBroker[\s\S]*releaseBroker/)
})

t.test('given several mutations, when they are one request, then they are done in turn, each by itself', async (t) => {
  const { ask, enable, create, broker, store } = await market()
  await enable()
  const [one, two] = [await create(), await create()]
  const give = (name: string, order: number, to = broker) =>
    `${name}: assignOrdersToBroker(order_ids: [${order}], broker_id: ${to}) { assigned }`
  const take = (name: string, order: number) =>
    `${name}: revokeBrokerOrderAssignments(order_ids: [${order}]) { revoked }`
  const query = `mutation { ${give('a', one)} ${take('b', one)} ${give('c', two, 999)} ${give('d', one)} ${give('e', two)} }`
  const key = { 'Idempotency-Key': 'once' }
  const { body } = await ask(query, {}, undefined, key)
  t.same(body.data, { a: { assigned: 1 }, b: { revoked: 1 }, c: null, d: { assigned: 1 }, e: { assigned: 1 } })
  t.match(body.errors, [{ path: ['c'], extensions: { code: 'invalid_input', errors: [{ path: 'broker_id' }] } }])
  const last = await store.latest()
  t.same((await ask(query, {}, undefined, key)).body.data, body.data, 'the same request again is answered as it was')
  t.equal(await store.latest(), last)
})

t.test('given what a caller accepts, when it is answered, then the media type and the status follow', async (t) => {
  const { ask } = await market()
  const own = 'application/graphql-response+json'
  const typed = async (query: string, accept: string) => {
    const { status, headers } = await ask(query, {}, undefined, { Accept: accept })
    return [status, headers.get('content-type')?.split(';')[0], headers.get('cache-control')]
  }
  t.same(await typed('{ __typename }', own), [200, own, 'no-store'])
  t.same(await typed('{ nothing }', own), [400, own, 'no-store'])
  t.same(await typed('{ nothing }', 'application/json'), [200, 'application/json', 'no-store'])
})

/** A query of every kind of value; its prices can be hidden. */
const priced = operation({
  name: 'quote',
  summary: 'A quote.',
  scopes: ['orders:read'],
  risk: 'low',
  graphql: { kind: 'query', name: 'quote' },
  input: v.strictObject({
    size: v.exactOptional(v.picklist(['small', 'very-large'])),
    parcel: v.strictObject({ weight: v.number(), tags: v.exactOptional(v.array(v.string())) }),
    more: v.exactOptional(v.record(v.string(), v.number())),
  }),
  output: v.strictObject({
    result: v.literal(true),
    shipping_price: priceOf('local_delivery', v.string()),
    either: v.union([v.string(), v.number()]),
    rates: v.array(v.strictObject({ rate_id: v.string(), price: priceOf('local_delivery', v.string()) })),
    given: unpriced(v.record(v.string(), v.unknown())),
  }),
  errors: [],
  handle: async (_, given) => {
    if (given.parcel.weight < 0) throw new Error('a fault')
    return { result: true, shipping_price: '1.00', either: 5, rates: [{ rate_id: 'a', price: '1.00' }], given }
  },
})

t.test('given an operation with values of every kind, when it is asked for, then they come through', async (t) => {
  const { domains } = await import('../../engine/index.ts')
  const { ask, send, admin, ids, tokens } = await market([...domains.flatMap(({ operations }) => operations), priced])
  const query = `query($more: JSON) {
    quote(size: "very-large", parcel: { weight: 1.5, tags: null }, more: $more) {
      result shipping_price price_hidden either rates { rate_id price } given
    }
  }`
  const whole = { result: true, shipping_price: '1.00', either: 5, rates: [{ rate_id: 'a', price: '1.00' }] }
  const given = { size: 'very-large', parcel: { weight: 1.5 }, more: { a: 1 } }
  t.same((await ask(query, { more: { a: 1 } })).body.data.quote, { ...whole, price_hidden: null, given })
  const hide = { families: ['local_delivery'] }
  const hidden = await send('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { token: admin, body: hide })
  t.equal(hidden.status, 200, JSON.stringify(hidden.body))
  t.same((await ask(query, { more: { a: 1 } }, tokens.customer)).body.data.quote, {
    ...{ ...whole, shipping_price: null, rates: [{ rate_id: 'a', price: null }] },
    ...{ price_hidden: true, given },
  })
  const fault = await ask('{ quote(parcel: { weight: -1 }) { result } }', {}, undefined, { 'X-Request-Id': 'r1' })
  t.match(fault.body.errors, [{ extensions: { code: 'internal', status: 500 } }])
  t.match(fault.body.errors[0].message, /r1/)
  t.notMatch(JSON.stringify(fault.body), 'a fault')
})

t.test('given operations without a query, when a schema is made, then there is none', async (t) => {
  t.equal(schemaOf([]), undefined)
  t.equal(schemaOf([priced])?.getMutationType(), undefined)
})
