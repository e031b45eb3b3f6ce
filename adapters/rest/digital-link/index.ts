import { Hono, type Context as Request } from 'hono'
import { EngineError, excerptOf, findVisible, linkOfPath, otepTracking, primaryKeys } from '../../../engine/index.ts'
import { exposedHeaders, preflightFor } from '../../http/cross-origin.ts'
import { baseHeaders } from '../../http/headers.ts'
import { preferredType } from '../../http/negotiate.ts'
import { restPath } from '../../http/oauth.ts'
import { viewHeaders } from '../../http/pass.ts'
import { jsonSchemaOf } from '../../http/schema.ts'
import { type Gateway, type OpenRequest, recognize } from '../../node/gateway.ts'
import { lookUp } from '../../node/limited.ts'
import { once } from '../../node/once.ts'
import { checkQuery, queryNames } from '../query.ts'
import { errorResponse, json, publicHeaders } from '../respond.ts'
import { routed } from '../routed.ts'
import { linksetOf, linksetType, linksOf, linkTypeOf, linkTypes, type TargetLink, vocabulary } from './linkset.ts'

const descriptionPath = '/.well-known/gs1resolver'

const methods = 'GET, HEAD, OPTIONS'

const linksetContext = 'https://ref.gs1.org/standards/resolver/linkset-context'

/** In every answer: pages of any origin may ask, and read where a link leads. */
const shared = {
  ...baseHeaders,
  ...publicHeaders,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Expose-Headers': `${exposedHeaders}, Link, Location`,
}

const varying = { Vary: `Accept, ${viewHeaders}`, 'Cache-Control': 'no-cache' }

/** A resolver of GS1 Digital Links for the things that have a timeline (GS1-Conformant Resolver 1.2). */
export function createDigitalLinks(gateway: Gateway): Hono {
  const app = new Hono()
  const handled = async (request: Request, answer: (opened: OpenRequest) => Promise<Response> | Response) => {
    const opened = gateway.open(request)
    try {
      return await answer(opened)
    } catch (error) {
      return errorResponse(error, opened, shared)
    }
  }
  const answers = [...primaryKeys.map((key) => [`/${key}/*`, answerLink(gateway)] as const)]
  for (const [path, answer] of [...answers, [descriptionPath, answerDescription] as const]) {
    app.get(path, (request) => handled(request, (opened) => answer(request, opened)))
    app.options(path, () => new Response(null, { status: 204, headers: preflightFor(methods) }))
    app.all(path, (request) =>
      handled(request, (opened) => {
        opened.take('public_calls')
        throw new EngineError('method_not_allowed', { received: request.req.method, expected: methods })
      }),
    )
  }
  return app
}

/** Redirects to a link of the thing, or answers all of them. */
function answerLink({ limits, operations }: Gateway) {
  const document = routed(operations).find(({ name }) => name === otepTracking.name)
  const schema = once(async () => (document === undefined ? {} : jsonSchemaOf(document.input)))
  return async (request: Request, opened: OpenRequest): Promise<Response> => {
    opened.take('public_reads')
    const { pathname } = new URL(request.req.url)
    const link = linkOfPath(pathname)
    if (link === undefined) throw new EngineError('not_digital_link', { received: excerptOf(pathname) })
    const context = await recognize(opened, request)
    // A postal code or a signed link is for the page that is redirected to.
    await lookUp(limits, context, () => findVisible({ ...context, pass: undefined }, link))
    const anchor = `${context.baseUrl}${pathname.replace(/\/$/, '')}`
    const known = document === undefined ? [] : queryNames(document, await schema(), context)
    return answerWith(request, anchor, linksOf(context, link), known)
  }
}

function answerWith(
  request: Request,
  anchor: string,
  links: ReturnType<typeof linksOf>,
  known: readonly string[],
): Response {
  const { searchParams } = new URL(request.req.url)
  const accept = request.req.header('accept')
  const toLinkset = `<${anchor}?linkType=linkset>; rel="linkset"; type="${linksetType}"`
  const asked = searchParams.get('linkType')
  if (isLinkset(asked, accept)) {
    const type = preferredType([linksetType, 'application/json', 'text/html'], accept) ?? linksetType
    // Browsers show JSON, and download what they do not know.
    const headers = { 'Content-Type': type === linksetType ? linksetType : 'application/json' }
    const toContext = `<${linksetContext}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`
    return json(200, linksetOf(anchor, links), {
      ...shared,
      ...varying,
      ...headers,
      Link: `${toLinkset}, ${toContext}`,
    })
  }
  const type = asked === null ? 'gs1:traceability' : linkTypeOf(asked)
  if (type === undefined)
    throw new EngineError('link_type_not_found', { received: excerptOf(asked ?? ''), expected: linkTypes.join(', ') })
  const { href } = chosen(links[type], accept)
  const isDocument = new URL(href).pathname.startsWith(restPath)
  const query = passedOn(searchParams, (name) => !isDocument || known.includes(name))
  const headers = { ...shared, ...varying, Link: toLinkset, Location: `${href}${query}` }
  return new Response(null, { status: 307, headers })
}

/** Whether all links are asked for; `all` is the older word. */
function isLinkset(asked: string | null, accept: string | undefined): boolean {
  if (asked !== null) return asked === 'linkset' || asked === 'all'
  return preferredType(['text/html', 'application/json', linksetType], accept) === linksetType
}

/** The link whose media type `Accept` likes best, or else the first. */
function chosen(links: readonly TargetLink[], accept: string | undefined): TargetLink {
  const types = links.flatMap(({ type }) => (type === undefined ? [] : [type]))
  const type = preferredType(types, accept)
  return links.find((link) => link.type === type) ?? (links[0] as TargetLink)
}

/** The query of a redirect: what the link had that is for its target, without what was meant for the resolver. */
function passedOn(searchParams: URLSearchParams, isForTarget: (name: string) => boolean): string {
  const query = new URLSearchParams([...searchParams].filter(([name]) => name !== 'linkType' && isForTarget(name)))
  return query.size === 0 ? '' : `?${query}`
}

/** Answers the description of the resolver, whose form GS1's schema says. */
function answerDescription(request: Request, opened: OpenRequest): Response {
  opened.take('public_reads')
  checkQuery(request, [])
  const description = {
    name: 'OTEP tracking',
    resolverRoot: opened.context.baseUrl,
    supportedPrimaryKeys: primaryKeys,
    supportedLinkType: [{ namespace: vocabulary, prefix: 'gs1:' }],
    linkTypeDefaultCanBeLinkset: false,
  }
  return json(200, description, { ...shared, 'Cache-Control': 'public, max-age=300' })
}
