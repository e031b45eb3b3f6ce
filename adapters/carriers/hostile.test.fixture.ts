import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'

/** How a hostile server answers a request. */
type Reply = (response: ServerResponse) => void

const MB = 1024 * 1024

/** Serves whatever `be.reply` says, to every request; counts them. */
export async function serveHostile(t: Pick<Test, 'teardown'>, reply: Reply = () => {}) {
  const be = { reply, url: '', requests: 0 }
  const server = createServer((request, response) => {
    be.requests++
    request.resume()
    be.reply(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  be.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return be
}

/** Answers with a text, as JSON if nothing else is said. */
export function says(text: string | Uint8Array, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text)
  }
}

/** Answers with bytes as they are, which need not be HTTP. */
function raw(text: string): Reply {
  return ({ socket }) => void socket?.end(text)
}

/** Writes the same again and again, as fast as it is read. */
function endless(
  piece: string,
  write: (response: ServerResponse) => Pick<ServerResponse, 'write' | 'destroyed'> | null,
) {
  return (response: ServerResponse) => {
    const stream = write(response)
    const more = () => {
      if (stream !== null && !stream.destroyed) stream.write(piece, () => setImmediate(more))
    }
    more()
  }
}

const body =
  (headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers })

const bomb = gzipSync(Buffer.alloc(100 * MB, ' '))
const deep = '['.repeat(100_000) + ']'.repeat(100_000)

/** What is never an answer, whatever was asked. */
export const never: Readonly<Record<string, Reply>> = {
  'a body that never ends': endless(' '.repeat(64 * 1024), body()),
  'a body of 200 MB': endless(' '.repeat(64 * 1024), body({ 'content-length': String(200 * MB) })),
  'a body of 5 MB at once': says(' '.repeat(5 * MB)),
  'a gzip bomb': says(bomb, 200, { 'content-encoding': 'gzip' }),
  'a page in HTML': says('<html>Welcome</html>', 200, { 'content-type': 'text/html' }),
  'a page in HTML that something is missing': says('<html>Not here</html>', 404, { 'content-type': 'text/html' }),
  'a page in HTML that something is wrong': says('<html>Blocked</html>', 451, { 'content-type': 'text/html' }),
  'a redirect to a private address': says('{}', 302, { location: 'http://169.254.169.254/latest/meta-data' }),
  'a redirect to itself': says('{}', 307, { location: '/v1/proxy/rates' }),
  'lists in lists, 100,000 of them': says(deep),
  'objects in objects, 100,000 of them': says(`${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`),
  'lists in lists in a reason': says(`{"errors":[{"message":${deep}}]}`, 400),
  'lists of 50,000 wrong things': says(
    `{${['rates', 'results', 'events', 'trackers', 'pickups'].map((name) => `"${name}":[${'0,'.repeat(50_000)}0]`)}}`,
  ),
  'a list of two million wrong things': says(`{"rates":[${'0,'.repeat(2_000_000)}0]}`),
  '100,000 members': says(`{${Array.from({ length: 100_000 }, (_, place) => `"k${place}":0`).join()}}`),
  'names of prototypes': says('{"__proto__":{"rates":[],"id":"x"},"constructor":{"prototype":{"id":"x"}}}'),
  'a number that is none': says('{"rates":[{"total_charge":NaN}]}'),
  'UTF-16': says(Buffer.from('\ufeff{"rates":[]}', 'utf16le')),
  nothing: says(''),
  null: says('null'),
  'a status without a body': says('', 204),
  'a status that there is not': raw('HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\n{}'),
  'two lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
  'no HTTP': raw('\0\u0001 nonsense'),
  'headers that never end': endless(`x-a: ${'a'.repeat(60_000)}\r\n`, ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n')
    return socket
  }),
  'hints that never end': endless('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n', ({ socket }) => socket),
  'a drip': (response) => {
    body()(response)
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  },
  silence: () => {},
  'a connection that is cut': (response) => {
    body({ 'content-length': '1000' })(response)
    response.write('{"rates":[', () => response.destroy())
  },
  'a server that wants to be left alone for days': says('{}', 503, { 'retry-after': '999999' }),
}
