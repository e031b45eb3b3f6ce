import { anonymous, type Caller, EngineError, isEngineError, kinds } from '../../engine/index.ts'
import type { OpenRequest } from '../node/gateway.ts'
import type { Catalogue } from './catalogue.ts'
import type { ToolCall } from './messages.ts'

/** From this instant on, a token as an argument is refused: it is accepted until the end of 2026-12-31, UTC. */
const tokenArgumentEnds = Date.parse('2027-01-01T00:00:00Z')

/** The caller, and whether the token came as an argument. */
interface IdentifiedCaller {
  readonly caller: Caller
  readonly tokenArgument?: 'deprecated' | 'ended'
}

/**
 * Identifies the caller by the header or, without one, by the deprecated argument `api_token`, which must be the same
 * in all calls. Throws `unauthenticated` for an invalid token, and `wrong_resource` for one of a program that is for another
 * address.
 */
export async function identify(
  opened: OpenRequest,
  header: string | undefined,
  calls: readonly ToolCall[],
  resource: string,
): Promise<IdentifiedCaller> {
  const withToken = calls.filter(({ arguments: given }) => Object.hasOwn(given, 'api_token'))
  if (withToken.length > 0 && opened.context.clock() >= tokenArgumentEnds)
    return { caller: anonymous, tokenArgument: 'ended' }
  const named = withToken.length > 0 ? { tokenArgument: 'deprecated' as const } : {}
  const argument = () => bearerOf(withToken.map(({ arguments: given }) => given.api_token))
  const { caller } = await opened.authenticate(header ?? (withToken.length > 0 ? argument() : undefined), resource)
  return { caller, ...named }
}

function bearerOf(tokens: readonly unknown[]): string {
  const [token, ...others] = new Set(tokens)
  if (typeof token !== 'string' || others.length > 0) throw new EngineError('unauthenticated')
  return `Bearer ${token}`
}

/** All scopes that the calls require. */
export function scopesOf(calls: readonly ToolCall[], catalogue: Catalogue): readonly string[] {
  const entries = calls.map(({ name }) => (typeof name === 'string' ? catalogue.find(name) : undefined))
  return [...new Set(entries.flatMap((entry) => entry?.operation.scopes ?? []))]
}

/**
 * The scopes that a program is to ask for: those of the calls, and those that its grant already has, because a new grant is
 * in place of the one before.
 */
export function scopesToAskFor(needed: readonly string[], { grant, scopes }: Caller): readonly string[] {
  return grant === undefined || needed.length === 0 ? needed : [...new Set([...scopes, ...needed])]
}

/**
 * The `WWW-Authenticate` challenge of an error (RFC 6750, section 3; RFC 9728, section 5.1); none if a token would not
 * help.
 */
export function challengeOf(
  error: unknown,
  { metadata, scopes, hasToken }: { metadata: string; scopes: readonly string[]; hasToken: boolean },
): Readonly<Record<string, string>> {
  const kind = isEngineError(error) ? kinds[error.code] : undefined
  const isForbidden = isEngineError(error, 'forbidden')
  if (kind !== 'unauthenticated' && !isForbidden) return {}
  const problem = isForbidden ? 'insufficient_scope' : hasToken ? 'invalid_token' : undefined
  const parts = [
    'realm="otep"',
    ...(problem === undefined ? [] : [`error="${problem}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${metadata}"`,
  ]
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` }
}
