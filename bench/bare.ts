import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp } from '../adapters/main.ts'
import { type Appended, createMemoryStore, type EventStore, registerStream, type Storage } from '../engine/index.ts'

/** A bare Hono route that answers ready texts by their tracking number. */
export function readyAnswers(texts: ReadonlyMap<string, string>): Hono {
  const app = new Hono()
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  app.get('/api/v1/otep/trackings/:tracking_number', (request) =>
    request.body(texts.get(request.req.param('tracking_number')) ?? '', 200, headers),
  )
  return app
}

/** The whole interface on a store that keeps the register of providers and forgets everything else. */
export function forgetful(): { readonly app: Hono; readonly store: Storage } {
  const memory = createMemoryStore(Date.now)
  const appendMany: EventStore['appendMany'] = async (appends) =>
    appends.some(({ stream }) => stream === registerStream)
      ? memory.appendMany(appends)
      : appends.map(({ stream, events }): Appended => ({ stream, revision: events.length - 1, position: '' }))
  const append: EventStore['append'] = async (stream, events, expected) =>
    (await appendMany([{ stream, events, expected }]))[0] as Appended
  const store = { ...memory, append, appendMany }
  return { app: createApp({ store }), store }
}

/** Serves an app on a free port of the loopback, and answers the port. */
export function listen(app: Hono): Promise<number> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}
