import { identifierKinds, type Operation, type Projection, timelineSchema } from '../../engine/index.ts'
import { answerSchemaOf, type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf } from '../schema.ts'
import { isBodyless, isVersioned, type Routed, routed, takesIdempotencyKey } from './routed.ts'
import { statusOf } from './status.ts'

const error: JsonSchema = {
  type: 'object',
  required: ['result', 'code', 'message'],
  properties: {
    result: { const: false },
    code: { type: 'string' },
    message: { type: 'string', description: 'In the language of Accept-Language: en, fr, de, es, zh-Hans or zh-Hant.' },
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

/** The OpenAPI 3.1 description of the operations, derived from them alone. */
export function openapi(operations: readonly Operation[], version: string, formats: readonly Projection[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of routed(operations)) {
    const path = pathOf(operation)
    const item = paths[path] ?? {}
    item[operation.rest.method.toLowerCase()] = describe(operation, formats)
    paths[path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'OTEP timeline engine',
      version,
      summary: 'Push, read and validate tracking timelines.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: { ...paths, ...byHand },
    components: {
      schemas: { Timeline: jsonSchemaOf(timelineSchema), IngestDocument: ingestDocument, Error: error },
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of an account, which `POST /api/v1/user/login` answers. For ingest the key of a provider, which `otep provider add NAME` shows.',
        },
      },
    },
  }
}

/** The routes that are no operations: a stream, and documents that are the same for everybody. */
const byHand = {
  '/id/{kind}/{value}': {
    get: {
      operationId: 'otep_identifier',
      summary: 'Leads from the URI of an identifier, as documents of other formats have it, to its timeline.',
      parameters: [
        { name: 'kind', in: 'path', required: true, schema: { enum: identifierKinds } },
        { name: 'value', in: 'path', required: true, schema: { type: 'string' } },
      ],
      responses: {
        303: { description: 'The timeline.', headers: { Location: { schema: { type: 'string', format: 'uri' } } } },
        default: failure('Refused.'),
      },
    },
  },
  '/api/otep-guide/codebook.json': document('otep_codebook', 'The published codes and phases of every profile.'),
  '/api/otep-guide/schema.json': document('otep_schema', 'The JSON Schema of a timeline document.'),
  '/api/v1/otep/trackings/{tracking_number}/stream': {
    get: {
      operationId: 'otep_tracking_stream',
      summary:
        'Server-sent events: each later fact of the timeline, with its current status. Resumes after Last-Event-ID.',
      parameters: [
        { name: 'tracking_number', in: 'path', required: true, schema: { type: 'string' } },
        {
          name: 'Last-Event-ID',
          in: 'header',
          schema: { type: 'integer' },
          description: 'Revision of the last fact that was seen.',
        },
        {
          name: 'last_event_id',
          in: 'query',
          schema: { type: 'integer' },
          description: 'The same, for a client that cannot set the header.',
        },
      ],
      responses: {
        200: {
          description: 'A stream of `tracking` events.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        default: failure('Refused.'),
      },
    },
  },
}

function document(operationId: string, summary: string): JsonSchema {
  const content = { 'application/json': { schema: { type: 'object' } } }
  return { get: { operationId, summary, responses: { 200: { description: 'The document.', content } } } }
}

/** OpenAPI has no word for the rest of a path; a parameter stands for all of it. */
function pathOf({ rest }: Routed): string {
  return rest.path.replace('...}', '}')
}

function describe(operation: Routed, formats: readonly Projection[]): JsonSchema {
  const { rest, name, summary, scopes, errors, risk, tag } = operation
  const schema = jsonSchemaOf(operation.input)
  const parameters = [...membersAround(operation, schema), ...optionsOf(operation, formats), ...keyOf(operation)]
  const body = isBodyless(operation) ? undefined : bodyOf(operation, schema)
  const statuses = new Set([...errors.map(statusOf), ...(scopes.length > 0 ? [401, 403] : [])])
  return {
    operationId: name,
    summary,
    ...(tag === undefined ? {} : { tags: [tag] }),
    'x-risk': risk,
    ...(scopes.length > 0 ? { security: [{ bearerAuth: [] }], 'x-scopes': scopes } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      200: {
        description: rest.formats === undefined ? 'Done.' : chosen,
        ...(isVersioned(operation) ? { headers: { ETag: entityTag } } : {}),
        content: contentOf(operation),
      },
      ...(isVersioned(operation) ? { 304: { description: 'Unchanged since If-None-Match.' } } : {}),
      ...Object.fromEntries([...statuses].sort().map((status) => [status, failure(codesOf(errors, status))])),
      default: failure('Refused.'),
    },
  }
}

function isInPath(operation: Routed, member: string): boolean {
  return pathOf(operation).includes(`{${member}}`)
}

/** The members of the input that stand in the path, the query or a header. */
function membersAround(operation: Routed, schema: JsonSchema): readonly JsonSchema[] {
  const { rest } = operation
  const isInQuery = (member: string) =>
    (isBodyless(operation) || rest.document !== undefined) && member !== rest.document
  return Object.entries(propertiesOf(schema)).flatMap(([member, { description, ...type }]) => {
    const isPath = isInPath(operation, member)
    if (!isPath && !isInQuery(member)) return []
    const header = rest.headers?.[member]
    const place = isPath ? 'path' : header === undefined ? 'query' : 'header'
    const required = isPath || requiredOf(schema).includes(member)
    return [{ name: header ?? member, in: place, required, description, schema: type }]
  })
}

/** The header by which a call that writes may name itself. */
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

/** The options of the formats, which a read takes as query parameters. */
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

/** What an operation answers, by media type. */
function contentOf({ rest, ...operation }: Routed): JsonSchema {
  const schema = answerSchemaOf(operation)
  const part = { schema: { type: 'object' } }
  if (rest.bare === true) return { 'application/json': part, 'application/ld+json': part }
  const bare = rest.formats === 'one' ? { 'application/ld+json': bareDocument, 'application/xml': bareDocument } : {}
  return { 'application/json': { schema }, ...bare }
}

const entityTag = { description: 'Changes with every fact of the timeline.', schema: { type: 'string' } }

function codesOf(errors: Operation['errors'], status: number): string {
  return errors.filter((code) => statusOf(code) === status).join(', ') || 'Refused.'
}

/** The body of a request; nothing where the path says all that the input has. */
function bodyOf(operation: Routed, schema: JsonSchema): JsonSchema | undefined {
  const { rest } = operation
  if (rest.document !== undefined) return documentOf(rest, propertiesOf(schema)[rest.document])
  const members = Object.entries(propertiesOf(schema)).filter(([member]) => !isInPath(operation, member))
  const required = requiredOf(schema).filter((member) => !isInPath(operation, member))
  if (members.length === 0 && schema.type === 'object' && schema.additionalProperties === false) return undefined
  const { properties: _, required: __, ...rules } = schema
  const own = { ...rules, ...(members.length > 0 ? { properties: Object.fromEntries(members) } : {}), required }
  return { required: required.length > 0, content: { 'application/json': { schema: own } } }
}

/** The body that is one member of the input as a whole. */
function documentOf(rest: Routed['rest'], document: JsonSchema | undefined): JsonSchema {
  const lines = { schema: { type: 'string', description: 'One event with its subject a line.' } }
  const { types = ['application/json'] } = rest
  const xml = { schema: { type: 'string' } }
  return {
    required: true,
    content: {
      ...Object.fromEntries(types.map((type) => [type, type.endsWith('json') ? { schema: document } : xml])),
      ...(rest.lines === true ? { 'application/x-ndjson': lines } : {}),
    },
  }
}

function failure(description: string): JsonSchema {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
}
