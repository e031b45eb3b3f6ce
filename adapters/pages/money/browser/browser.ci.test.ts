import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { world } from '../../../auth/world.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const home = '/money'
const { PAGE_PICTURES: pictures } = process.env

t.test(
  'given wallets, when an admin issues the statements of a month without script, then they are there to read, and all fits a phone',
  { skip },
  async (t) => {
    const { send, tokens, ids, clock, app } = await world()
    const ask = (method: string, path: string, body: object) =>
      send(method, `/api/v1/${path}`, { token: tokens.client_admin, body })
    await ask('POST', `accounts/${ids.customer}/top-ups`, { amount: '150.00' })
    await ask('PUT', `wallets/${ids.customer}/credit-limit`, { credit_limit: '500.00' })
    const taken = { kind: 'fee', amount: '175.50', reason: 'Storage of four pallets in June' }
    await ask('POST', `wallets/${ids.customer}/adjustments`, taken)
    await ask('POST', 'exchange-rates', { from: 'USD', to: 'CAD', rate: '1.3725' })
    const price = { shipping_price: '7.00', currency: 'CAD' }
    const address = { street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' }
    await ask('POST', 'orders', { type: 'D', delivery: { name: 'Zoe', address }, price })
    clock.now = Date.parse('2026-07-02T10:00:00Z')
    const url = await listening(t, app.fetch)
    const { page, wrong } = await browse(t, { javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
    await page.goto(url + home)
    await signIn(page)
    t.match(await page.locator('#balances + dl').textContent(), /Customers owe25\.50 CADCustomers have0\.00 CAD/)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    t.match(await page.getByRole('status').textContent(), /Issue statements/)
    t.equal(await page.getByRole('link', { name: /^PDF of statement/ }).count(), 3)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV of statement 1', exact: true }).click(),
    ])
    t.equal(download.suggestedFilename(), 'statement-1.csv')

    const drawn = await browse(t, { storageState: await page.context().storageState() })
    for (const [width, height] of [
      [390, 844],
      [1280, 900],
    ] as const)
      for (const [name, path] of [
        ['money', home],
        ['wallet', `${home}?wallet=${ids.customer}`],
        ['issue', `${home}/issue`],
        ['money-ar', `${home}?lang=ar`],
      ] as const) {
        await drawn.page.setViewportSize({ width, height })
        await drawn.page.goto(url + path)
        t.ok((await widest(drawn.page, '.wide-table')) <= width, `${width} pixels are enough for ${name}`)
        await judge(t, drawn.page, `${path} at ${width} pixels`)
        if (pictures === undefined) continue
        mkdirSync(pictures, { recursive: true })
        await drawn.page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: true })
      }
    t.same([...wrong, ...drawn.wrong], [])
  },
)
