import type { JsonSchema } from '../../../adapters/http/schema.ts'
import { neededFor } from '../../../adapters/rest/callers.ts'
import { takesIdempotencyKey } from '../../../adapters/rest/routed.ts'
import { statusOf } from '../../../adapters/rest/status.ts'
import type { Code, Operation } from '../../../engine/index.ts'
import { code, fencedJson, plain, table } from '../markdown.ts'
import { membersOf, type NameOf } from '../members.ts'
import type { Content, Described, Parameter } from './described.ts'
import { type Components, memberTable, naming, resolved } from './objects.ts'
import { requestBlock } from './request.ts'

/** Error codes of any route. */
export const always: readonly Code[] = ['invalid_input', 'method_not_allowed', 'internal', 'store_unavailable']

/** Error codes of routes with a body. */
export const ofBodies: readonly Code[] = [
  'malformed_json',
  'invalid_utf8',
  'unsupported_media_type',
  'unsupported_encoding',
  'broken_encoding',
  'payload_too_large',
  'too_large_to_store',
  'too_busy',
]
const ofStreams: readonly Code[] = ['timeline_not_found', 'ambiguous_identifier', 'too_many_streams']

const kibibyte = 1024

/** The parts of a page that describe one route; `operation` is missing for a stream or a fixed document. */
export function operationParts(one: Described, operation: Operation | undefined, components: Components) {
  const { path, method, summary, operationId, security, parameters = [], requestBody, responses } = one
  const nameOf = naming(components)
  const errors = operation?.errors ?? ofStreams
  const isPublic = security.length === 0 || operation?.hasViews === true
  const refusals: readonly Code[] = isPublic || operation === undefined ? errors : [...errors, ...ofSecured(operation)]
  const shown = { nameOf, components }
  return [
    `## ${method} ${path}`,
    plain(summary),
    `Operation \`${operationId}\`. ${isPublic || operation === undefined ? publicFor(operation) : neededFor(operation)}`,
    ...(parameters.length === 0 ? [] : [parameterTable(parameters, nameOf)]),
    ...(requestBody === undefined ? [] : bodyParts(requestBody.content, operation?.rest?.bodyLimit, shown)),
    requestBlock(one, isPublic || operation === undefined, components),
    ...answerParts(responses['200']?.content ?? {}, shown),
    `Own errors: ${refusals.map(withStatus).join(', ') || 'none'}.`,
  ]
}

/** What somebody sees of a public operation. */
function publicFor(operation: Operation | undefined): string {
  return operation?.hasViews
    ? 'Public; [some see more](../../how-to/share-timelines.md) with a token, a postal code or a link.'
    : 'Public.'
}

/** The refusals of an operation that requires authentication. */
function ofSecured(operation: Operation): readonly Code[] {
  return [
    ...(['unauthenticated', 'forbidden'] as const),
    ...(operation.roles === undefined ? [] : (['wrong_account'] as const)),
    ...(takesIdempotencyKey(operation) ? (['idempotency_key_reused'] as const) : []),
  ]
}

function parameterTable(parameters: readonly Parameter[], nameOf: NameOf): string {
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

/** How schemas are shown: by a link, or by their members. */
interface Shown {
  readonly nameOf: NameOf
  readonly components: Components
}

function bodyParts(content: Content, limit = 64 * kibibyte, shown: Shown): readonly string[] {
  const size = limit >= kibibyte ** 2 ? `${limit / kibibyte ** 2} MiB` : `${limit / kibibyte} KiB`
  const kinds = Object.entries(content).map(([type, { schema }]) => `${code(type)}${linked(schema, shown)}`)
  return [`Body: ${kinds.join('; or ')}. At most ${size}.`, ...memberParts(content['application/json'], shown)]
}

function answerParts(content: Content, shown: Shown): readonly string[] {
  const kinds = Object.entries(content).map(([type, { schema }]) => `${code(type)}${linked(schema, shown)}`)
  return kinds.length === 0
    ? []
    : [`Answer 200: ${kinds.join('; or ')}.`, ...partsOf(content['application/json'], shown)]
}

function linked(schema: JsonSchema, { nameOf }: Shown): string {
  const name = nameOf(schema)
  return name === undefined ? '' : `, ${/^\[[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`
}

/** The members of a document, unless it is linked, and an example of it. */
function partsOf(part: Content[string] | undefined, shown: Shown): readonly string[] {
  return [...memberParts(part, shown), ...(part?.example === undefined ? [] : [fencedJson(part.example)])]
}

function memberParts(part: Content[string] | undefined, { nameOf, components }: Shown): readonly string[] {
  if (part === undefined) return []
  const members = nameOf(part.schema) === undefined ? membersOf(resolved(part.schema, components), nameOf) : []
  return members.length === 0 ? [] : [memberTable(members)]
}

/** An error code with the status of its responses. */
export function withStatus(word: Code): string {
  return `${code(word)} (${statusOf(word)})`
}

/** The anchor that GitHub gives to the heading of a route. */
export function anchorOf(method: string, path: string): string {
  return `${method}-${path}`.toLowerCase().replace(/[^\w-]/g, '')
}
