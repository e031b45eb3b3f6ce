import { addProvider, call, en } from '../../engine/index.ts'
import { world } from '../auth/world.test.fixture.ts'
import { defaultLimits, limitsFrom } from '../node/limits.ts'
import { createLimits } from './index.ts'

/** Limits on a clock that a test moves, with the default settings if none are given. */
export function limitsAt({ settings = defaultLimits(), proxies = [] as readonly string[] } = {}) {
  const clock = { now: 1_000_000 }
  const refused: string[] = []
  const untrusted = { count: 0 }
  const limits = createLimits({
    ...{ settings, proxies, now: () => clock.now },
    onRefused: (name) => refused.push(name),
    onUntrusted: () => void untrusted.count++,
  })
  return { clock, limits, refused, untrusted }
}

/** A world with limits. Requests come from the address of their `from`. */
export async function limitedWorld(OTEP_LIMITS = '') {
  const { clock, limits, refused } = limitsAt({ settings: limitsFrom({ OTEP_LIMITS }), proxies: ['10.0.0.1'] })
  const made = await world({ limits })
  const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...made.parts, caller, messages: en, requestId: 'test' }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  /** Requests as through a proxy, from an address. */
  const ask = async (from: string, path: string, init: RequestInit & { readonly key?: string } = {}) => {
    const headers = new Headers(init.headers)
    headers.set('X-Forwarded-For', from)
    if (init.key !== undefined) headers.set('Authorization', `Bearer ${init.key}`)
    if (init.body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    const env = { incoming: { socket: { remoteAddress: '10.0.0.1' } } }
    return made.app.request(path, { ...init, headers }, env)
  }
  const event = { event_id: 'e1', status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' }
  const body = JSON.stringify({ ...event, subject: { tracking_number: 'L1' } })
  const pushed = await ask('198.51.100.1', '/api/v1/otep/ingest', { method: 'POST', key: String(key), body })
  if (pushed.status !== 200) throw new Error(await pushed.text())
  const login = (from: string, email: string, password: string) =>
    ask(from, '/api/v1/user/login', { method: 'POST', body: JSON.stringify({ email, password }) })
  return { ...made, limiting: clock, refused, ask, login, key: String(key) }
}
