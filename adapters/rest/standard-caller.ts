import type { Context as Request } from 'hono'
import { authorize, type Context, EngineError } from '../../engine/index.ts'
import type { Gateway, OpenRequest } from '../node/gateway.ts'
import { requesterOf } from '../node/limited.ts'

/**
 * Who may call a method: providers; also accounts, which see what they may see of their orders; or everybody, also without
 * credentials.
 */
export type Audience = 'providers' | 'accounts' | 'everybody'

/**
 * The context with the caller, whose call is counted, if the caller is one of those that a method is for. `resource` is what
 * tokens of OAuth have to be for.
 */
export async function callerOf(
  opened: OpenRequest,
  request: Request,
  { limits }: Gateway,
  audience: Audience,
  resource?: string,
): Promise<Context> {
  const header = request.req.header('authorization')
  const { method } = request.req
  const isRead = method === 'GET' || method === 'HEAD'
  if (header === undefined) {
    opened.take(isRead ? 'public_reads' : 'public_calls')
    if (audience !== 'everybody') throw new EngineError('unauthenticated')
    return opened.context
  }
  const context = await opened.authenticate(header, resource)
  limits.take(method === 'POST' ? 'ingest' : 'calls', requesterOf(context))
  const isReader = audience === 'accounts' && context.caller.kind === 'account'
  const scopes = audience === 'everybody' ? [] : [isReader ? 'orders:read' : 'otep:ingest']
  authorize(context, { scopes, hasViews: true, writes: !isRead })
  return context
}
