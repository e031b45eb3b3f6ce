import {
  type AccountState,
  type App,
  accountStream,
  accounts,
  appStream,
  apps,
  asAccount,
  availableClient,
  businesses,
  businessStream,
  type Caller,
  type Context,
  deriveId,
  EngineError,
  isOpen,
  type Session,
  type StreamName,
  scopesOf,
  sessionStream,
  sessions,
} from '../../engine/index.ts'
import { foldedStreams } from './folded.ts'

/**
 * Identifies the account of a token; throws `unauthenticated` if the token is unknown or expired, or the account is
 * disabled.
 */
export function createTokens({ store, clock }: Pick<Context, 'store' | 'clock'>): (token: string) => Promise<Caller> {
  const sessionIn = foldedStreams(store, sessions)
  const accountIn = foldedStreams(store, accounts)
  const businessIn = foldedStreams(store, businesses)
  const appIn = foldedStreams(store, apps)

  async function accountOf(stream: StreamName) {
    const session = await sessionIn(stream)
    const state = session && (await accountIn(accountStream(session.accountId)))
    if (session === undefined || state === undefined) return undefined
    if (!state.is_active || !isOpen(session, state.generation, clock())) return undefined
    if (session.app !== undefined && !isAvailable(await appIn(appStream(session.app.app_code)), session.app, state))
      return undefined
    const business = await businessIn(businessStream(state.business_id))
    return business && { account: asAccount(state, business), signIn: deriveId(session.origin ?? stream) }
  }

  return async (token) => {
    const session = sessionStream(token)
    const found = await accountOf(session)
    if (found === undefined) throw new EngineError('unauthenticated')
    const { account } = found
    return { kind: 'account', name: String(account.id), scopes: scopesOf[account.role], session, ...found }
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
