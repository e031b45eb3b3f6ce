import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Server, startServer } from '../program/server.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { baseUrl, type Json, secretKey } from './kept.ts'

/** The password of every account. */
export const password = 'a password of long ago'

/** A server of some build of the program, with its own clock, and all its callers. */
export interface Office {
  readonly receiver: Receiver
  /** Tokens and keys by the names of those who have them; signing in adds to it. */
  readonly tokens: Record<string, string>
  /** What calls have answered, but for those that only look. */
  readonly answered: readonly Json[]
  /** The instant on the clock of the server, in epoch milliseconds. */
  now(): number
  /** Sets the clock forward. */
  pass(milliseconds: number): void
  /** Answers the body of a call that succeeds, 20 seconds after the one before; throws where it is refused. */
  ask(name: string, method: string, path: string, body?: object): Promise<Json>
  /** Answers the code of a call that is refused; throws where it succeeds. */
  refused(name: string, method: string, path: string, body?: object): Promise<string>
  /** Returns any response of the server, and advances no time. */
  look(name: string, path: string): Promise<{ readonly status: number; readonly body: Json }>
  signIn(name: string, email: string): Promise<void>
  /** Runs a command of `otep` on the history, and answers what it wrote. */
  otep(...words: readonly string[]): Promise<string>
  /** Stops the server and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** From one call to the next, in milliseconds. */
const pause = 20_000

/** Starts the server of a built program (the path of its command line) on an empty directory. */
export async function openOffice(program: string, directory: string, start: number): Promise<Office> {
  const clockFile = join(directory, 'clock')
  const dataDir = join(directory, 'data')
  mkdirSync(dataDir, { recursive: true })
  Object.assign(process.env, { OTEP_TEST_CLOCK: clockFile, OTEP_SECRET_KEY: secretKey, OTEP_BASE_URL: baseUrl })
  const options = ['--import', pathToFileURL(join(import.meta.dirname, 'clock.js')).href]
  const tokens: Record<string, string> = {}
  const answered: Json[] = []
  let now = start
  const pass = (milliseconds: number) => {
    now += milliseconds
    writeFileSync(clockFile, String(now))
  }
  pass(0)
  const receiver = await startReceiver(() => now)
  let server = await startServer(program, dataDir, options)
  const send = async (name: string, method: string, path: string, body?: object) =>
    sendTo(server, tokens[name] ?? '', method, path, body)
  const ask: Office['ask'] = async (name, method, path, body) => {
    pass(pause)
    const answer = await send(name, method, path, body)
    answered.push(answer.body)
    if (answer.status === 200) return answer.body
    throw new Error(`${name} ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return {
    ...{ receiver, tokens, answered, now: () => now, pass, ask },
    refused: async (name, method, path, body) => {
      pass(pause)
      const answer = await send(name, method, path, body)
      if (answer.status === 200) throw new Error(`${name} ${method} ${path} was not refused.`)
      return answer.body.code
    },
    look: (name, path) => send(name, 'GET', path),
    signIn: async (name, email) => {
      tokens[name] = (await ask('nobody', 'POST', '/api/v1/user/login', { email, password })).access_token
    },
    otep: async (...words) => {
      const args = [...options, program, ...words, '--data-dir', dataDir]
      return (await promisify(execFile)(process.execPath, args)).stdout.trim()
    },
    restart: async () => {
      await server.stop()
      server = await startServer(program, dataDir, options)
    },
    close: async () => {
      await server.stop()
      await receiver.close()
    },
  }
}

async function sendTo(
  { port }: Server,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Json }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
