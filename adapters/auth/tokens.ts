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
  type EventStore,
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
  store: EventStore,
  id: number,
) => Promise<{ readonly state: AccountState; readonly business: BusinessState } | undefined>

/** Looks up accounts; of those that have not changed only the ends of their streams are read. */
export function createAccounts(): AccountOf {
  const accountIn = foldedStreams(accounts)
  const businessIn = foldedStreams(businesses)
  return async (store, id) => {
    const state = await accountIn(store, accountStream(id))
    const business = state && (await businessIn(store, businessStream(state.business_id)))
    return business && { state, business }
  }
}

/**
 * Identifies the account of a token; throws `unauthenticated` if the token is unknown or expired, or the account is
 * disabled.
 */
export function createTokens(
  {
    clock,
    sessionDays,
    server: { operators },
  }: Pick<Context, 'clock' | 'sessionDays'> & { readonly server: Pick<NodeServer, 'operators'> },
  accountOf: AccountOf,
): (store: EventStore, token: string) => Promise<Caller> {
  const sessionIn = foldedStreams(sessions)
  const appIn = foldedStreams(apps)

  async function signedIn(store: EventStore, stream: StreamName) {
    const session = await sessionIn(store, stream)
    const found = session && (await accountOf(store, session.accountId))
    if (session === undefined || found === undefined) return undefined
    const { state, business } = found
    if (!state.is_active || !isOpen(session, state.generation, clock(), sessionDays)) return undefined
    const { app } = session
    if (app !== undefined && !isAvailable(await appIn(store, appStream(app.app_code)), app, state)) return undefined
    return { account: asAccount(state, business), signIn: deriveId(session.origin ?? stream) }
  }

  return async (store, token) => {
    const session = sessionStream(token)
    const found = await signedIn(store, session)
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
