// `npm run pictures`: makes the pictures of the tracking page and of the console in docs/images, with a real browser. Look at
// them before you commit.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { chromium } from 'playwright-core'
import { run as demo } from '../dist/adapters/cli/demo.js'
import { createApp, createParts, openStore } from '../dist/adapters/main.js'
import { addProvider, call, en } from '../dist/engine/index.js'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
await takeTrackingPage()
await takeConsole()
await browser.close()
process.exit()

async function take(page, name, options = {}) {
  await page.screenshot({ path: at(`docs/images/${name}.png`), ...options })
  console.log(`docs/images/${name}.png`)
}

/** A parcel that is out for delivery, in light and in dark. */
async function takeTrackingPage() {
  const { subject, events } = JSON.parse(readFileSync(at('docs/examples/happy-path.json'), 'utf8'))
  const shown = events.slice(0, events.findIndex(({ status_code }) => status_code === 'out_for_delivery') + 1)
  const url = await serving(subject, shown)
  const page = await browser.newPage({ viewport: { width: 1120, height: 1130 }, timezoneId: 'America/Toronto' })
  await page.goto(`${url}/track/${subject.tracking_number}?lang=en`)
  await page.locator('.live[data-state=on]').waitFor()
  for (const picture of await page.locator('main img').all()) await picture.evaluate((one) => one.decode())
  for (const [colorScheme, name] of [
    ['light', 'tracking-page'],
    ['dark', 'tracking-page-dark'],
  ]) {
    await page.emulateMedia({ colorScheme })
    await take(page, name)
  }
  await page.close()
}

/** A server with the events of a parcel, on the day of its delivery. */
async function serving(subject, events) {
  const store = await openStore({ kind: 'memory' })
  const mail = { send: async () => undefined, check: async () => 'nowhere' }
  const options = {
    store,
    clock: () => Date.parse('2026-06-11T08:40:00-04:00'),
    baseUrl: 'https://tracking.example',
    mail,
  }
  const parts = createParts(options)
  const app = createApp({ ...options, parts })
  const caller = { kind: 'operator', name: 'pictures', scopes: ['providers:write'] }
  const { key } = await call(
    addProvider,
    { ...parts, caller, messages: en, requestId: 'pictures' },
    { name: 'demo-carrier', all_businesses: true },
  )
  const pushed = await app.request('/api/v1/otep/ingest', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ subject, events }),
  })
  if (pushed.status !== 200) throw new Error(await pushed.text())
  const server = await new Promise((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started))
  })
  return `http://127.0.0.1:${server.address().port}`
}

/** The day of `otep demo` at ten in the morning, where its time stops. */
async function takeConsole() {
  Date.now = () => Date.parse('2026-06-11T10:00:00+02:00')
  const { promise, began } = begun()
  const ended = demo({ ...began, env: process.env, positionals: [], plugins: [] })
  const { url, admin } = await Promise.race([promise, ended.then(() => Promise.reject(new Error('The demo ended.')))])
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: 'Europe/Paris' })
  await page.goto(`${url}/today`)
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password').fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Needs somebody' }).waitFor()
  await take(page, 'today')
  await page.goto(`${url}/orders?late=1&sort=schedule_date`)
  await page.getByRole('table').waitFor()
  await take(page, 'orders')
  const { email, password } = admin
  const { access_token } = await asking(url)('POST', '/api/v1/user/login', { email, password })
  const ask = asking(url, access_token)
  await takeProposal(page, url, ask)
  await takeDeliveries(page, url, ask)
  process.emit('SIGINT')
  await ended
}

/** A proposal of a program, which waits for a decision. */
async function takeProposal(page, url, ask) {
  const { orders } = await ask('GET', '/api/v1/orders?late=true')
  const updates = [
    { ref: orders[0].reference, schedule_date: '2026-06-12', time_window: { start: '09:00', end: '12:00' } },
  ]
  const { proposal_id } = await ask('POST', '/api/v1/approvals', {
    tool: 'update_time_window_by_refs',
    arguments: { updates },
    reason: 'The recipient called: nobody is at home today, and Friday morning would suit.',
  })
  await page.goto(`${url}/mcp-approvals/${proposal_id}`)
  await page.getByRole('heading', { name: 'What would change' }).waitFor()
  await take(page, 'approvals')
}

/** The log of webhook deliveries, with URLs that have names. */
async function takeDeliveries(page, url, ask) {
  const names = { broken: 'Old ERP', orders: 'Shop', tracking: 'Support desk' }
  const { urls } = await ask('GET', '/api/v1/webhook-urls')
  for (const { endpoint_id, url: address } of urls)
    await ask('PUT', `/api/v1/webhook-urls/${endpoint_id}`, { name: names[address.split('/').at(-1)] })
  const delivered = async () => (await ask('GET', '/api/v1/webhook-deliveries?state=delivered')).total
  for (let [before, now] = [-1, 0]; before < now; [before, now] = [now, await delivered()]) await setTimeout(2_000)
  await page.goto(`${url}/webhooks/deliveries?about=order%2F25`)
  await page.getByRole('table').waitFor()
  await take(page, 'webhook-deliveries', { fullPage: true })
}

/** Calls of the REST interface, with a token once there is one. */
function asking(url, token) {
  return async (method, path, body) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

/** What a demo is begun with, and what it says when it is ready. */
function begun() {
  let ready
  const promise = new Promise((resolve) => {
    ready = resolve
  })
  const stdout = { write: (text) => ready(JSON.parse(text)) }
  return { promise, began: { values: { json: true, port: '0', speed: '1' }, stdout, stderr: process.stderr } }
}
