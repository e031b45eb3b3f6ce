import { connect, type Socket } from 'node:net'
import { requestOf } from '../load.ts'

/** Reads a path at a steady rate until it is stopped. */
interface Victim {
  /** Stops, also a second time, and returns the milliseconds of each read, in ascending order, and the first failure. */
  stop(): Promise<{ readonly latencies: readonly number[]; readonly failure: Error | undefined }>
}

/** Milliseconds between two reads: 50 a second. */
const interval = 20

/** Connections that are kept for the next reads; the server would close more, which are used too seldom. */
const maxKept = 2

/**
 * Begins to read. A read is counted from the moment at which it was due, and does not wait for the one before: so a
 * server that stalls delays all reads of that time and not one alone.
 */
export async function beginReading(port: number, path: string): Promise<Victim> {
  const latencies: number[] = []
  const open: Socket[] = []
  let pending = 0
  let failure: Error | undefined

  async function read(due: number) {
    pending++
    try {
      const socket = await readOn(open.pop())
      latencies.push(performance.now() - due)
      if (open.length < maxKept) open.push(socket)
      else socket.destroy()
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error))
    } finally {
      pending--
    }
  }

  /** A read from the next of many addresses: a stall must not end in a refusal for too many reads at once. */
  const request = () => requestOf('GET', path)

  /** Reads over a kept connection, or over a new one, and returns the connection. */
  async function readOn(kept: Socket | undefined): Promise<Socket> {
    // The server closes an idle connection; a request may be on its way at that moment, as with any HTTP client.
    if (kept !== undefined && !kept.destroyed && (await isAnswered(kept, request()))) return kept
    const socket = await connection(port)
    if (await isAnswered(socket, request())) return socket
    throw new Error('The server has closed the connection of a reader.')
  }

  for (let count = 0; count < 10; count++) await read(performance.now())
  latencies.length = 0
  let due = performance.now()
  const timer = setInterval(() => {
    for (; due <= performance.now(); due += interval) read(due)
  }, interval / 4)

  return {
    stop: async () => {
      clearInterval(timer)
      while (pending > 0) await new Promise((resolve) => setTimeout(resolve, interval))
      for (const socket of open) socket.destroy()
      return { latencies: latencies.sort((one, other) => one - other), failure }
    },
  }
}

function connection(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true).on('error', reject)
  })
}

/** Sends a request and waits for the whole response, which must be a 200. False if the connection is closed before it begins. */
function isAnswered(socket: Socket, request: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let text = ''
    const settle = (error?: Error) => {
      socket.removeAllListeners('data').removeAllListeners('close')
      if (error === undefined) resolve(text !== '')
      else reject(error)
    }
    socket.once('close', () => settle(text === '' ? undefined : new Error('A response was cut off.')))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? []
      if (end < 0 || text.length < end + 4 + Number(length)) return
      settle(text.startsWith('HTTP/1.1 200') ? undefined : new Error(`A reader was answered ${text.slice(9, 12)}.`))
    })
    socket.write(request)
  })
}
