import { setTimeout } from 'node:timers/promises'
import type { Role } from '../../engine/index.ts'
import { otep } from '../program/otep.ts'
import type { Server } from '../program/server.ts'

/** The time limits (ms) for a response and for the effects of a call; a lost node's lease alone takes 15 seconds. */
const patience = 30_000
const longPatience = 120_000
const pause = 50

/** An answer; `status` 0 where there was none. */
export interface Answer {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
}

/** The parts of a request beside its method and path. */
interface Sent {
  readonly token?: string
  readonly body?: object
  /** Of an `Idempotency-Key`. */
  readonly key?: string
}

/** Sends a request to a server of this machine. */
export async function send(
  { port }: Pick<Server, 'port'>,
  method: string,
  path: string,
  { token, body, key }: Sent = {},
): Promise<Answer> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: {} }
  }
}

/** Who may sign in. */
export interface Known {
  readonly id: number
  readonly email: string
  readonly password: string
}

/** Opens a business with an account of each of these roles, with `otep account add`; `store` are options of the command. */
export async function openBusiness<Name extends string>(
  store: readonly string[],
  wanted: Readonly<Record<Name, Role>>,
): Promise<Readonly<Record<Name, Known>>> {
  let business = ['--new-business', 'One', '--time-zone', 'America/Toronto', '--currency', 'CAD']
  const known = {} as Record<Name, Known>
  for (const [name, role] of Object.entries(wanted) as [Name, Role][]) {
    const email = `${name}@one.example`
    const words = ['account', 'add', email, '--role', role, '--json', ...business, ...store]
    const { account_id, business_id, password } = JSON.parse(await otep(words))
    known[name] = { id: account_id, email, password }
    business = ['--business', String(business_id)]
  }
  return known
}

/** A token of an account. */
export async function signIn(server: Pick<Server, 'port'>, { email, password }: Known): Promise<string> {
  return (await send(server, 'POST', '/api/v1/user/login', { body: { email, password } })).body.access_token
}

/** The codes of the events of timelines, by tracking number; empty if there is no timeline. */
export async function codesOf(
  server: Pick<Server, 'port'>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (let from = 0; from < numbers.length; from += 500) {
    const page = numbers.slice(from, from + 500)
    const { body } = await send(server, 'POST', '/api/v1/otep/trackings/batch', { body: { tracking_numbers: page } })
    for (const [index, { data }] of (body.data as readonly Tracked[]).entries())
      found.set(page[index] ?? '', data?.events.map(({ status_code }) => status_code) ?? [])
  }
  return found
}

interface Tracked {
  readonly data?: { readonly events: readonly { readonly status_code: string }[] }
}

/** Polls until the result is as expected; returns the last result after the time limit. */
export async function eventually<Found>(look: () => Promise<Found>, isSo: (found: Found) => boolean): Promise<Found> {
  const end = performance.now() + longPatience
  for (;;) {
    const found = await look()
    if (isSo(found) || performance.now() > end) return found
    await setTimeout(pause)
  }
}
