import { readFileSync } from 'node:fs'
import { packageVersion } from '../../node/version.ts'
import { type Invocation, localeIn, usageError } from '../command.ts'
import { type Credentials, fixedCredentials, profileCredentials } from './credentials.ts'
import { profileNamed, profilesIn } from './profiles.ts'
import { type Server, serverAt } from './server.ts'

/** A server to ask, with the credentials for it. */
interface Target {
  readonly url: string
  readonly credentials: Credentials
}

/** Hosts to which a key may be sent without TLS. */
const ownHosts = ['localhost', '127.0.0.1', '[::1]']

/**
 * The server that a command asks; undefined if it opens a store. Options are stronger than the environment, and the
 * environment is stronger than the profile in use.
 */
export async function serverOf(invocation: Invocation): Promise<Server | undefined> {
  const target = await targetOf(invocation)
  if (target === undefined) return undefined
  const { env, stderr } = invocation
  const { url, credentials } = target
  if (stderr.isTTY === true) stderr.write(`Server ${url}, with ${credentials.from}\n`)
  return serverAt({
    ...{ url, credentials, language: localeIn(env), userAgent: `otep-cli/${packageVersion()}` },
    waiting: (seconds, why) => {
      if (seconds >= 1) stderr.write(`Trying again in ${Math.ceil(seconds)} s: ${why}\n`)
    },
  })
}

/** The same for a command that only servers answer. */
export async function requireServer(invocation: Invocation): Promise<Server> {
  const server = await serverOf(invocation)
  if (server !== undefined) return server
  throw usageError('Name a server: --url URL, OTEP_URL, or sign in with otep login URL.')
}

async function targetOf(invocation: Invocation): Promise<Target | undefined> {
  const { env, values } = invocation
  const isStoreNamed = values['data-dir'] !== undefined || values.store !== undefined
  const isServerNamed = ['url', 'key', 'key-file', 'profile'].some((name) => values[name] !== undefined)
  if (isStoreNamed && isServerNamed)
    throw usageError('Name a store (--data-dir, --store) or a server (--url, --profile).')
  if (isStoreNamed) return undefined
  const given = values.url ?? env.OTEP_URL
  const named = values.profile ?? env.OTEP_PROFILE
  const isStoreSet = Boolean(env.OTEP_DATA_DIR || env.OTEP_STORE)
  if (!isServerNamed && !given && !named && isStoreSet) return undefined
  const all = profilesIn(env).read()
  const name = named ? String(named) : given ? undefined : all.current
  const profile = name === undefined ? undefined : profileNamed(all, name)
  if (name !== undefined && profile === undefined)
    throw usageError(`There is no profile ${name}. otep profile list lists them.`)
  if (!given && profile === undefined) {
    if (isServerNamed) throw usageError('Name the server, too: --url URL, OTEP_URL or --profile NAME.')
    return undefined
  }
  const url = given ? serverUrl(String(given)) : (profile?.url ?? '')
  const key = await keyIn(invocation)
  if (key !== undefined) return checked({ url, credentials: key })
  // What is in a profile is for its server alone.
  const same = profile ?? Object.values(all.profiles).find((one) => one.url === url)
  if (same === undefined || same.url !== url) return { url, credentials: fixedCredentials('no key', undefined) }
  const owner = Object.keys(all.profiles).find((one) => all.profiles[one] === same) ?? ''
  return checked({ url, credentials: profileCredentials(env, owner, same) })
}

/** The key of the command line or of the environment. */
async function keyIn({ values, env }: Invocation): Promise<Credentials | undefined> {
  if (values.key !== undefined && values['key-file'] !== undefined) throw usageError('Use --key or --key-file.')
  if (values.key !== undefined) return fixedCredentials('the key of --key', String(values.key))
  const file = values['key-file']
  if (file !== undefined) return fixedCredentials(`the key in ${file}`, keyOf(readFileSync(String(file), 'utf8')))
  return env.OTEP_KEY ? fixedCredentials('the key of OTEP_KEY', keyOf(env.OTEP_KEY)) : undefined
}

/** A key as it is sent: without the line end of its file. */
export function keyOf(text: string): string {
  const key = text.trim()
  if (!/^[!-~]{8,10000}$/.test(key)) throw usageError('The key must be one line without spaces.')
  return key
}

/** Refuses to send a key where everybody on the way can read it. */
export function requireSafe(url: string): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || ownHosts.includes(hostname)) return
  throw usageError(`A key is not sent to ${url}, because everybody on the way can read it: use https.`)
}

function checked(target: Target): Target {
  requireSafe(target.url)
  return target
}

/** The address of a server in its usual form. */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || url.search !== '' || url.hash !== '')
    throw usageError(`${text} is no address of a server, such as https://track.example.com.`)
  return url.href.replace(/\/+$/, '')
}
