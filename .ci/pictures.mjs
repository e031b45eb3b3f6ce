// `npm run pictures`: makes the pictures of the tracking page in docs/images, with a real browser. Look at them before you commit.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { chromium } from 'playwright-core'
import { createApp, createParts, openStore } from '../dist/adapters/main.js'
import { addProvider, call, en } from '../dist/engine/index.js'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { subject, events } = JSON.parse(readFileSync(at('docs/examples/happy-path.json'), 'utf8'))
const shown = events.slice(0, events.findIndex(({ status_code }) => status_code === 'out_for_delivery') + 1)

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
  body: JSON.stringify({ subject, events: shown }),
})
if (pushed.status !== 200) throw new Error(await pushed.text())

const server = await new Promise((resolve) => {
  const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started))
})
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1120, height: 1130 }, timezoneId: 'America/Toronto' })
await page.goto(`http://127.0.0.1:${server.address().port}/track/${subject.tracking_number}?lang=en`)
await page.locator('.live[data-state=on]').waitFor()
for (const picture of await page.locator('main img').all()) await picture.evaluate((one) => one.decode())
for (const [colorScheme, name] of [
  ['light', 'tracking-page'],
  ['dark', 'tracking-page-dark'],
]) {
  await page.emulateMedia({ colorScheme })
  await page.screenshot({ path: at(`docs/images/${name}.png`) })
  console.log(`docs/images/${name}.png`)
}
await browser.close()
process.exit()
