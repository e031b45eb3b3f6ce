import { timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context as Request } from 'hono'
import { sha256 } from '../../engine/index.ts'
import { isLoopback } from './address.ts'

/** The environment of a request to the port of the metrics. */
export const metricsPort = { isMetricsPort: true } as const

/** Headers by which a proxy says that a request came from elsewhere. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/**
 * Whether a request is of those who run the server: it comes from this machine and through no proxy, to the port of the
 * metrics, or with their token.
 */
export function isInside({ env, req }: Request, token: string | undefined): boolean {
  const { incoming, isMetricsPort } = (env ?? {}) as Partial<HttpBindings & typeof metricsPort>
  // A program that has the interface in its own memory has no connection.
  if (incoming === undefined || isMetricsPort === true) return true
  const isForwarded = forwarding.some((name) => req.header(name) !== undefined)
  return (!isForwarded && isLoopback(incoming.socket.remoteAddress ?? '')) || isSame(req.header('authorization'), token)
}

function isSame(header: string | undefined, token: string | undefined): boolean {
  if (header === undefined || token === undefined) return false
  const [given, right] = [header, `Bearer ${token}`].map((text) => Buffer.from(sha256(text)))
  return given !== undefined && right !== undefined && timingSafeEqual(given, right)
}

/** `OTEP_METRICS_TOKEN`: what others than this machine send; none if not set. */
export function metricsTokenFrom({
  OTEP_METRICS_TOKEN: token,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!token) return undefined
  if (!/^[\w.~+/=-]{16,500}$/.test(token))
    throw new Error('OTEP_METRICS_TOKEN must have 16 to 500 letters, digits or -._~+/=.')
  return token
}
