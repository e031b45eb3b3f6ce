import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { createOutbound } from '../webhooks/index.ts'
import { createCarrierHttp } from './index.ts'

/** A request to the double of a carrier's server. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** The body, if it is JSON. */
  readonly body: unknown
}

/** What a double answers: a status and JSON, or the text of something else. */
export interface Told {
  readonly status: number
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What goes wrong with a request: it is answered late, otherwise or not at all, before or after the double has done it. */
export type Fault = (asked: Asked, act: () => Told) => Told | 'hang up' | 'hang' | undefined

/** Serves the double of a carrier's server; each request is recorded, and `fault` may do something else with it. */
export async function serve(t: Pick<Test, 'teardown'>, answer: (asked: Asked) => Told) {
  const made: { requests: Asked[]; fault: Fault | undefined } = { requests: [], fault: undefined }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://double')
    const { method = 'GET', headers } = request
    const received = await text(request)
    const body = received === '' ? undefined : JSON.parse(received)
    const asked: Asked = { method, path: pathname, query: searchParams, headers, body }
    made.requests.push(asked)
    const told = made.fault?.(asked, () => answer(asked)) ?? answer(asked)
    if (told === 'hang') return
    if (told === 'hang up') return void request.socket.destroy()
    write(response, told)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(made, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

function write(response: ServerResponse, { status, json, text, headers = {} }: Told): void {
  response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/plain', ...headers })
  response.end(text ?? JSON.stringify(json))
}

/** The HTTP of carriers for tests: this machine is a private network that the operator allows, unless `allow` says otherwise. */
export function httpFor(t: Pick<Test, 'teardown'>, allow: readonly string[] = ['127.0.0.0/8']) {
  const outbound = createOutbound(allow, Date.now)
  t.teardown(() => outbound.close())
  return createCarrierHttp(outbound, 'otep-engine/test')
}
