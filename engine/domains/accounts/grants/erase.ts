import type { Context } from '../../../kernel/context.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { load } from '../read.ts'
import { grantStream, grants } from './grant.ts'
import { grantModel } from './model.ts'

/** The appends that erase the names of the programs that an account has let act in its name, and end the grants. */
export async function eraseGrants(context: Context, account_id: number): Promise<readonly Append[]> {
  const rows = await context.models.rows(grantModel, { account_id })
  return Promise.all(rows.map(({ grant_id }) => eraseGrant(context, grantStream(Number(grant_id)))))
}

async function eraseGrant(context: Context, stream: ReturnType<typeof grantStream>): Promise<Append> {
  const { state, expected } = await load(context.store, grants, stream)
  const command = { type: 'EraseGrant', at: isoOf(context.clock()), by: null } as const
  return { stream, events: grants.decide(command, state).map(toNewEvent(context)), expected }
}
