import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Carrier, CarrierInputs, CarrierMethod, CarrierOutcome, Purchase, Shipment } from '../../engine/index.ts'
import { createOutbound } from '../webhooks/index.ts'
import { createCarrierHttp, createCarriers } from './index.ts'

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
type Fault = (asked: Asked, act: () => Told) => Told | 'hang up' | 'hang' | undefined

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

/** When the tests of carriers begin. */
const now = Date.parse('2026-06-10T10:00:00Z')

/** Asks a carrier with the credentials of a business, by a clock of the test. */
export function asking(carrier: Carrier, credentials: Readonly<Record<string, unknown>>, currency: string) {
  const clock = { now }
  const { ask } = createCarriers([], () => clock.now)
  const asked = <Method extends CarrierMethod>(method: Method, input: CarrierInputs[Method], deadline = 5_000) =>
    ask(carrier, method, input, { business: 7, credentials, currency, deadline })
  return { carrier, credentials, clock, asked }
}

/** A purchase of a shipment at one of its rates, the cheapest if no place is given. */
export async function purchaseAt(
  { asked }: Pick<ReturnType<typeof asking>, 'asked'>,
  shipment: Shipment,
  over: Partial<Purchase> = {},
  place = 0,
): Promise<Purchase> {
  const outcome = await asked('rate', shipment)
  const rates = outcome.kind === 'answered' && 'rates' in outcome.answer ? outcome.answer.rates : []
  const rate = rates[place]
  if (rate === undefined) throw new Error(`no rate: ${JSON.stringify(outcome)}`)
  const { transit_days: _, service_name: __, ...chosen } = rate
  return { ...shipment, ...chosen, key: 'k1', asked_at: '2026-06-10T10:00:00.000Z', ...over }
}

/** The label of a purchase that must have succeeded. */
export function labelIn(outcome: CarrierOutcome<'buy'>) {
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
  return outcome.answer.label
}
