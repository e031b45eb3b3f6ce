import { isObject } from '../../../engine/index.ts'
import type { Invocation } from '../command.ts'
import { harmless } from '../printable.ts'
import { unreachable } from './failure.ts'
import { type Grant, type Profile, profileNamed, profilesIn } from './profiles.ts'

/** What proves to a server who asks. */
export interface Credentials {
  /** Where they come from, in words. */
  readonly from: string
  /** Whether a person has allowed it in the browser, and can allow more. */
  readonly isGrant?: boolean
  /** The key or token; another one than `refused` if there is one. Undefined if there is none. */
  bearer(refused?: string): Promise<string | undefined>
}

/** Credentials that never change. */
export function fixedCredentials(from: string, key: string | undefined): Credentials {
  return { from, bearer: async () => key }
}

/** Milliseconds before its end at which an access token is renewed. */
const early = 60_000

/** Milliseconds that the renewal of a token may take. */
const patience = 20_000

/** The credentials of a profile; a grant is renewed when it has to be. */
export function profileCredentials(env: Invocation['env'], name: string, { url, key, grant }: Profile): Credentials {
  if (grant === undefined) return fixedCredentials(`the key of the profile ${name}`, key)
  let known = grant
  return {
    from: `the sign-in of the profile ${name} (${grant.scope})`,
    isGrant: true,
    async bearer(refused) {
      const isFresh = (one: Grant) => one.access_token !== refused && one.expires_at > Date.now() + early
      if (isFresh(known)) return known.access_token
      known = await renewed(env, name, url, isFresh)
      return known.access_token
    },
  }
}

/**
 * The grant of a profile with a fresh access token. A refresh token is good once, and a second use ends the grant: so one
 * command at a time renews it, the others take what it has saved, and no renewal that may have arrived is sent again.
 */
function renewed(
  env: Invocation['env'],
  name: string,
  url: string,
  isFresh: (grant: Grant) => boolean,
): Promise<Grant> {
  return profilesIn(env).change(async (all, save) => {
    const profile = profileNamed(all, name)
    const grant = profile?.grant
    if (profile === undefined || grant === undefined)
      throw new Error(`The profile ${name} is signed out: otep login ${url}`)
    if (isFresh(grant)) return grant
    const tokens = await refresh(url, grant)
    if (tokens === undefined)
      throw new Error(`The sign-in of the profile ${name} has ended. Sign in again: otep login ${url}`)
    const next = { ...grant, ...tokens }
    save({ ...all, profiles: { ...all.profiles, [name]: { ...profile, grant: next } } })
    return next
  })
}

/** The next tokens of a grant; undefined if it has ended. */
async function refresh(url: string, { client_id, token_endpoint, refresh_token }: Grant) {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token })
  const response = await posted(url, token_endpoint, body)
  return response.ok ? tokensIn(await response.json()) : response.status === 400 ? undefined : failed(url, response)
}

/** Sends a form to an endpoint of the authorization server of a server. */
export async function posted(url: string, endpoint: string, body: URLSearchParams): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(patience)
    return await fetch(endpoint, { method: 'POST', redirect: 'manual', body, signal })
  } catch (error) {
    throw unreachable(url, error)
  }
}

function failed(url: string, { status }: Response): never {
  throw new Error(`${url} does not give out tokens now (status ${status}). Try again later.`)
}

/** The tokens in an answer of a token endpoint. */
export function tokensIn(answer: unknown): Pick<Grant, 'access_token' | 'refresh_token' | 'expires_at' | 'scope'> {
  const { access_token, refresh_token, expires_in, scope = '' } = isObject(answer) ? answer : {}
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string' || typeof expires_in !== 'number')
    throw new Error('The server answered without tokens.')
  return { access_token, refresh_token, expires_at: Date.now() + expires_in * 1_000, scope: harmless(String(scope)) }
}
