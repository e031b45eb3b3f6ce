import t from 'tap'
import { createMemoryStore } from '../../../engine/index.ts'
import { createApp } from '../../main.ts'
import { browse, judge, listening, skip } from '../browser.test.fixture.ts'

const app = createApp({ store: createMemoryStore(Date.now) })

t.test(
  'given a browser, when it shows pages, then nothing is wrong and nothing comes from elsewhere',
  { skip },
  async (t) => {
    const url = await listening(t, app.fetch)
    const { page, wrong } = await browse(t)
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) wrong.push(request.url())
    })
    for (const path of [
      '/docs',
      '/docs/how-to/push-events',
      '/docs/reference/rest/client',
      '/docs/search?q=key',
      '/docs/none',
    ])
      for (const width of [390, 820, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(url + path)
        t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${path} at ${width}`)
        if (width === 1280) await judge(t, page, path)
      }
    t.same(
      wrong,
      ['Failed to load resource: the server responded with a status of 404 (Not Found)'].flatMap((one) => [
        one,
        one,
        one,
      ]),
    )
    await page.goto(`${url}/docs`)
    await page.getByRole('searchbox').fill('rotate key')
    await page.keyboard.press('Enter')
    await page.locator('.hits a').first().click()
    await page.locator('article h1').waitFor()
  },
)
