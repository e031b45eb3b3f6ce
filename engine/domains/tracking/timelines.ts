import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/members.ts'
import { readJoined } from './containment.ts'
import { answerOf } from './documents.ts'
import { findStream } from './find.ts'
import { requestedFormat } from './formats.ts'

/**
 * All of the timeline of an identifier, like `data` of `otep_tracking`, for callers who may see what the identifier names;
 * undefined if there is none.
 */
export async function timelineOf(
  context: Context,
  identifier: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const read = await readJoined(context, await findStream(context, identifier))
    const { data } = await answerOf(context, read, requestedFormat(context))
    return isObject(data) ? data : undefined
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return undefined
    throw error
  }
}
