/** Why a URL is refused. `address` covers both an address that is not public and a host that cannot be found. */
export type UrlFault = 'malformed' | 'too long' | 'not https' | 'credentials' | 'fragment' | 'port' | 'address'

/** The destination of a request. */
interface Target {
  /** Scheme, host and port, as `https://example.com:8443`. */
  readonly origin: string
  /** A name or an address, without the brackets of an IPv6 address. */
  readonly host: string
  /** The path and the query. */
  readonly path: string
  readonly isSecure: boolean
  readonly port: number
}

const maxLength = 2048

/**
 * Ports from 1024 of databases, caches, queues, mail servers and consoles that could take HTTP for commands. They matter in
 * the networks that the operator allows, where receivers have any port; public hosts are sent to at two ports only.
 */
const deniedPorts: ReadonlySet<number> = new Set(
  [
    [1433, 1434, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 2525, 3306, 3389, 4369, 5432, 5433, 5671, 5672, 5900, 5984],
    [
      6000, 6379, 6380, 6432, 6443, 8500, 8501, 6660, 6665, 6666, 6667, 6668, 6669, 6697, 8086, 9042, 9092, 9160, 9200,
      9300, 10250,
    ],
    [10255, 11210, 11211, 11214, 11215, 15672, 26257, 26379, 27017, 27018, 27019, 28017, 33060, 50000, 61616],
  ].flat(),
)

/**
 * The destination of a URL, or why it is refused, by the rules that need no lookup. Refuses what URL parsers silently
 * repair. Whether a target without TLS is permitted depends on its address, which is checked later.
 */
export function targetOf(text: string): Target | UrlFault {
  if (text.length > maxLength) return 'too long'
  const fault = textFault(text)
  if (fault !== undefined) return fault
  const url = parsed(text)
  if (url === undefined) return 'malformed'
  if (!isPermitted(url.port)) return 'port'
  const { origin, hostname, pathname, search, protocol, port } = url
  const isSecure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { origin, host, path: pathname + search, isSecure, port: Number(port) || (isSecure ? 443 : 80) }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** What is wrong with the text itself, where a parser would drop or change a part. */
function textFault(text: string): UrlFault | undefined {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? []
  if (scheme === undefined || /[\0-\x20\x7f\\]/.test(text) || !text.isWellFormed()) return 'malformed'
  if (!/^https?$/i.test(scheme)) return 'not https'
  const [, authority] = /^[a-z]+:\/\/([^/?#]+)/i.exec(text) ?? []
  if (authority === undefined) return 'malformed'
  if (authority.includes('@')) return 'credentials'
  return text.includes('#') ? 'fragment' : undefined
}

/** Checks a port as the parser returns it; empty for the default port of the scheme. */
function isPermitted(port: string): boolean {
  if (['', '80', '443'].includes(port)) return true
  return Number(port) >= 1024 && !deniedPorts.has(Number(port))
}
