import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Guard } from './addresses.ts'
import { failed, failureOf } from './failure.ts'
import type { Find } from './names.ts'

/** What connections are made with. */
export interface DialOptions {
  readonly guard: Guard
  readonly find: Find
  /** Certificates (PEM) to trust in the place of the well-known ones. */
  readonly ca?: string | undefined
}

/** Opens a connection and tells when it can be used; what it gives closes it, however far it has come. */
export type Dial = (to: buildConnector.Options, done: buildConnector.Callback) => () => void

/** Connects to what the guard permits alone: it judges a literal address, each address of a name, and what was connected to. */
export function createDial({ guard, find, ca }: DialOptions): Dial {
  const context = createSecureContext({ minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) })
  return ({ protocol, hostname, port }, done) => {
    const isSecure = protocol === 'https:'
    const tell = once(done)
    // No name is looked up of a literal address, so nobody else would judge it.
    if (isIP(hostname) !== 0 && !guard.permits(hostname, isSecure)) {
      queueMicrotask(() => tell(failed('unreachable'), null))
      return () => {}
    }
    const target = { host: hostname, port: Number(port) || (isSecure ? 443 : 80) }
    const tcp = netConnect({ ...target, noDelay: true, autoSelectFamily: true, lookup: lookupBy(find, isSecure) })
    let socket: Socket = tcp
    tcp.on('error', (error) => tell(error, null))
    tcp.once('connect', () => {
      if (!guard.permits(tcp.remoteAddress ?? '', isSecure)) tcp.destroy(failed('unreachable'))
      else if (isSecure) socket = secure(tcp, hostname, context, tell)
      else tell(null, tcp)
    })
    return () => void socket.destroy()
  }
}

function once(done: buildConnector.Callback): buildConnector.Callback {
  let isDone = false
  return (...outcome) => {
    if (!isDone) done(...outcome)
    isDone = true
  }
}

function lookupBy(find: Find, isSecure: boolean): LookupFunction {
  return (name, _options, answer) =>
    void find(name, isSecure).then(
      (addresses) => answer(null, [...addresses]),
      (error) => answer(error, []),
    )
}

/**
 * TLS for the host by its name, whichever of its addresses is connected to. Whatever goes wrong between TCP and HTTP is a
 * matter of TLS, unless the line is cut.
 */
function secure(tcp: Socket, host: string, secureContext: SecureContext, tell: buildConnector.Callback): Socket {
  const name = isIP(host) === 0 && { servername: host.replace(/\.$/, '') }
  const options = { socket: tcp, host, ...name, secureContext, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true }
  const socket = tlsConnect(options, () => tell(null, socket))
  return socket.on('error', (error) => {
    const failure = failureOf(error)
    tell(failed(failure === 'internal' ? 'tls' : failure, error), null)
  })
}
