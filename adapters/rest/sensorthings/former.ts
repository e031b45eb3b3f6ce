import type { Context as Request } from 'hono'
import { keyOf, rootPath } from '../../../projections/sensorthings/links.ts'
import { baseHeaders } from '../../http/headers.ts'
import { publicHeaders } from '../respond.ts'

/** Where the roots of single timelines were. */
export const formerThings = '/api/v1/otep/trackings/:tracking_number/sensorthings/:path{.+}'

/**
 * Leads from the root that each timeline once had to the one root: to its Thing and what belongs to that. It reads nothing, so
 * it tells nothing of a timeline.
 */
export function redirectToThings(request: Request): Response {
  const { pathname, search } = new URL(request.req.url)
  const rest = pathname.slice(pathname.indexOf('/sensorthings/')).replace(/^\/sensorthings\/[^/]*\/?/, '')
  const thing = `${rootPath}/Things${keyOf(request.req.param('tracking_number') ?? '')}`
  const below = /^Things(?:\('[^']*'\))?(\/.*)?$/.exec(rest)
  const ofThing = /^(?:Locations|HistoricalLocations|Datastreams)$/.test(rest)
    ? `${thing}/${rest}`
    : `${rootPath}/${rest}`
  const location = below === null ? ofThing : `${thing}${below[1] ?? ''}`
  return new Response(null, { status: 308, headers: { ...baseHeaders, ...publicHeaders, Location: location + search } })
}
