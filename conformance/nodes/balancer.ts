import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy before several nodes. */
interface Balancer {
  readonly port: number
  /** Responses with status 500 and above so far, its own included, as `status path`. */
  readonly failures: readonly string[]
  close(): Promise<void>
}

/**
 * Starts a plain proxy: each request goes to the next of the ports that `ports` returns at that moment. It knows no
 * sessions, tries nothing again, and answers 502 where a node gave no answer.
 */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const failures: string[] = []
  let turn = 0
  const fail = (incoming: IncomingMessage, response: ServerResponse) => {
    failures.push(`502 ${incoming.url}`)
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  }
  const server = createServer((incoming, response) => {
    const open = ports()
    const port = open[turn++ % Math.max(1, open.length)]
    if (port === undefined) return fail(incoming, response)
    const { method, url, headers } = incoming
    const passed = request({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      const { statusCode = 502 } = answer
      if (statusCode >= 500) failures.push(`${statusCode} ${url}`)
      response.writeHead(statusCode, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    passed.on('error', () => fail(incoming, response))
    response.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    failures,
    close: async () => {
      server.closeAllConnections()
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
