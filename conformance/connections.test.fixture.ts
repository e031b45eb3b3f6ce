import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { type Line, serve } from '../adapters/telemetry/server.test.fixture.ts'
import { startBalancer } from './nodes/balancer.ts'
import type { sharedStores } from './nodes/shared.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'

/** Signs in as Ann at the address where a program asks, and allows it all but these scopes. */
export async function signInAndAllow(
  page: Page,
  address: string,
  password: string,
  ...unchecked: readonly string[]
): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Email address').fill('ann@one.example')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'May this program act in your name?' }).waitFor()
  for (const name of unchecked) await page.getByRole('checkbox', { name }).uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
}

/** The program of somebody: it listens on the person's own machine, and remembers every secret that it has had. */
export async function desk(t: Test) {
  const answers: URLSearchParams[] = []
  const waiting: ((answer: URLSearchParams) => void)[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    response.setHeader('Content-Type', 'text/html').end('<title>Desk</title><h1>Go back to the program</h1>')
    if (!request.url?.startsWith('/callback')) return
    const next = waiting.shift()
    if (next === undefined) answers.push(searchParams)
    else next(searchParams)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const secrets = new Set<string>()
  const kept = new Map<string, unknown>()
  const state = randomBytes(8).toString('hex')
  let address: URL | undefined
  const keep = (name: string) => (value: unknown) => void kept.set(name, value)
  const get = (name: string) => () => kept.get(name) as never
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Desk', redirect_uris: [redirectUrl] },
    state: () => state,
    clientInformation: get('client'),
    saveClientInformation: keep('client'),
    tokens: get('tokens'),
    saveTokens: (tokens) => {
      for (const secret of [tokens.access_token, tokens.refresh_token ?? '']) secrets.add(secret)
      kept.set('tokens', tokens)
    },
    redirectToAuthorization: (url) => {
      address = url
    },
    codeVerifier: get('verifier'),
    saveCodeVerifier: (verifier) => {
      secrets.add(verifier)
      kept.set('verifier', verifier)
    },
    discoveryState: get('discovery'),
    saveDiscoveryState: keep('discovery'),
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'tokens') kept.delete('tokens')
      if (what === 'all' || what === 'client') kept.delete('client')
    },
  }
  const answered = () =>
    new Promise<URLSearchParams>((resolve) => {
      const answer = answers.shift()
      if (answer === undefined) waiting.push(resolve)
      else resolve(answer)
    })
  return { provider, kept, secrets, state, answered, address: () => String(address) }
}

/** Two nodes of one store behind a balancer that takes turns, with an account, and what the nodes log. */
export async function nodes(
  t: Test,
  makeStore: (typeof sharedStores)[keyof typeof sharedStores],
  settings: Readonly<Record<string, string>> = {},
) {
  const store = await makeStore(t.testdir({}))
  const ports: number[] = []
  const balancer = await startBalancer(() => ports)
  t.teardown(async () => {
    await balancer.close()
    await store.close()
  })
  const options = ['--store', store.address, '--data-dir', store.dataDirOf('one')]
  const person = ['account', 'add', 'ann@one.example', '--role', 'client_admin', '--json']
  const made = await otep([
    ...person,
    '--new-business',
    'One',
    '--time-zone',
    'Europe/Paris',
    '--currency',
    'EUR',
    ...options,
  ])
  const { account_id, password: first } = JSON.parse(made) as { account_id: number; password: string }
  const url = `http://127.0.0.1:${balancer.port}`
  const lines: (readonly Line[])[] = []
  for (const node of ['one', 'two']) {
    const env = { OTEP_DATA_DIR: store.dataDirOf(node), OTEP_STORE: store.address, OTEP_BASE_URL: url, ...settings }
    const serving = await serve(t, program, { ...env, OTEP_LOG_LEVEL: 'trace' })
    ports.push(Number(new URL(serving.url).port))
    lines.push(serving.lines)
  }
  const disable = () => otep(['account', 'disable', String(account_id), ...options])
  return { url, disable, password: first, log: () => JSON.stringify(lines), failures: balancer.failures }
}
