import {
  type Code,
  moduleRefusals,
  type Operation,
  type Profile,
  type Projection,
  schemaName,
  timelineSchema,
} from '../../engine/index.ts'
import { type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf } from '../http/schema.ts'
import { type Components, createComponents } from './components.ts'
import { exampleOf } from './examples.ts'
import { failure, otep, otherRoutes, passParameters } from './other-routes.ts'
import {
  isBodyless,
  isInQuery,
  isVersioned,
  pathOf,
  placeOf,
  type Routed,
  routed,
  takesIdempotencyKey,
} from './routed.ts'
import { statusOf } from './status.ts'
import { tagsOf } from './tags.ts'

const error: JsonSchema = {
  type: 'object',
  required: ['result', 'code', 'message'],
  properties: {
    result: { const: false },
    feature_enabled: { const: false, description: 'With feature_disabled: the opt-in family is switched off.' },
    code: { type: 'string' },
    message: { type: 'string', description: 'In the language of Accept-Language: en, fr, de, es, zh-Hans or zh-Hant.' },
    ticket: {
      type: 'string',
      description: 'With second_factor_required and second_factor_setup_required: for the second step of the sign-in.',
    },
    methods: {
      type: 'array',
      items: { enum: ['authenticator', 'passkey', 'recovery_code'] },
      description: 'With second_factor_required: what the account has.',
    },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

const ingestDocument: JsonSchema = {
  description: 'A timeline, {timelines: [...]}, or one event with its subject.',
  anyOf: [
    { $ref: '#/components/schemas/Timeline' },
    {
      type: 'object',
      required: ['timelines'],
      properties: { timelines: { type: 'array', items: { $ref: '#/components/schemas/Timeline' } } },
    },
    { type: 'object', required: ['subject', 'occurred_at', 'status_code'] },
  ],
}

/** The version of the interface, which is independent of the version of the package. */
const interfaceVersion = '1.0'

/** The OpenAPI 3.1 description, derived from the operations only; `version` is that of the package. */
export function openapi(
  operations: readonly Operation[],
  version: string,
  formats: readonly Projection[],
  profiles: readonly Profile[],
): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  const placed = routed(operations)
  const components = createComponents()
  components.of(timelineSchema)
  components.add('IngestDocument', ingestDocument)
  components.add('Error', error)
  for (const operation of placed) {
    const path = pathOf(operation)
    const item = paths[path] ?? {}
    item[operation.rest.method.toLowerCase()] = describe(operation, formats, components)
    paths[path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'OTEP engine',
      version: interfaceVersion,
      'x-server-version': version,
      summary:
        'Tracking timelines of the open tracking event protocol; and orders, routes, drivers, device orders, accounts, apps, wallets and approvals of local delivery.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf([otep, ...placed.flatMap(({ tag = [] }) => tag)]),
    paths: { ...paths, ...otherRoutes(profiles, components) },
    components: {
      schemas: components.schemas,
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of an account, which `POST /api/v1/user/login` answers, or an API key, which `POST /api/v1/api-keys` answers. For ingest the key of a provider, which `otep provider add` shows.',
        },
      },
    },
  }
}

function describe(operation: Routed, formats: readonly Projection[], components: Components): JsonSchema {
  const { rest, name, summary, scopes, risk, tag } = operation
  const schema = components.rootOf(operation.input)
  const parameters = [
    ...membersAround(operation, schema),
    ...optionsOf(operation, formats),
    ...keyOf(operation),
    ...(operation.hasViews && isBodyless(operation) ? passParameters : []),
  ]
  const body = isBodyless(operation) ? undefined : bodyOf(operation, components)
  const codes = refusalsOf(operation, body !== undefined)
  const statuses = new Set(codes.map(statusOf))
  return {
    operationId: name,
    summary,
    ...(tag === undefined ? {} : { tags: [tag] }),
    'x-risk': risk,
    ...(scopes.length > 0 ? { security: [{ bearerAuth: [] }], 'x-scopes': scopes } : {}),
    ...(operation.hasViews ? { security: [{}, { bearerAuth: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      200: {
        description: rest.formats === undefined ? 'Done.' : chosen,
        ...(isVersioned(operation) ? { headers: { ETag: entityTag } } : {}),
        content: contentOf(operation, components),
      },
      ...(isVersioned(operation) ? { 304: { description: 'Unchanged since If-None-Match.' } } : {}),
      ...Object.fromEntries([...statuses].sort().map((status) => [status, failure(codesOf(codes, status))])),
      default: failure('Refused.'),
    },
  }
}

/** The parameters in path, query and headers. */
function membersAround(operation: Routed, schema: JsonSchema): readonly JsonSchema[] {
  const { rest } = operation
  return Object.entries(propertiesOf(schema)).flatMap(([member, { description, ...type }]) => {
    const place = isInQuery(operation, member) ? 'query' : placeOf(operation, member)
    if (place === 'body' || member === rest.allHeaders) return []
    const required = place === 'path' || requiredOf(schema).includes(member)
    return [{ name: rest.headers?.[member] ?? member, in: place, required, description, schema: type }]
  })
}

/** The `Idempotency-Key` header of operations that write. */
function keyOf(operation: Routed): readonly JsonSchema[] {
  return takesIdempotencyKey(operation) ? [idempotencyKey] : []
}

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A name for this call, of your choice: the same call under it is done once, and answered as it was.',
  schema: { type: 'string' },
}

/** The options of the formats, as query parameters of a read. */
function optionsOf({ rest }: Routed, formats: readonly Projection[]): readonly JsonSchema[] {
  if (rest.formats !== 'one') return []
  return formats.flatMap(({ name, options }) => {
    const { properties = {} } = options === undefined ? {} : jsonSchemaOf(options)
    return Object.entries(properties as Record<string, JsonSchema>).map(([option, schema]) => ({
      ...{ name: option, in: 'query', required: false },
      ...{ description: `Option of the format ${name}; its first value where absent.`, schema },
    }))
  })
}

const chosen =
  'Done. In the format of the `format` member, or of a profile in `Accept`: `application/json; profile="urn:otep:format:<token>"`.'

const bareDocument = { schema: { description: 'The bare document of a format that has this media type.' } }

/** The response content of an operation by media type. */
function contentOf(operation: Routed, components: Components): JsonSchema {
  const { rest, name, joined } = operation
  if (rest.csv !== undefined) return { 'text/csv': { schema: { type: 'string' } } }
  const answer = rest.bare === true ? { type: 'object' } : components.answerOf(operation)
  const part = partOf(`${schemaName(name)}Response`, answer, components)
  if (rest.bare === true) return { 'application/json': part, 'application/ld+json': part }
  const isBare = rest.formats === 'one' || joined !== undefined
  const bare = isBare ? { 'application/ld+json': bareDocument, 'application/xml': bareDocument } : {}
  return { 'application/json': part, ...bare }
}

/** The JSON of a request or a response: its schema under a name, and an example if there is one. */
function partOf(name: string, schema: JsonSchema, components: Components): JsonSchema {
  const example = exampleOf(schema, components.resolved)
  return { schema: components.add(name, schema), ...(example && { example: example.value }) }
}

const entityTag = { description: 'Changes with every fact of the timeline.', schema: { type: 'string' } }

/** The codes of an operation, of the gateway and of its body. An operation without input refuses a query. */
function refusalsOf(operation: Routed, hasBody: boolean): readonly Code[] {
  const { errors, scopes, roles, module, hasViews } = operation
  const gateway: readonly Code[] = [
    ...(scopes.length > 0
      ? (['unauthenticated', 'key_expired', 'api_key_expired', 'forbidden', 'outside_key'] as const)
      : []),
    ...(hasViews ? (['unauthenticated', 'key_expired', 'api_key_expired', 'outside_key'] as const) : []),
    ...(roles === undefined ? [] : (['wrong_account'] as const)),
    ...(module === undefined ? [] : moduleRefusals(module)),
    'invalid_input',
    'too_many_requests',
    ...(takesIdempotencyKey(operation) ? (['header_not_accepted', 'idempotency_key_reused'] as const) : []),
    ...(hasBody ? ofBodies : []),
  ]
  return [...new Set([...errors, ...gateway])]
}

const ofBodies: readonly Code[] = [
  ...(['malformed_json', 'invalid_utf8', 'broken_encoding', 'payload_too_large'] as const),
  ...(['too_many_members', 'too_many_values'] as const),
  ...(['unsupported_media_type', 'unsupported_encoding'] as const),
]

function codesOf(codes: readonly Code[], status: number): string {
  return codes.filter((code) => statusOf(code) === status).join(', ')
}

/** The request body; `undefined` if the path contains the whole input. */
function bodyOf(operation: Routed, components: Components): JsonSchema | undefined {
  const schema = components.rootOf(operation.input)
  const { rest } = operation
  if (rest.document !== undefined) return documentOf(operation, propertiesOf(schema)[rest.document] ?? {}, components)
  const isInBody = (member: string) => placeOf(operation, member) === 'body'
  const members = Object.entries(propertiesOf(schema)).filter(([member]) => isInBody(member))
  const required = requiredOf(schema).filter(isInBody)
  if (members.length === 0 && schema.type === 'object' && schema.additionalProperties === false) return undefined
  const { properties: _, required: __, ...rules } = schema
  const own = { ...rules, ...(members.length > 0 ? { properties: Object.fromEntries(members) } : {}), required }
  const isWhole = members.length === Object.keys(propertiesOf(schema)).length
  const part = partOf(requestName(operation), isWhole ? components.of(operation.input) : own, components)
  return { required: required.length > 0, content: { 'application/json': part } }
}

/** A request body that is one member of the input. */
function documentOf(operation: Routed, document: JsonSchema, components: Components): JsonSchema {
  const { rest } = operation
  const lines = { schema: { type: 'string', description: 'One event with its subject a line.' } }
  const { types = ['application/json'] } = rest
  // OpenAPI 3.1 describes a body of bytes by an empty schema.
  const text = { schema: rest.isBinary ? {} : { type: 'string' } }
  const json = () => partOf(requestName(operation), document, components)
  return {
    required: true,
    content: {
      ...Object.fromEntries(types.map((type) => [type, type.endsWith('json') ? json() : text])),
      ...(rest.lines === true ? { 'application/x-ndjson': lines } : {}),
    },
  }
}

function requestName({ name }: Routed): string {
  return `${schemaName(name)}Request`
}
