import { call } from '../../kernel/call.ts'
import type { Timelines } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/members.ts'
import { otepTracking } from './operations.ts'

/** The timelines, as other parts of the engine see them. */
export const timelines: Timelines = {
  find: async (context, identifier) => {
    try {
      const { data } = await call(otepTracking, context, { tracking_number: identifier })
      return isObject(data) ? data : undefined
    } catch (error) {
      if (isEngineError(error, 'timeline_not_found')) return undefined
      throw error
    }
  },
}
