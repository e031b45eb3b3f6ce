import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { startServer } from '../../main.ts'
import { configFrom } from '../../node/config.ts'
import { run } from '../run.ts'

/** A new directory for a test; `testdir` would empty the one before. */
function directory(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'otep-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A terminal of somebody on another machine: without a store, with its own profiles. */
export function terminal(t: Test, more: Readonly<Record<string, string>> = {}) {
  const config = directory(t)
  return async (line: readonly string[], { input = '', tty = false, env = {} } = {}) => {
    const out: string[] = []
    const err: string[] = []
    const code = await run(line, {
      env: { XDG_CONFIG_HOME: config, HOME: config, ...more, ...env },
      stdin: Readable.from([input]),
      stdout: { write: (text: string) => out.push(text) > 0 },
      stderr: { write: (text: string) => err.push(text) > 0, isTTY: tty, columns: 80 } as never,
    })
    return { code, out: out.join(''), err: err.join(''), config }
  }
}

/** A running server with a business, its admin, and a provider that reports for all. */
export async function office(t: Test, settings: Readonly<Record<string, string>> = {}) {
  const dataDir = directory(t)
  const env = { OTEP_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', OTEP_LOG_LEVEL: 'silent', ...settings }
  const server = await startServer(configFrom(env))
  t.teardown(() => server.stop())
  const operator = terminal(t, { OTEP_DATA_DIR: dataDir })
  const own = ['--new-business', 'Acme', '--time-zone', 'Europe/Paris', '--currency', 'EUR']
  const { out } = await operator(['account', 'add', 'ann@acme.example', '--role', 'client_admin', ...own, '--json'])
  const { password } = JSON.parse(out) as { readonly password: string }
  const key = (await operator(['provider', 'add', 'acme', '--all-businesses'])).out.trim()
  const token = await signedIn(server.url, 'ann@acme.example', password)
  return { url: server.url, dataDir, operator, key, token, password }
}

/** The token of somebody who signs in with a password. */
async function signedIn(url: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/user/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return ((await response.json()) as { readonly access_token: string }).access_token
}
