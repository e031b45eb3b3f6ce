import t from 'tap'
import { createMemoryStore } from '../../../engine/index.ts'
import { createApp } from '../../main.ts'
import { browse, judge, listening, skip } from '../browser.test.fixture.ts'
import { plain } from '../html.test.fixture.ts'

const app = createApp({ store: createMemoryStore(Date.now) })

async function send(path: string) {
  const response = await app.fetch(new Request(`http://localhost${path}`))
  return { status: response.status, html: await response.text() }
}

/** The addresses that a page links to on this server. */
const linksIn = (html: string) => [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link = '']) => plain(link))

t.test(
  'given the documentation, when every link in it is followed, then each leads to a page and a part of it',
  async (t) => {
    const seen = new Map<string, string>()
    const waiting = ['/docs']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      const { status, html } = await send(path)
      t.equal(status, 200, path)
      seen.set(path, html)
      if (!path.startsWith('/docs') || /\.\w+$/.test(path)) continue
      waiting.push(...linksIn(html).map((link) => link.split('#')[0] ?? ''))
    }
    const articles = [...seen].filter(([path]) => path.startsWith('/docs'))
    t.ok(articles.length > 150, `${articles.length} pages`)
    for (const [path, html] of articles)
      for (const link of linksIn(html)) {
        const [target = '', anchor] = link.split('#')
        if (anchor === undefined || !target.startsWith('/docs')) continue
        if (!seen.get(target)?.includes(`id="${anchor}"`)) t.fail(`${path}: ${link}`)
      }
  },
)

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
