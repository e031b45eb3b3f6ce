import type { Context } from '../../../kernel/context.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { load } from '../read.ts'
import { apiKeyStream, apiKeys } from './key.ts'
import { apiKeyModel } from './model.ts'

/** The appends that erase the names and last uses of the API keys of an account, and revoke them. */
export async function eraseApiKeys(context: Context, account_id: number): Promise<readonly Append[]> {
  const rows = await context.models.rows(apiKeyModel, { account_id })
  return Promise.all(rows.map(({ key_id }) => eraseKey(context, Number(key_id))))
}

async function eraseKey(context: Context, id: number): Promise<Append> {
  const stream = apiKeyStream(id)
  const { state, expected } = await load(context.store, apiKeys, stream)
  const command = { type: 'EraseKey', at: isoOf(context.clock()), by: null } as const
  return { stream, events: apiKeys.decide(command, state).map(toNewEvent(context)), expected }
}
