import { timingSafeEqual } from 'node:crypto'
import {
  accessTokensOf,
  asAccount,
  type Caller,
  type Context,
  deriveId,
  EngineError,
  type EventStore,
  grantStream,
  grants,
  grantTokenIn,
  isoOf,
  keyScopes,
  scopesOfAccount,
  sha256,
} from '../../../engine/index.ts'
import { foldedStreams } from '../folded.ts'
import type { AccountOf } from '../tokens.ts'

/**
 * Identifies the account of an access token, with the scopes that it and the grant have at this moment; throws
 * `unauthenticated` if the token is unknown, expired or revoked, and `wrong_resource` if it is for another address.
 */
export function createGrants(
  { clock }: Pick<Context, 'clock'>,
  accountOf: AccountOf,
): (store: EventStore, token: string, resource: string | undefined) => Promise<Caller> {
  const grantIn = foldedStreams(grants)
  return async (store, token, resource) => {
    const id = grantTokenIn(token, 'access')?.id
    const grant = id === undefined ? undefined : await grantIn(store, grantStream(id))
    const found = grant && (await accountOf(store, grant.made.account_id))
    const valid = grant && found?.state.is_active ? accessTokensOf(grant, found.state.generation, isoOf(clock())) : []
    const hash = Buffer.from(sha256(token))
    const isValid = valid.some((one) => timingSafeEqual(Buffer.from(one.hash), hash))
    if (id === undefined || grant === undefined || found === undefined || !isValid)
      throw new EngineError('unauthenticated')
    const { resource: own, scopes } = grant.made
    if (own !== resource) throw new EngineError('wrong_resource', { resource: own })
    const account = asAccount(found.state, found.business)
    const left: readonly string[] = scopesOfAccount(account)
    return {
      ...{ kind: 'account', name: String(account.id), account, grant: { id }, signIn: deriveId(grantStream(id)) },
      scopes: keyScopes.filter((scope) => scopes.includes(scope) && left.includes(scope)),
    }
  }
}
