import { getOrders, ordersThatChange } from '../../../engine/index.ts'
import { liveResponse } from '../../http/live.ts'
import { may, type Visitor, visitorBy } from '../signed-in/session.ts'
import { message } from '../signed-in/visit.ts'
import type { Visited } from './setting.ts'

/** Milliseconds in which changes are reported together. */
const pause = 500

/**
 * Tells that an order has changed which the visitor may see, as server-sent events: `orders`, with the ids of those that
 * changed in one moment. Ends with the session.
 */
export async function streamOrders(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, opened, setting, answering } = visit
  if (!may(visitor, getOrders)) return message(visit, 403, { ...setting.orders.forbidden, more: '' }, visitor)
  // Taken before the answer begins: a page that is read after that has all changes, or is notified of them.
  const begun = await visitor.context.store.latest()
  return liveResponse(request, opened, {
    headers: answering.headers,
    tell: async (events, until) => {
      const changed = new Set<number>()
      const tellThem = async () => {
        if (!(await isSignedIn(visit))) return until.abort()
        const data = JSON.stringify([...changed])
        changed.clear()
        await events.writeSSE({ event: 'orders', data })
      }
      let timer: NodeJS.Timeout | undefined
      try {
        for await (const id of ordersThatChange(visitor.context, begun, until.signal)) {
          if (changed.size === 0) timer = setTimeout(() => void tellThem().catch(() => until.abort()), pause)
          changed.add(id)
        }
      } finally {
        clearTimeout(timer)
      }
    },
  })
}

/** Whether the session still holds: it may have ended since, and what the account may see with it. */
async function isSignedIn({ request, opened, cookie, setting }: Visited): Promise<boolean> {
  const token = cookie.read(request)
  const visitor = token === undefined ? undefined : await visitorBy(token, opened, setting.texts.lang)
  return visitor !== undefined && may(visitor, getOrders)
}
