import { fileTypes, identifierKinds, type Profile, schemaName } from '../../engine/index.ts'
import { passMembers, postalCodeHeader } from '../http/pass.ts'
import type { JsonSchema } from '../http/schema.ts'
import type { Components } from './components.ts'
import { failure, meaning } from './refusals.ts'

/** The tag of routes that are not operations. */
export const otep = 'OTEP'

/** What shows all of a timeline without a token, where the public view is reduced. */
export const passParameters: readonly JsonSchema[] = [
  { name: postalCodeHeader, in: 'header', description: 'Postal code of the delivery.' },
  { name: passMembers.postalCode, in: 'query', description: `The same, for a client that cannot set the header.` },
  { name: passMembers.link, in: 'query', description: 'The `link` of a signed link.' },
].map((parameter) => ({ ...parameter, required: false, schema: { type: 'string' } }))

const namespaceRoute: JsonSchema = {
  get: {
    operationId: 'otep_namespace',
    tags: [otep],
    security: [],
    description: 'Public.',
    summary: "OTEP's own members in EPCIS documents: their JSON-LD context, or a page about them.",
    responses: {
      200: {
        description: 'The context or the page, by `Accept`.',
        content: {
          'application/ld+json': { schema: { type: 'object' } },
          'text/html': { schema: { type: 'string' } },
        },
      },
    },
  },
}

const binary = { schema: {} }

/** The description of an uploaded file. */
export const fileRoute: JsonSchema = {
  get: {
    operationId: 'uploaded_file',
    tags: ['Client'],
    security: [],
    description: 'Public.',
    summary: 'An uploaded file, for everybody who has a link that has not expired.',
    parameters: [
      ...['stream', 'file'].map((name) => ({
        ...{ name, in: 'path', required: true, schema: { type: 'string' } },
        description: 'As the link has it.',
      })),
      {
        ...{ name: passMembers.link, in: 'query', required: true, schema: { type: 'string' } },
        description: 'Proves that the link was made by the server, and until when it holds.',
      },
    ],
    responses: {
      200: {
        description: 'The file.',
        content: Object.fromEntries(fileTypes.map((type) => [type, binary])),
      },
      404: failure(meaning('file_not_found')),
      default: failure('Refused.'),
    },
  },
}

/** The description of the URI of an identifier. */
export const identifierRoute: JsonSchema = {
  get: {
    operationId: 'otep_identifier',
    tags: [otep],
    security: [],
    description: 'Public.',
    summary: 'Leads from the URI of an identifier, as documents of other formats have it, to its timeline.',
    parameters: [
      {
        ...{ name: 'kind', in: 'path', required: true, schema: { enum: identifierKinds } },
        description: 'Which identifier it is.',
      },
      {
        ...{ name: 'value', in: 'path', required: true, schema: { type: 'string' } },
        description: 'The identifier.',
      },
    ],
    responses: {
      404: failure(meaning('timeline_not_found')),
      303: { description: 'The timeline.', headers: { Location: { schema: { type: 'string', format: 'uri' } } } },
      default: failure('Refused.'),
    },
  },
}

/** The description of the live timeline. */
export const streamRoute: JsonSchema = {
  get: {
    operationId: 'otep_tracking_stream',
    tags: [otep],
    security: [],
    description: 'Public.',
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
      ...passParameters,
    ],
    responses: {
      200: {
        description: 'A stream of `tracking` events.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      404: failure(meaning('timeline_not_found')),
      default: failure('Refused.'),
    },
  },
}

/** The description of the live changes of all timelines of a caller. */
export const feedRoute: JsonSchema = {
  get: {
    operationId: 'otep_feed',
    tags: [otep],
    security: [{ bearerAuth: [] }],
    description:
      'An account with `orders:read` has the changes of its orders, and a provider what it reported itself: `Authorization: Bearer <key or token>`.',
    summary:
      'Server-sent events: each later fact of every timeline of yours, with its current status. Resumes after Last-Event-ID.',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        schema: { type: 'string' },
        description: 'Id of the last fact that was seen, at most a day old.',
      },
      {
        name: 'last_event_id',
        in: 'query',
        schema: { type: 'string' },
        description: 'The same, for a client that cannot set the header.',
      },
    ],
    responses: {
      200: {
        description: 'A stream of `tracking` events.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      400: failure(meaning('header_not_accepted')),
      401: failure(meaning('unauthenticated')),
      403: failure(meaning('forbidden')),
      default: failure('Refused.'),
    },
  },
}

/** The routes that are not operations: streams, files, and documents that are the same for everybody. */
export const otherRoutes = (profiles: readonly Profile[], components: Components) => ({
  '/id/{kind}/{value}': identifierRoute,
  '/api/otep-guide/codebook.json': document(
    'otep_codebook',
    `The published codes and phases of every profile: ${profiles.map(({ name }) => name).join(', ')}.`,
    components,
  ),
  '/api/otep-guide/schema.json': document('otep_schema', 'The JSON Schema of a timeline document.', components),
  '/ns/otep': namespaceRoute,
  '/files/{stream}/{file}': fileRoute,
  '/api/v1/otep/trackings/{tracking_number}/stream': streamRoute,
  '/api/v1/otep/feed': feedRoute,
})

function document(operationId: string, summary: string, components: Components): JsonSchema {
  const schema = components.add(`${schemaName(operationId)}Answer`, { type: 'object' })
  const content = { 'application/json': { schema } }
  return {
    get: {
      operationId,
      tags: [otep],
      security: [],
      description: 'Public.',
      summary,
      responses: { 200: { description: 'The document.', content } },
    },
  }
}
