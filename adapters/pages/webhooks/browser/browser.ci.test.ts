import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addProvider, call, en } from '../../../../engine/index.ts'
import { world } from '../../../auth/world.test.fixture.ts'
import { createPark } from '../../../webhooks/fan-out/park.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'
import { receiver, running, until } from '../receiver.test.fixture.ts'
import { writeDeliveries } from './many.test.fixture.ts'

const home = '/webhooks'
const log = `${home}/deliveries`

/** A server that listens and sends, a receiver, a provider, and a page in its own browser. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
  running(t, place)
  const { parts, business, send, tokens } = place
  const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  await call(addProvider, { ...parts, caller, messages: en, requestId: 't' }, { name: 'acme', business_id: business })
  const order = async () => {
    const body = { type: 'D', items: 1, delivery: { name: 'A', address: { street: 'S 1' } } }
    await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })
  }
  /** Parks an order of the business, as if its webhooks could not be built. */
  const park = async () => {
    await order()
    const [last] = await place.store.read(`order-1`, { limit: 1 })
    if (last === undefined) throw new Error('There is no order.')
    await createPark(parts.store, () => place.clock.now)(last, last, new RangeError('an example'))
  }
  const url = await listening(t, place.app.fetch)
  return { ...place, url, order, park, to: await receiver(t), ...(await browse(t, options)) }
}

/** Reloads a page until the selector matches. */
async function appears(page: Page, selector: string): Promise<boolean> {
  const found = await until(async () => {
    if ((await page.locator(selector).count()) > 0) return true
    await page.reload()
    return undefined
  })
  return found === true
}

t.test(
  'given a receiver, when a URL is set, tested, used, broken and used again, then the pages show it without script',
  { skip },
  async (t) => {
    const { url, page, wrong, to, order } = await visit(t, { javaScriptEnabled: false })
    await page.goto(`${url}${log}`)
    await signIn(page)
    t.equal(page.url(), url + log, 'the requested log is shown after signing in')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByLabel('Order created, URL 1', { exact: true }).fill(to.url)
    await page.keyboard.press('Enter')
    t.equal(await page.getByRole('status').textContent(), 'Saved.')
    t.equal(await page.getByLabel('Order created, URL 1', { exact: true }).inputValue(), to.url)
    await page.getByRole('button', { name: 'Send test: Order created' }).click()
    t.match(await page.getByRole('status').textContent(), /^The test was delivered: status 200 after \d+ ms\.$/)
    t.equal(to.got.length, 1)
    await page.getByRole('link', { name: 'See it in the log' }).click()
    t.equal(await page.locator('.about .badge').first().textContent(), 'Delivered')
    to.says.status = 500
    to.says.body = '<script>document.title = "broken"</script>'
    await order()
    await page.goto(url + log)
    t.ok(await appears(page, '.badge.waiting'))
    await page.locator('.deliveries td a').first().click()
    t.ok(await appears(page, '.attempts .badge.failed'))
    t.match(await page.locator('.attempts').textContent(), 'Status 500')
    t.match(await page.locator('.about').textContent(), 'Next attempt')
    t.equal(await page.getByRole('button', { name: 'Redeliver' }).count(), 0, 'it is not at its end')
    await page.getByRole('button', { name: 'Retry' }).click()
    t.equal(await page.getByRole('status').textContent(), 'It is being retried.')
    t.ok(await appears(page, '.attempts h3:has-text("Attempt 2")'), 'before its time')
    await page.goto(url + log)
    await page.locator('.deliveries .badge.delivered').waitFor()
    await page.locator('.deliveries tr:has(.badge.delivered) td a').click()
    to.says.status = 200
    await page.getByRole('button', { name: 'Redeliver' }).click()
    t.equal(await page.getByRole('status').textContent(), 'It is being sent again, as this new delivery.')
    t.ok(await appears(page, '.about .badge.delivered'))
    t.same(wrong, [])
  },
)

t.test(
  'given an answer that is markup, when a browser shows it, then nothing in it is executed',
  { skip },
  async (t) => {
    const { url, page, wrong, to } = await visit(t)
    to.says.body = '<script>alert(1)</script><img src=x onerror=alert(2)>'
    await page.goto(url + home)
    await signIn(page)
    await page.getByLabel('Order created, URL 1', { exact: true }).fill(to.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Send test: Order created' }).click()
    await page.getByRole('status').waitFor()
    t.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'status', 'the result has the focus')
    await page.getByRole('link', { name: 'See it in the log' }).click()
    await page.locator('.attempts').waitFor()
    t.match(await page.locator('.attempts pre').textContent(), '<script>alert(1)</script>')
    t.equal(await page.locator('script, img, iframe, [onerror]').count(), 0)
    await page.goto(url + home)
    await page.getByRole('button', { name: 'Reveal' }).click()
    await page.getByRole('button', { name: 'Copy' }).first().waitFor()
    t.match(await page.locator('.revealed code').first().textContent(), /^whsec_/)
    t.equal(await page.evaluate("document.documentElement.outerHTML.includes('ots_')"), false)
    t.same(wrong, [])
  },
)

/** Where to save screenshots of the pages, if somebody wants them. */
const pictures = process.env.PICTURES

type Stop = (name: string, path: string) => Promise<void>

async function tourOfPartners(
  { url, page, to }: Pick<Awaited<ReturnType<typeof visit>>, 'url' | 'page' | 'to'>,
  stop: Stop,
) {
  await stop('partners-empty', `${home}/partners`)
  await page.goto(`${url}${home}/partners`)
  to.says.echoes = true
  await page.getByLabel('Partner', { exact: true }).fill('acme')
  await page.getByLabel('URL', { exact: true }).fill(`${to.url}?${'long'.repeat(40)}`)
  await page.getByLabel('Signing secret').fill('a secret of thirty-two letters!!')
  await page.getByRole('button', { name: 'Subscribe a partner' }).click()
  await stop('partners', `${home}/partners`)
  to.says.echoes = false
}

/** Every page in some state, one after the other, with its name. */
async function tour({ url, page, to, order, park, ids, clock }: Awaited<ReturnType<typeof visit>>, stop: Stop) {
  await page.goto(url + home)
  await stop('sign-in', home)
  await signIn(page)
  await stop('settings-empty', home)
  await page.getByLabel('Order created, URL 1', { exact: true }).fill(to.url)
  await page.getByLabel('Order life cycle, URL 1', { exact: true }).fill(`${to.url}?${'long'.repeat(60)}`)
  await page.getByLabel('order.completed').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rotate…').click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('button', { name: 'Reveal' }).click()
  await stop('settings-revealed', '')
  await page.getByRole('button', { name: 'Send test: Order created' }).click()
  await stop('settings-tested', home)
  await page.getByLabel('Order created, URL 2', { exact: true }).fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await stop('settings-wrong', '')
  await page.goto(`${url}${home}/customers`)
  await stop('customers', `${home}/customers`)
  await stop('customer', `${home}/customers/${ids.customer}`)
  await page.goto(`${url}${home}/providers`)
  await page.getByLabel('Provider', { exact: true }).fill('acme')
  await page.getByLabel('URL', { exact: true }).fill(to.url)
  await page.getByRole('button', { name: 'Add an endpoint' }).click()
  await stop('providers', `${home}/providers`)
  await tourOfPartners({ url, page, to }, stop)
  await stop('parked-empty', `${home}/parked`)
  await park()
  await page.reload()
  await stop('parked', `${home}/parked`)
  await page.goto(url + home)
  await page.getByLabel('Order deleted, URL 1', { exact: true }).fill('pull:shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await stop('urls', `${home}/urls`)
  await page.goto(`${url}${home}/urls`)
  await page.getByRole('link', { name: 'pull:shop' }).click()
  await stop('queue', new URL(page.url()).pathname)
  to.says.status = 500
  to.says.body = JSON.stringify({ error: 'W'.repeat(300) })
  await order()
  clock.now += 1_000
  await page.goto(url + log)
  await appears(page, '.badge.waiting')
  await stop('log', log)
  await stop('log-wrong', `${log}?since=nonsense`)
  await page.goto(url + log)
  await page.locator('.deliveries td a').first().click()
  await appears(page, '.attempts .badge')
  await stop('delivery', new URL(page.url()).pathname)
  await page.goto(url + log)
  await page.locator('.deliveries tr:has(.badge.delivered) td a').first().click()
  await stop('delivery-over', new URL(page.url()).pathname)
  await stop('missing', `${log}/none`)
}

t.test(
  'given the accessibility checker axe, when it checks the pages in English, German and Arabic, then it finds nothing, and no page scrolls sideways',
  { skip },
  async (t) => {
    const place = await visit(t)
    const { page, url } = place
    const check = async (name: string) => {
      await page.evaluate("for (const details of document.querySelectorAll('main details')) details.open = true")
      await judge(t, page, name)
      for (const width of [320, 390, 704, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        t.ok((await widest(page, '.wide-table')) <= width, `${name} at ${width}, beside its tables`)
        if (pictures !== undefined && (width === 390 || width === 1280)) await picture(page, name, width)
      }
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = false")
    }
    await tour(place, async (name, path) => {
      if (path !== '' && !page.url().startsWith(url + path)) await page.goto(url + path)
      await check(name)
      if (path === '') return
      for (const language of ['de', 'ar']) {
        await page.goto(`${url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
        t.equal(await page.locator(`html[lang=${language}]`).count(), 1)
        await check(`${name}-${language}`)
      }
      await page.goto(url + path)
    })
  },
)

/** Deliveries in the log of the test below: with 100,000 of them it is as long as a busy business has it. */
const many = Number(process.env.DELIVERIES ?? 4_000)

/** What is opened of a long log, and what is on it then. */
const openings: readonly (readonly [name: string, path: string, found: string])[] = [
  ['settings', home, ':4001/created'],
  ['log', log, 'dlv_many_'],
  ['log, failed', `${log}?state=failed`, 'dlv_many_'],
  ['log, status 503', `${log}?status=503`, 'dlv_many_'],
  ['log, timeout', `${log}?failure=timeout`, 'dlv_many_'],
  ['log, part of the URL', `${log}?url=deleted`, 'dlv_many_'],
  ['log, one event id', `${log}?id=EVT-many-32`, 'dlv_many_32"'],
  ['log, one order', `${log}?about=order/17`, 'dlv_many_17"'],
  ['log, an hour', `${log}?since=2026-06-05T10:00&until=2026-06-05T11:00`, 'dlv_many_'],
  ['log, nothing', `${log}?id=EVT-none`, 'No delivery matches'],
  ['delivery', `${log}/dlv_many_32`, 'No answer in time · TLS'],
  ['health', `${home}/urls`, ':4001/created'],
]

t.test(
  'given a long log, when its pages are opened on a phone, a tablet and a screen, then each shows what is asked for',
  { skip },
  async (t) => {
    const file = join(t.testdir(), 'webhooks.db')
    const place = await world({ webhooks: { file, allow: ['127.0.0.0/8'] } })
    const { business, clock, send, tokens } = place
    const urls = [
      ['order_create_webhook_url', 'http://127.0.0.1:4001/created?token=1'],
      ['order_deleted_webhook_url', 'http://127.0.0.1:4001/deleted'],
    ] as const
    const saved = await send('PUT', '/api/v1/webhook-settings', {
      token: tokens.client_admin,
      body: Object.fromEntries(urls),
    })
    t.equal(saved.status, 200)
    await writeDeliveries({ file, business, urls, count: many, now: clock.now })
    const url = await listening(t, place.app.fetch)
    const { page, wrong } = await browse(t)
    await page.goto(url + home)
    await signIn(page)
    for (const [name, path, found] of openings) {
      for (const width of [390, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        const begun = performance.now()
        await page.goto(url + path)
        t.comment(`${name} at ${width}: ${Math.round(performance.now() - begun)} ms with ${many} deliveries`)
        t.match(await page.content(), found, `${name} at ${width}`)
        t.ok((await widest(page)) <= width, `${name} at ${width}`)
        if (pictures !== undefined) await picture(page, `many-${name.replaceAll(/\W+/g, '-')}`, width)
      }
    }
    await page.goto(url + log)
    await page.getByRole('link', { name: 'Older' }).click()
    t.match(await page.content(), 'dlv_many_')
    await page.goto(`${url}${home}/urls`)
    await page.locator('table a').first().click()
    t.equal(await page.locator('.plots svg').count(), 2)
    if (pictures !== undefined) await picture(page, 'many-url', 1280)
    t.same(wrong, [])
    await place.parts.webhooks.close()
  },
)

async function picture(page: Page, name: string, width: number): Promise<void> {
  mkdirSync(pictures ?? '', { recursive: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(pictures ?? '', `${name}-${width}-${colorScheme}.png`), fullPage: true })
  }
}
