import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import * as v from 'valibot'
import { createApp } from '../adapters/main.ts'
import {
  type Appended,
  type Context,
  createMemoryStore,
  type EventStore,
  findStream,
  operation,
  readTimeline,
  registerStream,
  type Storage,
} from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'

/** A ready text, by number, with the headers of its response. */
export interface Ready {
  readonly number: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** The path with the same texts, but only the content type as header. */
export const plainPath = '/plain/'

/** Bare Hono routes that return ready texts by their tracking number. */
export function readyAnswers(answers: readonly Ready[]): Hono {
  const app = new Hono()
  const all = new Map(answers.map((answer) => [answer.number, answer]))
  const plain = { 'Content-Type': 'application/json; charset=utf-8' }
  app.get('/api/v1/otep/trackings/:tracking_number', (request) => {
    const { text = '', headers } = all.get(request.req.param('tracking_number')) ?? {}
    return request.body(text, 200, headers)
  })
  app.get(`${plainPath}:tracking_number`, (request) =>
    request.body(all.get(request.req.param('tracking_number'))?.text ?? '', 200, plain),
  )
  return app
}

/** node:http alone, which answers the same texts, or 304 to who has them; the path ends with the number. Returns its port. */
export function listenBare(answers: readonly Ready[]): Promise<number> {
  const all = new Map(
    answers.map(({ number, text, headers }) => {
      const { etag, ...others } = headers
      const whole = { ...headers, 'content-length': String(Buffer.byteLength(text)) }
      const { 'content-type': _, 'content-language': __, ...unchanged } = others
      return [number, { text, whole, etag, unchanged: { ...unchanged, ...(etag !== undefined && { etag }) } }]
    }),
  )
  return new Promise((resolve) => {
    const server = createServer(({ url = '', headers }, response) => {
      const found = all.get(url.slice(url.lastIndexOf('/') + 1))
      if (found === undefined) response.writeHead(404).end()
      else if (found.etag !== undefined && headers['if-none-match'] === found.etag)
        response.writeHead(304, found.unchanged).end()
      else response.writeHead(200, found.whole).end(found.text)
    }).listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** A bare Hono route that builds the whole EPCIS document of a timeline before it responds. */
export function wholeDocuments(context: Context): Hono {
  const app = new Hono()
  app.get('/api/v1/otep/trackings/:tracking_number', async (request) => {
    const { timeline } = await readTimeline(context, await findStream(context, request.req.param('tracking_number')))
    return request.json(epcis.project(timeline, { baseUrl: context.baseUrl, options: {} }))
  })
  return app
}

/** The response of a minimal handler. */
const greeting = { result: true, words: 'How do you do?' }

/** The path of the minimal handlers. */
export const greetingPath = '/api/v1/greeting'

/** An operation with minimal work. */
export const greet = operation({
  name: 'greet',
  summary: 'Answers a greeting.',
  scopes: [],
  risk: 'low',
  input: v.strictObject({}),
  output: v.strictObject({ result: v.boolean(), words: v.string() }),
  errors: [],
  rest: { method: 'GET', path: greetingPath },
  handle: async () => greeting,
})

/** A Hono route that makes a new Response with the same work. */
export function bareGreeting(headers: Readonly<Record<string, string>>): Hono {
  const app = new Hono()
  app.get(greetingPath, () => new Response(JSON.stringify(greeting), { headers }))
  return app
}

/** The whole interface on a store that keeps the register of providers and drops everything else. */
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

/** Serves an app on a free port of the loopback, and returns the port. */
export function listen(app: Hono): Promise<number> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}
