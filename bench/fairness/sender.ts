import { request } from 'node:http'
import { beforehand, loads, type Place, type Sent } from './loads.ts'

/** What a sender is to send: a load by its name, or what must be in the store before. */
export interface Order {
  readonly port: number
  readonly place: Place
  readonly load?: string
}

/** What a sender reports: that its requests are made, or how many responses of each status it got. */
export type Report = 'ready' | Readonly<Record<string, number>>

/** The networks that the requests of a load come from, so that no limit of a source hides what one request does. */
const sources = '198.19.1'

let send: (() => Promise<Report>) | undefined

process.on('message', (message: Order | 'go') => {
  if (message !== 'go') {
    send = sendingOf(message)
    report('ready')
  } else void send?.().then(report)
})

process.once('disconnect', () => process.exit())

function report(message: Report) {
  process.send?.(message)
}

/** Makes the requests, and returns the function that sends them. */
function sendingOf({ port, place, load: name }: Order): () => Promise<Report> {
  const load = loads.find((one) => one.name === name)
  if (load === undefined) {
    const calls = beforehand(place)
    return async () => {
      const statuses: string[] = []
      for (const call of calls) statuses.push(await statusOf(port, call, 0))
      return counted(statuses)
    }
  }
  const { times = 1, heldFor } = load
  const requests = load.requests(place)
  const all = Array.from({ length: Math.ceil(times * place.scale) }, () => requests).flat()
  const held = heldFor && heldFor * place.scale
  return async () => counted(await Promise.all(all.map((one, index) => statusOf(port, one, index, held))))
}

function counted(statuses: readonly string[]): Report {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Sends a request and reads the response, for `heldFor` milliseconds if it does not end; returns its status. */
function statusOf(port: number, sent: Sent, index: number, heldFor?: number): Promise<string> {
  const { method, path, body } = sent
  const headers = {
    'X-Forwarded-For': `${sources}.${index % 250}`,
    ...sent.headers,
    ...(body && { 'Content-Length': body.length }),
  }
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const status = String(response.statusCode)
      response.resume().once('close', () => resolve(status))
      if (heldFor !== undefined) setTimeout(() => response.destroy(), heldFor)
    })
    call.once('error', () => resolve('none')).end(body)
  })
}
