import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { type Dns, startDns } from '../../webhooks/reach/dns.test.fixture.ts'
import { knownClient, startIssuer } from '../issuer.test.fixture.ts'
import { type Party, type World, type WorldOptions, world } from '../world.test.fixture.ts'

const path = '/api/v1/business/sign-on'

/** Where a request for a page led. */
interface Arrived {
  readonly status: number
  readonly html: string
  /** The address that the page goes on to. */
  readonly next: string
  readonly cookies: readonly string[]
}

/**
 * A server with an identity provider and a DNS on this machine. The first business has claimed and proved `one.example`, and its
 * people sign in with the provider; whom that lets in, `idp.signsIn` says.
 */
export async function signingOn(t: Test, options: WorldOptions = {}) {
  const idp = await startIssuer()
  t.teardown(idp.close)
  const zone = new Map<string, string>()
  const dns = await startDns((name) => ({ texts: [zone.get(name) ?? ''].filter((text) => text !== '') }))
  t.teardown(dns.close)
  const made = await world({ signOn: { allow: ['127.0.0.0/8'], dnsServers: [dns.server] }, ...options })
  t.teardown(() => made.parts.singleSignOn.close())
  const setting = { name: 'Acme', issuer: idp.issuer, ...knownClient }
  const set = (more: object = {}, party: Party = made) =>
    made.send('PUT', path, { token: party.tokens.client_admin, body: { ...setting, ...more } })
  const claim = (domain: string, party: Party = made) =>
    made.send('PUT', `${path}/domains/${domain}`, { token: party.tokens.client_admin })
  const prove = (domain: string, party: Party = made) =>
    made.send('POST', `${path}/domains/${domain}/proof`, { token: party.tokens.client_admin })
  const publish = async (domain: string, party: Party = made) => {
    const { domains } = (await claim(domain, party)).body
    const { record } = domains.find((one: { readonly domain: string }) => one.domain === domain)
    zone.set(record.name, record.value)
    return record
  }
  const person = (claims: object) => idp.signsIn({ sub: 's-1', email_verified: true, ...claims }, () => made.clock.now)
  /** A logout token of the provider, which has these claims beside or in place of the usual ones. */
  const token = (claims: object) => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const usual = { iss: idp.issuer, aud: knownClient.client_id, jti: randomUUID(), events }
    const iat = Math.floor(made.clock.now / 1000)
    return idp.sign({ ...usual, iat, exp: iat + 120, ...claims }, { typ: 'logout+jwt' })
  }
  /** What the provider posts when a session is over there. */
  const logout = async (logout_token: string, business = made.business) => {
    const body = new URLSearchParams({ logout_token })
    const answer = await made.app.request(`/oauth/backchannel-logout/${business}`, { method: 'POST', body })
    const text = await answer.text()
    const { status, headers } = answer
    return { status, headers: Object.fromEntries(headers), body: text === '' ? undefined : JSON.parse(text) }
  }
  await set()
  await publish('one.example')
  await prove('one.example')
  return { ...made, ...wayOf(made), idp, dns: dns as Dns, zone, set, claim, prove, publish, person, token, logout }
}

/** What a browser does in a sign-on, step by step. */
function wayOf({ app }: Pick<World, 'app'>) {
  const page = async (at: string, init: RequestInit = {}): Promise<Arrived> => {
    const response = await app.request(at, init)
    const [, next = ''] = /url=(.*)/.exec(response.headers.get('refresh') ?? '') ?? []
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
    return { status: response.status, html: await response.text(), next, cookies }
  }
  const leave = (email: string, more: Readonly<Record<string, string>> = {}, home = '/account') =>
    page(`${home}/sign-on`, { method: 'POST', body: new URLSearchParams({ email, ...more }) })
  /** What the provider sends a person back with: the path and query of the address. */
  const pass = async ({ next }: Arrived) => {
    const { headers } = await fetch(next, { redirect: 'manual' })
    const { pathname, search } = new URL(headers.get('location') ?? '')
    return pathname + search
  }
  const comeBack = (at: string, { cookies }: Pick<Arrived, 'cookies'>) =>
    page(at, { headers: { cookie: cookies.join('; '), 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } })
  const signOn = async (email: string, more: Readonly<Record<string, string>> = {}, home = '/account') => {
    const left = await leave(email, more, home)
    return comeBack(await pass(left), left)
  }
  /** Presses the button that ends a session. */
  const signOut = async (token: string, home = '/account') => {
    const headers = { cookie: `otep_session=${token}` }
    const [, form = ''] = /name="form" value="(\w+)"/.exec((await page(home, { headers })).html) ?? []
    return page(`${home}/sign-out`, { method: 'POST', headers, body: new URLSearchParams({ form }) })
  }
  /** The token of the session that a page has begun. */
  const tokenIn = ({ cookies }: Arrived) => /^otep_session=(ots_\w+)$/m.exec(cookies.join('\n'))?.[1]
  return { page, leave, pass, comeBack, signOn, signOut, tokenIn }
}

/** The address of the first link to another server in a page. */
export function linkIn(html: string): string {
  return (/href="(https?:[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
}
