import { domains, isWriting, type Operation } from '../../../engine/index.ts'
import { isBodyless, placeOf, type Routed, takesIdempotencyKey } from '../../rest/routed.ts'

/** What a call of an operation is over HTTP. */
export interface OperationRequest {
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether a second request with the same body changes nothing more. */
  readonly isRepeatable: boolean
}

/** All operations that have a route. */
export function routedOperations(): readonly Routed[] {
  const all: readonly Operation[] = domains.flatMap((domain) => domain.operations)
  return all.filter((operation): operation is Routed => operation.rest !== undefined)
}

/** The operation of a name, which is one of ours. */
export function operationNamed(name: string): Routed {
  const found = routedOperations().find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`There is no operation ${name} over HTTP.`)
  return found
}

/** The request that calls an operation with an input; with `key`, a repetition is recognized. */
export function requestFor(operation: Routed, input: Readonly<Record<string, unknown>>, key: string): OperationRequest {
  const { rest } = operation
  const { query, body, headers } = membersOf(operation, input)
  const search = query.size === 0 ? '' : `?${query}`
  const takesKey = takesIdempotencyKey(operation)
  const hasBody = !isBodyless(operation)
  return {
    method: rest.method,
    path: `${pathWith(rest.path, input)}${search}`,
    headers: {
      ...headers,
      ...(takesKey ? { 'Idempotency-Key': key } : {}),
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
    // Pushed events are recognized by their ids.
    isRepeatable: takesKey || !isWriting(operation) || operation.scopes.includes('otep:ingest'),
  }
}

/** Each member of an input in the place where the route expects it. */
function membersOf(operation: Routed, input: Readonly<Record<string, unknown>>) {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const members: Record<string, unknown> = {}
  const { document, headers: named = {} } = operation.rest
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    const place = placeOf(operation, name)
    if (place === 'query') for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
    if (place === 'header' && named[name] !== undefined) headers[named[name]] = String(value)
    if (place === 'body') members[name] = value
  }
  return { query, headers, body: document === undefined ? members : input[document] }
}

/** A path with its members filled in. */
function pathWith(path: string, input: Readonly<Record<string, unknown>>): string {
  return path
    .replace(/\{(\w+)\.\.\.\}/g, (_, name: string) => String(input[name]).split('/').map(encodeURIComponent).join('/'))
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
}
