import type { Context } from '../../../kernel/context.ts'
import { isoOf } from '../../../kernel/time.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import type { SessionEnd } from '../events.ts'
import { allOpenSessions, changedSession, type OpenSession } from './open.ts'

/** Ends the sessions of an account that are chosen, however many it has; answers how many. */
export async function endSessions(
  context: Context,
  account_id: number,
  reason: SessionEnd,
  isChosen: (session: OpenSession) => boolean,
): Promise<number> {
  let ended = 0
  await retryOnConflict(async () => {
    for await (const sessions of allOpenSessions(context, account_id)) {
      const chosen = sessions.filter(isChosen)
      const command = { type: 'EndSession', at: isoOf(context.clock()), reason } as const
      if (chosen.length > 0) await context.store.appendMany(chosen.map((one) => changedSession(context, one, command)))
      ended += chosen.length
    }
  })
  return ended
}
