import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { sha256, shortHex } from '../../../kernel/id.ts'
import { operation } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { execute } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { accountStateOf, load } from '../read.ts'
import { isDocumentId, registeredClient } from './client.ts'
import { type Grant, type GrantCommand, grantStream, grants } from './grant.ts'
import { familyHash, firstTokens, grantTokenIn, type Tokens, tokensAfter } from './secret.ts'

const hour = 3_600_000

/** Milliseconds that access tokens and unused refresh tokens are accepted. */
const lifetime = { access: hour, refresh: 30 * 24 * hour }

const text = (longest: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(longest))

/** What every request of a client to the token endpoint says. */
const clientEntries = { client_id: text(8_000), resource: v.exactOptional(text(2_000)) }

const tokenAnswer = v.strictObject({
  result: v.literal(true),
  grant_id: v.number(),
  access_token: v.string(),
  refresh_token: v.string(),
  expires_in: v.pipe(v.number(), v.description('Seconds.')),
  scope: v.string(),
})

/** What all of these have: any program can call them, over the token endpoint alone. */
const open = { scopes: [], risk: 'low', writes: true, secret: true } as const

/** The id of the grant of a code or token, for the security log. */
function grantIn(given: string, kind: 'code' | 'access' | 'refresh') {
  const id = grantTokenIn(given, kind)?.id
  return id === undefined ? {} : { grant: id }
}

/** Exchanges the code of a grant for its first tokens (OAuth 2.1, 4.1.3). */
export const redeemCode = operation({
  ...open,
  name: 'redeem_code',
  summary:
    'Exchange the code of a grant for tokens, with the verifier of its challenge. A code is good once, for a minute.',
  ids: { client_id: 'external' },
  input: v.strictObject({
    ...clientEntries,
    code: text(200),
    redirect_uri: v.exactOptional(text(500)),
    code_verifier: v.pipe(v.string(), v.regex(/^[\w.~-]{43,128}$/)),
  }),
  output: tokenAnswer,
  errors: ['invalid_grant', 'invalid_target', 'invalid_client', 'grant_reused'],
  audited: { event: () => 'grant_redeemed', concerned: (_, { code }) => grantIn(code, 'code') },
  handle: (context, { code, code_verifier, redirect_uri, ...client }) => {
    const id = grantTokenIn(code, 'code')?.id
    if (id === undefined) throw new EngineError('invalid_grant')
    const family = context.credentials.token()
    const tokens = firstTokens(context.credentials, { id, family })
    return issue(context, { ...client, id, tokens }, (shown) => ({
      ...{ ...shown, type: 'RedeemCode', code: sha256(code), challenge: shortHex(sha256(code_verifier)) },
      redirect: redirect_uri === undefined ? undefined : sha256(redirect_uri),
      family: familyHash(family),
    }))
  },
})

/** Exchanges the refresh token of a grant for the next tokens (OAuth 2.1, 4.3). */
export const refreshGrant = operation({
  ...open,
  name: 'refresh_grant',
  summary:
    'Exchange a refresh token for the next tokens. It is good once: a retry within 30 seconds gets the same answer, and any other use ends the grant.',
  ids: { client_id: 'external' },
  input: v.strictObject({ ...clientEntries, refresh_token: text(200) }),
  output: tokenAnswer,
  errors: ['invalid_grant', 'invalid_target', 'invalid_client', 'grant_reused'],
  audited: {
    event: () => 'grant_refreshed',
    concerned: (_, { refresh_token }) => grantIn(refresh_token, 'refresh'),
  },
  handle: (context, { refresh_token, ...client }) => {
    const parts = grantTokenIn(refresh_token, 'refresh')
    if (parts === undefined) throw new EngineError('invalid_grant')
    const tokens = tokensAfter(context.credentials, parts, refresh_token)
    return issue(context, { ...client, id: parts.id, tokens }, (shown) => ({
      ...{ ...shown, type: 'RefreshGrant', refresh: sha256(refresh_token), family: familyHash(parts.family) },
    }))
  },
})

interface Client {
  readonly id: number
  readonly tokens: Tokens
  readonly client_id: string
  readonly resource?: string
}

type Exchange = Extract<GrantCommand, { readonly issued: unknown }>
type Shown = Pick<Exchange, 'at' | 'by' | 'generation' | 'client' | 'resource' | 'issued'>

/**
 * Issues the next tokens of a grant. What was used before ends the grant, and that is recorded before the refusal. A client that
 * nobody knows learns that, so that it registers again.
 */
async function issue(
  context: Context,
  { id, tokens: { access, refresh }, client_id, resource }: Client,
  commandOf: (shown: Shown) => Exchange,
) {
  const { store, clock } = context
  if (!isDocumentId(client_id)) await registeredClient(context, client_id)
  const { state: grant } = await load(store, grants, grantStream(id))
  if (grant === undefined) throw new EngineError('invalid_grant')
  const account = await accountStateOf(context, grant.made.account_id)
  const now = clock()
  const shown = {
    ...{ at: isoOf(now), by: null, generation: account?.generation, client: sha256(client_id), resource },
    issued: { ...hashesOf(access, refresh), ...endsOf(now, grant) },
  }
  const events = await execute(store, grants, grantStream(id), commandOf(shown), toNewEvent(context))
  if (events.some(({ type }) => type === 'GrantReused')) throw new EngineError('grant_reused')
  // A retry.
  const ends = events.length === 0 ? await accessEndOf(context, id) : shown.issued.access_expires_at
  const expires_in = Math.floor((Date.parse(ends) - now) / 1000)
  const tokens = { access_token: access, refresh_token: refresh, expires_in }
  return { result: true, grant_id: id, ...tokens, scope: grant.made.scopes.join(' ') }
}

/** When the newest access token of a grant ends. */
async function accessEndOf({ store }: Context, id: number): Promise<string> {
  const { state: grant } = await load(store, grants, grantStream(id))
  return grant?.tokens?.access[0]?.expiresAt ?? ''
}

function hashesOf(access: string, refresh: string) {
  return { access: sha256(access), refresh: sha256(refresh) }
}

function endsOf(now: number, { made }: Grant) {
  const until = (milliseconds: number) => isoOf(Math.min(now + milliseconds, Date.parse(made.ends_at)))
  return { access_expires_at: until(lifetime.access), refresh_expires_at: until(lifetime.refresh) }
}

/** Ends the grant of a token, for the client that has it (RFC 7009). What is no token of it ends nothing. */
export const returnToken = operation({
  ...open,
  name: 'return_token',
  summary: 'End the grant of an access or refresh token. A text that is no valid token changes nothing.',
  ids: { client_id: 'external' },
  input: v.strictObject({ client_id: text(8_000), token: text(400) }),
  output: v.strictObject({ result: v.literal(true) }),
  errors: ['invalid_client'],
  audited: {
    event: () => 'grant_revoked',
    concerned: async (context, { token }) => {
      const grant = await grantWith(context, token)
      return grant === undefined ? {} : { grant: grant.made.grant_id }
    },
  },
  handle: async (context, { client_id, token }) => {
    const grant = await grantWith(context, token)
    if (grant === undefined) return { result: true }
    const { grant_id: id } = grant.made
    if (grant.made.client !== sha256(client_id)) throw new EngineError('invalid_client')
    const command = { type: 'RevokeGrant', at: isoOf(context.clock()), by: null } as const
    await execute(context.store, grants, grantStream(id), command, toNewEvent(context))
    return { result: true }
  },
})

/** The grant that a token is one of the newest of. A form and a checksum alone prove nothing: everybody can make them. */
async function grantWith({ store }: Context, token: string): Promise<Grant | undefined> {
  const id = (grantTokenIn(token, 'refresh') ?? grantTokenIn(token, 'access'))?.id
  const { state: grant } = id === undefined ? {} : await load(store, grants, grantStream(id))
  const { refresh, access } = grant?.tokens ?? {}
  const hash = sha256(token)
  return [refresh, ...(access ?? [])].some((one) => one?.hash === hash) ? grant : undefined
}
