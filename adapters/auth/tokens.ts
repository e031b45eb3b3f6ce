import {
  type AccountState,
  type App,
  accountStream,
  accounts,
  appStream,
  apps,
  asAccount,
  availableClient,
  type BusinessState,
  businesses,
  businessStream,
  type Caller,
  type Context,
  deriveId,
  EngineError,
  isOpen,
  type Session,
  type StreamName,
  scopesOfAccount,
  serverScope,
  sessionStream,
  sessions,
} from '../../engine/index.ts'
import type { NodeServer } from '../node/server-state.ts'
import { foldedStreams } from './folded.ts'

/** An account with its business, if there is one of this id. */
export type AccountOf = (
  id: number,
) => Promise<{ readonly state: AccountState; readonly business: BusinessState } | undefined>

/** Looks up accounts; of those that have not changed only the ends of their streams are read. */
export function createAccounts({ store }: Pick<Context, 'store'>): AccountOf {
  const accountIn = foldedStreams(store, accounts)
  const businessIn = foldedStreams(store, businesses)
  return async (id) => {
    const state = await accountIn(accountStream(id))
    const business = state && (await businessIn(businessStream(state.business_id)))
    return business && { state, business }
  }
}

/**
 * Identifies the account of a token; throws `unauthenticated` if the token is unknown or expired, or the account is
 * disabled.
 */
export function createTokens(
  {
    store,
    clock,
    sessionDays,
    server: { operators },
  }: Pick<Context, 'store' | 'clock' | 'sessionDays'> & { readonly server: Pick<NodeServer, 'operators'> },
  accountOf: AccountOf,
): (token: string) => Promise<Caller> {
  const sessionIn = foldedStreams(store, sessions)
  const appIn = foldedStreams(store, apps)

  async function signedIn(stream: StreamName) {
    const session = await sessionIn(stream)
    const found = session && (await accountOf(session.accountId))
    if (session === undefined || found === undefined) return undefined
    const { state, business } = found
    if (!state.is_active || !isOpen(session, state.generation, clock(), sessionDays)) return undefined
    if (session.app !== undefined && !isAvailable(await appIn(appStream(session.app.app_code)), session.app, state))
      return undefined
    return { account: asAccount(state, business), signIn: deriveId(session.origin ?? stream) }
  }

  return async (token) => {
    const session = sessionStream(token)
    const found = await signedIn(session)
    if (found === undefined) throw new EngineError('unauthenticated')
    const { account } = found
    const more = operators.includes(account.id) ? [serverScope] : []
    const scopes = [...scopesOfAccount(account), ...more]
    return { kind: 'account', name: String(account.id), scopes, session, ...found }
  }
}

/** Whether an account may still use an app for the client of a session. */
function isAvailable(
  app: App | undefined,
  { client_code }: NonNullable<Session['app']>,
  { role, business_id: businessId }: AccountState,
): boolean {
  const client = availableClient(app, client_code)
  return client?.settings.business_id === businessId && app?.settings.roles.includes(role) === true
}
