import { call } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/members.ts'
import { otepTracking } from './operations.ts'

/** The timeline of an identifier, like `data` of `otep_tracking`; undefined if there is none. */
export async function timelineOf(
  context: Context,
  identifier: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { data } = await call(otepTracking, context, { tracking_number: identifier })
    return isObject(data) ? data : undefined
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return undefined
    throw error
  }
}
