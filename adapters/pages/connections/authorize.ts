import {
  grantRequestOf,
  isOnThisMachine,
  isRegistered,
  type OAuthClient,
  type RequestError,
  requestErrors,
} from '../../../engine/index.ts'
import { resourcesOf } from '../../http/oauth.ts'
import { withLanguage } from '../signed-in/area.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import { answerAddress, sealed } from './asked.ts'
import type { FindClient } from './clients.ts'
import { consentHome, type Visited } from './setting.ts'

/** The longest `state` that is repeated. */
const longestState = 1_000

/**
 * Checks the request of a program (OAuth 2.1, 4.1.1) and leads on to the question. Nothing is sent to a redirect URI before
 * it is known to be the program's own, and no reader of a link is sent to another site unasked, because everybody can
 * register a program (RFC 9700, 4.11.2).
 */
export function authorize(findClient: FindClient): (visit: Visited) => Promise<Response> {
  return async (visit) => {
    const { request, opened, setting } = visit
    const { searchParams } = new URL(request.req.url)
    const parameter = (name: string) => {
      const [first, ...others] = searchParams.getAll(name)
      return others.length === 0 ? first || undefined : undefined
    }
    const [id = '', redirect_uri = ''] = [parameter('client_id'), parameter('redirect_uri')]
    const client = await clientOf(visit, findClient, id)
    if (client === undefined || !isRegistered(redirect_uri, client.redirectUris))
      return message(visit, 400, { ...setting.connections.unknown, more: '' })
    const { baseUrl } = opened.context
    const state = searchParams.get('state') ?? undefined
    const answer = async (error: RequestError) => {
      const { title, lead } = setting.connections.faulty
      if (!isOnThisMachine(redirect_uri)) return message(visit, 400, { title, lead: lead({ error }), more: '' })
      const told = state === undefined || state.length > longestState ? {} : { state }
      const error_description = requestErrors[error]
      return visit.answering.redirect(answerAddress({ redirect_uri, ...told }, baseUrl, { error, error_description }))
    }
    if (isRepeated(searchParams) || (state ?? '').length > longestState) return answer('invalid_request')
    const asked = grantRequestOf(parameter, resourcesOf(baseUrl))
    if (typeof asked === 'string') return answer(asked)
    const from = { client_id: id, client_name: client.name, client_host: client.host, redirect_uri, state }
    const text = sealed(opened.context, { ...from, ...asked, scopes: [...asked.scopes] })
    return visit.answering.redirect(withLanguage(`${consentHome}/${text}`, setting))
  }
}

async function clientOf({ opened }: Visited, findClient: FindClient, id: string): Promise<OAuthClient | undefined> {
  try {
    return await findClient(opened, id)
  } catch (error) {
    if (isOneOf(error, 'invalid_client', 'invalid_client_metadata', 'invalid_redirect_uri')) return undefined
    throw error
  }
}

/** A parameter must not come twice (RFC 6749, 3.1). */
function isRepeated(parameters: URLSearchParams): boolean {
  return new Set(parameters.keys()).size < [...parameters.keys()].length
}
