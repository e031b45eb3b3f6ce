import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import type { ProviderLogout } from '../../kernel/single-sign-on.ts'
import { isoOf } from '../../kernel/time.ts'
import { requireFirstUse } from './first-use.ts'
import { bindingOf, isBoundTo, lastBinding } from './identity.ts'
import { blindSession } from './origin.ts'
import { accountStateOf, load } from './read.ts'
import { type Session, sessions } from './session.ts'
import { endSessions } from './sessions/end.ts'
import { sessionModel } from './sessions/model.ts'
import { sessionOf } from './sign-in.ts'
import { returnAddress, type SignOn, signOnOf } from './sign-on/setting.ts'
import { pageLeft, sealSignedOut } from './sign-on/ticket.ts'
import { recordEnd } from './sign-on-end.ts'

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

/** Ends the sessions of a person, and the sign-ins that wait for a second step, when the identity provider says that they are over. */
export const endByProvider = operation({
  name: 'end_sessions_by_provider',
  summary:
    'End the sessions, and the sign-ins that wait for their second step, that a logout token of the identity provider of a business is about (OpenID Connect Back-Channel Logout 1.0).',
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
    const account_id = await accountIdFor(context, signOn, logout)
    const latest = isoOf(logout.issuedAt + skew)
    // First: a sign-in that is finished while sessions are listed is checked again after its session is stored.
    await recordEnd(context, signOn, logout, isoOf(Math.min(logout.issuedAt + skew, context.clock())))
    const isMeant = meantBy(context, issuer, logout, latest)
    const end = async () =>
      account_id === undefined
        ? 0
        : endSessions(context, account_id, 'ended_by_provider', ({ state }) => isMeant(state))
    // Twice, because a session that is refreshed while they are listed goes on by another name.
    const ended = (await end()) + (await end())
    // A call that failed before may be made again; a token may be for several businesses that share a provider.
    await requireFirstUse(context, `logout token\0${business_id}\0${issuer}\0${logout.id}`, 'logout_token_not_valid')
    return { result: true, ended, ...(account_id !== undefined && { account_id }) }
  },
})

/** Milliseconds by which the clock of a provider may be behind. */
const skew = 30_000

/**
 * Whether a session of a person began by what a provider says is over, and before it said so. One without a `sid` is over with
 * any of its person.
 */
function meantBy(context: Context, issuer: string, { subject, session }: ProviderLogout, latest: string) {
  const meant = session === undefined ? undefined : blindSession(context, issuer, session)
  return ({ signOn: origin, signedInAt }: Session): boolean => {
    if (origin?.issuer !== issuer || signedInAt > latest) return false
    return origin.session === undefined ? subject !== undefined : meant === undefined || origin.session === meant
  }
}

/** The account of the business that a provider speaks of, by its subject or, if that is of none, by its session. */
async function accountIdFor(
  context: Context,
  { business_id, issuer }: SignOn,
  { subject, session }: ProviderLogout,
): Promise<number | undefined> {
  const found =
    (subject === undefined ? undefined : await accountOfSubject(context, issuer, subject)) ??
    (session === undefined ? undefined : await accountOfSession(context, business_id, issuer, session))
  return found?.business_id === business_id ? found.account_id : undefined
}

async function accountOfSubject(context: Context, issuer: string, subject: string) {
  const binding = bindingOf(context.credentials, { issuer, subject })
  const bound = await lastBinding(context, binding)
  const account = bound && (await accountStateOf(context, bound.data.account_id))
  return account && isBoundTo(account, issuer, binding) ? account : undefined
}

/** The account of a business that has a session of a provider: businesses with the same provider may share its sessions. */
async function accountOfSession(context: Context, business_id: number, issuer: string, session: string) {
  const provider_session = blindSession(context, issuer, session)
  const rows = await context.models.rows(sessionModel, { provider_session, state: 'open' }, mostShared)
  for (const id of new Set(rows.map(({ account_id }) => Number(account_id)))) {
    const account = await accountStateOf(context, id)
    if (account?.business_id === business_id) return account
  }
  return undefined
}

/** Open sessions of one session of a provider that are looked through: each app of a person has one. */
const mostShared = 1_000
