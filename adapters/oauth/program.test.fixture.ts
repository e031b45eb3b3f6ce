import { createHash, randomBytes } from 'node:crypto'
import type { Page as Answer, Fields, Session } from '../pages/signed-in/site.test.fixture.ts'
import { site } from '../pages/signed-in/site.test.fixture.ts'

export const home = '/mcp-connections'
export const resource = 'http://localhost:3000/mcp'
export const redirectUri = 'http://127.0.0.1:33418/callback'

/** The answer to a request of a program. */
interface Told {
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

/** A verifier and its challenge (RFC 7636). */
export function proof() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** A test harness in which programs register, ask, and exchange what they get. */
export async function programs(options: Parameters<typeof site>[1] = {}) {
  const made = await site(home, options)
  const { app, get, post } = made

  async function told(path: string, init: RequestInit): Promise<Told> {
    const response = await app.request(path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  const register = (metadata: object = { redirect_uris: [redirectUri], client_name: 'Desk' }) => {
    const headers = { 'Content-Type': 'application/json' }
    return told('/oauth/register', { method: 'POST', headers, body: JSON.stringify(metadata) })
  }
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    told(path, { method: 'POST', body: new URLSearchParams(fields) })
  const token = (fields: Readonly<Record<string, string>>) => send('/oauth/token', fields)
  const revoke = (fields: Readonly<Record<string, string>>) => send('/oauth/revoke', fields)

  /** Asks for a grant; answers what the first address says. */
  const ask = (fields: Readonly<Record<string, string>>, cookie = ''): Promise<Answer> => {
    const usual = { response_type: 'code', redirect_uri: redirectUri, code_challenge_method: 'S256', resource }
    return get(`/oauth/authorize?${new URLSearchParams({ ...usual, ...fields })}`, cookie)
  }

  /** The query of the address that the answer to a form leads to. */
  const queryOf = ({ headers }: Answer) => new URL(headers.get('location') ?? '').searchParams

  /** Asks, and lets somebody allow it, by default everything. */
  async function allow({ cookie, form }: Session, fields: Readonly<Record<string, string>>, scopes?: Fields['scope']) {
    const path = (await ask(fields, cookie)).headers.get('location') ?? ''
    const { html } = await get(path, cookie)
    const all = [...html.matchAll(/name="scope" value="([\w:]+)"/g)].map(([, scope = '']) => scope)
    return post(`${path}/allow`, { form, scope: scopes ?? all }, cookie)
  }

  /** A program with the tokens of a grant, and how it got them. */
  async function connect(session: Session, fields: Readonly<Record<string, string>> = {}) {
    const client_id: string = fields.client_id ?? (await register()).body.client_id
    const { verifier, challenge } = proof()
    const given = await allow(session, { client_id, code_challenge: challenge, ...fields })
    const code = queryOf(given).get('code') ?? ''
    const exchange = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier }
    const { body } = await token({ ...exchange, redirect_uri: redirectUri })
    return { client_id, exchange, tokens: body as Readonly<Record<string, string>> }
  }

  const refresh = ({ client_id }: { client_id: string }, refresh_token = '') =>
    token({ grant_type: 'refresh_token', client_id, refresh_token })

  /** Calls a tool of a server for agents. */
  const tool = (access = '', name = 'get_orders', path = '/mcp') =>
    made.send('POST', path, {
      ...(access === '' ? {} : { token: access }),
      headers: { Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
    })

  return { ...made, ask, allow, connect, refresh, register, token, revoke, tool, queryOf }
}
