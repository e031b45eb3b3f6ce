import type { Context as Request } from 'hono'
import { type Context, EngineError, excerptOf, sha256 } from '../../../engine/index.ts'
import { noParameter } from '../../../projections/epcis/query.ts'
import { cbvFormats, epcFormats, type Formats } from '../../../projections/epcis/translate.ts'
import { baseHeaders } from '../../http/headers.ts'
import { preferredType } from '../../http/negotiate.ts'
import { openText, type SecretKey, sealText, secretKeyOf } from '../../node/cipher.ts'
import type { Gateway, OpenRequest } from '../../node/gateway.ts'
import { bodyWithinHeap } from '../large-calls.ts'
import { publicHeaders } from '../respond.ts'

/** A request to a resource of EPCIS. */
export interface EpcisCall {
  readonly request: Request
  readonly gateway: Gateway
  readonly opened: OpenRequest
  readonly context: Context
  /** Members of the path. */
  readonly param: (name: string) => string
  readonly wantsXml: boolean
}

/** Answers a request. */
export type Answer = (call: EpcisCall) => Promise<Response>

/** The versions in every response. */
export const versions = { 'GS1-EPCIS-Version': '2.0.0', 'GS1-CBV-Version': '2.0.0' } as const

/** The largest body, in bytes, and the most events in one. */
export const captureLimits = { bytes: bodyWithinHeap(16 * 1024 * 1024), events: 10_000 } as const

/** The headers that say so. */
export const captureHeaders = {
  'GS1-EPCIS-Capture-Limit': String(captureLimits.events),
  'GS1-EPCIS-Capture-File-Size-Limit': String(captureLimits.bytes),
}

/** What a resource tells of itself (EPCIS 2.0, discovery). */
export function discovery(methods: readonly string[], captures: boolean): Record<string, string> {
  return {
    ...publicHeaders,
    Allow: ['OPTIONS', ...methods].join(', '),
    ...versions,
    'GS1-EPCIS-Min': '1.2',
    'GS1-EPCIS-Max': '2.0.0',
    'GS1-CBV-Min': '1.2',
    'GS1-CBV-Max': '2.0.0',
    'GS1-EPC-Format': 'No_Preference',
    'GS1-CBV-XML-Format': 'No_Preference',
    ...(captures && {
      ...captureHeaders,
      'GS1-Capture-Error-Behaviour': 'all',
    }),
  }
}

const typesOfEvents = ['application/ld+json', 'application/json', 'application/xml', 'text/xml'] as const
const typesOfLists = ['application/json', 'application/ld+json'] as const

/** The media type of a response with events; refuses other types with `not_acceptable`. */
export function typeOfEvents(accept: string | undefined): (typeof typesOfEvents)[number] {
  return chosenOf(typesOfEvents, accept)
}

function chosenOf<Type extends string>(types: readonly Type[], accept: string | undefined): Type {
  const type = preferredType(types, accept)
  if (type === undefined) throw new EngineError('not_acceptable', { expected: types.join(', ') })
  return type
}

/** Whether a media type is one of XML. */
export function isXmlType(type: string): boolean {
  return type.endsWith('xml')
}

/** Whether a live response is taken. */
export function acceptsStream(accept = ''): boolean {
  return /\btext\/event-stream\b/i.test(accept)
}

/** The values of headers that are offered. */
const offered: Readonly<Record<string, RegExp>> = {
  'GS1-EPC-Format': new RegExp(`^(?:${epcFormats.join('|')})$`),
  'GS1-CBV-XML-Format': new RegExp(`^(?:${cbvFormats.join('|')})$`),
  'GS1-EPCIS-Min': /^(?:1(?:\.[0-2])?|2|2\.0(?:\.[01])?)(?:\.0)?$/,
  'GS1-CBV-Min': /^(?:1(?:\.[0-2])?|2|2\.0(?:\.[01])?)(?:\.0)?$/,
  'GS1-EPCIS-Max': /^(?:[2-9]|\d\d)/,
  'GS1-CBV-Max': /^(?:[2-9]|\d\d)/,
}

/** Refuses headers that ask for what is not offered. */
export function requireOffered(request: Request): void {
  for (const [header, pattern] of Object.entries(offered)) {
    const received = request.req.header(header)
    if (received === undefined || pattern.test(received)) continue
    const expected = header.endsWith('Format')
      ? (header.includes('EPC-') ? epcFormats : cbvFormats).join(', ')
      : '2.0.0'
    throw new EngineError('epcis_header_refused', { header, received: excerptOf(received), expected })
  }
}

/** The forms of keys and words that a request wants, which `requireOffered` has checked. */
export function formatsOf({ req }: Request): Formats {
  const wanted = (name: string) => req.header(name)
  return { epc: wanted('GS1-EPC-Format'), cbv: wanted('GS1-CBV-XML-Format') } as Formats
}

/** The headers that say in which forms an answer is; none if nothing was wanted. */
export function formatHeaders({ epc, cbv }: Formats): Record<string, string> {
  const said = (name: string, format = 'Never_Translates') => ({
    [name]: format === 'No_Preference' ? 'Never_Translates' : format,
  })
  return {
    ...(epc !== undefined && said('GS1-EPC-Format', epc)),
    ...(cbv !== undefined && said('GS1-CBV-XML-Format', cbv)),
  }
}

/** The prefixes that a request declares for the names in its query: `GS1-Extensions: ex=https://ns.example/`. */
export function prefixesOf({ req }: Request): ReadonlyMap<string, string> {
  const declared = (req.header('GS1-Extensions') ?? '').slice(0, 2_000).split(',')
  return new Map(
    declared.flatMap((one) => {
      const [, prefix, namespace] = /^\s*([\w.-]+)=(\S+:\S+)\s*$/.exec(one) ?? []
      return prefix === undefined || namespace === undefined ? [] : [[prefix, namespace] as const]
    }),
  )
}

/** A response with the headers of the interface. */
export function respond(
  { context }: Pick<EpcisCall, 'context'>,
  status: number,
  body: string | null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const common = { ...baseHeaders, ...versions, 'Cache-Control': 'no-store' }
  return new Response(body, { status, headers: { ...common, 'X-Request-Id': context.requestId, ...headers } })
}

/** A JSON response; refuses a caller that wants none with `not_acceptable`. */
export function respondJson(call: EpcisCall, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const type = chosenOf(typesOfLists, call.request.req.header('accept'))
  return respond(call, 200, JSON.stringify(body), { 'Content-Type': type, ...headers })
}

/** The parameters of paging. */
export const pagingParameters = ['perPage', 'nextPageToken'] as const

/** Refuses parameters that a resource does not have, and a repeated one of paging. */
export function checkParameters({ req }: Request, known: readonly string[] | 'query'): void {
  const names = [...new URL(req.url).searchParams.keys()]
  const unknown = known === 'query' ? undefined : names.find((name) => !known.includes(name))
  if (known !== 'query' && unknown !== undefined) throw noParameter(unknown, known)
  const repeated = pagingParameters.find((name) => names.filter((one) => one === name).length > 1)
  if (repeated !== undefined)
    throw new EngineError('query_parameter_refused', { parameter: repeated, reason: 'it is given twice' })
}

const defaultPerPage = 30

/** The most items of a page. */
export const maxPerPage = 1_000

/** What a page begins after; texts and numbers. */
export type Cursor = Readonly<Record<string, string | number>>

/** The size of a page, and what it begins after. A token belongs to the query that it came with. */
export function pageOf({ request, context }: EpcisCall): {
  readonly perPage: number
  readonly after: Cursor | undefined
} {
  const perPage = request.req.query('perPage') ?? String(defaultPerPage)
  const token = request.req.query('nextPageToken')
  if (!/^[1-9]\d{0,6}$/.test(perPage))
    throw new EngineError('query_parameter_refused', { parameter: 'perPage', reason: 'a positive whole number' })
  return {
    perPage: Math.min(Number(perPage), maxPerPage),
    after: token === undefined ? undefined : cursorIn(token, queryHash(request), context),
  }
}

function cursorIn(token: string, hash: string, context: EpcisCall['context']): Cursor {
  try {
    return JSON.parse(openText(keyOf(context), hash, token)) as Cursor
  } catch {
    // Not one of ours.
  }
  throw new EngineError('query_parameter_refused', { parameter: 'nextPageToken', reason: 'it is of another query' })
}

/** The key of tokens: one may name the place of an event that its holder must not see. Nodes with one secret have one key. */
function keyOf({ credentials }: EpcisCall['context']): SecretKey {
  return secretKeyOf(Buffer.from(credentials.blind('tokens of EPCIS pages'), 'hex'))
}

/** The header with the link to the next page. */
export function nextLink({ request, context }: EpcisCall, cursor: Cursor | undefined): Record<string, string> {
  if (cursor === undefined) return {}
  const token = sealText(keyOf(context), queryHash(request), JSON.stringify(cursor))
  const { pathname, searchParams } = new URL(request.req.url)
  searchParams.set('nextPageToken', token)
  return { Link: `<${context.baseUrl}${pathname}?${searchParams}>; rel="next"` }
}

function queryHash(request: Request): string {
  const { pathname, searchParams } = new URL(request.req.url)
  const asked = [...searchParams].filter(([name]) => name !== 'nextPageToken' && name !== 'perPage').sort()
  return sha256(JSON.stringify([pathname, asked])).slice(0, 16)
}
