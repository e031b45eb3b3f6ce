import { anonymous, type Caller, EngineError, isEngineError } from '../../engine/index.ts'
import type { Entered } from '../node/door.ts'
import type { Catalogue } from './catalogue.ts'
import type { ToolCall } from './messages.ts'

/** From this instant on a token that comes as an argument is refused: accepted until the end of 2026-12-31, UTC. */
export const tokenArgumentEnds = Date.parse('2027-01-01T00:00:00Z')

/** Who calls, and whether the token came as an argument. */
export interface Identified {
  readonly caller: Caller
  readonly tokenArgument?: 'deprecated' | 'ended'
}

/**
 * Tells who calls by the header of the request, or, where it has none, by the deprecated argument `api_token` of its tool
 * calls, which must then be one and the same. Refuses what is no token of ours with `unauthenticated`.
 */
export async function identify(
  entered: Entered,
  header: string | undefined,
  calls: readonly ToolCall[],
): Promise<Identified> {
  const withToken = calls.filter(({ arguments: given }) => Object.hasOwn(given, 'api_token'))
  if (withToken.length > 0 && entered.context.clock() >= tokenArgumentEnds)
    return { caller: anonymous, tokenArgument: 'ended' }
  const named = withToken.length > 0 ? { tokenArgument: 'deprecated' as const } : {}
  const argument = () => bearerOf(withToken.map(({ arguments: given }) => given.api_token))
  const { caller } = await entered.authenticated(header ?? (withToken.length > 0 ? argument() : undefined))
  return { caller, ...named }
}

function bearerOf(tokens: readonly unknown[]): string {
  const [token, ...others] = new Set(tokens)
  if (typeof token !== 'string' || others.length > 0) throw new EngineError('unauthenticated')
  return `Bearer ${token}`
}

/** All scopes that the calls need. */
export function scopesOf(calls: readonly ToolCall[], catalogue: Catalogue): readonly string[] {
  const entries = calls.map(({ name }) => (typeof name === 'string' ? catalogue.find(name) : undefined))
  return [...new Set(entries.flatMap((entry) => entry?.operation.scopes ?? []))]
}

/** What a refusal asks of the client (RFC 6750, section 3; RFC 9728, section 5.1); nothing where a token changes nothing. */
export function challengeOf(
  error: unknown,
  { metadata, scopes, hasToken }: { metadata: string; scopes: readonly string[]; hasToken: boolean },
): Readonly<Record<string, string>> {
  if (!isEngineError(error, 'unauthenticated') && !isEngineError(error, 'forbidden')) return {}
  const problem = error.code === 'forbidden' ? 'insufficient_scope' : hasToken ? 'invalid_token' : undefined
  const parts = [
    'realm="otep"',
    ...(problem === undefined ? [] : [`error="${problem}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${metadata}"`,
  ]
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` }
}
