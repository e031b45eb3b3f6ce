import { type JsonSchema, jsonSchemaOf } from '../../adapters/http/schema.ts'
import { routed, takesIdempotencyKey } from '../../adapters/rest/routed.ts'
import { statusOf } from '../../adapters/rest/status.ts'
import { type Code, type Operation, publicEventPaths, roles, timelineSchema } from '../../engine/index.ts'
import { isForPartners, partner, rolesOf } from './access.ts'
import { code, codes, page, plain, table } from './markdown.ts'
import { meanings } from './meanings.ts'
import { type Member, membersOf, type NameOf } from './members.ts'

/** Error codes of any route, and those of routes with a body. */
const always: readonly Code[] = ['invalid_input', 'method_not_allowed', 'internal', 'store_unavailable']
const ofBodies: readonly Code[] = [
  'malformed_json',
  'invalid_utf8',
  'unsupported_media_type',
  'unsupported_encoding',
  'broken_encoding',
  'payload_too_large',
  'too_busy',
]
const ofStreams: readonly Code[] = ['timeline_not_found', 'ambiguous_identifier', 'too_many_streams']

const kibibyte = 1024

/** Every operation over HTTP, and its documents. */
export function restPage(operations: readonly Operation[], description: JsonSchema): string {
  const paths = inlined(description.paths, componentsOf(description)) as Readonly<
    Record<string, Readonly<Record<string, Described>>>
  >
  const byName = new Map(routed(operations).map((operation) => [operation.name, operation]))
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method: method.toUpperCase(), ...one })),
  )
  return page(
    'REST interface',
    ['engine/domains/index.ts', 'engine/domains/tracking/schema.ts', 'adapters/rest/openapi.ts'],
    [
      conventions,
      table(
        ['operation', 'what for'],
        described.map(({ path, method, summary }) => [
          `[${method} ${path}](#${anchorOf(method, path)})`,
          plain(summary),
        ]),
      ),
      ...described.flatMap((one) => operationParts(one, byName.get(one.operationId))),
      ...documentParts(),
    ],
  )
}

/** The schemas of the description that have names, but for the one that the page explains by itself. */
function componentsOf({ components }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { IngestDocument: _, ...schemas } = (components as { readonly schemas: Record<string, JsonSchema> }).schemas
  return schemas
}

/** A part of the description with each named schema in place of the reference to it. */
function inlined(part: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, schemas))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...beside } = part as JsonSchema
  const schema = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined
  const whole = schema === undefined ? part : { ...schema, ...beside }
  return Object.fromEntries(Object.entries(whole).map(([name, member]) => [name, inlined(member, schemas)]))
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly security?: unknown
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: JsonSchema }>> }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

const conventions = `The machine-readable version is [openapi.json](openapi.json), served at \`GET /openapi.json\`: each request, each
response and what several of them have in common is a schema with a name there, for generators of clients. [Errors](errors.md)
lists the error codes and their messages. Each refusal is \`{"result": false, "code", "message"}\`, with \`errors\`
if there are details.
Every route may also return ${always.map(withStatus).join(', ')};
a route with a body, ${ofBodies.map(withStatus).join(', ')}.
If a route accepts \`Idempotency-Key\`, calls with the same key are carried out once and get the same response.
[Access](access.md) is one table of who may call what.
A body may be sent with \`Content-Encoding: gzip\`; its limit counts the bytes after decoding. The response repeats the
\`X-Request-Id\` of the request.`

const timeline = jsonSchemaOf(timelineSchema)
const event = (timeline.properties as { readonly events: { readonly items: JsonSchema } }).events.items

const nameOf: NameOf = (schema) => {
  if (schema.$ref === '#/components/schemas/Timeline' || isSame(schema, timeline)) return '[timeline](#timeline)'
  if (schema.$ref === '#/components/schemas/IngestDocument') return '[ingest document](#ingest-document)'
  return isSame(schema, event) ? '[event](#event)' : undefined
}

/** The documents that operations share; every member must be explained. */
function documentParts(): readonly string[] {
  const unused = new Set(Object.keys(meanings))
  const explained = (members: readonly Member[], prefix: string) =>
    members.map((member) => {
      const key = prefix + member.path in meanings ? prefix + member.path : member.path
      const meaning = meanings[key]
      if (meaning === undefined) throw new Error(`docs/generate/meanings.ts does not explain ${key}.`)
      unused.delete(key)
      return { ...member, meaning }
    })
  const [ofTimeline, ofEvent] = [
    explained(membersOf(timeline, nameOf), ''),
    explained(membersOf(event, nameOf), 'event.'),
  ]
  if (unused.size > 0)
    throw new Error(`docs/generate/meanings.ts explains what is not there: ${[...unused].join(', ')}.`)
  return [
    '## Timeline',
    'Unlisted members are refused. *Required* means required by the schema; the validator requires more.',
    memberTable(ofTimeline),
    '## Event',
    'With [`OTEP_PUBLIC_VIEW=reduced`](../how-to/share-timelines.md) the public sees the members marked as *public*.',
    memberTable(ofEvent, publicEventPaths),
    '## Ingest document',
    `A [timeline](#timeline); \`{"timelines": [...]}\` with timelines or single events; or a single event: the
members of an [event](#event) with \`subject\` and, optionally, \`profile\` beside them. As NDJSON: one of these a line,
usually a single event.`,
  ]
}

function operationParts(one: Described & { readonly path: string; readonly method: string }, operation?: Operation) {
  const { path, method, summary, operationId, security, parameters = [], requestBody, responses } = one
  const errors = operation?.errors ?? ofStreams
  const success = Object.entries(responses['200']?.content ?? {})
  const isPublic = security === undefined || operation?.hasViews === true
  const refusals: readonly Code[] = isPublic || operation === undefined ? errors : [...errors, ...ofSecured(operation)]
  return [
    `## ${method} ${path}`,
    plain(summary),
    `Operation \`${operationId}\`. ${isPublic || operation === undefined ? publicFor(operation) : neededFor(operation)}`,
    ...(parameters.length === 0 ? [] : [parameterTable(parameters)]),
    ...(requestBody === undefined ? [] : bodyParts(requestBody.content, operation?.rest?.bodyLimit)),
    ...success.flatMap(([type, { schema }]) => answerParts(type, schema)),
    `Own error codes: ${refusals.map(withStatus).join(', ') || 'none'}.`,
  ]
}

/** What somebody sees of a public operation. */
function publicFor(operation: Operation | undefined): string {
  return operation?.hasViews
    ? 'Public; [some see more](../how-to/share-timelines.md) with a token, a postal code or a link.'
    : 'Public.'
}

/** The credentials of a call, and the accounts that may have them. */
function neededFor(operation: Operation): string {
  const { scopes } = operation
  if (scopes.includes('otep:ingest')) return 'Needs the key of a provider: `Authorization: Bearer <key>`.'
  const able = rolesOf(operation)
  const isPartners = isForPartners(operation)
  if (able.length === 0 && isPartners) return `For ${partner}: \`Authorization: Bearer <key>\`.`
  const accounts = able.length === roles.length ? 'Any account' : `Accounts of the kind ${codes(able)}`
  const who = isPartners ? `${accounts}, and ${partner}` : accounts
  return `${who}, with ${codes(scopes)}: \`Authorization: Bearer <token>\`.`
}

/** The refusals of an operation that requires authentication. */
function ofSecured(operation: Operation): readonly Code[] {
  return [
    ...(['unauthenticated', 'forbidden'] as const),
    ...(operation.roles === undefined ? [] : (['wrong_account'] as const)),
    ...(takesIdempotencyKey(operation) ? (['idempotency_key_reused'] as const) : []),
  ]
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, required, schema, description, ...parameter }) => {
    const [member] = membersOf({ properties: { [name]: schema }, required: required === true ? [name] : [] }, nameOf)
    return [
      code(name),
      parameter.in,
      member?.type ?? '',
      member?.limits ?? '',
      required === true ? 'yes' : '',
      plain(description ?? ''),
    ]
  })
  return table(['parameter', 'in', 'type', 'limits', 'required', 'meaning'], rows)
}

function bodyParts(
  content: Readonly<Record<string, { readonly schema: JsonSchema }>>,
  limit = 64 * kibibyte,
): readonly string[] {
  const kinds = Object.entries(content).map(
    ([type, { schema }]) => `${code(type)}${nameOf(schema) === undefined ? '' : `, ${article(nameOf(schema))}`}`,
  )
  const size = limit >= kibibyte ** 2 ? `${limit / kibibyte ** 2} MiB` : `${limit / kibibyte} KiB`
  const inline = content['application/json']?.schema
  const members = inline === undefined || nameOf(inline) !== undefined ? [] : membersOf(inline, nameOf)
  return [`Body: ${kinds.join('; or ')}. At most ${size}.`, ...(members.length === 0 ? [] : [memberTable(members)])]
}

function answerParts(type: string, schema: JsonSchema): readonly string[] {
  const members = membersOf(schema, nameOf)
  return [`Answer 200: ${code(type)}.`, ...(members.length === 0 ? [] : [memberTable(members)])]
}

function memberTable(members: readonly Member[], open?: readonly string[]): string {
  return table(
    ['member', 'type', 'limits', 'required', ...(open ? ['public'] : []), 'meaning'],
    members.map(({ path, type, limits, required, meaning }) => [
      code(path),
      type,
      limits,
      required ? 'yes' : '',
      ...(open ? [open.includes(path) ? 'yes' : ''] : []),
      meaning,
    ]),
  )
}

function withStatus(word: Code): string {
  return `${code(word)} (${statusOf(word)})`
}

function article(name: string | undefined): string {
  return name?.startsWith('[i') === true ? `an ${name}` : `a ${name}`
}

/** The anchor that GitHub gives to the heading of an operation. */
function anchorOf(method: string, path: string): string {
  return `${method}-${path}`.toLowerCase().replace(/[^\w-]/g, '')
}

function isSame(one: JsonSchema, two: JsonSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(two)
}
