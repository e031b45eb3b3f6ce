import type { Decider, Reducer } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { instantOf } from '../../../kernel/time.ts'
import type { GrantEvent, IssuedTokens } from './events.ts'

/** The stream of a grant. */
export function grantStream(id: number): StreamName {
  return `grant-${id}`
}

/** A code or token: its SHA-256, and until when it is accepted (ISO 8601, UTC). */
interface GrantToken {
  readonly hash: string
  readonly expiresAt: string
}

type MadeData = Extract<GrantEvent, { type: 'GrantMade' }>['data']

/** A grant as its events have left it. */
export interface Grant {
  readonly made: Omit<MadeData, 'personal'>
  /** Missing after an erasure. */
  readonly clientName?: string | undefined
  /** Missing until the code is redeemed. */
  readonly tokens?: {
    readonly family: string
    readonly refresh: GrantToken
    /** The hash of the refresh token that these were issued for; absent if it was the code. */
    readonly before?: string | undefined
    /** The newest access token, then the one before, which calls that are under way may still have. */
    readonly access: readonly GrantToken[]
    readonly issuedAt: string
  }
  readonly end?: 'revoked' | 'reused' | 'erased'
}

interface Stamp {
  readonly at: string
  readonly by: number | null
}

/** What a client shows with a code or a refresh token. `generation` is that of the account now. */
interface Shown extends Stamp {
  readonly generation: number | undefined
  readonly client: string
  readonly resource?: string | undefined
  readonly issued: IssuedTokens
}

/** The commands of a grant. */
export type GrantCommand =
  | (Omit<MadeData, 'personal'> & { readonly type: 'MakeGrant'; readonly client_name: string })
  | (Shown & {
      readonly type: 'RedeemCode'
      readonly code: string
      /** The hash of the redirect URI, if the client repeats it. */
      readonly redirect?: string | undefined
      readonly challenge: string
      readonly family: string
    })
  | (Shown & { readonly type: 'RefreshGrant'; readonly family: string; readonly refresh: string })
  | (Stamp & { readonly type: 'RevokeGrant' | 'EraseGrant' })

const evolve: Reducer<Grant | undefined, GrantEvent> = (grant, { type, data }) => {
  if (type === 'GrantMade') {
    const { personal, ...made } = data
    return { made, clientName: personal?.client_name }
  }
  if (grant === undefined) return grant
  switch (type) {
    case 'GrantRedeemed':
      return withTokens(grant, data.family, data)
    case 'GrantRefreshed':
      return withTokens(grant, grant.tokens?.family ?? '', data)
    case 'GrantReused':
      return { ...grant, end: 'reused' }
    case 'GrantRevoked':
      return { ...grant, end: 'revoked' }
    case 'GrantErased':
      return { ...grant, clientName: undefined, end: 'erased' }
    default:
      return grant
  }
}

function withTokens(grant: Grant, family: string, issued: IssuedTokens & { readonly at: string }): Grant {
  const refresh = { hash: issued.refresh, expiresAt: issued.refresh_expires_at }
  const access = { hash: issued.access, expiresAt: issued.access_expires_at }
  const [accessBefore] = grant.tokens?.access ?? []
  const tokens = {
    ...{ family, refresh, before: grant.tokens?.refresh.hash, issuedAt: issued.at },
    access: accessBefore === undefined ? [access] : [access, accessBefore],
  }
  return { ...grant, tokens }
}

function decide(command: GrantCommand, grant: Grant | undefined): readonly GrantEvent[] {
  if (command.type === 'MakeGrant') {
    const { type: _, client_name, ...data } = command
    return grant === undefined ? [{ type: 'GrantMade', data: { ...data, personal: { client_name } } }] : []
  }
  if (grant === undefined) throw new EngineError('grant_not_found')
  const { at, by } = command
  const base = { at, by, grant_id: grant.made.grant_id }
  switch (command.type) {
    case 'RedeemCode':
      return redeemed(command, grant, base)
    case 'RefreshGrant':
      return refreshed(command, grant, base)
    case 'RevokeGrant':
      return grant.end === undefined ? [{ type: 'GrantRevoked', data: base }] : []
    case 'EraseGrant':
      return grant.end === 'erased' ? [] : [{ type: 'GrantErased', data: base }]
    default:
      return command satisfies never
  }
}

type Base = Stamp & { readonly grant_id: number }

/** A text that is not the code changes nothing; the code itself, a second time, ends the grant (OAuth 2.1, 4.1.3). */
function redeemed(
  command: Extract<GrantCommand, { type: 'RedeemCode' }>,
  grant: Grant,
  base: Base,
): readonly GrantEvent[] {
  const { made, tokens } = grant
  if (command.code !== made.code || hasEnded(grant, command)) throw new EngineError('invalid_grant')
  if (tokens !== undefined) return [{ type: 'GrantReused', data: { ...base, token: 'code' } }]
  const isOther = command.redirect !== undefined && command.redirect !== made.redirect
  if (isOther || command.challenge !== made.challenge || made.code_expires_at <= command.at)
    throw new EngineError('invalid_grant')
  requireSame(command, grant)
  return [{ type: 'GrantRedeemed', data: { ...base, family: command.family, ...command.issued } }]
}

/** Milliseconds in which a refresh token may be used again: the answer got lost, or the client has several windows. */
const retryWithin = 30_000

/**
 * A refresh token of the family that is not the newest one was used before: the grant ends (OAuth 2.1, 4.3.1), but for a
 * retry of the same client, which gets the same answer.
 */
function refreshed(
  command: Extract<GrantCommand, { type: 'RefreshGrant' }>,
  grant: Grant,
  base: Base,
): readonly GrantEvent[] {
  const { tokens } = grant
  if (tokens?.family !== command.family || hasEnded(grant, command)) throw new EngineError('invalid_grant')
  if (isRetry(command, tokens)) {
    requireSame(command, grant)
    return []
  }
  if (tokens.refresh.hash !== command.refresh)
    return [{ type: 'GrantReused', data: { ...base, token: 'refresh_token' } }]
  if (tokens.refresh.expiresAt <= command.at) throw new EngineError('invalid_grant')
  requireSame(command, grant)
  return [{ type: 'GrantRefreshed', data: { ...base, ...command.issued } }]
}

function isRetry(
  { refresh, at }: Extract<GrantCommand, { type: 'RefreshGrant' }>,
  { before, issuedAt }: NonNullable<Grant['tokens']>,
): boolean {
  return before === refresh && instantOf(at) - instantOf(issuedAt) <= retryWithin
}

/** Refuses what another client shows, and what is asked for another resource. */
function requireSame({ client, resource }: Shown, { made }: Grant): void {
  if (client !== made.client) throw new EngineError('invalid_grant')
  if (resource !== undefined && resource !== made.resource) throw new EngineError('invalid_target')
}

function hasEnded(grant: Grant, { generation, at }: Pick<Shown, 'generation' | 'at'>): boolean {
  return grantState(grant, generation, at) === 'ended' || grant.end !== undefined
}

/** The decider of one grant. */
export const grants: Decider<Grant | undefined, GrantCommand, GrantEvent> = { initial: () => undefined, evolve, decide }

/**
 * What has become of a grant, given the generation of its account now: `ended` if it ran out, or its account was disabled
 * or got a new password.
 */
export function grantState(
  { made, tokens, end }: Grant,
  generation: number | undefined,
  at: string,
): 'valid' | 'revoked' | 'reused' | 'ended' {
  if (end !== undefined) return end === 'erased' ? 'ended' : end
  if (made.generation !== generation || made.ends_at <= at) return 'ended'
  return tokens !== undefined && tokens.refresh.expiresAt <= at && !hasAccess(tokens.access, at) ? 'ended' : 'valid'
}

function hasAccess(access: readonly GrantToken[], at: string): boolean {
  return access.some(({ expiresAt }) => expiresAt > at)
}

/** The access tokens of a grant that are accepted now: none after it has ended. */
export function accessTokensOf(grant: Grant, generation: number, at: string): readonly GrantToken[] {
  if (grantState(grant, generation, at) !== 'valid') return []
  return (grant.tokens?.access ?? []).filter(({ expiresAt }) => expiresAt > at)
}
