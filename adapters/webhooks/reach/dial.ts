import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls'
import type { buildConnector } from 'undici'
import type { AttemptPhase } from '../../../engine/index.ts'
import type { Guard, Way } from './addresses.ts'
import { attemptError, failureOf } from './failure.ts'
import type { ResolveHost } from './resolve.ts'

/** Dependencies of a connection. */
interface DialOptions {
  readonly guard: Guard
  readonly find: ResolveHost
  /** Certificates (PEM) to trust instead of the well-known ones. */
  readonly ca?: string | undefined
}

/**
 * Opens a connection and calls `done` when it is ready, and `begins` at each phase before that; the returned function closes it
 * at any stage.
 */
export type Dial = (to: buildConnector.Options, done: buildConnector.Callback, begins?: Begins) => () => void

type Begins = (phase: Extract<AttemptPhase, 'dns' | 'connect' | 'tls'>) => void

/**
 * Connects only to addresses that the guard permits. Checks literal addresses, every address of a name, and the peer
 * that was actually connected to.
 */
export function createDial({ guard, find, ca }: DialOptions): Dial {
  const context = createSecureContext({ minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) })
  return ({ protocol, hostname, port }, done, begins = () => {}) => {
    const isSecure = protocol === 'https:'
    const way = { isSecure, port: Number(port) || (isSecure ? 443 : 80) }
    const tell = once(done)
    const isLiteral = isIP(hostname) !== 0
    begins(isLiteral ? 'connect' : 'dns')
    // A literal address skips the name lookup, so it is checked here.
    if (isLiteral && !guard.permits(hostname, way)) {
      queueMicrotask(() => tell(attemptError('unreachable'), null))
      return () => {}
    }
    const target = { host: hostname, port: way.port }
    const tcp = netConnect({ ...target, noDelay: true, autoSelectFamily: true, lookup: lookupBy(find, way, begins) })
    let socket: Socket = tcp
    tcp.on('error', (error) => tell(error, null))
    tcp.once('connect', () => {
      if (!guard.permits(tcp.remoteAddress ?? '', way)) tcp.destroy(attemptError('unreachable'))
      else if (isSecure) {
        begins('tls')
        socket = secure(tcp, hostname, context, tell)
      } else tell(null, tcp)
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

function lookupBy(find: ResolveHost, way: Way, begins: Begins): LookupFunction {
  return (name, _options, answer) =>
    void find(name, way).then(
      (addresses) => {
        begins('connect')
        answer(null, [...addresses])
      },
      (error) => {
        // A forbidden address fails like one that cannot be reached: where it would have been connected to.
        if (failureOf(error) !== 'dns') begins('connect')
        answer(error, [])
      },
    )
}

/**
 * TLS with the name of the host, whichever address was connected to. Errors between TCP and HTTP count as TLS failures,
 * except a lost connection.
 */
function secure(tcp: Socket, host: string, secureContext: SecureContext, tell: buildConnector.Callback): Socket {
  const name = isIP(host) === 0 && { servername: host.replace(/\.$/, '') }
  const options = { socket: tcp, host, ...name, secureContext, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true }
  const socket = tlsConnect(options, () => tell(null, socket))
  return socket.on('error', (error) => {
    const failure = failureOf(error)
    tell(attemptError(failure === 'internal' ? 'tls' : failure, error), null)
  })
}
