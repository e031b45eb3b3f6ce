import { otep } from './otep.ts'

/** Has `otep provider add` make the key of a provider of all businesses, in the environment of this process; `more` are options of the command. */
export async function addProvider(name: string, more: readonly string[]): Promise<string> {
  return (await otep(['provider', 'add', name, '--all-businesses', '--init', ...more])).trim()
}

/** Has `otep provider revoke` make it void. */
export async function revokeProvider(name: string, more: readonly string[]): Promise<void> {
  await otep(['provider', 'revoke', name, ...more])
}
