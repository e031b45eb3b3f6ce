import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { world } from '../../../auth/world.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const home = '/keys'
const roles = `${home}/roles`
const providers = `${home}/providers`
const services = `${home}/services`

/** A listening server with keys and roles, and a page in its own browser on which the administrator has signed in. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const { app, send, tokens, ids } = await world()
  const make = (path: string, token: string, body: object) => send('POST', `/api/v1/${path}`, { token, body })
  const name = `Import ${'W'.repeat(100)}`
  const scopes = ['orders:read', 'orders:write', 'routes:read', 'uniorder:write']
  await make('api-keys', tokens.client_admin, { name, scopes, operations: ['get_orders', 'create_order'] })
  await make('api-keys', tokens.driver, { name: 'Phone', scopes: ['orders:read'], read_only: true })
  await make('staff-roles', tokens.client_admin, { name: 'Night shift', preset: 'read-only' })
  await make('staff-roles', tokens.client_admin, { name: 'W'.repeat(60), scopes })
  await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, {
    token: tokens.client_admin,
    body: { staff_role_id: 1 },
  })
  await make('providers', tokens.client_admin, { name: 'w'.repeat(60) })
  const robot = { role: 'client_employee', name: 'W'.repeat(120), staff_role_id: 1 }
  const service: number = (await make('service-accounts', tokens.client_admin, robot)).body.account_id
  await make(`service-accounts/${service}/api-keys`, tokens.client_admin, { name, scopes: ['orders:read'] })
  await send('PUT', '/api/v1/business/sign-on/domains/acme.example', { token: tokens.client_admin, body: {} })
  const url = await listening(t, app.fetch)
  const { page, wrong } = await browse(t, options)
  await page.goto(url + home)
  await signIn(page)
  const served = [providers, `${providers}/${'w'.repeat(60)}/revoke`, services, `${services}/${service}`]
  return { url, page, wrong, app, served: [...served, `${services}/${service}/disable`] }
}

t.test(
  'given a browser without script, when a key is made and a role given by keyboard, then both work',
  { skip },
  async (t) => {
    const { url, page, wrong, app } = await visit(t, { javaScriptEnabled: false })
    await page.getByLabel('Name', { exact: true }).fill('Label printer')
    await page.getByLabel('Orders: See').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    const key = await page.getByLabel('The key').inputValue()
    const headers = { Authorization: `Bearer ${key}` }
    t.equal((await app.request('/api/v1/orders', { headers })).status, 200)
    await page.getByRole('link', { name: 'Staff roles' }).click()
    const choice = page.getByLabel(/^Role: client_employee/)
    t.equal(await choice.inputValue(), '1')
    await choice.selectOption('2')
    await page.getByRole('button', { name: /^Give: client_employee/ }).click()
    await page.getByRole('status').waitFor()
    t.equal(await choice.inputValue(), '2')
    t.match(page.url(), url + roles)
    t.same(wrong, [])
  },
)

t.test(
  'given a browser without script, when a provider and a service account get keys by keyboard, then both work',
  { skip },
  async (t) => {
    const { page, wrong, app } = await visit(t, { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'Providers' }).click()
    await page.getByLabel('Name', { exact: true }).fill('courier')
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    const authorization = `Bearer ${await page.getByLabel('The key').inputValue()}`
    const event = { subject: { tracking_number: 'A1' }, status_code: 'received', occurred_at: '2026-06-10T09:00:00Z' }
    const headers = { authorization, 'content-type': 'application/json' }
    const pushed = await app.request('/api/v1/otep/ingest', { method: 'POST', headers, body: JSON.stringify(event) })
    t.equal(pushed.status, 200)
    await page.getByRole('link', { name: 'Revoke: courier' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    t.equal((await app.request('/api/v1/otep/ingest', { method: 'POST', headers, body: '{}' })).status, 401)

    await page.getByRole('link', { name: 'Service accounts' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Till')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'API keys of Till' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Till')
    await page.getByLabel('Orders: See').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByLabel('The key').waitFor()
    const key = { authorization: `Bearer ${await page.getByLabel('The key').inputValue()}` }
    t.equal((await app.request('/api/v1/orders', { headers: key })).status, 200)
    t.same(wrong, [])
  },
)

t.test(
  'given a reader who chooses German, when a key is made, replaced and revoked by keyboard, then every page is in German',
  { skip },
  async (t) => {
    const { url, page, wrong } = await visit(t, { javaScriptEnabled: false })
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Drucker')
    await page.getByLabel('Aufträge: Ansehen').check()
    await press('Schlüssel erstellen')
    await page.getByText('Der Schlüssel Drucker ist erstellt.').waitFor()
    const made = await page.getByLabel('Der Schlüssel', { exact: true }).inputValue()
    await page.getByRole('link', { name: 'Erneuern: Drucker' }).click()
    await page.getByLabel('Der bisherige Schlüssel wird noch angenommen').selectOption('gar nicht mehr')
    await press('Schlüssel erneuern')
    await page.getByText('Das ist der neue Schlüssel.').waitFor()
    t.not(await page.getByLabel('Der Schlüssel', { exact: true }).inputValue(), made)
    await page.getByRole('link', { name: 'Widerrufen: Drucker' }).click()
    await press('Schlüssel widerrufen')
    await page.getByText('Der Schlüssel ist widerrufen.').waitFor()
    t.equal(await page.locator('html').getAttribute('lang'), 'de')
    t.ok(page.url().startsWith(url + home) && page.url().endsWith('lang=de'), page.url())
    t.same(wrong, [])
  },
)

t.test('given the accessibility checker axe, when it checks the pages, then it finds nothing', { skip }, async (t) => {
  const { url, page, served } = await visit(t)
  const own = [home, `${home}/1/rotate`, `${home}/1/revoke`, roles, `${roles}/2`, `${roles}/99`, `${home}/identity`]
  for (const language of ['en', 'de', 'ar'])
    for (const path of [...own, ...served]) {
      await page.goto(`${url}${path}?lang=${language}`)
      await judge(t, page, `${path} in ${language}`)
      if (process.env.SCREENSHOTS !== undefined)
        await page.screenshot({
          path: `${process.env.SCREENSHOTS}/${path.slice(1, 40).replaceAll('/', '-')}-${language}.png`,
          fullPage: true,
        })
    }
  await page.goto(url + home)
  await page.getByLabel('Name', { exact: true }).fill('Nothing')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('alert').waitFor()
  await judge(t, page, 'a refusal')
  await page.getByLabel('Orders: See').check()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByLabel('The key').waitFor()
  await judge(t, page, 'a new key')
})

t.test(
  'given screens from 320 to 1280 pixels, when a page is shown, then only its tables scroll sideways',
  { skip },
  async (t) => {
    const { url, page, served } = await visit(t)
    for (const width of [320, 390, 704, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const path of [home, `${home}/1/rotate`, roles, `${roles}/2`, `${home}/identity`, ...served])
        for (const language of ['en', 'de', 'ar']) {
          await page.goto(`${url}${path}?lang=${language}`)
          const name = `${path} in ${language} at ${width}`
          t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name)
          t.ok((await widest(page, '.scrolls')) <= width, `${name}, beside its tables`)
        }
    }
  },
)
