import type { Context as Request } from 'hono'
import { findVisibleName } from '../../engine/index.ts'
import { segment } from '../../projections/shared/subject.ts'
import { baseHeaders } from '../http/headers.ts'
import { viewHeaders } from '../http/pass.ts'
import type { OpenRequest } from '../node/gateway.ts'
import { publicHeaders } from './respond.ts'

/** Redirects the URI of an identifier, as in documents of other formats, to its timeline. */
export async function redirectToTimeline(request: Request, { context }: OpenRequest): Promise<Response> {
  const { kind = '', value = '' } = request.req.param() as Readonly<Record<string, string>>
  const name = await findVisibleName(context, kind, value)
  const headers = {
    ...baseHeaders,
    ...publicHeaders,
    Vary: viewHeaders,
    Location: `${context.baseUrl}/api/v1/otep/trackings/${segment(name)}`,
  }
  return new Response(null, { status: 303, headers })
}
