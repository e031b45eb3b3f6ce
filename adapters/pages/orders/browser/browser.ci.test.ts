import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { world } from '../../../auth/world.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const home = '/orders'

/** A listening server with orders, and a page in its own browser on which the administrator has signed in. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const { app, send, tokens, ids } = await world()
  const post = (path: string, body: object = {}) =>
    send('POST', `/api/v1/orders${path}`, { token: tokens.client_admin, body })
  const names = ['Ann Lee', 'W'.repeat(100), 'محمد علي']
  const create = (place: number) => {
    const delivery = {
      name: names[place % 3],
      phone: '+1 416 555 0100',
      address: { street: '1 Main Street', locality: 'L'.repeat(60) },
    }
    const price = {
      shipping_price: '12.50',
      currency: 'CAD',
      surcharges: [{ name: 'W'.repeat(80), surcharge_amount: '1.00' }],
    }
    const when = { schedule_date: '2026-06-09', time_window: { start: '09:00', end: '12:00' } }
    return post('', {
      type: 'D',
      reference: `PO-${place} ${'R'.repeat(80)}`,
      tags: ['cold'],
      delivery,
      pickup: delivery,
      price,
      ...when,
    })
  }
  for (let place = 1; place <= 5; place++) await create(place)
  await post('/1/assign-driver', { driver_id: ids.driver })
  await post('/1/pick-up')
  await post('/1/complete', {
    recipient: 'W'.repeat(100),
    photo_urls: [`https://a.example/${'p'.repeat(200)}.jpg`],
    note: 'n'.repeat(400),
  })
  const url = await listening(t, app.fetch)
  const { page, wrong } = await browse(t, options)
  await page.goto(url + home)
  await signIn(page)
  return { url, page, wrong, post, create }
}

const paths = [
  home,
  `${home}?late=1`,
  `${home}?q=Ann`,
  `${home}/1`,
  `${home}/2/do/update_order`,
  `${home}/2/do/set_order_price`,
  `${home}/import`,
]

t.test(
  'given a browser without script, when an order is found and cancelled by keyboard, then it is',
  { skip },
  async (t) => {
    const { url, page, wrong } = await visit(t, { javaScriptEnabled: false })
    await page.getByRole('searchbox').fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^LD/ }).first().click()
    await page.getByRole('link', { name: 'Cancel order' }).click()
    await page.getByRole('button', { name: 'Preview' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing has been done yet.').waitFor()
    await page.getByRole('button', { name: 'Confirm: Cancel order' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    t.match(page.url(), `${url}${home}/2`)
    t.match(await page.locator('.head .badge').first().textContent(), /Cancelled/)
    t.same(wrong, [])
  },
)

t.test('given an open list, when orders change, then it shows them, and keys lead through it', { skip }, async (t) => {
  const { url, page, wrong, post, create } = await visit(t)
  await page.getByText('to search').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  const focused = () => page.evaluate('document.activeElement.getAttribute("href")')
  t.equal(await focused(), `${home}/4`)
  await page.keyboard.press('k')
  t.equal(await focused(), `${home}/5`)
  await create(6)
  await page.locator(`a[href="${home}/6"]`).waitFor()
  t.equal(await focused(), `${home}/5`, 'the focus stays where it was')
  await page.keyboard.press('/')
  await page.keyboard.type('jk')
  t.equal(await page.getByRole('searchbox').inputValue(), 'jk', 'keys are letters where somebody writes')
  await page.locator(`a[href="${home}/5"]`).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}${home}/5`)
  await post('/5/hold')
  await page.locator('.head .badge', { hasText: 'Hold' }).waitFor()
  t.same(wrong, [])
})

t.test('given the accessibility checker axe, when it checks the pages, then it finds nothing', { skip }, async (t) => {
  const { url, page } = await visit(t)
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of paths) {
      await page.goto(url + path)
      await judge(t, page, `${path} at ${width}`)
    }
  }
  await page.goto(`${url}${home}/2/do/cancel_order`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Nothing has been done yet.').waitFor()
  await judge(t, page, 'a preview')
  await page.goto(`${url}${home}/2/do/update_order`)
  await page.getByLabel('Items').fill('many')
  await page.getByRole('button', { name: 'Update order' }).click()
  await page.getByRole('alert').waitFor()
  await judge(t, page, 'a refusal')
  await page.goto(`${url}${home}/import`)
  await page.getByLabel('Or the lines themselves').fill('type\nD\nX')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('alert').waitFor()
  await judge(t, page, 'an import')
  await page.getByLabel('Or the lines themselves').fill('Kind,Name,Street,My note\nD,Ann,1 Main,x\nX,Bo,2 Main,y')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByLabel('Kind').selectOption('type')
  await page.getByLabel('My note').selectOption('Leave out')
  await judge(t, page, 'the columns of an import')
  await page.getByRole('button', { name: 'Check' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create 1 order' }).waitFor()
  await judge(t, page, 'an import whose columns were chosen')
})

const inLanguage = (path: string, language: string) => `${path}${path.includes('?') ? '&' : '?'}lang=${language}`

t.test('given pages in German and in Arabic, when axe checks them, then it finds nothing', { skip }, async (t) => {
  const { url, page } = await visit(t)
  const screens = [
    ['de', 390],
    ['ar', 1280],
  ] as const
  for (const [language, width] of screens) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of paths) {
      await page.goto(url + inLanguage(path, language))
      t.equal(await page.locator('html').getAttribute('lang'), language)
      await judge(t, page, `${path} in ${language} at ${width}`)
    }
  }
  await page.goto(url + inLanguage(`${home}/2/do/update_order`, 'ar'))
  await page.locator('[name=items]').fill('many')
  await page.locator('button[value=do]').click()
  await page.getByRole('alert').waitFor()
  await judge(t, page, 'a refusal in Arabic')
})

t.test(
  'given a list in English, when its reader chooses German and cancels an order, then all of it is in German',
  { skip },
  async (t) => {
    const { url, page, wrong, create } = await visit(t)
    await page.goto(`${url}${home}?type=D&sort=created_at`)
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.waitForURL(`${url}${home}?type=D&sort=created_at&lang=de`)
    await create(6)
    await page.locator(`a[href="${home}/6?lang=de"]`).waitFor()
    t.equal(await page.getByText('New order').count(), 0, 'what changes in the open list is in its language, too')
    await page.locator(`a[href="${home}/2?lang=de"]`).click()
    await page.getByRole('link', { name: 'Auftrag stornieren' }).click()
    await page.getByRole('button', { name: 'Vorschau' }).click()
    await page.getByText('Noch ist nichts geschehen.').waitFor()
    await page.getByRole('button', { name: 'Bestätigen: Auftrag stornieren' }).click()
    await page.getByText('Erledigt: Auftrag stornieren.').waitFor()
    t.match(page.url(), /\/orders\/2\?.*&lang=de$/)
    t.equal(await page.locator('.head .badge').first().textContent(), 'Storniert')
    t.same(wrong, [])
  },
)

t.test(
  'given screens from 320 to 1280 pixels, when a page is shown, then nothing but tables scrolls sideways',
  { skip },
  async (t) => {
    const { url, page } = await visit(t)
    for (const width of [320, 390, 704, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const path of paths.flatMap((path) => [path, inLanguage(path, 'de'), inLanguage(path, 'ar')])) {
        await page.goto(url + path)
        t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${path} at ${width}`)
        if (width < 704)
          t.ok(
            Number(
              await page.evaluate(
                "Math.max(0, ...[...document.querySelectorAll('table.orders')].map((e) => e.scrollWidth))",
              ),
            ) <= width,
            `the list of ${path} fits a screen of ${width}`,
          )
        t.ok((await widest(page, '.wide-table')) <= width, `${path} at ${width}, beside its tables`)
      }
    }
  },
)
