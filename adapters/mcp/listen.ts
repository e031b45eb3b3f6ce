import { setMaxListeners } from 'node:events'
import { createMcpHandler, type ServerEventBus } from '@modelcontextprotocol/server'
import {
  type Context,
  changesOf,
  endingWith,
  isObject,
  isRefusal,
  revisionOf,
  type Visible,
} from '../../engine/index.ts'
import type { OpenRequest } from '../node/gateway.ts'
import { lookUp } from '../node/limited.ts'
import { localSource } from '../node/limits.ts'
import { narrowedCaller } from './connection.ts'
import { resourceAt } from './resource.ts'
import { createServer } from './server.ts'
import type { Setup } from './setup.ts'
import type { ToolRequest } from './tool-request.ts'

/** The most resources that one request listens to; each follows the store. The answer names those that are listened to. */
const most = 20

/** Whether a message asks to hear of changes (`subscriptions/listen`, version 2026-07-28). */
export function isListening(body: unknown): boolean {
  return isObject(body) && body.method === 'subscriptions/listen'
}

/** A timeline that is listened to, at the revision that it had when the request came. */
interface Watched {
  readonly uri: string
  readonly visible: Visible
  readonly head: number
  /** Finds it again; throws if the caller does not see it any more. */
  find(asking: ToolRequest): Promise<Visible>
}

/** What a stream of changes needs of its request. */
interface Listening {
  readonly setup: Setup
  readonly asking: ToolRequest
  readonly opened: OpenRequest
  readonly authorization: string | undefined
  /** The path of the server; tokens of programs have to be for its address. */
  readonly path: string
}

/**
 * Tells a client that resources have changed, until it leaves, the server stops, or its credentials end. Acknowledges
 * only the resources that change and that the caller may see.
 */
export async function listen(raw: Request, body: unknown, listening: Listening): Promise<Response> {
  const { setup, asking, opened } = listening
  const watched = await watchable(wantedIn(body), setup, asking)
  const leave = watched.length > 0 ? opened.countStream() : () => {}
  const ended = new AbortController()
  const end = () => {
    if (!ended.signal.aborted) leave()
    ended.abort()
  }
  let isOpen = false
  const bus: ServerEventBus = {
    publish: () => {},
    subscribe: (tell) => {
      isOpen = true
      const { signal: until } = endingWith(ended.signal, opened.stopping)
      // Each resource listens to it.
      setMaxListeners(0, until)
      const all = watched.map((one) =>
        follow(one, listening, until, () => tell({ kind: 'resource_updated', uri: one.uri })),
      )
      void Promise.race(all)
        .catch(opened.report)
        .finally(() => handler.close())
      return end
    },
  }
  const handler = createMcpHandler(() => createServer(setup, asking, 'modern'), { legacy: 'reject', bus })
  const response = await handler.fetch(raw, { parsedBody: narrowedTo(body, watched) })
  if (!isOpen) end()
  return response
}

function wantedIn(body: unknown): readonly string[] {
  const params = isObject(body) && isObject(body.params) ? body.params : {}
  const { resourceSubscriptions: wanted } = isObject(params.notifications) ? params.notifications : {}
  return Array.isArray(wanted) ? [...new Set(wanted.filter((one) => typeof one === 'string'))].slice(0, most) : []
}

async function watchable(uris: readonly string[], { resources }: Setup, asking: ToolRequest): Promise<Watched[]> {
  const { limits, context } = asking
  const watched: Watched[] = []
  for (const uri of uris) {
    const { resource, values } = resourceAt(resources, uri) ?? {}
    const found = resource?.find
    if (found === undefined || values === undefined) continue
    const find = (current: ToolRequest) => found(values, current)
    limits.take('public_reads', context.source ?? localSource)
    const visible = await unlessRefused(() => lookUp(limits, context, () => find(asking)))
    if (visible === undefined) continue
    watched.push({ uri, visible, find, head: await revisionOf(context.store, visible.stream) })
  }
  return watched
}

async function unlessRefused<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isRefusal(error) && error.code !== 'too_many_requests') return undefined
    throw error
  }
}

/** The message with the resources that are listened to in place of those that were asked for. */
function narrowedTo(body: unknown, watched: readonly Watched[]): unknown {
  if (!isObject(body) || !isObject(body.params) || !isObject(body.params.notifications)) return body
  if (!Array.isArray(body.params.notifications.resourceSubscriptions)) return body
  const notifications = { ...body.params.notifications, resourceSubscriptions: watched.map(({ uri }) => uri) }
  return { ...body, params: { ...body.params, notifications } }
}

/** Tells of the changes of a timeline; those that come together are reported once. */
async function follow(
  { visible, head, find }: Watched,
  { asking, opened, authorization, path }: Listening,
  until: AbortSignal,
  tell: () => void,
): Promise<void> {
  const resource = `${opened.context.baseUrl}${path}`
  let told = head
  for await (const { revision, change } of changesOf(asking.context, visible, head, until)) {
    if (change !== 'reset' && revision <= told) continue
    told = await revisionOf(asking.context.store, visible.stream)
    const isSeen = await unlessRefused(async () => {
      const context: Context = await opened.authenticate(authorization, resource)
      return find({ ...asking, context: { ...context, caller: narrowedCaller(context.caller, asking.connection) } })
    })
    if (isSeen === undefined) return
    tell()
  }
}
