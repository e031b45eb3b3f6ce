import { Hono, type Context as Request } from 'hono'
import * as v from 'valibot'
import { type Context, EngineError, parse } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { maxLevels } from '../http/json.ts'
import type { Door, Entered } from '../node/door.ts'
import { bounds } from './bounds.ts'
import { answerTo, type Telling, type Told } from './execute.ts'
import { schemaOf } from './schema.ts'

/** What is the same over HTTP whatever is asked: reading a body of JSON, refusing, and the status of a refusal. */
export interface Wire {
  readonly readBody: (
    request: globalThis.Request,
    rules: {
      readonly limit: number
      readonly levels: number
      readonly lines: boolean
      readonly open: boolean
      readonly caller: string
    },
  ) => Promise<unknown>
  readonly failed: (error: unknown, entered: Entered, headers?: Readonly<Record<string, string>>) => Response
  readonly statusOf: Telling['statusOf']
}

const path = '/graphql'

/** In bytes: a document of the largest size, in whatever characters, and its variables. */
const bodyLimit = 128 * 1024

const body = v.strictObject({
  query: v.pipe(v.string(), v.maxLength(bounds.length)),
  operationName: v.exactOptional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
  variables: v.exactOptional(v.nullable(v.looseObject({}))),
  extensions: v.exactOptional(v.nullable(v.looseObject({}))),
})

/** GraphQL over HTTP for callers with a token: one operation a request, derived from the operations that are mirrored. */
export function createGraphql(door: Door, wire: Wire): Hono {
  const app = new Hono()
  const schema = schemaOf(door.operations)
  if (schema === undefined) return app
  app.post(path, async (request) => {
    const call = door.enter(request)
    try {
      const context = await known(request, call)
      const asked = read(await wire.readBody(request.req.raw, rulesFor(context)))
      const key = request.req.header('idempotency-key')
      const telling = { statusOf: wire.statusOf, report: call.report }
      return answered(request, context, await answerTo(asked, schema, { context, key }, telling))
    } catch (error) {
      return wire.failed(error, call)
    }
  })
  app.on(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], path, (request) => {
    const refused = new EngineError('method_not_allowed', { received: request.req.method, expected: 'POST' })
    return wire.failed(refused, door.enter(request), { Allow: 'POST' })
  })
  return app
}

/** The context of a caller who is known; refuses the public with `unauthenticated`. */
async function known(request: Request, call: Entered): Promise<Context> {
  const context = await call.authenticated(request.req.header('authorization'))
  if (context.caller.kind === 'anonymous') throw new EngineError('unauthenticated')
  return context
}

function rulesFor({ caller }: Context) {
  return { limit: bodyLimit, levels: maxLevels, lines: false, open: false, caller: `${caller.kind}:${caller.name}` }
}

function read(given: unknown) {
  const { value, findings } = parse(body, given)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return value
}

const ownType = 'application/graphql-response+json'

/** GraphQL over HTTP, section 6.4: in JSON as such any answer is 200; in its own type, one without data is 400. */
function answered(request: Request, { requestId }: Context, told: Told): Response {
  const isOwn = (request.req.header('accept') ?? '').includes(ownType)
  const headers = {
    ...baseHeaders,
    'Content-Type': `${isOwn ? ownType : 'application/json'}; charset=utf-8`,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'X-Request-Id': requestId,
  }
  return new Response(JSON.stringify(told), { status: isOwn && told.data === undefined ? 400 : 200, headers })
}
