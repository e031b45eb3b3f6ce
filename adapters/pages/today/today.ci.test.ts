import t from 'tap'
import { browse, judge, listening, signIn, skip, widest } from '../browser.test.fixture.ts'
import { site } from '../signed-in/site.test.fixture.ts'
import { receiver } from '../webhooks/receiver.test.fixture.ts'
import { day, event } from './day.test.fixture.ts'

const long = 'w'.repeat(60)

/** A page of a full day, in a browser in which its admin has signed in. */
async function full(t: Parameters<typeof browse>[0], width: number) {
  const made = await site('/today', {
    server: { store: 'memory:', files: [], operators: [1] },
    webhooks: { allow: ['127.0.0.0/8'] },
  })
  const { good, order, drive, provider, push } = await day(made)
  for (const date of ['2026-06-01', '2026-06-03', '2026-06-09', '2026-06-10', '2026-06-10'])
    await drive({ schedule_date: date }, 'complete')
  for (const more of [{}, { schedule_date: '2026-06-09' }]) await drive(more)
  await drive({ schedule_date: '2026-06-10' }, 'fail')
  for (const date of ['2026-06-10', '2026-06-12']) await order({ schedule_date: date })
  const key = await provider('parcels')
  await push(key, event('1'), event('2'), event('3', { status_code: '', occurred_at: 'x' }))
  await provider(`global-${long}`.slice(0, 60), false)
  const { url: hook } = await receiver(t)
  await good('PUT', '/api/v1/webhook-settings', { order_create_webhook_url: `${hook}/${long}` })
  const models = [{ name: 'orders', version: 1, isCaughtUp: false, secondsBehind: 7 }]
  const beat = {
    name: long,
    host: `${long}.example`,
    version: '1.0.0',
    since: '',
    at: '2026-06-10T10:00:00Z',
    leases: [],
    models,
  }
  await made.store.leases.write('node-1', { holder: long, term: 1, checkpoint: JSON.stringify(beat) })
  const url = await listening(t, made.app.fetch)
  const { page, wrong } = await browse(t, { viewport: { width, height: 900 } })
  await page.goto(`${url}/today`)
  await signIn(page)
  return { ...made, order, page, wrong, url }
}

for (const width of [390, 768, 1280])
  t.test(
    `given a window of ${width} pixels, when the page of today is shown, then all of it is readable`,
    { skip },
    async (t) => {
      const { page, wrong } = await full(t, width)
      await judge(t, page, 'today')
      t.ok((await widest(page)) <= width, 'it is no wider than the window')
      for (const summary of await page.locator('summary').all()) await summary.click()
      t.equal(await page.getByRole('table', { name: 'Delivered by day' }).locator('tbody tr').count(), 14)
      await judge(t, page, 'the figures of the plots')
      t.ok((await page.locator('body').evaluate((body) => body.scrollWidth)) <= width)
      t.same(wrong, [])
    },
  )

t.test(
  'given an open page, when an order comes, then the page shows it by itself, and by its link without a script',
  { skip },
  async (t) => {
    const { page, order, url } = await full(t, 1280)
    const unassigned = page
      .getByRole('row', { name: /^Unassigned/ })
      .locator('td')
      .first()
    t.equal(await unassigned.textContent(), '1')
    await order({ schedule_date: '2026-06-10' })
    await page.getByRole('link', { name: 'Refresh' }).click()
    t.equal(await unassigned.textContent(), '2')
    await page.clock.install()
    await page.goto(`${url}/today`)
    await order({ schedule_date: '2026-06-10' })
    await page.clock.runFor(31_000)
    await page.getByRole('row', { name: /^Unassigned 3/ }).waitFor()
  },
)

t.test(
  'given the page in German and in Arabic, when it is shown and loads itself again, then it stays so, and all of it is readable',
  { skip },
  async (t) => {
    const { page, order, url, wrong } = await full(t, 1280)
    for (const [language, unassigned, figures] of [
      ['de', 'Nicht zugewiesen', 'Zahlen'],
      ['ar', 'غير مُسندة', 'الأرقام'],
    ] as const) {
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${url}/today?lang=${language}`)
        for (const summary of await page.getByText(figures, { exact: true }).all()) await summary.click()
        await judge(t, page, `${language} at ${width}`)
        t.ok((await widest(page)) <= width, `${language} is no wider than ${width}`)
      }
      const number = page.getByRole('row', { name: unassigned }).locator('td').first()
      const before = Number(await number.textContent())
      await page.clock.install()
      await page.goto(`${url}/today?lang=${language}`)
      await order({ schedule_date: '2026-06-10' })
      await page.clock.runFor(31_000)
      await page.getByRole('row', { name: `${unassigned} ${before + 1}` }).waitFor()
      await page.locator('summary', { hasText: language === 'de' ? 'Deutsch' : 'العربية' }).click()
      await page.getByRole('link', { name: 'Français' }).click()
      await page.getByRole('heading', { name: 'Aujourd’hui' }).waitFor()
    }
    t.same(wrong, [])
  },
)
