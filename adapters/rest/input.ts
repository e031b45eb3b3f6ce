import type { Context as Request } from 'hono'
import { type Context, EngineError, excerptOf, isObject } from '../../engine/index.ts'
import { maxLevels } from '../http/json.ts'
import { isPassMember } from '../http/pass.ts'
import { coerced, type JsonSchema, propertiesOf, requiredOf } from '../http/schema.ts'
import { readBody } from './body.ts'
import type { Route } from './negotiated-request.ts'
import { checkQuery, queryNames } from './query.ts'
import { isBodyless, placeOf, type Routed } from './routed.ts'

/** The input of an operation without a body: its query and its path. */
export function queryOf(
  request: Request,
  operation: Routed,
  schema: JsonSchema,
  context: Pick<Context, 'formats'>,
): Readonly<Record<string, unknown>> {
  return { ...queryMembers(request, operation, schema, context), ...pathOf(request, schema) }
}

/** The members of the query; only those that belong there: a password in a URL would appear in every log. */
function queryMembers(
  request: Request,
  operation: Routed,
  schema: JsonSchema,
  context: Pick<Context, 'formats'>,
): Readonly<Record<string, unknown>> {
  if (!request.req.url.includes('?')) return {}
  checkQuery(request, queryNames(operation, schema, context), schema)
  const members = Object.entries(request.req.queries()).filter(
    ([name]) => !isPassMember(name) || Object.hasOwn(propertiesOf(schema), name),
  )
  return coerced(schema, Object.fromEntries(members))
}

function pathOf(request: Request, schema: JsonSchema): Readonly<Record<string, unknown>> {
  return coerced(schema, request.req.param() as Record<string, string>)
}

/** What reading an input depends on besides the request. */
type Given = Pick<Context, 'formats'> &
  Pick<Route, 'bodyLimit'> & {
    /** A key, an account or a source. */
    readonly who: string
    /** Waits until a large body may be processed. */
    readonly turn: () => Promise<void>
  }

/** The input of an operation from path, headers, body and query; each member from its own place only. */
export async function inputOf(
  request: Request,
  operation: Routed,
  schema: JsonSchema,
  { formats, bodyLimit, who, turn }: Given,
): Promise<unknown> {
  if (isBodyless(operation)) return queryOf(request, operation, schema, { formats })
  const { rest, scopes } = operation
  const query = queryMembers(request, operation, schema, { formats })
  const fixed = { ...headersOf(request, rest), ...pathOf(request, schema) }
  const around = { ...query, ...fixed }
  const body = await readBody(request.req.raw, {
    limit: bodyLimit,
    lines: rest.lines === true,
    optional: rest.document === undefined && requiredOf(schema).every((member) => Object.hasOwn(fixed, member)),
    open: scopes.length === 0,
    caller: who,
    turn,
    ...(rest.document === undefined && { levels: maxLevels }),
    ...(rest.types && { types: rest.types }),
    ...(rest.isBinary && { isBinary: true }),
    ...(rest.parts && around[rest.parts.where[0]] === rest.parts.where[1] && { cut: rest.parts }),
  })
  if (rest.document !== undefined) return { ...around, [rest.document]: body }
  if (!isObject(body)) return body
  refuseMisplaced(Object.keys(body).filter((name) => placeOf(operation, name) !== 'body'))
  return { ...query, ...body, ...fixed }
}

/** Refuses members in the wrong place as unknown, as the OpenAPI description says. */
function refuseMisplaced(names: readonly string[]): void {
  if (names.length === 0) return
  const findings = names
    .map(excerptOf)
    .map((path) => ({ path, code: 'unknown_field', params: { field: path } }) as const)
  throw new EngineError('invalid_input', { count: names.length }, findings)
}

/** The input members that come from request headers. */
function headersOf(request: Request, { headers = {}, allHeaders }: Routed['rest']): Record<string, unknown> {
  const given = Object.entries(headers).map(([member, name]) => [member, request.req.header(name)] as const)
  const found = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  if (allHeaders === undefined) return found
  const { authorization: _, cookie: __, ...others } = request.req.header()
  return { ...found, [allHeaders]: others }
}
