import type { Context as Request } from 'hono'
import { type Caller, EngineError, isObject } from '../../engine/index.ts'
import { coerced, type JsonSchema, requiredOf } from '../schema.ts'
import { readBody } from './body.ts'
import { isBodyless, type Routed } from './routed.ts'

const smallBody = 64 * 1024

/** The input of an operation without a body: its query and its path. */
export function queryOf(request: Request, schema: JsonSchema): Readonly<Record<string, unknown>> {
  return { ...coerced(schema, request.req.queries()), ...pathOf(request, schema) }
}

function pathOf(request: Request, schema: JsonSchema): Readonly<Record<string, unknown>> {
  return coerced(schema, request.req.param() as Record<string, string>)
}

/** The input of an operation: its path, its headers, its body and its query; what the path and the headers say stands. */
export async function inputOf(
  request: Request,
  operation: Routed,
  schema: JsonSchema,
  caller: Caller,
): Promise<unknown> {
  if (isBodyless(operation)) return queryOf(request, schema)
  const { rest, scopes } = operation
  const query = request.req.queries()
  refuseElsewhere(query, rest)
  const fixed = { ...headersOf(request, rest), ...pathOf(request, schema) }
  const around = { ...coerced(schema, query), ...fixed }
  const body = await readBody(request.req.raw, {
    limit: rest.bodyLimit ?? smallBody,
    lines: rest.lines === true,
    optional: rest.document === undefined && requiredOf(schema).every((member) => Object.hasOwn(fixed, member)),
    open: scopes.length === 0,
    caller: `${caller.kind}:${caller.name}`,
    ...(rest.types && { types: rest.types }),
    ...(rest.cut && around[rest.cut.where[0]] === rest.cut.where[1] && { cut: rest.cut }),
  })
  if (rest.document !== undefined) return { ...around, [rest.document]: body }
  return isObject(body) ? { ...around, ...body, ...fixed } : body
}

/** What is a header or the body is not taken from the query. */
function refuseElsewhere(query: Readonly<Record<string, unknown>>, { headers = {}, document }: Routed['rest']): void {
  const names = Object.keys(query).filter((name) => name === document || Object.hasOwn(headers, name))
  if (names.length === 0) return
  const findings = names.map((path) => ({ path, code: 'unknown_field', params: { field: path } }) as const)
  throw new EngineError('invalid_input', { count: names.length }, findings)
}

/** The members of the input that are headers of the request. */
function headersOf(request: Request, { headers = {} }: Routed['rest']): Record<string, unknown> {
  const given = Object.entries(headers).map(([member, name]) => [member, request.req.header(name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
