import { EngineError, excerptOf } from '../../engine/index.ts'

const local = ['localhost', '127.0.0.1', '[::1]']

/**
 * The origin of a browser request. Throws `origin_forbidden` for origins other than this server and this machine, which
 * also defeats DNS rebinding, because browsers send the origin with every POST.
 */
export function originOf(header: string | undefined, baseUrl: string): string | undefined {
  if (header === undefined) return undefined
  const host = URL.canParse(header) ? new URL(header).hostname : ''
  if (host !== '' && (local.includes(host) || host === new URL(baseUrl).hostname)) return header
  throw new EngineError('origin_forbidden', { received: excerptOf(header) })
}

/** CORS headers that let the pages of an origin read responses (Fetch standard). */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return { Vary: 'Origin' }
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Mcp-Session-Id, X-Request-Id',
  }
}
