import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../../adapters/cli/run.ts'

/** Runs a command of `otep` in the environment of this process, and answers what it wrote; throws where it fails. */
export async function otep(words: readonly string[]): Promise<string> {
  const [stdin, stdout, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const stderr = Object.assign(errors, { isTTY: false, columns: 80 })
  const code = await run(words, { env: process.env, stdin, stdout, stderr })
  if (code !== 0) throw new Error(`otep ${words.slice(0, 2).join(' ')} ended with ${code}: ${await text(errors.end())}`)
  return text(stdout.end())
}
