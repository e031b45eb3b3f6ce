import { isWriting, type Operation } from '../../engine/index.ts'

/** An operation that has a place over HTTP. */
export type Routed = Operation & { readonly rest: NonNullable<Operation['rest']> }

/** The operations that have a place over HTTP, those of the plainest paths first: `/orders/summary` is no order. */
export function routed(operations: readonly Operation[]): readonly Routed[] {
  return operations
    .filter((operation): operation is Routed => operation.rest !== undefined)
    .sort((one, other) => compareTexts(plainness(one), plainness(other)))
}

/** A digit for each segment: fixed, a member, or all that is left. */
function plainness({ rest }: Routed): string {
  const segments = rest.path.split('/')
  return segments.map((segment) => (segment.includes('...}') ? 2 : segment.includes('{') ? 1 : 0)).join('')
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** An operation that reads for everybody, and whose answers have a version. */
export type Versioned = Routed & Required<Pick<Operation, 'version'>>

/** Whether an operation reads, its answers have a version, and are the same for everybody: only such are kept. */
export function isVersioned(operation: Routed): operation is Versioned {
  return operation.version !== undefined && operation.rest.method === 'GET' && operation.scopes.length === 0
}

/** Whether the input comes from the path and the query alone. */
export function isBodyless({ rest }: Routed): boolean {
  return rest.method === 'GET' || rest.method === 'DELETE'
}

/** The path of an operation as OpenAPI has it, which has no word for the rest of a path: a parameter stands for all of it. */
export function pathOf({ rest }: Routed): string {
  return rest.path.replace('...}', '}')
}

/** Where a member of the input comes from; of `document` the body as a whole. */
export function placeOf(operation: Routed, member: string): 'path' | 'header' | 'query' | 'body' {
  const { headers = {}, document } = operation.rest
  if (pathOf(operation).includes(`{${member}}`)) return 'path'
  if (Object.hasOwn(headers, member)) return 'header'
  const isInQuery = document === undefined ? isBodyless(operation) : member !== document
  return isInQuery ? 'query' : 'body'
}

/** Whether the query may have a member: one whose place it is, and the `format` of what is answered in several. */
export function isInQuery(operation: Routed, member: string): boolean {
  return placeOf(operation, member) === 'query' || (member === 'format' && operation.rest.formats !== undefined)
}

/** Whether a call may name itself by `Idempotency-Key`; facts that are pushed have ids of their own, secrets are not kept. */
export function takesIdempotencyKey(operation: Operation): boolean {
  const { scopes, secret = false } = operation
  return isWriting(operation) && !secret && scopes.length > 0 && !scopes.includes('otep:ingest')
}
