import { EngineError, shown } from '../../engine/index.ts'

const local = ['localhost', '127.0.0.1', '[::1]']

/**
 * The page that a browser calls from, where one does; pages of other hosts than this server's and this machine's are
 * refused with `origin_forbidden`. A browser says it with every POST, so a name that was rebound to this machine shows.
 */
export function originOf(header: string | undefined, baseUrl: string): string | undefined {
  if (header === undefined) return undefined
  const host = URL.canParse(header) ? new URL(header).hostname : ''
  if (host !== '' && (local.includes(host) || host === new URL(baseUrl).hostname)) return header
  throw new EngineError('origin_forbidden', { received: shown(header) })
}

/** What lets the pages of an origin read the answers (Fetch standard, CORS protocol). */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return { Vary: 'Origin' }
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Mcp-Session-Id, X-Request-Id',
  }
}
