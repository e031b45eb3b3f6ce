import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The records of a name: addresses of both kinds, an alias, texts, or no response. */
export interface NameRecord {
  readonly addresses?: readonly string[]
  readonly cname?: string
  /** TXT records, of at most 255 characters. */
  readonly texts?: readonly string[]
  /** No response. */
  readonly isWithoutTracking?: boolean
  /** Seconds; 0 where absent. */
  readonly ttl?: number
}

/** A DNS server on this machine, which answers with the current `zone`. */
export interface Dns {
  /** For example `127.0.0.1:5353`. */
  readonly server: string
  /** The requested names, in order, once for each kind. */
  readonly asked: string[]
  close(): Promise<void>
}

const kinds = { a: 1, cname: 5, txt: 16, aaaa: 28 }

/** Starts a DNS server; a name outside the zone does not exist. */
export async function startDns(zone: (name: string) => NameRecord | undefined): Promise<Dns> {
  // Buffer for many concurrent requests.
  const socket = createSocket({ type: 'udp4', recvBufferSize: 2_000_000 })
  const asked: string[] = []
  socket.on('message', (query, peer) => {
    const { name, kind, end } = questionIn(query)
    asked.push(name)
    const record = zone(name)
    if (record?.isWithoutTracking !== true)
      socket.send(answerTo(query.subarray(0, end), kind, record, zone), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** The requested name and kind, and the end of the question. */
function questionIn(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), kind: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(
  question: Buffer,
  kind: number,
  record: NameRecord | undefined,
  zone: (name: string) => NameRecord | undefined,
): Buffer {
  const target = record?.cname === undefined ? record : zone(record.cname)
  const alias = record?.cname === undefined ? [] : [recordOf('', kinds.cname, 0, nameBytes(record.cname))]
  const found = (target?.addresses ?? [])
    .filter((address) => kind === (address.includes(':') ? kinds.aaaa : kinds.a))
    .map((address) => recordOf(record?.cname ?? '', kind, target?.ttl ?? 0, addressBytes(address)))
  for (const text of kind === kinds.txt ? (record?.texts ?? []) : [])
    found.push(recordOf('', kind, 0, Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])))
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(record === undefined ? 0x8183 : 0x8180, 2)
  for (const [at, count] of [1, alias.length + found.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * at)
  return Buffer.concat([head, question.subarray(12), ...alias, ...found])
}

/** A record of the requested name, if `owner` is empty. */
function recordOf(owner: string, kind: number, ttl: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(kind, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(ttl, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner === '' ? Buffer.from([0xc0, 12]) : nameBytes(owner), head, data])
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const words = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex')
}
