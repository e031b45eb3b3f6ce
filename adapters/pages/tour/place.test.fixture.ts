import type { Test } from 'tap'
import { addProvider, call, stopToken } from '../../../engine/index.ts'
import { openShop } from '../../auth/people/registration.test.fixture.ts'
import { enableAssignment, operator, passwordOf, world } from '../../auth/world.test.fixture.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { proof, redirectUri } from '../../oauth/program.test.fixture.ts'
import { listening } from '../browser.test.fixture.ts'
import { receiver, running, until } from '../webhooks/receiver.test.fixture.ts'

/** A server with something to see on every page, and what the addresses of its pages contain. */
export type Place = Awaited<ReturnType<typeof place>>

const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
const advice = { provider: 'courier', package_number: 'PK-5', destination: { location_name: 'Locker Main St' } }
const order = { type: 'D', delivery: { name: 'Jo Example', phone: '+1 416 555 0100', address } }

/** Makes the server of a tour. */
export async function place(t: Test) {
  const box = mailbox()
  let app: Made['app'] | undefined
  const url = await listening(t, (request, ...more) => app?.fetch(request, ...more) ?? new Response())
  const made = await world({ baseUrl: url, mail: box.mail, webhooks: { allow: ['127.0.0.0/8'] } })
  app = made.app
  running(t, made)
  await enableAssignment(made)
  const { send, tokens, business } = made
  const token = tokens.client_admin
  const post = async (path: string, body: object, by = token) => {
    const { status, body: answer } = await send('POST', `/api/v1/${path}`, { token: by, body })
    if (status >= 300) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(answer)}`)
    return answer
  }
  const settings = { order_create_webhook_url: (await receiver(t)).url }
  await send('PUT', '/api/v1/webhook-settings', { token, body: settings })
  const { tracking_number: number, order_id } = await post('orders', order)
  const { key } = (await call(addProvider, operator(made), { name: 'acme', business_id: business })) as { key: string }
  const at = (hour: number, latitude: number, locality: string) => ({
    occurred_at: `2026-06-10T0${hour}:00:00-04:00`,
    location: { latitude, longitude: -79.4, address: { locality, country: 'CA' } },
  })
  const events = [
    { ...at(2, 43.6, 'Toronto'), status_code: 'picked_up', description: 'W'.repeat(80) },
    { ...at(4, 44.4, 'Barrie'), status_code: 'out_for_delivery', estimated_delivery_at: '2026-06-10T12:00:00-04:00' },
  ]
  await post('otep/ingest', { subject: { tracking_number: number }, events }, key)
  await post(
    'approvals',
    { tool: 'cancel_order', arguments: { order_id }, reason: 'It was ordered twice.' },
    tokens.client_employee,
  )
  await post('api-keys', { name: 'Label printer', scopes: ['orders:read'] })
  await post('staff-roles', { name: 'Night shift', preset: 'read-only' })
  const robot = await post('service-accounts', { role: 'client_employee', name: 'Robot' })
  await post('providers', { name: 'courier' })
  await post('carrier-packages', advice)
  await post('client/batchOrderCreateAsync', { orders: [order] })
  await openShop(made, { requires_approval: false, phone_verification_required: false })
  await withLogo(made)
  const { confirm, password, email } = await linksOf(made, box, String(number))
  const { asked, authorize } = await askedFor(made.app)
  const queries: Readonly<Record<string, string>> = {
    ...{ '/account/password': password.search, '/account/email': email.search, '/oauth/authorize': authorize },
  }
  return {
    ...{ ...made, url, number: String(number), asked, ...(await sent(send, token)) },
    /** Parameters of one family of addresses. */
    tokens: {
      'track-confirm token': confirm.pathname.split('/').at(-1) ?? '',
      'track-stop token': stopToken(made.parts, 7),
      'keys/services id': String(robot.account_id),
    },
    /** What follows the path of an address. */
    queries,
  }
}

type Made = Awaited<ReturnType<typeof world>>

/** The links in e-mails that lead to pages: to news of a parcel, to a new password and to a new email address. */
async function linksOf(
  { app, send, tokens: { driver: token } }: Made,
  box: ReturnType<typeof mailbox>,
  number: string,
) {
  const asks = { method: 'POST', body: new URLSearchParams({ email: 'jo@a.example' }) }
  await app.request(`/track-notify/${number}`, asks)
  const confirm = await box.nextLink()
  await send('POST', '/api/v1/user/password-reset', { body: { email: 'driver@one.example' } })
  const password = await box.nextLink()
  const change = { new_email: 'new@one.example', password: passwordOf('driver') }
  await send('POST', '/api/v1/user/email', { token, body: change })
  return { confirm, password, email: await box.nextLink() }
}

/** A picture of one point. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function withLogo({ app, send, tokens: { client_admin: token } }: Made): Promise<void> {
  const body = { name: 'Mint & Thyme', accent_color: '#f2b705', support_url: 'https://mint.example/help' }
  await send('PUT', '/api/v1/business/brand', { token, body })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' }
  await app.request('/api/v1/business/brand/logo', { method: 'PUT', headers, body: Buffer.from(dot, 'base64') })
}

/** The last part of the address on which somebody is asked about a program, and the query with which it sends them there. */
async function askedFor(app: Made['app']): Promise<{ readonly asked: string; readonly authorize: string }> {
  const metadata = { redirect_uris: [redirectUri], client_name: `Desk ${'W'.repeat(60)}` }
  const headers = { 'Content-Type': 'application/json' }
  const registered = await app.request('/oauth/register', { method: 'POST', headers, body: JSON.stringify(metadata) })
  const { client_id } = (await registered.json()) as { client_id: string }
  const fields = { response_type: 'code', client_id, redirect_uri: redirectUri, scope: 'full' }
  const query = new URLSearchParams({ ...fields, code_challenge: proof().challenge, code_challenge_method: 'S256' })
  const answer = await app.request(`/oauth/authorize?${query}`)
  return { asked: answer.headers.get('location')?.split('/').at(-1)?.split('?')[0] ?? '', authorize: `?${query}` }
}

/** A delivery of a webhook, and the endpoint that it went to. */
async function sent(send: Made['send'], token: string) {
  const found = await until(async () => {
    const { body } = await send('GET', '/api/v1/webhook-deliveries', { token })
    return body.deliveries?.[0] as { readonly delivery_id: string } | undefined
  })
  const { body } = await send('GET', '/api/v1/webhook-urls', { token })
  return { delivery: found?.delivery_id ?? '', endpoint: String(body.urls?.[0]?.endpoint_id ?? '') }
}
