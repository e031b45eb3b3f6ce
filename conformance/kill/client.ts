import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { bodyOf, type Call } from './calls.ts'

/** What an ingest answers. */
export interface Answer {
  readonly status: number
  readonly accepted: number
  readonly duplicate: number
}

/** A client with persistent connections; all its requests fail once the server is gone. */
export interface Client {
  ingest(call: Call): Promise<Answer>
  /** Events of the timelines with these numbers, as the server returns them. */
  timelines(numbers: readonly string[]): Promise<readonly (readonly { readonly event_id: string }[])[]>
  close(): void
}

interface Ingested {
  readonly data?: { readonly accepted: number; readonly duplicate: number }
}

interface Batch {
  readonly data: readonly { readonly data?: { readonly events: readonly { readonly event_id: string }[] } }[]
}

/** Connects to a server of this machine as the provider with this key. */
export function createClient(port: number, key: string): Client {
  const agent = new Agent({ keepAlive: true })
  let batches = 0

  async function post(path: string, headers: Readonly<Record<string, string>>, body: string) {
    const begin = () => request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers })
    const response = await answerTo(begin, body)
    return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) as unknown }
  }

  return {
    ingest: async (call) => {
      const headers = {
        'Content-Type': 'application/x-ndjson',
        Authorization: `Bearer ${key}`,
        'X-Request-Id': call.id,
      }
      const { status, body } = await post('/api/v1/otep/ingest', headers, bodyOf(call))
      const { accepted, duplicate } = (body as Ingested).data ?? { accepted: -1, duplicate: -1 }
      return { status, accepted, duplicate }
    },
    timelines: async (numbers) => {
      const body = JSON.stringify({ tracking_numbers: numbers })
      // Each batch is another visitor's: parcels of which nothing was acknowledged use up a visitor's share of misses.
      const visitor = `198.19.${(batches >> 8) & 255}.${batches++ & 255}`
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': visitor }
      const answer = await post('/api/v1/otep/trackings/batch', headers, body)
      return (answer.body as Batch).data.map(({ data }) => data?.events ?? [])
    },
    close: () => agent.destroy(),
  }
}

/** An idle connection may be closed while a request is being sent; such a request was not read, and is sent again. */
async function answerTo(begin: () => ClientRequest, body: string): Promise<IncomingMessage> {
  const sent = begin()
  try {
    return await new Promise((resolve, reject) => sent.once('response', resolve).on('error', reject).end(body))
  } catch (error) {
    if (sent.reusedSocket) return answerTo(begin, body)
    throw error
  }
}
