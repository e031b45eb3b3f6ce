import { type Operation, type Profile, type Projection, schemaName, timelineSchema } from '../../engine/index.ts'
import { type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf } from '../http/schema.ts'
import { byFormat } from './answers-by-format.ts'
import { type Components, createComponents } from './components.ts'
import { withDiscriminators } from './discriminators.ts'
import { exampleOf, recordedOf } from './examples.ts'
import { otep, otherRoutes, passParameters } from './other-routes.ts'
import { proseOf, withWords } from './prose.ts'
import { addRefusals, failure, refusalsOf } from './refusals.ts'
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
import { tagsOf } from './tags.ts'
import { withTypes } from './types.ts'

/** Adds what may be ingested: a timeline, several, or one event. */
function addIngestDocument(components: Components): void {
  const timelines = components.add('TimelineList', {
    type: 'object',
    description: 'Several timelines.',
    required: ['timelines'],
    properties: { timelines: { type: 'array', items: { $ref: '#/components/schemas/Timeline' } } },
  })
  const { TrackingEvent = {} } = components.schemas
  const event = components.add('SingleEvent', {
    ...TrackingEvent,
    description: 'One event with its subject beside its members.',
    required: ['subject', 'occurred_at', 'status_code'],
    properties: {
      ...propertiesOf(TrackingEvent),
      subject: { $ref: '#/components/schemas/Subject' },
      profile: { type: 'string', description: 'The vocabulary of its codes; parcel where it is absent.' },
    },
  })
  components.add('IngestDocument', {
    description: 'A timeline, {timelines: [...]}, or one event with its subject.',
    anyOf: [{ $ref: '#/components/schemas/Timeline' }, timelines, event],
  })
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
  addIngestDocument(components)
  addRefusals(operations, components)
  for (const operation of placed) {
    const path = pathOf(operation)
    const item = paths[path] ?? {}
    item[operation.rest.method.toLowerCase()] = describe(operation, formats, components)
    paths[path] = item
  }
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'OTEP engine',
      version: interfaceVersion,
      'x-server-version': version,
      summary:
        'Tracking timelines of the open tracking event protocol; and orders, routes, drivers, device orders, accounts, apps, wallets and approvals of local delivery.',
      description:
        'A refusal is an `ErrorAnswer`, whose `code` never changes. A call that changes something takes an `Idempotency-Key`, and is then done once however often it is sent. Money is text with its decimals beside a `currency`. Instants are ISO 8601 with an offset. Answers may get more members and codes in later versions.',
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
  return withWords(withDiscriminators(withTypes(description), components))
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
  return {
    operationId: name,
    summary,
    description: proseOf(operation),
    ...(tag === undefined ? {} : { tags: [tag] }),
    'x-risk': risk,
    security: securityOf(operation),
    ...(scopes.length > 0 ? { 'x-scopes': scopes } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      200: {
        description: rest.formats === undefined ? 'Done.' : chosen,
        ...(isVersioned(operation) ? { headers: { ETag: entityTag } } : {}),
        content: contentOf(operation, formats, components),
      },
      ...(isVersioned(operation) ? { 304: { description: 'Unchanged since If-None-Match.' } } : {}),
      ...refusalsOf(operation, body !== undefined),
      default: failure('Refused.'),
    },
  }
}

/** The credentials of a call; nothing for what is public. */
function securityOf({ hasViews, scopes }: Routed): readonly JsonSchema[] {
  if (hasViews === true) return [{}, { bearerAuth: [] }]
  return scopes.length > 0 ? [{ bearerAuth: [] }] : []
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

/** The options of the formats, as query parameters of a read. Formats may have options with the same name. */
function optionsOf({ rest }: Routed, formats: readonly Projection[]): readonly JsonSchema[] {
  if (rest.formats !== 'one') return []
  const found = new Map<string, { readonly format: string; readonly schema: JsonSchema }[]>()
  for (const { name: format, options } of formats) {
    const { properties = {} } = options === undefined ? {} : jsonSchemaOf(options)
    for (const [option, schema] of Object.entries(properties as Record<string, JsonSchema>))
      found.set(option, [...(found.get(option) ?? []), { format, schema }])
  }
  return [...found].map(([name, all]) => ({
    ...{ name, in: 'query', required: false },
    description: all.map(({ format, schema }) => optionSentence(format, schema)).join(' '),
    schema: sharedSchema(all.map(({ schema: { description, ...schema } }) => schema)),
  }))
}

function optionSentence(format: string, { description }: JsonSchema): string {
  return `Option of the format ${format}: ${description ?? 'its first value where absent.'}`
}

/** The schema of an option that fits each of several formats. */
function sharedSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

const chosen =
  'Done. In the format of the `format` member, or of a profile in `Accept`: `application/json; profile="urn:otep:format:<token>"`.'

const bareDocument = 'The bare document of a format that has this media type.'
const bareContent = {
  'application/ld+json': { schema: { type: 'object', description: bareDocument } },
  'application/xml': { schema: { type: 'string', description: bareDocument } },
}

/** The response content of an operation by media type. */
function contentOf(operation: Routed, formats: readonly Projection[], components: Components): JsonSchema {
  const { rest, joined } = operation
  if (rest.csv !== undefined) return { 'text/csv': { schema: { type: 'string' } } }
  const whole = rest.bare === true ? { type: 'object' } : components.answerOf(operation)
  const answer = rest.formats === undefined ? whole : byFormat(answerName(operation), whole, formats, components)
  const part = partOf(answerName(operation), answer, components, recordedOf(operation)?.answer)
  if (rest.bare === true) return { 'application/json': part, 'application/ld+json': part }
  const isBare = rest.formats === 'one' || joined !== undefined
  const bare = isBare ? bareContent : {}
  return { 'application/json': part, ...bare }
}

/** The JSON of a request or a response: its schema under a name, and an example: one of a test, or one made of its schema. */
function partOf(name: string, schema: JsonSchema, components: Components, recorded: unknown): JsonSchema {
  const example = recorded === undefined ? exampleOf(schema, components.resolved) : { value: recorded }
  return { schema: components.add(name, schema), ...(example && { example: example.value }) }
}

const entityTag = { description: 'Changes with every fact of the timeline.', schema: { type: 'string' } }

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
  const body = isWhole ? components.of(operation.input) : own
  const part = partOf(requestName(operation), body, components, recordedOf(operation)?.request)
  return { required: required.length > 0, content: { 'application/json': part } }
}

/** A request body that is one member of the input. */
function documentOf(operation: Routed, document: JsonSchema, components: Components): JsonSchema {
  const { rest } = operation
  const lines = { schema: { type: 'string', description: 'One event with its subject a line.' } }
  const { types = ['application/json'] } = rest
  // OpenAPI 3.1 describes a body of bytes by an empty schema.
  const text = { schema: rest.isBinary ? {} : { type: 'string' } }
  // What is taken as bytes is not sent as text in JSON.
  const sent = rest.isBinary ? { type: ['object', 'array'], description: 'As its sender writes it.' } : document
  const json = () => partOf(requestName(operation), sent, components, recordedOf(operation)?.request)
  return {
    required: true,
    content: {
      ...Object.fromEntries(types.map((type) => [type, type.endsWith('json') ? json() : text])),
      ...(rest.lines === true ? { 'application/x-ndjson': lines } : {}),
    },
  }
}

/**
 * The name of what an operation answers, if that does not have its own name. It does not end in `Response`: generators name their
 * own types like that.
 */
function answerName({ name }: Routed): string {
  return `${schemaName(name)}Answer`
}

function requestName({ name }: Routed): string {
  return `${schemaName(name)}Request`
}
