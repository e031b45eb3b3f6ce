import { Hono } from 'hono'
import { call, endByProvider } from '../../engine/index.ts'
import { oauthPaths } from '../http/oauth.ts'
import type { Gateway } from '../node/gateway.ts'
import type { OAuthOptions } from './index.ts'
import { headers, inputOf, parametersIn } from './parameters.ts'
import { refusal } from './refusal.ts'

/**
 * Where the identity providers of businesses say that sessions have ended (OpenID Connect Back-Channel Logout 1.0, 2.5). Here
 * this server is their client, no matter who gives out the tokens of agents.
 */
export function createProviderLogout(gateway: Gateway, { statusOf }: Pick<OAuthOptions, 'statusOf'>): Hono {
  const app = new Hono()
  app.post(oauthPaths.providerLogout, async (request) => {
    const opened = gateway.open(request)
    try {
      opened.take('public_calls')
      const given = inputOf(await parametersIn(request.req.raw), ['logout_token'])
      await call(endByProvider, opened.context, { business_id: Number(request.req.param('business')), ...given })
      return new Response(null, { headers })
    } catch (error) {
      return refusal(error, opened, { statusOf, headers, otherwise: 'invalid_request' })
    }
  })
  return app
}
