import { spawn } from 'node:child_process'
import { type Invocation, namesIn, type Run, usageError } from './command.ts'
import { textOf } from './input.ts'
import { type Profile, profileName, profileNamed, profilesIn } from './remote/profiles.ts'
import { signIn, signOut } from './remote/sign-in.ts'
import { keyOf, requireSafe, serverUrl } from './remote/target.ts'

/** Milliseconds that a person has for signing in. */
const patience = 15 * 60_000

/** `otep login URL`: signs in at a server in the browser, or keeps a key for it, as a profile. */
export const run: Run = async (invocation) => {
  const { positionals, values, env, stdout, stderr } = invocation
  const [given, second] = positionals
  if (given === undefined || second !== undefined)
    throw usageError('Name one server: otep login https://track.example.com.')
  const url = serverUrl(given)
  requireSafe(url)
  const name = String(values.profile ?? 'default')
  if (!profileName.test(name))
    throw usageError('A profile has a name of letters, digits, dots, hyphens and underscores.')
  const profile: Profile =
    values['key-stdin'] === true
      ? { url, key: keyOf(await textOf({ bytes: undefined, stream: invocation.stdin })) }
      : { url, grant: await inBrowser(invocation, url) }
  const { change, path } = profilesIn(env)
  const before = await change((all, save) => {
    save({ ...all, current: name, profiles: { ...all.profiles, [name]: profile } })
    return profileNamed(all, name)
  })
  if (before?.grant !== undefined) await signOut(before.url, before.grant)
  const scopes = profile.grant?.scope
  if (values.json === true)
    stdout.write(`${JSON.stringify({ profile: name, url, ...(scopes && { scopes: scopes.split(' ') }) })}\n`)
  else stdout.write(`The profile ${name} is signed in at ${url}${scopes === undefined ? '' : `, with ${scopes}`}.\n`)
  stderr.write(`Kept in ${path}. otep uses it until you name another server, or otep logout.\n`)
  return 0
}

/** Opens the browser, and shows the address for those who have none here. */
function inBrowser({ env, values, stderr }: Invocation, url: string) {
  return signIn(url, {
    ...(values.scopes === undefined ? {} : { scopes: namesIn(values.scopes) }),
    signal: AbortSignal.timeout(patience),
    show: (address) => {
      stderr.write(`Sign in with the browser at:\n  ${address}\n`)
      if (values['no-browser'] !== true) openBrowser(env, address)
    },
  })
}

/** Opens an address with the browser of the person; if that fails, the address was shown. */
function openBrowser(env: Invocation['env'], address: string): void {
  const [program = '', ...words] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open'])
  // The address is a separate argument: no shell reads it.
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
