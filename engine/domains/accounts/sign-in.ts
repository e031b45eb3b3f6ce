import * as v from 'valibot'
import { pick } from '../../entity/record.ts'
import type { Concerned } from '../../kernel/audit.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { email } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { AccountState } from './account.ts'
import { changePassword } from './change.ts'
import { blindEmail, credentialStream, credentialsOf, findCredential } from './credential.ts'
import type { AppContext, SignOnOrigin } from './events.ts'
import { tellOfNewPassword } from './links/notices.ts'
import { renewedHash } from './new-password.ts'
import { requireOtherWays } from './other-ways.ts'
import { accountStateOf, load } from './read.ts'
import { staffRoleId } from './roles/terms.ts'
import {
  allModules,
  businessEntries,
  describedBusiness,
  familyList,
  moduleStatesEntry,
  newPassword,
  passwordInput,
  role,
} from './schema.ts'
import { requireSecondStep, secondStepRefusals } from './second-step.ts'
import { isOpen, lastEnd, lifetime, sessionStream, sessions } from './session.ts'

/** The answer members for a token. */
export const tokenEntries = {
  result: v.literal(true),
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_at: v.pipe(v.string(), v.description('`YYYY-MM-DD HH:MM:SS`, in UTC.')),
  expires_timestamp: v.pipe(v.number(), v.description('Unix seconds.')),
}

const tag = 'User'
const self = ['account:self']

/** What a session takes over from the one that it replaces, or from the sign-in. */
interface Begun {
  readonly app?: AppContext | undefined
  readonly origin?: StreamName
  readonly signedInAt?: string
  readonly signOn?: SignOnOrigin | undefined
}

/** Characters that are kept of what a program calls itself. */
const longestProgram = 300

/** A new session of an account: its append, and the answer with its token, which is shown only once. */
export function newSession(
  context: Context,
  { account_id, generation, is_service: isService }: AccountState,
  { app, origin, signedInAt, signOn }: Begun = {},
) {
  if (isService) throw new EngineError('service_account')
  const { credentials, clock, sessionDays, source, program } = context
  const token = `ots_${credentials.token()}`
  const signedIn = signedInAt === undefined ? clock() : Date.parse(signedInAt)
  const valid = clock() + lifetime[app === undefined ? 'plain' : 'app']
  const expires = Math.min(valid, lastEnd(signedIn, app, sessionDays))
  const fields = { at: isoOf(clock()), expires_at: isoOf(expires), account_id, generation }
  const place = omitUndefined({ source, program: program?.slice(0, longestProgram) })
  const personal = Object.keys(place).length === 0 ? undefined : place
  const events = sessions.decide(
    {
      type: 'StartSession',
      ...fields,
      ...omitUndefined({ app, origin, signed_in_at: signedInAt, sign_on: signOn, personal }),
    },
    undefined,
  )
  return {
    append: { stream: sessionStream(token), events: events.map(toNewEvent(context)), expected: 'no-stream' as const },
    answer: {
      result: true,
      access_token: token,
      token_type: 'Bearer',
      expires_at: isoOf(expires).slice(0, 19).replace('T', ' '),
      expires_timestamp: Math.floor(expires / 1000),
    },
  }
}

/**
 * The account of an email and a password. Every failure is `invalid_credentials`: the error does not reveal what is
 * wrong or that the account is disabled, and the slow hash is always computed.
 */
export async function accountBy(context: Context, address: string, password: string): Promise<AccountState> {
  const { credentials, source } = context
  const blinded = blindEmail(credentials, address)
  const found = await credentials.attempts.attempt(blinded, source, async (known) => {
    const { state } = await findCredential(context, address)
    const isRight = await credentials.matches(password, state?.passwordHash, source, known)
    const account = state && (await accountStateOf(context, state.accountId))
    return isRight && account?.is_active === true ? account : undefined
  })
  if (found === undefined) throw new EngineError('invalid_credentials')
  return found
}

/** Whom an email names in the security log: its account, or else only a keyed hash of the address. */
export async function ownerOf(context: Context, address: string): Promise<Concerned> {
  const { id, state } = await findCredential(context, address)
  return state === undefined ? { email_hash: id } : { account: state.accountId }
}

/** Issues a token for an email and a password. */
export const login = operation({
  name: 'login',
  summary:
    'Sign in with an email address and a password. The token is valid for 12 hours. An account with a second factor is refused with `second_factor_required` and a ticket for the second step.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/login' },
  input: v.strictObject({ email, password: passwordInput }),
  output: v.strictObject(tokenEntries),
  errors: ['invalid_credentials', 'sign_on_required', ...secondStepRefusals, 'too_many_attempts', 'too_busy'],
  audited: { event: () => 'sign_in', concerned: (context, { email: address }) => ownerOf(context, address) },
  handle: async (context, { email: address, password }) => {
    const account = await accountBy(context, address, password)
    await requireOtherWays(context, account)
    await requireSecondStep(context, account)
    const { append, answer } = newSession(context, account)
    await context.store.appendMany([append])
    return answer
  },
})

/** Replaces the token of the call, which ends at once. */
export const refreshToken = operation({
  name: 'refresh_token',
  summary:
    'Replace the token of this call, which becomes invalid at once. 30 days after the sign-in (90 in an app), if the operator sets nothing else, it no longer can be.',
  scopes: self,
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/refresh' },
  input: v.strictObject({}),
  output: v.strictObject(tokenEntries),
  errors: [],
  handle: async (context) => {
    const { store, clock, sessionDays } = context
    const account = await accountStateOf(context, accountOf(context).id)
    const stream = sessionOf(context)
    return retryOnConflict(async () => {
      const { state, expected } = await load(store, sessions, stream)
      if (account === undefined || state === undefined || !isOpen(state, account.generation, clock(), sessionDays))
        throw new EngineError('unauthenticated')
      const ended = sessions.decide({ type: 'EndSession', at: isoOf(clock()), reason: 'refresh' }, state)
      const { append, answer } = newSession(context, account, {
        app: state.app,
        origin: state.origin ?? stream,
        signedInAt: state.signedInAt,
        signOn: state.signOn,
      })
      await store.appendMany([{ stream, events: ended.map(toNewEvent(context)), expected }, append])
      return answer
    })
  },
})

/** Ends the session of the call. */
export const logout = operation({
  name: 'logout',
  summary: 'Invalidate the token of this call.',
  scopes: self,
  risk: 'low',
  writes: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/logout' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true) }),
  errors: [],
  audited: { event: () => 'sign_out' },
  handle: async (context) => {
    const command = { type: 'EndSession', at: isoOf(context.clock()), reason: 'logout' } as const
    await execute(context.store, sessions, sessionOf(context), command, toNewEvent(context))
    return { result: true }
  },
})

/** Returns the calling account. */
export const currentUser = operation({
  name: 'current_user',
  summary: 'The account of the token, and its permissions.',
  scopes: self,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/user' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    id: v.number(),
    role,
    staff_role: v.exactOptional(
      v.pipe(
        v.strictObject({ id: staffRoleId, name: v.string() }),
        v.description('What the business has narrowed the account to; missing where it has not.'),
      ),
    ),
    name: v.exactOptional(v.string()),
    email: v.exactOptional(v.string()),
    business: v.strictObject({ ...businessEntries, currency: v.string() }),
    scopes: v.array(v.string()),
    modules: moduleStatesEntry,
    hidden_prices: familyList,
  }),
  errors: [],
  handle: async (context) => describeCaller(context),
})

async function describeCaller(context: Context): Promise<Answer> {
  const { id, role: kind, business, hiddenPrices, staffRole } = accountOf(context)
  const state = await accountStateOf(context, id)
  return {
    result: true,
    id,
    role: kind,
    ...(staffRole && { staff_role: pick(staffRole, ['id', 'name']) }),
    ...(state?.name === undefined ? {} : { name: state.name }),
    ...(state?.email === undefined ? {} : { email: state.email }),
    business: { ...describedBusiness(business), currency: business.currency },
    scopes: context.caller.scopes,
    modules: allModules(business.modules),
    hidden_prices: hiddenPrices,
  }
}

/** Changes the caller's own password. */
export const changeOwnPassword = operation({
  name: 'change_password',
  summary: 'Change your own password. This ends all sessions of the account, including this one.',
  scopes: self,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'PUT', path: '/api/v1/user/password' },
  input: v.strictObject({ current_password: passwordInput, new_password: newPassword }),
  output: v.strictObject({ result: v.literal(true) }),
  errors: ['wrong_password', 'too_many_attempts', 'too_busy'],
  audited: { event: () => 'password_change', concerned: (context) => ({ account: accountOf(context).id }) },
  handle: async (context, { current_password, new_password }) => {
    const account = await requireOwnPassword(context, current_password)
    const { account_id: id } = account
    await changePassword(context, id, await renewedHash(context, id, 'new_password', new_password), id)
    tellOfNewPassword(context, account)
    return { result: true }
  },
})

/** The calling account, if this is its password; refuses another with `wrong_password`. */
export async function requireOwnPassword(context: Context, password: string): Promise<AccountState> {
  const { store, credentials, source } = context
  const account = await accountStateOf(context, accountOf(context).id)
  if (account === undefined) throw new EngineError('account_not_found')
  const { credential } = account
  if (credential === undefined) throw new EngineError('service_account')
  const isRight = await credentials.attempts.attempt(`own\0${credential}`, source, async () => {
    const { state } = await load(store, credentialsOf, credentialStream(credential))
    // Who calls has signed in.
    return (await credentials.matches(password, state?.passwordHash, source, credential)) || undefined
  })
  if (isRight === undefined) throw new EngineError('wrong_password')
  return account
}

/** The stream of the session that a call came with; refuses calls with an API key. */
export function sessionOf({ caller }: Pick<Context, 'caller'>): StreamName {
  if (caller.session === undefined) throw new EngineError('account_required')
  return caller.session
}
