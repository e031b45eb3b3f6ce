import type { Context as Request } from 'hono'
import { type Context, EngineError, requestedFormat, sha256 } from '../../../engine/index.ts'
import { eventsIn } from '../../../projections/onerecord/resource.ts'
import type { Collection } from '../../../projections/onerecord/schema.ts'
import { flattened } from '../../../projections/shared/jsonld-flat.ts'
import { exposedHeaders } from '../../http/cross-origin.ts'
import { baseHeaders, matches } from '../../http/headers.ts'
import { preferredForm, type VersionedForm } from '../../http/negotiate.ts'
import type { Gateway, OpenRequest } from '../../node/gateway.ts'
import { publicHeaders } from '../respond.ts'

/** A request to the ONE Record server. */
export interface OneRecordCall {
  readonly request: Request
  readonly gateway: Gateway
  readonly opened: OpenRequest
  readonly context: Context
  /** A member of the path, percent-encoded as it was sent. */
  readonly param: (name: string) => string
}

/** Answers a request. */
export type Answer = (call: OneRecordCall) => Promise<Response>

/** The versions of the API that are served; the first is the one without a request for another. */
export const apiVersions = ['2.3.0', '2.2.0'] as const

/** The media types of linked data, and the plain type of JSON. */
export const jsonLdTypes = ['application/ld+json', 'application/json'] as const

/** The media types of answers. */
export const mediaTypes = [...jsonLdTypes, 'text/turtle'] as const

/** The language of all texts. */
export const language = 'en-US'

const jsonLdForm = (name: string) => `http://www.w3.org/ns/json-ld#${name}`

const [compacted, expandedForm, flattenedForm] = ['compacted', 'expanded', 'flattened'].map(jsonLdForm)

/** The forms of answers, in order of preference. */
const forms: readonly VersionedForm[] = apiVersions.flatMap((version) => [
  { type: 'application/ld+json', version, ...(compacted !== undefined && { form: compacted }) },
  { type: 'application/ld+json', version, ...(expandedForm !== undefined && { form: expandedForm }) },
  { type: 'application/ld+json', version, ...(flattenedForm !== undefined && { form: flattenedForm }) },
  { type: 'application/json', version },
  { type: 'text/turtle', version },
])

/** The content type of a form. */
function contentTypeOf({ type, version, form }: VersionedForm): string {
  const profile = form === undefined || form === compacted ? '' : `; profile="${form}"`
  return `${type}; version=${version}${profile}`
}

/** The form that a request wants; refuses other ones with `not_acceptable`. */
export function wantedForm({ req }: Request): VersionedForm {
  const form = preferredForm(forms, req.header('accept'))
  if (form !== undefined) return form
  const expected = apiVersions.flatMap((version) => mediaTypes.map((type) => `${type}; version=${version}`))
  throw new EngineError('not_acceptable', { expected: expected.join(', ') })
}

/** The content type of refusals: JSON-LD of the wanted version, or else of the present one. */
export function typeOfRefusals({ req }: Request): string {
  const version = preferredForm(forms, req.header('accept'))?.version ?? apiVersions[0]
  return contentTypeOf({ type: 'application/ld+json', version })
}

/** The most events of a document in another form than the compacted one, which takes much longer. */
const maxEvents = 500

async function textIn({ type, form }: VersionedForm, document: object, { pause }: Context): Promise<string> {
  const isPlain = type === 'application/json' || form === compacted
  if (isPlain) return JSON.stringify(document)
  if ('api:hasItem' in document && eventsIn(document as Collection).length > maxEvents)
    throw new EngineError('not_acceptable', { expected: `application/ld+json, or limit=${maxEvents}` })
  if (form === flattenedForm) return JSON.stringify(flattened(document as Readonly<Record<string, unknown>>))
  const { expanded, turtleOf } = await import('../../../projections/shared/jsonld.ts')
  return type === 'text/turtle' ? turtleOf(document) : JSON.stringify(await expanded(document, pause))
}

/** The headers of all answers. */
export function commonHeaders({ requestId }: Pick<Context, 'requestId'>): Record<string, string> {
  return {
    ...{ ...baseHeaders, ...publicHeaders, 'X-Request-Id': requestId, Vary: 'Accept, Authorization' },
    'Access-Control-Expose-Headers': `${exposedHeaders}, Content-Language, Latest-Revision, Location, Revision, Type`,
  }
}

/** What an answer tells of its document. */
interface Told {
  /** The IRI of its class. */
  readonly type: string
  /** ISO 8601. */
  readonly modified?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Responds with a document in the wanted form; 304 if the caller has it. */
export async function respond(
  call: OneRecordCall,
  document: object,
  { type, modified, headers }: Told,
): Promise<Response> {
  const { request, context } = call
  const form = wantedForm(request)
  const text = await textIn(form, document, context)
  const tag = `"${sha256(`${contentTypeOf(form)} ${text}`).slice(0, 24)}"`
  const told = {
    ...commonHeaders(context),
    ...(modified !== undefined && { 'Last-Modified': new Date(modified).toUTCString() }),
    ...{ ETag: tag, 'Cache-Control': 'private, no-cache', Type: type, ...headers },
  }
  if (matches(request.req.header('if-none-match'), tag)) return new Response(null, { status: 304, headers: told })
  return new Response(text, {
    headers: { 'Content-Type': contentTypeOf(form), 'Content-Language': language, ...told },
  })
}

/** Responds without a document. */
export function respondEmpty(
  { context }: OneRecordCall,
  status: 201 | 204 | 303,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(null, { status, headers: { ...commonHeaders(context), 'Cache-Control': 'no-store', ...headers } })
}

/** The format of the documents. */
export function formatOf(context: Context): ReturnType<typeof requestedFormat> {
  return requestedFormat(context, 'onerecord')
}

/** The IRI of a class: `cargo:Piece` or `api:Collection`. */
export function iriOf(name: string): string {
  return name.replace(/^(cargo|api):/, 'https://onerecord.iata.org/ns/$1#')
}
