import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import type { ProviderLogout } from '../../kernel/single-sign-on.ts'
import type { SignOnOrigin } from './events.ts'
import { bindingOf, isBoundTo, lastBinding } from './identity.ts'
import { blindSession } from './origin.ts'
import { accountStateOf, load } from './read.ts'
import { sessions } from './session.ts'
import { endSessions } from './sessions/end.ts'
import { sessionModel } from './sessions/model.ts'
import { sessionOf } from './sign-in.ts'
import { returnAddress, type SignOn, signOnOf } from './sign-on/setting.ts'
import { pageLeft, sealSignedOut } from './sign-on/ticket.ts'

const tag = 'User'

/** Where a person who signs out here can sign out at the identity provider, too. */
export const beginSignOut = operation({
  name: 'begin_sign_out',
  summary:
    'The address at which the person of the session, ended or not, signs out at the identity provider by which it began (OpenID Connect RP-Initiated Logout 1.0).',
  scopes: ['account:self'],
  risk: 'low',
  secret: true,
  tag,
  input: v.pick(pageLeft, ['home']),
  output: v.strictObject({
    result: v.literal(true),
    provider: v.pipe(
      v.exactOptional(v.strictObject({ name: v.string(), url: v.string() })),
      v.description('Missing if the session did not begin there, or if the provider has no such address.'),
    ),
  }),
  errors: ['identity_provider_unavailable'],
  handle: async (context, { home }) => {
    const { state: session } = await load(context.store, sessions, sessionOf(context))
    const signOn = await signOnOf(context, accountOf(context).business.id)
    if (signOn === undefined || session?.signOn?.issuer !== signOn.issuer) return { result: true }
    const { name, issuer, client_id: clientId, business_id } = signOn
    const { email } = (await accountStateOf(context, session.accountId)) ?? {}
    // Keycloak and Entra ID lead back only to what is registered, which the address of sign-ins is.
    const redirectUri = returnAddress(context, business_id)
    const state = sealSignedOut(context, { home, name })
    const url = await context.singleSignOn.endAddress({ issuer, clientId, redirectUri, state, email })
    return { result: true, ...(url !== undefined && { provider: { name, url } }) }
  },
})

/** Ends the sessions of a person whose identity provider says that they are over. */
export const endByProvider = operation({
  name: 'end_sessions_by_provider',
  summary:
    'End the sessions that a logout token of the identity provider of a business is about (OpenID Connect Back-Channel Logout 1.0).',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  ids: { business_id: 'rule' },
  input: v.strictObject({
    business_id: v.number(),
    logout_token: v.pipe(v.string(), v.minLength(1), v.maxLength(12_000)),
  }),
  output: v.strictObject({ result: v.literal(true), ended: v.number(), account_id: v.exactOptional(v.number()) }),
  errors: ['logout_token_not_valid', 'identity_provider_unavailable', 'too_busy'],
  audited: {
    event: () => 'session_end',
    concerned: (_, { business_id: business }, answer) => {
      const account = answer?.account_id
      return { way: 'sign_on', business, ...(typeof account === 'number' && { account }) }
    },
  },
  handle: async (context, { business_id, logout_token }) => {
    const signOn = await signOnOf(context, business_id)
    if (signOn === undefined) throw new EngineError('logout_token_not_valid')
    const { issuer, client_id: clientId } = signOn
    const logout = await context.singleSignOn.readLogout(logout_token, { issuer, clientId })
    await requireFirst(context, issuer, logout)
    const account_id = await accountIdFor(context, signOn, logout)
    if (account_id === undefined) return { result: true, ended: 0 }
    const isMeant = meantBy(context, issuer, logout)
    const ended = await endSessions(context, account_id, 'ended_by_provider', ({ state: { signOn: origin } }) => {
      return origin !== undefined && isMeant(origin)
    })
    return { result: true, ended, account_id }
  },
})

/** Whether a session of a person began by what a provider says is over. One without a `sid` is over with any of its person. */
function meantBy(context: Context, issuer: string, { subject, session }: ProviderLogout) {
  const meant = session === undefined ? undefined : blindSession(context, issuer, session)
  return (origin: SignOnOrigin): boolean => {
    if (origin.issuer !== issuer) return false
    return origin.session === undefined ? subject !== undefined : meant === undefined || origin.session === meant
  }
}

/** Refuses a logout token that came before: one that somebody has copied must not end what begins later. */
async function requireFirst({ credentials }: Context, issuer: string, { id }: ProviderLogout): Promise<void> {
  await credentials.attempts.countTry(`logout token\0${issuer}\0${id}`, 1).catch((error: unknown) => {
    throw isEngineError(error, 'too_many_attempts') ? new EngineError('logout_token_not_valid') : error
  })
}

/** The account of the business that a provider speaks of, by its subject or, if that is of none, by its session. */
async function accountIdFor(
  context: Context,
  { business_id, issuer }: SignOn,
  { subject, session }: ProviderLogout,
): Promise<number | undefined> {
  const found =
    (subject === undefined ? undefined : await accountOfSubject(context, issuer, subject)) ??
    (session === undefined ? undefined : await accountOfSession(context, issuer, session))
  return found?.business_id === business_id ? found.account_id : undefined
}

async function accountOfSubject(context: Context, issuer: string, subject: string) {
  const binding = bindingOf(context.credentials, { issuer, subject })
  const bound = await lastBinding(context, binding)
  const account = bound && (await accountStateOf(context, bound.data.account_id))
  return account && isBoundTo(account, issuer, binding) ? account : undefined
}

async function accountOfSession(context: Context, issuer: string, session: string) {
  const provider_session = blindSession(context, issuer, session)
  const [row] = await context.models.rows(sessionModel, { provider_session, state: 'open' }, 1)
  return row && accountStateOf(context, Number(row.account_id))
}
