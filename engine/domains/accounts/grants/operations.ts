import * as v from 'valibot'
import { keyScopes } from '../../../kernel/account.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/named.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { type NamedId, operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { isoOf } from '../../../kernel/time.ts'
import { execute } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { accountStateOf, load } from '../read.ts'
import { grantState, grantStream, grants } from './grant.ts'
import { grantModel } from './model.ts'

const tag = 'User'
/** No grant has it, so only somebody who has signed in sees and ends grants. */
const scopes = ['account:self']

const grantId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('Id of a grant.'))

/** A grant of the caller; an administrator also has those of its business. */
const ownGrantId: NamedId = {
  noun: 'grant',
  require: async (context, id) => {
    const { state } = await load(context.store, grants, grantStream(Number(id)))
    const { id: account, role, business } = accountOf(context)
    const isOwn = state?.made.account_id === account
    if (state === undefined || !(isOwn || (role === 'client_admin' && state.made.business_id === business.id)))
      throw new EngineError('grant_not_found')
    return state
  },
}

const states = ['valid', 'revoked', 'reused', 'ended'] as const

/** A grant as answers show it. */
const grantRecord = named(
  'Grant',
  v.strictObject({
    grant_id: v.number(),
    account_id: v.number(),
    client_name: v.exactOptional(
      v.pipe(v.string(), v.description('What the program calls itself; nobody has checked it.')),
    ),
    client_host: v.pipe(v.string(), v.description('The host that the program is known by.')),
    resource: v.pipe(v.string(), v.description('The address that its tokens are for.')),
    scopes: v.array(v.picklist(keyScopes)),
    state: v.pipe(
      v.picklist(states),
      v.description(
        'reused: a code or refresh token came a second time. ended: it ran out, or its account was disabled or got a new password.',
      ),
    ),
    made_at: v.string(),
    ends_at: v.pipe(v.string(), v.description('When the person is asked again.')),
    last_issued_at: v.exactOptional(
      v.pipe(v.string(), v.description('When the program last got tokens, once an hour or less often.')),
    ),
  }),
)

type GrantRecord = v.InferOutput<typeof grantRecord>

/** Lists the grants of the caller, or of its business. */
export const listGrants = operation({
  name: 'list_grants',
  summary:
    'The programs that act in your name, newest first; for an administrator, those of all accounts of the business.',
  scopes,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/grants' },
  input: v.strictObject(pageEntries),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, grants: v.array(grantRecord) }),
  errors: [],
  handle: async (context, input) => {
    const { id, role, business } = accountOf(context)
    const { range, paging } = pageOf(input)
    const whose = role === 'client_admin' ? {} : { account_id: id }
    const where = { business_id: business.id, ...whose }
    const among = { state: ['open', 'ended'] }
    const { rows, total } = await context.models.page(grantModel, { where, among, ...range, newestFirst: true })
    const records = await Promise.all(rows.map(({ grant_id }) => recordOf(context, Number(grant_id))))
    return { result: true, total, ...paging, grants: records.filter((record) => record !== undefined) }
  },
})

async function recordOf(context: Context, id: number): Promise<GrantRecord | undefined> {
  const { state: grant } = await load(context.store, grants, grantStream(id))
  if (grant === undefined) return undefined
  const { account_id, client_host, resource, ends_at, at: made_at, scopes: given } = grant.made
  const account = await accountStateOf(context, account_id)
  return {
    ...{ grant_id: id, account_id, client_host, resource, made_at, ends_at },
    scopes: given as GrantRecord['scopes'],
    state: grantState(grant, account?.generation, isoOf(context.clock())),
    ...omitUndefined({ client_name: grant.clientName, last_issued_at: grant.tokens?.issuedAt }),
  }
}

/** Ends a grant. */
export const revokeGrant = operation({
  name: 'revoke_grant',
  summary: 'End a grant at once, with all of its tokens. An administrator ends those of its business, too.',
  scopes,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: '/api/v1/grants/{grant_id}' },
  ids: { grant_id: ownGrantId },
  input: v.strictObject({ grant_id: grantId }),
  output: v.strictObject({ result: v.literal(true), grant_id: v.number() }),
  errors: ['grant_not_found'],
  audited: { event: () => 'grant_revoked', concerned: (_, { grant_id }) => ({ grant: grant_id }) },
  handle: async (context, { grant_id }) => {
    const command = { type: 'RevokeGrant', at: isoOf(context.clock()), by: accountOf(context).id } as const
    await execute(context.store, grants, grantStream(grant_id), command, toNewEvent(context))
    return { result: true, grant_id }
  },
})
