import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { chooseDriver } from '../../sqlite/database.ts'
import type { Invocation } from '../command.ts'

const grant = v.strictObject({
  client_id: v.string(),
  token_endpoint: v.string(),
  revocation_endpoint: v.string(),
  access_token: v.string(),
  refresh_token: v.string(),
  /** When the access token expires (epoch milliseconds). */
  expires_at: v.number(),
  scope: v.string(),
})

const profile = v.strictObject({
  url: v.string(),
  /** An API key, the key of a provider, or a token. */
  key: v.exactOptional(v.string()),
  /** What a person has allowed this program in the browser. */
  grant: v.exactOptional(grant),
})

const file = v.strictObject({
  /** The profile that commands use if nothing else is named. */
  current: v.exactOptional(v.string()),
  profiles: v.record(v.string(), profile),
})

/** What a person has allowed this program, with the tokens. */
export type Grant = v.InferOutput<typeof grant>

/** A server by a name, with what proves who asks. */
export type Profile = v.InferOutput<typeof profile>

/** All profiles of a person. */
type Profiles = v.InferOutput<typeof file>

/** The profile of a name, if there is one. */
export function profileNamed({ profiles }: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** A name of a profile. */
export const profileName = /^[A-Za-z0-9][\w.-]{0,39}$/

/** The longest that a command waits for another one that changes the profiles, in milliseconds. */
const longestWait = 60_000

/** The profiles of a person, in a file that nobody else can read. */
export function profilesIn(env: Invocation['env']) {
  const directory = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'otep')
  const path = join(directory, 'profiles.json')

  function read(): Profiles {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
      throw error
    }
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), file), text)
    if (!parsed.success) throw new Error(`${path} is not a file of profiles. Remove it, and sign in again.`)
    return parsed.output
  }

  /** Replaces the file in one step: readers see the old one or the new one. */
  function write(profiles: Profiles): void {
    const fresh = `${path}.${randomUUID()}`
    const descriptor = openSync(fresh, 'wx', 0o600)
    try {
      writeSync(descriptor, `${JSON.stringify(profiles, undefined, 2)}\n`)
      fsyncSync(descriptor)
    } catch (error) {
      rmSync(fresh, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
    renameSync(fresh, path)
  }

  /**
   * Changes the profiles while no other command does. The lock is one of the operating system, which ends with the process
   * that has it, however that ends.
   */
  async function change<Result>(
    work: (profiles: Profiles, save: (profiles: Profiles) => void) => Result | Promise<Result>,
  ): Promise<Result> {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const release = await lock(join(directory, 'profiles.lock'))
    try {
      return await work(read(), write)
    } finally {
      release()
    }
  }

  return { path, read, change }
}

/** Takes the lock of a file, which SQLite keeps; returns what releases it. */
async function lock(path: string): Promise<() => void> {
  const database = new (chooseDriver())(path)
  chmodSync(path, 0o600)
  const until = Date.now() + longestWait
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE')
      return () => database.close()
    } catch (error) {
      if (!/locked|busy/i.test((error as Error).message) || Date.now() > until) {
        database.close()
        throw error
      }
      await setTimeout(20 + Math.random() * 30)
    }
  }
}
