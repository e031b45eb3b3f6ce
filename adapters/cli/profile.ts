import { type Invocation, type Run, usageError } from './command.ts'
import { profileNamed, profilesIn } from './remote/profiles.ts'

/** `otep profile`: lists the servers that somebody has signed in to, and chooses the one that commands use. */
export const run: Run = async (invocation) => {
  const [verb, name, ...more] = invocation.positionals
  if (verb === 'list' && name === undefined) return list(invocation)
  if (verb === 'use' && name !== undefined && more.length === 0) return use(invocation, name)
  if (verb === 'remove' && name !== undefined && more.length === 0) {
    const { run: logout } = await import('./logout.ts')
    return logout({ ...invocation, positionals: [], values: { ...invocation.values, profile: name } })
  }
  throw usageError('Use one of: list, use NAME, use none, remove NAME.')
}

function list({ env, values, stdout }: Invocation): number {
  const { current, profiles } = profilesIn(env).read()
  const rows = Object.entries(profiles).map(([name, { url, grant }]) => ({
    ...{ name, url, current: name === current, kind: grant === undefined ? 'key' : 'sign-in' },
    ...(grant === undefined ? {} : { scopes: grant.scope.split(' ') }),
  }))
  if (values.json === true) stdout.write(`${JSON.stringify(rows)}\n`)
  else
    for (const { name, url, kind, scopes, current: isUsed } of rows)
      stdout.write(
        `${isUsed ? '*' : ' '} ${name.padEnd(16)} ${url}  ${kind}${scopes === undefined ? '' : ` (${scopes.join(' ')})`}\n`,
      )
  return 0
}

async function use({ env, stdout }: Invocation, name: string): Promise<number> {
  await profilesIn(env).change((all, save) => {
    const { current: _, ...rest } = all
    if (name !== 'none' && profileNamed(all, name) === undefined)
      throw usageError(`There is no profile ${name}. otep profile list lists them.`)
    save(name === 'none' ? rest : { ...rest, current: name })
  })
  stdout.write(name === 'none' ? 'No profile is in use.\n' : `The profile ${name} is in use.\n`)
  return 0
}
