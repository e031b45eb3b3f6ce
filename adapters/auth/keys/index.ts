import { timingSafeEqual } from 'node:crypto'
import {
  type ApiKey,
  actorOf,
  apiKeyIdIn,
  apiKeyStream,
  apiKeys,
  asAccount,
  type Caller,
  type Context,
  deriveId,
  EngineError,
  execute,
  hasExpired,
  isEngineError,
  isoOf,
  isUseDue,
  type KeySecret,
  keyScopes,
  scopesOfAccount,
  secretsOf,
  sha256,
} from '../../../engine/index.ts'
import type { Asking } from '../../node/gateway.ts'
import { localSource } from '../../node/limits.ts'
import { foldedStreams } from '../folded.ts'
import type { AccountOf } from '../tokens.ts'

type Parts = Pick<Context, 'clock' | 'randomId'>

/**
 * Identifies the account of an API key, with the scopes that both have at this moment; throws `unauthenticated` if the
 * key is unknown or revoked or its account is disabled, and `api_key_expired`.
 */
export function createKeys(parts: Parts, accountOf: AccountOf): (request: Asking, key: string) => Promise<Caller> {
  const { clock } = parts
  const keyIn = foldedStreams(apiKeys)
  return async ({ store, source = localSource }, text) => {
    const id = apiKeyIdIn(text)
    const key = id === undefined ? undefined : await keyIn(store, apiKeyStream(id))
    const found = key && (await accountOf(store, key.accountId))
    const secrets = key && found?.state.is_active ? secretsOf(key, found.state.key_generation) : []
    const used = secretWith(secrets, sha256(text))
    if (key === undefined || found === undefined || used === undefined) throw new EngineError('unauthenticated')
    const now = isoOf(clock())
    if (hasExpired(used, now)) throw new EngineError('api_key_expired', { at: used.expiresAt })
    const account = asAccount(found.state, found.business)
    const caller = callerWith(key, account)
    if (isUseDue(key, now, source)) await noteUse({ ...parts, store }, key.id, caller, { at: now, source })
    return caller
  }
}

/** The account as the caller that its key makes of it. */
function callerWith({ id, terms }: ApiKey, account: NonNullable<Caller['account']>): Caller {
  const { operations, read_only: isReadOnly } = terms
  const own: readonly string[] = scopesOfAccount(account)
  return {
    ...{ kind: 'account', name: String(account.id), account },
    scopes: keyScopes.filter((scope) => own.includes(scope) && terms.scopes.includes(scope)),
    key: { id, operations, isReadOnly },
    signIn: deriveId(apiKeyStream(id)),
  }
}

/** The secret with a hash, even if it is expired. All are compared, so that the time tells nothing. */
function secretWith(secrets: readonly KeySecret[], hash: string): KeySecret | undefined {
  return secrets.filter((one) => timingSafeEqual(Buffer.from(one.hash), Buffer.from(hash)))[0]
}

/** Records a use. A store that refuses it does not keep the call from being answered. */
async function noteUse(
  { store, randomId }: Pick<Context, 'store' | 'randomId'>,
  id: number,
  caller: Caller,
  use: { readonly at: string; readonly source: string },
): Promise<void> {
  const metadata = { actor: actorOf(caller), schemaVersion: 1 }
  try {
    await execute(store, apiKeys, apiKeyStream(id), { type: 'NoteUse', ...use }, (event) => ({
      ...event,
      id: randomId(),
      metadata,
    }))
  } catch (error) {
    if (!isEngineError(error)) throw error
  }
}
