import type { Context } from '../../kernel/context.ts'
import { isoOf } from '../../kernel/time.ts'
import type { AccountState } from './account.ts'
import { apiKeyModel } from './keys/model.ts'

/** How many valid API keys an account has. */
export async function countValidKeys(
  { models, clock }: Pick<Context, 'models' | 'clock'>,
  { account_id, key_generation }: AccountState,
): Promise<number> {
  const where = { account_id, generation: key_generation, state: 'open' }
  const between = { expires_at: [isoOf(clock()), undefined] } as const
  return (await models.page(apiKeyModel, { where, between, limit: 0 })).total
}
