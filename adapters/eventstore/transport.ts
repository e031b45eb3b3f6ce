import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { connect as connectSocket, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { type Check, isTrouble, type Trouble, trouble } from '../node/checks.ts'
import type { Address, Host } from './address.ts'

/** Milliseconds for a connection. */
const timeout = 3_000

/** Codes of a certificate whose signer is not trusted. */
const unknownAuthority: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** The checks of the way to a server: the names of its hosts, a connection to one of them, and TLS. */
export function transportChecks(address: Address): readonly Check[] {
  const { hosts } = address
  return [
    { name: 'address', run: () => someOf(hosts, resolves) },
    { name: 'connection', needs: ['address'], run: () => someOf(hosts, accepts) },
    { name: 'tls', needs: ['connection'], run: () => someOf(hosts, (host) => agrees(host, address)) },
  ]
}

/** What is wrong on the way to a server and does not pass by itself. */
export async function lastingTrouble({ hosts, ...address }: Address): Promise<Trouble | undefined> {
  const outcomes = await Promise.allSettled(hosts.map((host) => agrees(host, { hosts, ...address })))
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return reasons.find((reason) => isTrouble(reason) && reason.isLasting)
}

/** One host of a cluster suffices, but what does not pass by itself is reported. */
async function someOf(hosts: readonly Host[], check: (host: Host) => Promise<string>): Promise<string> {
  const outcomes = await Promise.allSettled(hosts.map(check))
  const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const lasting = reasons.find((reason) => isTrouble(reason) && reason.isLasting)
  if (lasting !== undefined || found.length === 0) throw lasting ?? reasons[0]
  const failed = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)))
  return [...found, ...failed].join('; ')
}

async function resolves({ name }: Host): Promise<string> {
  try {
    const { address } = await lookup(name)
    return name === address ? name : `${name} is ${address}`
  } catch {
    throw trouble(`${name} cannot be resolved`, 'Correct the host in OTEP_STORE, or the DNS of this machine.', false)
  }
}

async function accepts(host: Host): Promise<string> {
  const socket = await connected(host)
  socket.destroy()
  return `${nameOf(host)} accepts connections`
}

/** Whether both sides speak TLS or neither does, and this side trusts the certificate. */
function agrees(host: Host, { isSecure, authorities }: Address): Promise<string> {
  return isSecure ? trusts(host, authorities) : speaksWithout(host)
}

async function trusts(host: Host, authorities: string | undefined): Promise<string> {
  const ca = authorities === undefined ? {} : { ca: contentOf(authorities) }
  await connected(host)
    .then((socket) => secured(socket, host, ca))
    .catch((error: unknown) => {
      throw isTrouble(error) ? error : tlsTrouble(host, error)
    })
  return `${nameOf(host)} has a certificate that is trusted`
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw trouble(`${file} cannot be read`, 'Correct tlsCAFile in OTEP_STORE, or the rights on the file.')
  }
}

function tlsTrouble(host: Host, error: unknown): Trouble {
  const { code, message } = error as NodeJS.ErrnoException
  if (unknownAuthority.has(code))
    return trouble(
      `the authority of the certificate of ${nameOf(host)} is unknown`,
      'Name the file of its CA in OTEP_STORE: tlsCAFile=/path/ca.crt',
    )
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return trouble(
      `the certificate of ${nameOf(host)} is for another name`,
      'Use a name in OTEP_STORE that is in the certificate, or get a certificate with this one.',
    )
  if (code === 'CERT_HAS_EXPIRED')
    return trouble(`the certificate of ${nameOf(host)} has expired`, 'Renew the certificate of the server.')
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || /wrong version number|packet length too long/.test(message))
    return trouble(`${nameOf(host)} does not speak TLS`, 'Set tls=false in OTEP_STORE, or start the server with TLS.')
  return trouble(
    `TLS with ${nameOf(host)} fails: ${code ?? message}`,
    'Check that the server runs, and its certificate.',
    false,
  )
}

async function speaksWithout(host: Host): Promise<string> {
  const isTls = await connected(host)
    .then((socket) => secured(socket, host, { rejectUnauthorized: false }))
    .then(
      () => true,
      (error: unknown) => {
        if (isTrouble(error)) throw error
        return false
      },
    )
  if (isTls)
    throw trouble(
      `${nameOf(host)} speaks TLS alone`,
      'Remove tls=false from OTEP_STORE, and name the file of the CA: tlsCAFile=/path/ca.crt',
    )
  return `${nameOf(host)} speaks without TLS, as OTEP_STORE has it`
}

function connected(host: Host): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host: host.name, port: host.port, timeout })
    const refuse = (reason: string) => {
      socket.destroy()
      const remedy = 'Start the server, correct host and port in OTEP_STORE, or open the firewall.'
      reject(trouble(`${nameOf(host)} cannot be reached: ${reason}`, remedy, false))
    }
    socket.once('connect', () => resolve(socket))
    socket.once('timeout', () => refuse('no answer in time'))
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => refuse(code ?? message))
  })
}

/** Resolves after the handshake. */
function secured(socket: Socket, { name }: Host, options: ConnectionOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const servername = isIP(name) === 0 ? { servername: name } : {}
    const secure = connectTls({ socket, host: name, ALPNProtocols: ['h2'], ...servername, ...options })
    const timer = setTimeout(() => settle(new Error('no answer in time')), timeout)
    const settle = (error?: Error) => {
      clearTimeout(timer)
      secure.destroy()
      socket.destroy()
      if (error === undefined) resolve()
      else reject(error)
    }
    secure.once('secureConnect', () => settle())
    secure.on('error', settle)
    secure.once('close', () => settle(new Error('the connection was closed')))
  })
}

function nameOf({ name, port }: Host): string {
  return `${name}:${port}`
}
