import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { world } from '../../../auth/world.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const home = '/mark-ups'
const { PAGE_PICTURES: pictures } = process.env

/** A server that listens, an account at the sandbox, and a page in its own browser. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const place = await world()
  const ask = async (method: string, path: string, body?: object) =>
    (await place.send(method, path, { token: place.tokens.client_admin, ...(body && { body }) })).body
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'sandbox', credentials: { account: 'acme' } })
  const url = await listening(t, place.app.fetch)
  const found = { ...place, ask, url, ...(await browse(t, options)) }
  await found.page.goto(url + home)
  await signIn(found.page)
  return found
}

t.test(
  'given no rule, when an admin writes a table with brackets, then what is wrong is marked, and what is right holds, without script',
  { skip },
  async (t) => {
    const { page, wrong, ask } = await visit(t, { javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
    const cell = (column: string, row: number) => page.getByLabel(`${column}, row ${row}`, { exact: true })
    const publish = () => page.getByRole('button', { name: 'Publish', exact: true }).click()
    await cell('Services', 1).fill('standard')
    await cell('Up to grams', 1).fill('1000')
    await cell('Percent', 1).fill('many')
    await cell('Services', 2).fill('express')
    await cell('Sold', 2).selectOption('no')
    await publish()
    t.match(await page.getByRole('alert').textContent(), /Percent, row 1: Expected a percentage/)
    t.equal(await cell('Percent', 1).getAttribute('aria-invalid'), 'true')
    t.match(await ask('GET', '/api/v1/mark-ups'), { version: 0 }, 'nothing of it holds')
    await cell('Percent', 1).fill('25')
    await cell('Services', 3).fill('standard')
    await cell('Percent', 3).fill('10')
    await cell('At least', 3).fill('2.00')
    await cell('Round up to', 3).fill('1.00')
    await cell('Ending', 3).fill('0.95')
    await publish()
    t.equal(await page.getByRole('status').textContent(), 'Version 1 holds from now on.')
    const light = { services: ['standard'], up_to_grams: 1_000, percent: '25' }
    const dear = { services: ['standard'], percent: '10', minimum: '2.00', round_to: '1.00', ending: '0.95' }
    t.match(await ask('GET', '/api/v1/mark-ups'), { rules: [light, { services: ['express'], is_sold: false }, dear] })
    await cell('Place', 3).fill('1.5')
    await publish()
    t.match(
      (await ask('GET', '/api/v1/mark-ups')).rules,
      [light, dear, { is_sold: false }],
      'rules are moved by their numbers',
    )
    await cell('Place', 1).fill('9')
    await publish()
    t.match(await page.getByRole('alert').textContent(), /row 3: Rule 1 comes first/)
    t.same(
      wrong.filter((text) => !text.includes('422')),
      [],
      'nothing but the refused forms',
    )
  },
)

t.test(
  'given rules, when they are exported and imported, then they are replaced, and the page fits a phone',
  { skip },
  async (t) => {
    const { page, wrong, ask, url } = await visit(t, { viewport: { width: 390, height: 844 } })
    const lines = 'services,up_to_grams,percent,round_to\nstandard,1000,25,0.05\nstandard,,18,0.05\n'
    await page.getByLabel('Or the lines themselves').fill(lines)
    await page.getByRole('button', { name: 'Import and publish' }).click()
    t.equal(await page.getByRole('status').textContent(), 'Version 1 holds from now on.')
    t.match((await ask('GET', '/api/v1/mark-ups')).rules, [{ percent: '25' }, { percent: '18' }])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    t.match(
      Buffer.concat(chunks).toString(),
      /^carrier_account_id,services,.*\r\n,standard,,,,1000,yes,25,,,0\.05,\r\n/,
    )
    await page.getByLabel('Or the lines themselves').fill('services,percent\nair,-1\n')
    await page.getByRole('button', { name: 'Import and publish' }).click()
    t.match(await page.getByRole('alert').textContent(), /csv\[2\]\.percent: Expected a percentage/)
    for (const [width, height] of [
      [390, 844],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(url + home)
      t.ok((await widest(page, '.wide-table')) <= width, `${width} pixels are enough`)
      await judge(t, page, `${home} at ${width} pixels`)
      if (pictures === undefined) continue
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `mark-ups-${width}.png`), fullPage: true })
    }
    t.same(
      wrong.filter((text) => !text.includes('422')),
      [],
      'nothing but the refused forms',
    )
  },
)
