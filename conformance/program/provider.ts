import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../../adapters/cli/run.ts'

/** Has `otep provider add` make the key of a provider, in the environment of this process; `more` are options of the command. */
export async function addProvider(name: string, more: readonly string[]): Promise<string> {
  return (await provider('add', name, more)).trim()
}

/** Has `otep provider revoke` make it void. */
export async function revokeProvider(name: string, more: readonly string[]): Promise<void> {
  await provider('revoke', name, more)
}

async function provider(verb: string, name: string, more: readonly string[]): Promise<string> {
  const [stdin, stdout, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const stderr = Object.assign(errors, { isTTY: false, columns: 80 })
  const code = await run(['provider', verb, name, ...more], { env: process.env, stdin, stdout, stderr })
  if (code !== 0) throw new Error(`otep provider ${verb} ended with ${code}: ${await text(errors.end())}`)
  return text(stdout.end())
}
