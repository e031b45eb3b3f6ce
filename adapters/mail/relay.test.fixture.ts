import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'

/** The stages of a message on its way, and how each begins; `text` is the end of the message. */
const beginnings = {
  greeting: undefined,
  EHLO: /^(EHLO|HELO) /,
  STARTTLS: /^STARTTLS$/,
  AUTH: /^AUTH /,
  'MAIL FROM': /^MAIL FROM:/,
  'RCPT TO': /^RCPT TO:/,
  DATA: /^DATA$/,
  text: /^\.$/,
} as const

/** A stage of a message on its way. */
export type Stage = keyof typeof beginnings

/** All stages, in order. */
export const stages = Object.keys(beginnings) as readonly Stage[]

/** What a relay does at one stage: it answers a line, closes the connection, or says nothing any more. */
export interface Trouble {
  readonly at: Stage
  readonly does: 'close' | 'silence' | `${number} ${string}`
}

/** A mail server on this machine that takes everything until a stage; `said` has the lines that it got. */
export async function relay(t: Test, trouble?: Trouble, pipelining = false) {
  const said: string[] = []
  const offers = [
    ...(pipelining ? ['PIPELINING'] : []),
    ...(trouble?.at === 'STARTTLS' ? ['STARTTLS'] : []),
    'AUTH PLAIN',
  ]
  const usual: Partial<Record<Stage, string>> = {
    EHLO: ['relay.example', ...offers]
      .map((offer, at) => `250${at === offers.length ? ' ' : '-'}${offer}`)
      .join('\r\n'),
    AUTH: '235 welcome',
    DATA: '354 go on',
  }
  function answer(socket: Socket, at: Stage, line = '250 fine'): void {
    const does = at === trouble?.at ? trouble.does : line
    if (does === 'close') socket.destroy()
    else if (does !== 'silence') socket.write(`${does}\r\n`)
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    let isText = false
    answer(socket, 'greeting', '220 relay.example')
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line)
      const stage = line === '.' || !isText ? stages.find((one) => beginnings[one]?.test(line)) : undefined
      if (stage === 'DATA') isText = trouble?.at !== 'DATA'
      if (stage === 'text') isText = false
      if (stage !== undefined) answer(socket, stage, usual[stage])
      else if (line === 'QUIT') socket.end('221 bye\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { said, port: (server.address() as AddressInfo).port }
}
