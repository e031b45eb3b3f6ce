import { type Run, usageError } from './command.ts'
import { profileNamed, profilesIn } from './remote/profiles.ts'
import { signOut } from './remote/sign-in.ts'

/** `otep logout`: ends the sign-in of a profile at its server, and forgets the profile. */
export const run: Run = async ({ positionals, values, env, stdout, stderr }) => {
  if (positionals.length > 0) throw usageError('logout takes options only; see otep logout --help.')
  const removed = await profilesIn(env).change((all, save) => {
    const name = values.profile ?? env.OTEP_PROFILE ?? all.current
    const profile = name === undefined ? undefined : profileNamed(all, String(name))
    if (name === undefined || profile === undefined)
      throw usageError(name === undefined ? 'You are not signed in.' : `There is no profile ${name}.`)
    const { [String(name)]: _, ...profiles } = all.profiles
    const { current, ...rest } = all
    save({ ...rest, ...(current === undefined || current === name ? {} : { current }), profiles })
    return { name, profile }
  })
  const { name, profile } = removed
  const hasEnded = profile.grant === undefined || (await signOut(profile.url, profile.grant))
  stdout.write(`The profile ${name} is removed.\n`)
  if (profile.key !== undefined) stderr.write(`Its key is still valid at ${profile.url} until somebody revokes it.\n`)
  if (!hasEnded) stderr.write(`${profile.url} could not be asked: end the program at ${profile.url}/mcp-connections.\n`)
  return hasEnded ? 0 : 1
}
