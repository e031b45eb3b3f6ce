import type { Context } from '../../../kernel/context.ts'
import type { Append } from '../../../kernel/event-store.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { isoOf } from '../../../kernel/time.ts'
import { load } from '../read.ts'
import { sessions } from '../session.ts'
import { sessionModel } from './model.ts'
import { changedSession } from './open.ts'

/** The appends that erase where an account has signed in, and with which programs. */
export async function eraseSessions(context: Context, account_id: number): Promise<readonly Append[]> {
  const rows = await context.models.rows(sessionModel, { account_id })
  const known = rows.filter(({ state }) => state !== 'erased')
  return Promise.all(
    known.map(async ({ session }) => {
      const stream = String(session) as StreamName
      const loaded = await load(context.store, sessions, stream)
      return changedSession(context, { stream, ...loaded }, { type: 'EraseSession', at: isoOf(context.clock()) })
    }),
  )
}
