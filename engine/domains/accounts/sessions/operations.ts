import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/named.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { sessionOf } from '../sign-in.ts'
import { endSessions } from './end.ts'
import { type OpenSession, pageOfSessions } from './open.ts'

const tag = 'User'
const scopes = ['account:self']
const reason = 'ended_by_owner'

const sessionId = v.pipe(v.string(), v.maxLength(40), v.description('Id of a sign-in, as `list_sessions` has it.'))

const sessionRecord = named(
  'SignedInSession',
  v.strictObject({
    session_id: v.pipe(v.string(), v.description('Stays the same when the token is refreshed.')),
    is_current: v.pipe(v.boolean(), v.description('Whether it is the session of this call.')),
    signed_in_at: v.pipe(v.string(), v.description('ISO 8601, UTC.')),
    expires_at: v.pipe(v.string(), v.description('When its token expires: ISO 8601, UTC.')),
    source: v.exactOptional(v.pipe(v.string(), v.description('Address or network of the last sign-in or refresh.'))),
    program: v.exactOptional(v.pipe(v.string(), v.description('What the program calls itself (`User-Agent`).'))),
    app_code: v.exactOptional(v.string()),
    platform: v.exactOptional(v.picklist(['ios', 'android'])),
  }),
)

function recordOf({ id, stream, state }: OpenSession, current: string | undefined) {
  const { signedInAt: signed_in_at, expiresAt: expires_at, place, app } = state
  return {
    ...{ session_id: id, is_current: stream === current, signed_in_at, expires_at, ...place },
    ...omitUndefined({ app_code: app?.app_code, platform: app?.platform }),
  }
}

/** Lists where the caller is signed in. */
export const listSessions = operation({
  name: 'list_sessions',
  summary: 'Where you are signed in: since when, from which address, with which program. The latest sign-in is first.',
  scopes,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/user/sessions' },
  input: v.strictObject(pageEntries),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, sessions: v.array(sessionRecord) }),
  errors: [],
  handle: async (context, input) => {
    const { range, paging } = pageOf(input)
    const { sessions, total } = await pageOfSessions(context, accountOf(context).id, range)
    const records = sessions.map((one) => recordOf(one, context.caller.session))
    return { result: true, total, ...paging, sessions: records }
  },
})

/** Ends one session of the caller. */
export const endSession = operation({
  name: 'end_session',
  summary: 'End one of your sessions: its token becomes invalid at once.',
  scopes,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: '/api/v1/user/sessions/{session_id}' },
  ids: { session_id: 'rule' },
  input: v.strictObject({ session_id: sessionId }),
  output: v.strictObject({ result: v.literal(true), session_id: v.string() }),
  errors: ['session_not_found'],
  audited: { event: () => 'session_end', concerned: (context) => ({ account: accountOf(context).id }) },
  handle: async (context, { session_id }) => {
    const ended = await endSessions(context, accountOf(context).id, reason, ({ id }) => id === session_id)
    if (ended === 0) throw new EngineError('session_not_found')
    return { result: true, session_id }
  },
})

/** Ends all sessions of the caller but that of the call. */
export const endOtherSessions = operation({
  name: 'end_other_sessions',
  summary: 'End all of your sessions but the one of this call.',
  scopes,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: '/api/v1/user/sessions' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), ended: v.number() }),
  errors: [],
  audited: { event: () => 'session_end', concerned: (context) => ({ account: accountOf(context).id }) },
  handle: async (context) => {
    const current = sessionOf(context)
    const ended = await endSessions(context, accountOf(context).id, reason, ({ stream }) => stream !== current)
    return { result: true, ended }
  },
})
