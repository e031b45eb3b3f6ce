import * as v from 'valibot'
import { keyScopes } from '../../../kernel/account.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { sha256 } from '../../../kernel/id.ts'
import { operation } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { nextNumbers } from '../../../store/sequence.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import type { AccountState } from '../account.ts'
import { accountStateOf } from '../read.ts'
import { grantStream, grants } from './grant.ts'
import { grantModel } from './model.ts'
import { newCode } from './secret.ts'

const day = 86_400_000

/** Milliseconds that a code can be redeemed, and after which the person is asked again. */
const lifetime = { code: 60_000, grant: 90 * day }

/** How many grants of an account are valid at a time. */
const most = 50

const text = (longest: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(longest))

/** Lets a program act for the caller, within what both may do. */
export const giveGrant = operation({
  name: 'give_grant',
  summary: 'Let a program act in your name, within what you may do. It gets a code, which it exchanges for tokens.',
  scopes: ['account:self'],
  risk: 'medium',
  secret: true,
  ids: { client_id: 'external' },
  input: v.strictObject({
    client_id: text(8_000),
    client_name: text(200),
    client_host: text(300),
    redirect_uri: text(500),
    challenge: text(43),
    resource: text(500),
    scopes: v.pipe(v.array(v.picklist(keyScopes)), v.minLength(1)),
  }),
  output: v.strictObject({ result: v.literal(true), grant_id: v.number(), code: v.string() }),
  errors: ['too_many_grants'],
  audited: {
    event: () => 'grant_made',
    concerned: (context, { client_host }, answer) => ({
      account: accountOf(context).id,
      client_host,
      ...(typeof answer?.grant_id === 'number' ? { grant: answer.grant_id } : {}),
    }),
  },
  handle: async (context, { client_id, redirect_uri, scopes, ...given }) => {
    const account = await accountStateOf(context, accountOf(context).id)
    if (account === undefined) throw new EngineError('unauthenticated')
    const own = scopes.filter((scope) => context.caller.scopes.includes(scope))
    if (own.length === 0) throw new EngineError('forbidden', { scopes: scopes.join(', ') })
    await requireRoom(context, account)
    const now = context.clock()
    const { account_id, business_id, generation } = account
    return retryOnConflict(async () => {
      const { first: grant_id, append } = await nextNumbers(context, 'grant')
      const code = newCode(context.credentials, grant_id)
      const whose = { at: isoOf(now), by: account_id, grant_id, account_id, business_id, generation }
      const what = { ...given, client: sha256(client_id), redirect: sha256(redirect_uri), scopes: own }
      const until = { code_expires_at: isoOf(now + lifetime.code), ends_at: isoOf(now + lifetime.grant) }
      const command = { type: 'MakeGrant', ...whose, ...what, code: sha256(code), ...until } as const
      const events = grants.decide(command, undefined).map(toNewEvent(context))
      await context.store.appendMany([append, { stream: grantStream(grant_id), events, expected: 'no-stream' }])
      return { result: true, grant_id, code }
    })
  },
})

/** Refuses an account that has as many valid grants as it may have. */
async function requireRoom({ models, clock }: Context, { account_id, generation }: AccountState): Promise<void> {
  const where = { account_id, generation, state: 'open' }
  const between = { ends_at: [isoOf(clock()), undefined] } as const
  const { total } = await models.page(grantModel, { where, between, limit: 0 })
  if (total >= most) throw new EngineError('too_many_grants', { limit: most })
}
