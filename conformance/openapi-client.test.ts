import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { passwordOf, type World, world } from '../adapters/auth/world.test.fixture.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import type { Role } from '../engine/index.ts'
import { shipment, shop } from './uniorder.test.fixture.ts'

/** The client only knows the documented responses. */
type Json = ReturnType<typeof JSON.parse>

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * A client that only knows the document: it finds an operation by its id, puts each member where the document says, and
 * checks requests and responses against the schemas.
 */
function clientOf(send: (sent: Sent) => Promise<{ readonly status: number; readonly body: Json }>) {
  function refuseUnlike(pointer: string, value: unknown) {
    const validate = ajv.getSchema(`document#${pointer}`)
    if (validate === undefined) throw new Error(`${pointer} is no schema`)
    if (!validate(value)) throw new Error(`${pointer}: ${ajv.errorsText(validate.errors)}`)
  }

  return async (id: string, input: Readonly<Record<string, unknown>>, token?: string) => {
    const [path, method, described] = operationOf(document, id)
    const place = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const rest = { ...input }
    const query = new URLSearchParams()
    let filled = path
    for (const { name, in: where, required } of described.parameters ?? []) {
      const value = rest[name]
      delete rest[name]
      if (value === undefined && required) throw new Error(`${id} needs ${name}`)
      if (value === undefined) continue
      if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
      else if (where === 'query') query.set(name, String(value))
      else headers[name] = String(value)
    }
    const hasBody = described.requestBody !== undefined
    if (!hasBody && Object.keys(rest).length > 0) throw new Error(`${id} takes no ${Object.keys(rest)}`)
    if (hasBody) {
      refuseUnlike(`${place}/requestBody/content/application~1json/schema`, rest)
      headers['content-type'] = 'application/json'
    }
    const target = query.size === 0 ? filled : `${filled}?${query}`
    const { status, body } = await send({
      method,
      path: target,
      headers,
      body: hasBody ? JSON.stringify(rest) : undefined,
    })
    const answer = described.responses[status] === undefined ? 'default' : status
    refuseUnlike(`${place}/responses/${answer}/content/application~1json/schema`, body)
    return { status, body }
  }
}

function operationOf(document: Json, id: string): readonly [path: string, method: string, described: Json] {
  for (const [path, item] of Object.entries<Json>(document.paths))
    for (const [method, described] of Object.entries<Json>(item))
      if (described.operationId === id) return [path, method, described]
  throw new Error(`The document has no operation ${id}`)
}

/** A server whose clients know its document alone. */
function serverOf({ app, ...made }: World) {
  const client = clientOf(async ({ method, path, headers, body }) => {
    const answer = await app.request(path, {
      method: method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return { status: answer.status, body: await answer.json() }
  })
  return { ...made, client }
}

const made = await world()
const document: Json = await (await made.app.request('/openapi.json')).json()
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'document')

const recipient = {
  name: 'Jo Example',
  phone: '+1 416 555 0100',
  address: { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' },
}

t.test(
  'given the document of the interface, then it is OpenAPI 3.1, and every operation has an id of its own',
  async (t) => {
    t.same(await new Validator().validate(structuredClone(document)), { valid: true })
    const ids = Object.values<Json>(document.paths).flatMap((item) =>
      Object.values<Json>(item).map(({ operationId }) => operationId),
    )
    t.equal(new Set(ids).size, ids.length)
    t.ok(ids.length > 60, `${ids.length} operations`)
  },
)

/** The most bytes that a schema without a name may have if it is repeated. */
const longestRepeated = 600

t.test(
  'given the document, then a generator finds a named schema for each request, each response and whatever is repeated',
  async (t) => {
    const { schemas } = document.components
    for (const name of referencesIn(document)) t.ok(schemas[name], name)
    for (const { at, content } of jsonOf(document)) {
      t.equal(referencesIn(content.schema).length, 1, at)
      t.same(
        Object.keys(content.schema).filter((name) => name !== 'description'),
        ['$ref'],
        at,
      )
    }
    for (const name of ['Order', 'NewOrder', 'Party', 'Address', 'Uniorder', 'UniorderRate', 'LabelAnswer', 'Timeline'])
      t.ok(schemas[name], name)
    for (const name of [
      'TrackingEvent',
      'WebhookUrl',
      'WebhookDelivery',
      'BatchRow',
      'Finding',
      'PriceList',
      'ErrorAnswer',
    ])
      t.ok(schemas[name], name)
    const seen = new Map<string, string>()
    for (const [name, schema] of Object.entries<Json>(schemas))
      for (const [at, part] of partsOf(schema, name)) {
        const text = JSON.stringify(part)
        if (text.length > longestRepeated) t.equal(seen.get(text), undefined, `${at} has no name, and is repeated`)
        seen.set(text, at)
      }
  },
)

/** Operations without an example of a request or an answer. */
const unshown = [
  // Their answers are too long to show: the whole vocabulary, schema and list of formats.
  ...['otep_codebook', 'otep_formats', 'otep_schema'],
  // It needs a device that holds passkeys, which the quick tests have not.
  'confirm_passkey',
  // Only the tests of REST itself have good calls, which they make past the recorder.
  'otep_validate',
  // Its requests are webhooks of other systems.
  'receive_provider_webhook',
]

t.test('given the examples of the document, then each is one of its schema', async (t) => {
  const given = jsonOf(document).filter(({ content }) => 'example' in content)
  t.ok(given.length > 250, `${given.length} examples`)
  for (const { at, content } of given) {
    const validate = ajv.getSchema(`document${content.schema.$ref}`)
    t.equal(validate?.(content.example), true, `${at}: ${ajv.errorsText(validate?.errors)}`)
  }
  const { get } = document.paths['/api/v1/orders/{order_id}']
  t.match(get.responses[200].content['application/json'].example, { order: { delivery: { name: /./ } } })
  const without = jsonOf(document).filter(({ at, content }) => !('example' in content) && /(request|200)$/.test(at))
  t.same(
    [...new Set(without.map(({ at }) => at.split(' ')[0]))].sort(),
    [...unshown].sort(),
    'every request and every answer has an example',
  )
})

t.test(
  'given the document, then a generator makes a client with good names, and knows which one of several it has',
  async (t) => {
    const { schemas } = document.components
    t.same(
      Object.keys(schemas).filter((name) => /Response$|^(Error|Request)$|\d$/.test(name)),
      [],
      'generators give such names themselves',
    )
    for (const [name, discriminated] of Object.entries({
      UniorderRate: 'kind',
      ShippingRate: 'kind',
      OtepTrackingAnswer: 'format',
    })) {
      const { oneOf, discriminator } = schemas[name]
      t.equal(discriminator.propertyName, discriminated, name)
      t.same(
        [...new Set(Object.values(discriminator.mapping))].sort(),
        oneOf.map(({ $ref }: Json) => $ref).sort(),
        name,
      )
    }
    const { code } = schemas.ErrorAnswer.properties
    t.ok(schemas[code.$ref.split('/').at(-1)].enum.includes('order_not_found'))
    for (const { operationId, summary, description, parameters = [], responses } of operationsOf(document)) {
      t.ok(summary && description, `${operationId} is described`)
      for (const parameter of parameters) t.ok(parameter.description, `${operationId} ${parameter.name} is described`)
      for (const [status, { content = {} }] of Object.entries<Json>(responses))
        if (status !== '200' && content['application/json'] !== undefined)
          t.match(content['application/json'].schema, { $ref: /ErrorAnswer$/ }, `${operationId} ${status}`)
    }
    for (const [name, schema] of Object.entries<Json>(schemas))
      for (const [at, part] of [[name, schema] as const, ...partsOf(schema, name)])
        if (part.type === undefined) t.ok(part.anyOf ?? part.oneOf ?? part.$ref, `${at} has a type`)
  },
)

/** The operations of a document. */
function operationsOf(document: Json): readonly Json[] {
  return Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item))
}

/** The JSON of every request, response and refusal. */
function jsonOf(document: Json): readonly { readonly at: string; readonly content: Json }[] {
  return Object.values<Json>(document.paths)
    .flatMap((item) => Object.values<Json>(item))
    .flatMap(({ operationId, requestBody, responses }) =>
      Object.entries<Json>({ request: requestBody, ...responses }).flatMap(([place, part]) => {
        const content = part?.content?.['application/json']
        return content === undefined ? [] : [{ at: `${operationId} ${place}`, content }]
      }),
    )
}

function referencesIn(part: Json): readonly string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
}

/** The schemas within a schema, but for itself, by their paths. */
function partsOf(schema: Json, path: string): readonly (readonly [at: string, part: Json])[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries<Json>(schema).flatMap(([name, part]) => {
    const at = `${path}/${name}`
    const isSchema = typeof part === 'object' && part !== null && ('type' in part || 'anyOf' in part || 'oneOf' in part)
    return [...(isSchema ? [[at, part] as const] : []), ...partsOf(part, at)]
  })
}

t.test(
  'given a client that knows the document alone, then it takes an order from sign-in to delivery, and reads its timeline',
  async (t) => {
    const { client, parts, ids } = serverOf(made)
    const signedIn = async (role: Role) =>
      (await client('login', { email: `${role}@one.example`, password: passwordOf(role) })).body.access_token
    const [admin, driver] = [await signedIn('client_admin'), await signedIn('driver')]
    const created = await client(
      'create_order',
      { type: 'D', delivery: recipient, 'Idempotency-Key': 'order-1' },
      admin,
    )
    const again = await client('create_order', { type: 'D', delivery: recipient, 'Idempotency-Key': 'order-1' }, admin)
    t.equal(created.status, 200)
    t.same(again.body, created.body, 'a repetition is no second order')
    const { order_id, tracking_number } = created.body.order ?? created.body
    await client('assign_driver', { order_id, driver_id: ids.driver }, admin)
    for (const step of ['accept_order', 'start_pickup', 'pick_up_order', 'depart_with_order'])
      t.equal((await client(step, { order_id }, driver)).status, 200, step)
    t.equal((await client('complete_order', { order_id, recipient: 'J. Example' }, driver)).status, 200)
    const { body } = await client('get_order_detail', { order_id }, admin)
    t.match(body.order, { status: 'DELIVERED', order_status_id: 2 })
    await runPoliciesOnce(parts)
    const timeline = await client('otep_tracking', { tracking_number })
    t.match(timeline.body.data, {
      current_status: 'delivered',
      delivered: true,
      subject: { tracking_number },
    })
    t.same(
      timeline.body.data.events.map(({ status_code }: Json) => status_code),
      ['information_submitted', 'booking_confirmed', 'out_for_pickup', 'picked_up', 'out_for_delivery', 'delivered'],
    )
  },
)

t.test(
  'given a client that knows the document alone, then it quotes a shipment and books it at each rate',
  async (t) => {
    const { client, tokens } = serverOf(await shop())
    const admin = tokens.client_admin
    const quoted = await client('uniorder_rate', { ...shipment, quote_labels: true }, admin)
    const kinds = [...new Set(quoted.body.rates.map(({ kind }: Json) => kind))]
    t.same(kinds, ['self_delivery', 'label'])
    for (const kind of kinds) {
      const { rate_id, total_price } = quoted.body.rates.find((rate: Json) => rate.kind === kind)
      const booked = await client('uniorder_create', { ...shipment, rate_id }, admin)
      const { uniorder } = booked.body
      t.match(uniorder, { total_price, kind })
      const found = await client('uniorder_get', { uniorder_id: uniorder.uniorder_id }, admin)
      t.same(found.body.uniorder, uniorder)
    }
  },
)

t.test('given the same client, when it requests data of others, then it is refused as the document says', async (t) => {
  const { client, other } = serverOf(made)
  const { body } = await client('login', {
    email: 'client_admin@one.example',
    password: passwordOf('client_admin'),
  })
  const created = await client('create_order', { type: 'D', delivery: recipient }, body.access_token)
  const { order_id } = created.body.order ?? created.body
  const foreign = await client('get_order_detail', { order_id }, other.tokens.client_admin)
  t.match(foreign, { status: 404, body: { result: false, code: 'order_not_found' } })
  t.match(await client('get_order_detail', { order_id }), { status: 401, body: { code: 'unauthenticated' } })
  t.match(await client('cancel_order', { order_id }, other.tokens.driver), { status: 403 })
})
