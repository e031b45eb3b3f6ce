import type { Context } from '../kernel/context.ts'
import { sha256 } from '../kernel/id.ts'
import { createTools } from '../store/tools.ts'

/** The parts of a context that are asked outside, for tests in which nobody signs in: quick, and the same every time. */
export const outside: Pick<Context, 'credentials' | 'directory' | 'timelines' | 'tools'> = {
  credentials: {
    blind: (text) => sha256(`blind ${text}`),
    hash: async (password) => sha256(password),
    matches: async (password, hash) => sha256(password) === hash,
    identify: async () => {
      throw new Error('Nobody signs in here.')
    },
    token: () => sha256('token'),
    attempts: { attempt: (_, check) => check() },
  },
  directory: { person: async () => undefined, people: async () => [], business: async () => undefined },
  timelines: { find: async () => undefined },
  tools: createTools([]),
}
