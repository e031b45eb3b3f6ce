import { misuse } from './failure.ts'

/** What the store keeps beside the facts stands in streams of its own, which begin like this. */
const own = 'otep-'

/** What the store keeps beside the facts. */
export type Own = 'lease' | 'key'

/** The stream of a lease or key, without the prefix. */
export function ownName(kind: Own, name: string): string {
  return `${own}${kind}-${name}`
}

/** Whether a stream may have this name here: the server keeps those with a dollar for itself, and this store its own. */
export function isKeepable(name: string): boolean {
  return name.isWellFormed() && name !== '' && !name.startsWith('$') && !name.startsWith(own)
}

/** The engine's name of a stream of the server; nothing where it has another prefix. */
export function nameOf(stream: string, prefix: string): string | undefined {
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined
}

/** A connection string without `otepPrefix`, which is the engine's own, and what that says: several engines on one server. */
export function splitPrefix(connectionString: string): { readonly server: string; readonly prefix: string } {
  const [address = '', query = ''] = connectionString.split('?', 2)
  const settings = query.split('&').filter((setting) => setting !== '')
  const [, prefix = ''] = settings.find((setting) => setting.startsWith('otepPrefix='))?.split('=', 2) ?? []
  if (!/^([A-Za-z0-9][A-Za-z0-9_.-]{0,63})?$/.test(prefix) || prefix.startsWith(own)) {
    throw misuse('otepPrefix: letters, digits, hyphens, full stops and underscores')
  }
  const rest = settings.filter((setting) => !setting.startsWith('otepPrefix=')).join('&')
  return { server: rest === '' ? address : `${address}?${rest}`, prefix }
}
