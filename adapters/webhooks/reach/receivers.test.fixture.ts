import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A server on this machine. */
export interface Receiver {
  readonly port: number
  /** The number of connections so far, of open ones, and of the most at the same time. */
  readonly sockets: { made: number; open: number; peak: number }
  close(): Promise<void>
}

/** An HTTP server with this `listener`. */
export async function receiving(listener: RequestListener, host = '127.0.0.1'): Promise<Receiver> {
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, listener)
  return started(server, host)
}

/** A server that gets each raw connection. */
export async function raw(handle: (socket: Socket) => void, host = '127.0.0.1'): Promise<Receiver> {
  return started(createServer(handle), host)
}

/** Counts the connections of a server and starts it on a free port. */
export async function started(server: Server, host = '127.0.0.1'): Promise<Receiver> {
  const sockets = { made: 0, open: 0, peak: 0 }
  const all = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.made++
    sockets.open++
    sockets.peak = Math.max(sockets.peak, sockets.open)
    all.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.open--
      all.delete(socket)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: async () => {
      for (const socket of all) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers each request of a raw connection, once its body has arrived, with `text`. */
export function answering(socket: Socket, text: string): void {
  let request = ''
  socket.on('data', (chunk) => {
    request += chunk.toString('latin1')
    const [head = '', body] = request.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (body === undefined || body.length < length) return
    request = ''
    socket.write(text)
  })
}
