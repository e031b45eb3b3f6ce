import type { SSEStreamingApi } from 'hono/streaming'

/** Milliseconds after which a reader connects again by itself. */
const retry = 2_000

/** Milliseconds after which a live response says that it is still there. */
const keepAlive = 15_000

/**
 * Says regularly that a live response is still there, until the interval is cleared. That alone keeps no process alive: a
 * server has its sockets for that, and what only answered in memory may end.
 */
export function beating(beat: () => void): NodeJS.Timeout {
  return setInterval(beat, keepAlive).unref()
}

/** Begins a live response: says when to connect again after a loss, and, with an id, after what. */
export async function beginLive(events: SSEStreamingApi, id?: number | string): Promise<void> {
  await events.write(`retry: ${retry}\n${id === undefined ? '' : `id: ${id}\n`}\n`)
}

/** Ends a live response of a server that stops. Its readers do not all connect again in the same moment. */
export async function endLive(events: SSEStreamingApi, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) await events.write(`retry: ${Math.ceil((0.5 + Math.random()) * retry)}\n\n`)
}
