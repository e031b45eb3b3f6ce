import { Hono, type Context as Request } from 'hono'
import { EngineError } from '../../../engine/index.ts'
import { onerecordPath } from '../../../projections/onerecord/names.ts'
import { preflightFor } from '../../http/cross-origin.ts'
import { restResourceOf } from '../../http/oauth.ts'
import type { Gateway, OpenRequest } from '../../node/gateway.ts'
import { lookUp } from '../../node/limited.ts'
import { checkQuery } from '../query.ts'
import { type Audience, callerOf } from '../standard-caller.ts'
import { type Answer, commonHeaders, wantedForm } from './call.ts'
import { eventParameters, getEvent, getEvents, repeatedParameters } from './events.ts'
import { getAuditTrail, getObject, objectParameters } from './objects.ts'
import { postEvent } from './post-event.ts'
import { problemResponse } from './problem.ts'
import { getServerInformation } from './server-information.ts'

/** A method of a resource. */
interface Method {
  readonly answer: Answer
  readonly audience: Audience
  readonly parameters?: readonly string[]
}

/** The resources, by their path below the root of the server. */
const resources: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  '/': { GET: { answer: getServerInformation, audience: 'everybody' } },
  '/logistics-objects/:object': { GET: { answer: getObject, audience: 'everybody', parameters: objectParameters } },
  '/logistics-objects/:object/audit-trail': {
    GET: { answer: getAuditTrail, audience: 'everybody', parameters: ['updated-from', 'updated-to', 'status'] },
  },
  '/logistics-objects/:object/logistics-events': {
    GET: { answer: getEvents, audience: 'everybody', parameters: eventParameters },
    POST: { answer: postEvent, audience: 'providers' },
  },
  '/logistics-objects/:object/logistics-events/:event': { GET: { answer: getEvent, audience: 'everybody' } },
}

/** The ONE Record server (API 2.2 and 2.3). */
export function createOneRecord(gateway: Gateway): Hono {
  const app = new Hono()
  for (const [path, methods] of Object.entries(resources)) mount(app, gateway, path, methods)
  app.all(`${onerecordPath}/*`, (request) =>
    handled(request, gateway, async (opened) => {
      opened.take('public_reads')
      throw new EngineError('route_not_found')
    }),
  )
  return app
}

function mount(app: Hono, gateway: Gateway, path: string, methods: Readonly<Record<string, Method>>): void {
  const allowed = [
    'OPTIONS',
    ...Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  ]
  const allow = allowed.join(', ')
  for (const at of path === '/' ? [onerecordPath, `${onerecordPath}/`] : [`${onerecordPath}${path}`]) {
    for (const [method, { answer, audience, parameters = [] }] of Object.entries(methods))
      app.on(method, at, (request) =>
        handled(request, gateway, async (opened) => {
          const context = await callerOf(opened, request, gateway, audience, restResourceOf(opened.context.baseUrl))
          wantedForm(request)
          checkQuery(request, parameters, repeatable)
          const call = { request, gateway, opened, context, param: (name: string) => rawMember(request, path, name) }
          return lookUp(gateway.limits, context, () => answer(call))
        }),
      )
    app.options(at, (request) =>
      handled(request, gateway, async ({ context }) => {
        const headers = { ...commonHeaders(context), ...preflightFor(allow), Allow: allow }
        return new Response(null, { status: 204, headers })
      }),
    )
    app.all(at, (request) =>
      handled(request, gateway, async (opened) => {
        opened.take('public_calls')
        throw new EngineError('method_not_allowed', { received: request.req.method, expected: allow })
      }),
    )
  }
}

/** The parameters that may be repeated, as a schema. */
const repeatable = { properties: Object.fromEntries(repeatedParameters.map((name) => [name, { type: 'array' }])) }

/** A member of the path as it was sent: an id has colons that separate, and encoded ones that do not. */
function rawMember(request: Request, path: string, name: string): string {
  const at = path.split('/').indexOf(`:${name}`)
  const { pathname } = new URL(request.req.url)
  return pathname.slice(onerecordPath.length).split('/')[at] ?? ''
}

/** Runs a handler and turns errors into those of the standard. */
async function handled(
  request: Request,
  gateway: Gateway,
  run: (opened: OpenRequest) => Promise<Response>,
): Promise<Response> {
  const opened = gateway.open(request)
  try {
    return await run(opened)
  } catch (error) {
    return problemResponse(error, request, opened)
  }
}
