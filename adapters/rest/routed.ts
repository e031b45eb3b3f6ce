import { isWriting, type Operation } from '../../engine/index.ts'

/** An operation with a REST route. */
export type Routed = Operation & { readonly rest: NonNullable<Operation['rest']> }

/** The operations with REST routes, the most specific paths first: `/orders/summary` is not an order. */
export function routed(operations: readonly Operation[]): readonly Routed[] {
  return operations
    .filter((operation): operation is Routed => operation.rest !== undefined)
    .sort((one, other) => compareTexts(specificity(one), specificity(other)))
}

/** One digit per path segment: fixed, a member, or the rest of the path. */
function specificity({ rest }: Routed): string {
  const segments = rest.path.split('/')
  return segments.map((segment) => (segment.includes('...}') ? 2 : segment.includes('{') ? 1 : 0)).join('')
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Whether anybody may call the operation, and it only reads. */
export function isPublicRead({ rest, scopes }: Routed): boolean {
  return rest.method === 'GET' && scopes.length === 0
}

/** A public read whose answers have a version. */
export type Versioned = Routed & Required<Pick<Operation, 'version'>>

/** Whether an operation reads, is public, and has versioned answers. Only these are cached. */
export function isVersioned(operation: Routed): operation is Versioned {
  return operation.version !== undefined && isPublicRead(operation)
}

/** Whether the input comes only from the path and the query. */
export function isBodyless({ rest }: Routed): boolean {
  return rest.method === 'GET' || rest.method === 'DELETE'
}

/** The path in OpenAPI syntax, which has no notation for the rest of a path: a parameter takes its place. */
export function pathOf({ rest }: Routed): string {
  return rest.path.replace('...}', '}')
}

/** The place of an input member; `body` for the member that is the whole body. */
export function placeOf(operation: Routed, member: string): 'path' | 'header' | 'query' | 'body' {
  const { headers = {}, allHeaders, document } = operation.rest
  if (pathOf(operation).includes(`{${member}}`)) return 'path'
  if (Object.hasOwn(headers, member) || member === allHeaders) return 'header'
  const isInQuery = document === undefined ? isBodyless(operation) : member !== document
  return isInQuery ? 'query' : 'body'
}

/** Whether a member may be in the query: if it belongs there, or if it is the `format`. */
export function isInQuery(operation: Routed, member: string): boolean {
  return placeOf(operation, member) === 'query' || (member === 'format' && operation.rest.formats !== undefined)
}

/** Whether an operation takes `Idempotency-Key`. Pushed events have their own ids, and secrets are not stored. */
export function takesIdempotencyKey(operation: Operation): boolean {
  const { scopes, secret = false } = operation
  return isWriting(operation) && !secret && scopes.length > 0 && !scopes.includes('otep:ingest')
}

/** The path of a route as the router writes it. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\.\.\.\}/g, ':$1{[\\s\\S]+}').replace(/\{(\w+)\}/g, ':$1')
}

/** The methods that a route answers. */
export function methodsOf({ method }: Pick<Routed['rest'], 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}
