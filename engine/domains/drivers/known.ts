import type { Person } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'

/** A driver of the caller's business, even if disabled; undefined if there is none with this id. */
export async function findDriver(context: Context, id: number): Promise<Person | undefined> {
  const person = await context.directory.person(context, id)
  return person?.role === 'driver' && person.business.id === accountOf(context).business.id ? person : undefined
}

/** Refuses `driver_id` unless it is an active driver of the caller's business. */
export async function requireDriver(context: Context, id: number): Promise<void> {
  const person = await findDriver(context, id)
  if (person?.isActive === true) return
  const finding = { path: 'driver_id', code: 'driver_not_found', params: { driver: id } } as const
  throw new EngineError('invalid_input', { count: 1 }, [finding])
}
