import { connect } from 'node:net'

/** Requests as bytes, each sent once, over this many connections. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly requests: readonly Buffer[]
  /** The expected status of every response. */
  readonly status: number
}

/** Visitors from whom requests come in turn, as a proxy forwards them: each one has its share of what is limited. */
const visitors = 4_096

let visitor = 0

/** An address of the network for benchmarks (RFC 2544). */
export function nextVisitor(): string {
  visitor = (visitor + 1) % visitors
  return `198.18.${visitor >> 8}.${visitor & 255}`
}

/** The bytes of a request. */
export function requestOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Buffer {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = Object.entries({ Host: '127.0.0.1', 'X-Forwarded-For': nextVisitor(), ...headers, ...length })
  const head = [`${method} ${path} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** The headers of a response, without those that Node.js writes itself. */
export function ownHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => !ofNode.has(name)))
}

const ofNode = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/**
 * Sends a load to this machine and waits for the last response. It writes ready bytes and only reads the status and
 * length of responses: a full client would dominate the measurement.
 */
export async function send({ port, connections, requests, status }: Load): Promise<void> {
  let next = 0
  await Promise.all(Array.from({ length: connections }, () => converse(port, status, () => requests[next++])))
}

function converse(port: number, status: number, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const proceed = () => {
      const request = next()
      if (request !== undefined) return socket.write(request)
      resolve()
      return socket.end()
    }
    const read = answerReader(status)
    socket.setNoDelay(true)
    socket.once('connect', proceed)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The server has closed a connection.')))
    socket.on('data', (chunk) => {
      try {
        if (read(chunk)) proceed()
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
  })
}

/** Reads the bytes of responses one after another, and reports when one is complete. */
function answerReader(status: number): (chunk: Buffer) => boolean {
  let head: Buffer = Buffer.alloc(0)
  let missing: number | undefined
  return (chunk) => {
    if (missing === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return false
      missing = lengthOf(head.toString('latin1', 0, end), status) - (head.length - end - 4)
      head = Buffer.alloc(0)
    } else missing -= chunk.length
    if (missing > 0) return false
    missing = undefined
    return true
  }
}

function lengthOf(head: string, status: number): number {
  const received = Number(head.slice(9, 12))
  if (received !== status) throw new Error(`The server answered ${received} and not ${status}.`)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined && status !== 304) throw new Error('The server answered without a length.')
  return Number(length ?? 0)
}
