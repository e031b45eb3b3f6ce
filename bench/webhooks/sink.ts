import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { hangingPath, type Order, type Received, type SinkMessage, sharedNow, soonPath } from './wire.ts'

// A process that accepts POST requests and responds with minimal work. A full server would dominate the
// measurement.
const [, , ports = '1'] = process.argv
process.once('disconnect', () => process.exit())
await listen(Number(ports))

async function listen(count: number): Promise<void> {
  const { connected, obey } = createSink()
  const servers = Array.from({ length: count }, () => createServer(connected).listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  process.on('message', (order: Order) => tell(obey(order)))
  tell({ ports: servers.map((server) => (server.address() as AddressInfo).port) })
}

function tell(message: SinkMessage): void {
  process.send?.(message)
}

function createSink() {
  const hanging = new Set<Socket>()
  let mode = 'count'
  let count = 0
  let times: [eventId: string, at: number][] = []
  let last = ''

  function take(socket: Socket, head: string, request: Buffer) {
    if (head.startsWith(`POST ${hangingPath}`)) return hanging.add(socket)
    count++
    if (mode === 'times') times.push([/\r\nx-webhook-event-id: (.*)/i.exec(head)?.[1] ?? '', sharedNow()])
    if (mode === 'keep') last = request.toString('latin1')
    const answer = () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    return head.startsWith(`POST ${soonPath}`) ? setTimeout(answer, 5) : answer()
  }

  function obey(order: Order): Received {
    const received = { count, times, last }
    if ('ask' in order) return received
    mode = order.begin
    count = 0
    times = []
    last = ''
    for (const socket of hanging) socket.destroy()
    return received
  }

  function connected(socket: Socket) {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => hanging.delete(socket))
    socket.on(
      'data',
      requestReader((head, request) => void take(socket, head, request)),
    )
  }

  return { connected, obey }
}

/** Reads the bytes of requests one after another, and reports each complete one. */
function requestReader(take: (head: string, request: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      const head = rest.toString('latin1', 0, end)
      const size = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (rest.length < size) return
      take(head, rest.subarray(0, size))
      rest = rest.subarray(size)
    }
  }
}
