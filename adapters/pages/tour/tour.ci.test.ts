import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { webhookEventTypes } from '../../engine.ts'
import type { Gateway } from '../../node/gateway.ts'
import { createCatalogue } from '../../webhooks/catalogue.ts'
import { browse, judge, signIn, skip } from '../browser.test.fixture.ts'
import { createPages } from '../index.ts'
import { type Place, place } from './place.test.fixture.ts'

/** Every address of `createPages` that can be opened, and is neither an asset nor a live stream. Only its routes are asked for, so no gateway is needed. */
function addresses(): readonly string[] {
  const options = { hsts: false, frameAncestors: [], fetchDocument: () => Promise.reject(new Error('never fetched')) }
  const catalogue = createCatalogue(webhookEventTypes, 'tour')
  const pages = createPages({ version: 'tour' } as Gateway, { ...options, catalogue })
  const all = pages.routes.filter(({ method, path }) => method === 'GET' && !/^\/assets\/|\/live$/.test(path))
  return [...new Set(all.map(({ path }) => path))]
}

/** What is filled in for a parameter of an address, if it is not the first of a choice such as `:verb{approve|reject}`. */
function parametersOf({ number, tokens, ids, endpoint, delivery, asked }: Place): Readonly<Record<string, string>> {
  return {
    ...{ number, endpoint, delivery, asked, customer: String(ids.customer), id: '1' },
    ...{ path: 'how-to/push-events', event: 'order.created', channel: 'tenant', provider: 'acme' },
    ...{ app: 'shop', client: 'one', business: '1', file: 'labels.pdf', operation: 'update_order', name: 'courier' },
    ...{ batch: '1', 'keys form': 'domains', 'records kind': 'carrier-package' },
    ...{ 'records begin': 'advise_carrier_package', 'records operation': 'receive_carrier_package' },
    ...tokens,
  }
}

/**
 * Pages that refuse: somebody who comes back from an identity provider brings a code, a package of a carrier has no file, and no month
 * is over of which there would be a statement.
 */
const refused: Readonly<Record<string, number>> = {
  '/account/sign-on/:business{[1-9]\\d{0,14}}': 403,
  '/records/:kind{[a-z-]{1,40}}/:id{[A-Za-z0-9][A-Za-z0-9._-]{0,63}}/file/:operation{[a-z_]{1,60}}': 404,
  '/money/statements/:id{[0-9]{1,15}}/:format{pdf|csv}': 404,
}

/** More to see at some addresses: what is not there, and what a query asks for. */
const more = [
  ...['/track/unknown', '/docs/none', '/docs/search?q=key', '/docs/reference/statuses', '/keys/roles/99'],
  ...[
    '/records/account',
    '/records/account/1',
    '/records/account/1/do/update_account',
    '/records/label/new/quote_and_ship',
  ],
  ...['/records/assignment-rule/new/create_assignment_rule', '/records/pickup/new/request_pickup'],
]

/** The path of an address, with its parameters filled in. */
function example(address: string, parameters: Readonly<Record<string, string>>): string {
  const path = address.replace(/:(\w+)(?:\{((?:[^{}]|\{[^}]*\})*)\})?/g, (_, name: string, pattern = '') => {
    const [, area, room] = address.split('/')
    const value =
      parameters[`${area}/${room} ${name}`] ??
      parameters[`${area} ${name}`] ??
      parameters[name] ??
      /^[\w-]+(?=\|)/.exec(pattern)?.[0]
    if (value === undefined) throw new Error(`The tour has no example for :${name} of ${address}: add one to it.`)
    return value
  })
  return path.replace(/\*$/, 'none')
}

/** What an address gives a browser. Addresses of forms redirect, and others give pictures or files: neither is a page. */
async function kindOf(page: Page, url: string, path: string): Promise<'page' | 'other' | number> {
  const answer = await page.request.get(url + path, { headers: { accept: 'text/html' }, maxRedirects: 0 })
  const isPage = answer.headers()['content-type']?.startsWith('text/html') ?? false
  if (answer.status() >= 300 && answer.status() < 400) return 'other'
  return answer.ok() ? (isPage ? 'page' : 'other') : answer.status()
}

const isWhole = process.env.OTEP_TOUR === 'whole'

/**
 * Each page in the narrowest and the widest form, of which axe judges the first: the tests of the pages have it judge wide ones.
 * OTEP_TOUR=whole has every width in both languages, and all of them judged.
 */
const forms = [
  { lang: 'en', width: 390 },
  { lang: 'ar', width: 1280 },
  ...(isWhole
    ? [
        { lang: 'en', width: 768 },
        { lang: 'en', width: 1280 },
        { lang: 'ar', width: 390 },
        { lang: 'ar', width: 768 },
      ]
    : []),
]
/** How wide a page is, without what a dense table has beyond its own bar. */
const wide = 'document.documentElement.scrollWidth'
const screens = process.env.SCREENSHOTS

/** Opens a page in each form, light and dark: in English and, where it has another language, in one that runs from right to left. */
async function look(t: Test, page: Page, url: string, path: string): Promise<void> {
  for (const { lang, width } of forms) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
    const isShown = await page.locator(`html[lang=${lang}]`).count()
    if (isShown === 0 && lang !== 'en') continue
    const name = `${path.slice(0, 60)}, ${lang}, ${width} px`
    t.equal(isShown, 1, `${name}: the language`)
    t.equal(await page.evaluate(wide), width, `${name}: it does not scroll sideways`)
    await page.evaluate("for (const details of document.querySelectorAll('main details')) details.open = true")
    t.equal(await page.evaluate(wide), width, `${name}: nor does what was opened`)
    if (isWhole || lang === 'en') await judge(t, page, name)
    if (screens !== undefined)
      await page.screenshot({ path: `${screens}/${name.replaceAll(/[^\w]+/g, '-')}.png`, fullPage: true })
  }
}

/** What is wrong in a browser beside the statuses that a page may have, and requests to other hosts. */
function watch(page: Page, url: string, wrong: string[]): () => readonly string[] {
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) wrong.push(request.url())
  })
  return () => wrong.filter((text) => !/status of 40[34]/.test(text))
}

t.test(
  'given every page of the server, when a browser opens it narrow and wide, light and dark, in two languages, then axe finds nothing, no page scrolls sideways, and no other host is asked',
  { skip, timeout: 1_200_000 },
  async (t) => {
    const made = await place(t)
    const { url, queries } = made
    const { page, wrong } = await browse(t, { timezoneId: 'America/Toronto' })
    const problems = watch(page, url, wrong)
    const parameters = parametersOf(made)
    const all = addresses().map((address) => ({
      address,
      path: `${example(address, parameters)}${queries[address] ?? ''}`,
    }))
    const areas = all.filter(({ address }) => /^\/[\w-]+\/:at\{sign-in/.test(address))
    for (const { path } of areas)
      await t.test(`signed out: ${path}`, (t) => look(t, page, url, `/${path.split('/')[1]}`))
    await page.goto(`${url}/account`)
    await signIn(page)
    const toured: string[] = []
    for (const { address, path } of all) {
      const kind = await kindOf(page, url, path)
      const isMissing = (address.endsWith('*') && kind === 404) || kind === refused[address]
      t.ok(typeof kind === 'string' || isMissing, `${address}: the example is good: ${path.slice(0, 60)} (${kind})`)
      if (kind === 'page' || isMissing) toured.push(path)
    }
    for (const path of [...toured, ...more]) await t.test(path.slice(0, 60), (t) => look(t, page, url, path))
    t.same(problems(), [], 'nothing goes wrong, and nothing comes from another host')
  },
)

t.test('given an address without an example, when the tour plans its way, then it says what is missing', async (t) => {
  t.throws(() => example('/new/:thing', {}), /no example for :thing of \/new\/:thing/)
  t.equal(example('/a/:verb{on|off}/:id{[1-9]\\d{0,14}}', { id: '1' }), '/a/on/1')
  t.equal(example('/a/:token', { token: '1', 'a token': '2' }), '/a/2')
})
