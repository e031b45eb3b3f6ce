import { Hono, type Context as Request } from 'hono'
import { EngineError } from '../../../engine/index.ts'
import { preflightFor } from '../../http/cross-origin.ts'
import type { Gateway, OpenRequest } from '../../node/gateway.ts'
import { type Audience, callerOf } from '../standard-caller.ts'
import {
  acceptsStream,
  checkParameters,
  discovery,
  type EpcisCall,
  isXmlType,
  requireOffered,
  respond,
  typeOfEvents,
} from './call.ts'
import { problemResponse } from './problem.ts'
import { type Resource, resources } from './resources.ts'

/** The path of the interface. */
export const epcisPath = '/epcis'

/** The longest address, in characters. */
const maxAddress = 16_384

/** The interface of EPCIS 2.0 (REST bindings). */
export function createEpcis(gateway: Gateway): Hono {
  const app = new Hono()
  for (const resource of resources) mount(app, gateway, resource)
  app.all(`${epcisPath}/*`, (request) =>
    handled(request, gateway, {}, async (opened) => {
      opened.take('public_reads')
      throw new EngineError('route_not_found')
    }),
  )
  return app
}

function mount(app: Hono, gateway: Gateway, resource: Resource): void {
  const { path, methods, captures = false, describe } = resource
  const allowed = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const described = discovery(allowed, captures)
  const paths = path === '/' ? [epcisPath, `${epcisPath}/`] : [`${epcisPath}${path.replace(/\{(\w+)\}/g, ':$1')}`]
  for (const at of paths) {
    app.options(at, (request) =>
      handled(request, gateway, resource, async (opened, isXml) => {
        const isPreflight = request.req.header('access-control-request-method') !== undefined
        const cross = isPreflight ? preflightFor(described.Allow ?? '') : {}
        // Without credentials, OPTIONS says what is the same for everybody.
        const isKnown = describe !== undefined && request.req.header('authorization') !== undefined
        const own = isKnown ? await describe(await callOf(opened, isXml, request, gateway, 'accounts')) : {}
        return respond(opened, 204, null, { ...described, ...own, ...cross })
      }),
    )
    for (const [method, { answer, audience, parameters }] of Object.entries(methods))
      app.on(method, at, (request) =>
        handled(request, gateway, resource, async (opened, isXml) => {
          const call = await callOf(opened, isXml, request, gateway, audience)
          requireOffered(request)
          checkParameters(request, parameters)
          return answer(call)
        }),
      )
    app.all(at, (request) =>
      handled(request, gateway, resource, async () => {
        throw new EngineError('method_not_allowed', { received: request.req.method, expected: described.Allow ?? '' })
      }),
    )
  }
}

async function callOf(
  opened: OpenRequest,
  wantsXml: boolean,
  request: Request,
  gateway: Gateway,
  audience: Audience,
): Promise<EpcisCall> {
  const context = await callerOf(opened, request, gateway, audience)
  return { request, gateway, opened, context, param: (name) => request.req.param(name) ?? '', wantsXml }
}

/** Runs a handler and turns errors into problems (RFC 7807). */
async function handled(
  request: Request,
  gateway: Gateway,
  { streams, captures }: Pick<Resource, 'streams' | 'captures'>,
  run: (opened: OpenRequest, isXml: boolean) => Promise<Response>,
): Promise<Response> {
  const opened = gateway.open(request)
  let isXml = /\bxml\b/.test(request.req.header('accept') ?? '')
  try {
    const accept = request.req.header('accept')
    isXml = !(streams === true && acceptsStream(accept)) && isXmlType(typeOfEvents(accept))
    if (request.req.url.length > maxAddress)
      throw new EngineError('query_parameter_refused', { parameter: 'URI', reason: 'the address is too long' })
    return await run(opened, isXml)
  } catch (error) {
    return problemResponse(error, opened, { isXml, captures: captures === true })
  }
}
