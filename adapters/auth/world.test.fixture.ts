import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import {
  type Caller,
  call,
  createMemoryStore,
  en,
  type Role,
  registerAccount,
  roles,
  type Storage,
  setModule,
} from '../../engine/index.ts'
import type { EngineParts } from '../engine.ts'
import { type AppOptions, createApp, createParts } from '../main.ts'
import { recording } from './recording.test.fixture.ts'

/**
 * A test harness: the whole HTTP interface on a store in memory, with two businesses that each have one signed-in
 * account of every role.
 *
 * const { app, tokens, ids, other, clock, send } = await world()
 * await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: {...} })   // {status, body, headers}
 * clock.now += 3_600_000                                                              // an hour later
 * other.tokens.client_admin                                                           // the admin of the other business
 *
 * The email of an account is `<role>@one.example` (`@two.example`), its password `passwordOf(role)`.
 */
export interface World extends Party {
  readonly app: Hono
  readonly store: Storage
  /** Epoch milliseconds, from 2026-06-10T10:00:00Z; the clock only moves when a test sets it. */
  readonly clock: { now: number }
  /** The parts of a context beside the request, for tests that call operations themselves. */
  readonly parts: EngineParts
  readonly other: Party
  send(method: string, path: string, asked?: Sent): Promise<Received>
}

/** A business, and its accounts by role. */
export interface Party {
  /** Id of the business. */
  readonly business: number
  readonly ids: Readonly<Record<Role, number>>
  readonly tokens: Readonly<Record<Role, string>>
}

/** The parts of a request beside its method and path. */
export interface Sent {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response, with its body parsed as JSON. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

/** The password of an account of the test harness. It holds no words: to judge those takes most of the time of a world. */
export function passwordOf(role: Role): string {
  return `zqkxvjwzq${roles.indexOf(role)}`
}

/** Options of a test harness: any of the app but its clock, when that begins (epoch milliseconds), and the currency of the first business. */
export type WorldOptions = Partial<Omit<AppOptions, 'clock'>> & { readonly start?: number; readonly currency?: string }

/** Creates a test harness. */
export async function world({ start, currency = 'CAD', ...options }: WorldOptions = {}): Promise<World> {
  const clock = { now: start ?? Date.parse('2026-06-10T10:00:00Z') }
  const store = options.store ?? createMemoryStore(() => clock.now)
  const quick = {
    passwordCost: { N: 2, r: 1, p: 1 },
    // The fonts of the system that runs the tests are others each time.
    fonts: { folders: [] },
    ...{ publicView: 'full' as const, now: () => clock.now, ...options, store, clock: () => clock.now },
  }
  const parts = createParts(quick)
  const app = recording(createApp({ ...quick, parts }))
  const send = senderTo(app)
  const party = async (name: string, timeZone: string, currency: string): Promise<Party> => {
    const { business, ids } = await settle(parts, name, timeZone, currency)
    const tokens = {} as Record<Role, string>
    for (const role of roles) {
      const body = { email: `${role}@${name}.example`, password: passwordOf(role) }
      tokens[role] = (await send('POST', '/api/v1/user/login', { body })).body.access_token
    }
    return { business, ids, tokens }
  }
  const one = await party('one', 'America/Toronto', currency)
  const other = await party('two', 'Europe/Paris', 'EUR')
  return { app, store, clock, parts, other, send, ...one }
}

/** A context of the platform operator. */
export function operator({ parts }: Pick<World, 'parts'>) {
  const caller: Caller = { kind: 'operator', name: 'test', scopes: ['platform:write', 'providers:write'] }
  return { ...parts, caller, messages: en, requestId: randomUUID() }
}

/** The platform enables contractor assignment for the first business. */
export function enableAssignment(made: Pick<World, 'parts' | 'business'>) {
  return call(setModule, operator(made), { business_id: made.business, module: 'broker_assignment', state: 'on' })
}

/** Opens a business and its accounts, as the platform does. */
async function settle(parts: EngineParts, name: string, time_zone: string, currency: string) {
  const context = operator({ parts })
  const ids = {} as Record<Role, number>
  let business: number | object = { name: `Business ${name}`, time_zone, currency }
  for (const role of roles) {
    const person = { role, email: `${role}@${name}.example`, name: `${role} of ${name}`, password: passwordOf(role) }
    const opened = (await call(registerAccount, context, { ...person, business })) as Record<string, number>
    ids[role] = Number(opened.account_id)
    business = Number(opened.business_id)
  }
  return { business: Number(business), ids }
}

function senderTo(app: Hono): World['send'] {
  return async (method, path, { token, body, headers = {} } = {}) => {
    const answer = await app.request(path, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }
}
