/** Hosts of the person's own machine, where a native client listens on a port that the system gives it (RFC 8252, 7.3). */
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Schemes without a dot that editors have registered for themselves; all others name their domain (RFC 8252, 7.1). */
const editors = ['cursor:', 'vscode:', 'vscode-insiders:']

/** A host as DNS and certificates have it. Parsers of URLs accept more, such as what separates the parts of a policy. */
const host = /^(?:[\w.-]{1,253}|\[[\da-f:.]+\])$/

const longestScheme = 100

/** Parameters of answers (RFC 6749, 4.1.2; RFC 9207, 2): an address that has one could be taken for an answer, or make two of it. */
const ofAnswers = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'response']

/** Where an answer may be sent to: https, http on the person's own machine, or a scheme that belongs to one program. */
export function isRedirectUri(text: string): boolean {
  const url = parsed(text)
  if (url === undefined || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (ofAnswers.some((name) => url.searchParams.has(name))) return false
  const { protocol, hostname } = url
  if (protocol === 'https:') return host.test(hostname)
  return protocol === 'http:' ? isLoopback(url) : isPrivate(protocol) && protocol.length <= longestScheme
}

/** Whether an address is one that the client registered: the same text, or on the person's own machine with another port. */
export function isRegistered(address: string, registered: readonly string[]): boolean {
  return isRedirectUri(address) && registered.some((one) => one === address || isSameButPort(one, address))
}

/** The host or the scheme that a person can know the receiver of an answer by. */
export function placeOf(address: string): string {
  const url = new URL(address)
  return url.host === '' || isPrivate(url.protocol) ? url.protocol : url.host
}

/** Whether the answer stays on the person's own machine. */
export function isOnThisMachine(address: string): boolean {
  const url = new URL(address)
  return isPrivate(url.protocol) || isLoopback(url)
}

function isSameButPort(registered: string, address: string): boolean {
  const [one, two] = [new URL(registered), new URL(address)]
  if (one.protocol !== 'http:' || two.protocol !== 'http:' || !isLoopback(one)) return false
  one.port = ''
  two.port = ''
  return one.href === two.href
}

function isLoopback({ hostname }: URL): boolean {
  return loopback.includes(hostname)
}

function isPrivate(protocol: string): boolean {
  return protocol.includes('.') || editors.includes(protocol)
}

/** An address as it is written; undefined where a parser would repair it. */
function parsed(text: string): URL | undefined {
  if (text.length > 500 || !/^[a-z][a-z0-9+.-]*:\/?[\x21-\x7e]+$/i.test(text) || text.includes('\\')) return undefined
  if (/^https?:(?!\/\/)/i.test(text)) return undefined
  return URL.canParse(text) ? new URL(text) : undefined
}
