import type { Dispatcher } from 'undici'
import type { Outbound } from '../../node/outbound.ts'
import { createGuard } from './addresses.ts'
import { createDial } from './dial.ts'
import { attemptError } from './failure.ts'
import { createResolver } from './resolve.ts'
import { targetOf } from './target.ts'

const settings = {
  /** Milliseconds until the head of an answer, and without any byte of it. */
  ...{ headersTimeout: 60_000, bodyTimeout: 30_000 },
  /** At once to one origin. */
  connections: 50,
  /** Bytes of an answer. */
  maxResponseSize: 4 * 1024 * 1024,
} as const

/**
 * Creates what sends requests that are no webhooks, under the rules for receivers of webhooks. `allow` lists addresses and ranges that
 * are permitted besides the public ones; throws if one is invalid.
 */
export function createOutbound(allow: readonly string[], clock: () => number): Outbound {
  const guard = createGuard(allow)
  const dial = createDial({ guard, find: createResolver({ guard, clock }) })
  let opened: Promise<Dispatcher> | undefined

  /** undici is loaded on first use: loading takes a tenth of a second, and most commands send nothing. */
  const open = async () => new (await import('undici')).Agent({ ...settings, connect: dial })

  return {
    send: async ({ method, url, headers, body, signal }) => {
      const target = targetOf(url)
      if (typeof target === 'string') throw attemptError('unreachable')
      const { origin, path } = target
      opened ??= open()
      const request = { origin, path, method, headers, signal, ...(body !== undefined && { body }) }
      const answer = await (await opened).request(request)
      const bytes = new Uint8Array(await answer.body.arrayBuffer())
      return { status: answer.statusCode, bytes, headers: answer.headers }
    },
    close: async () => {
      await (await opened)?.destroy()
    },
  }
}
