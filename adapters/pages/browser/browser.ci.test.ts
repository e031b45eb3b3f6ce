import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addProvider, call, createLink, createMemoryStore, en, type PublicView } from '../../../engine/index.ts'
import { createApp, createParts } from '../../main.ts'
import { browse, judge, listening, skip, widest } from '../browser.test.fixture.ts'

const long = 'W'.repeat(100)
const photo = 'https://files.example/p.jpg'
const journey = [
  { event_id: '1', occurred_at: '2026-06-09T23:30:00-04:00', status_code: 'picked_up', pod: { photo_urls: [photo] } },
  { event_id: '2', occurred_at: '2026-06-10T18:05:00+02:00', status_code: 'in_transit', location: { name: long } },
  { event_id: '3', occurred_at: '2026-06-10T19:05:00+02:00', status_code: 'x-lost', description: 'D'.repeat(300) },
  { event_id: '4', occurred_at: '2026-06-11T08:00:00+02:00', status_code: 'out_for_delivery' },
  {
    event_id: '5',
    occurred_at: '2026-06-10T20:00:00+02:00',
    status_code: 'delivered',
    withdrawn: { declared_at: '2026-06-10T20:10:00+02:00', reason: '<img src=x onerror=alert(1)>' },
  },
]

/** A listening server, a page in its own browser, and everything that goes wrong in it. */
async function visit(t: Test, options: BrowserContextOptions = {}, publicView: PublicView = 'full') {
  const store = createMemoryStore(Date.now)
  const parts = createParts({ store, publicView })
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...parts, caller: operator, messages: en, requestId: 't' }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  const app = createApp({ store, parts })
  const url = await listening(t, app.fetch)
  const ingest = async (...events: readonly object[]) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const subject = { tracking_number: 'SR1', piece_id: 'P'.repeat(500) }
    const response = await fetch(`${url}/api/v1/otep/ingest`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ subject, events }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  await ingest(...journey)
  return { url, context, ingest, ...(await browse(t, options)) }
}

t.test('given a page, when a browser shows it, then nothing goes wrong', { skip }, async (t) => {
  const { url, page, wrong } = await visit(t)
  for (const path of ['/', '/track/SR1']) {
    await page.goto(url + path)
    await page.locator('h1').waitFor()
  }
  await page.getByText('Live: this page updates by itself').waitFor()
  t.same(wrong, [])
  t.equal(
    await page.locator('script, img, iframe, [onerror]').count(),
    2,
    'the script and the QR code: hostile text has not become an element',
  )
  t.equal(await page.locator('.withdrawn .event').isVisible(), false)
  await page.getByText('Withdrawn events (1)').click()
  t.equal(await page.locator('.withdrawn .event').isVisible(), true)
  await page.evaluate("document.body.setAttribute('style', 'color: red')")
  t.match(wrong.join(), 'Content Security Policy', 'a violation would be noticed here')
})

t.test(
  'given an open page, when an event is recorded, then the page shows it without a reload',
  { skip },
  async (t) => {
    const { url, page, ingest, wrong } = await visit(t, { timezoneId: 'Europe/Paris' })
    await page.addInitScript(
      'const Real = EventSource; EventSource = class extends Real { constructor(...a) { super(...a); globalThis.source = this } }',
    )
    await page.goto(`${url}/track/SR1`)
    await page.getByText('Live: this page updates by itself').waitFor()
    await page.evaluate('globalThis.untouched = true')
    await page.getByText('Withdrawn events (1)').click()
    await page.locator('[data-event="4"]').getByText('Details').click()
    await page.locator('.evidence a').focus()
    await ingest({
      event_id: '6',
      occurred_at: '2026-06-11T10:00:00+02:00',
      status_code: 'delivered',
      location: { name: 'Lyon' },
    })
    await page.locator('h1', { hasText: 'Delivered' }).waitFor()
    t.equal(await page.evaluate('untouched'), true)
    t.equal(await page.locator('.events > .timeline > .event').count(), 5)
    t.match(await page.title(), /^Delivered · SR1/)
    t.equal(
      await page.getByRole('status').textContent(),
      'SR1: Delivered, Lyon, Thursday 11 June, 10:00',
      'it is announced',
    )
    t.equal(await page.locator('main details[open]').count(), 2, 'what was open stays open')
    t.equal(await page.locator('.evidence a:focus').count(), 1, 'the focus stays')
    await ingest({ event_id: '7', occurred_at: '2026-06-11T11:00:00+02:00', status_code: 'return_to_sender' })
    await page.locator('h1', { hasText: 'Returned to sender' }).waitFor()
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    t.equal(await page.evaluate('source.readyState'), 2, 'a page that was left has no open connection')
    await ingest({ event_id: '8', occurred_at: '2026-06-11T12:00:00+02:00', status_code: 'return_to_sender' })
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    await page.locator('h1', { hasText: 'Returned to sender' }).waitFor()
    t.same(wrong, [], 'one that is come back to catches up')
  },
)

t.test(
  'given a reader in another time zone, when the page is read, then times are those of the reader',
  { skip },
  async (t) => {
    const { url, page, wrong } = await visit(t, { timezoneId: 'Asia/Tokyo', locale: 'ar-EG' })
    await page.goto(`${url}/track/SR1`)
    await page.locator('.summary .local').waitFor()
    t.match(await page.locator('.summary').textContent(), '15:00')
    t.match(await page.locator('.summary .local').textContent(), '08:00')
    t.equal(await page.locator('html').getAttribute('dir'), 'rtl')
    const sides = "['.when', '.what'].map((name) => document.querySelector(name).getBoundingClientRect().x)"
    const [when = 0, what = 0] = (await page.evaluate(sides)) as number[]
    t.ok(when > what, 'from right to left')
    await page.locator('.languages summary').click()
    await judge(t, page, 'in Arabic')
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.locator('html[lang=de]').waitFor()
    t.match(page.url(), /[?]lang=de$/)
    t.same(wrong, [])
  },
)

const answered = '.summary :is(h1, .answers dt, .answers dd, .progress li)'

t.test(
  'given a phone, when the page is read, then its first screen answers what a person asks',
  { skip },
  async (t) => {
    const { url, page, ingest } = await visit(t, { viewport: { width: 390, height: 844 } })
    await ingest({ event_id: '6', occurred_at: '2026-06-11T09:00:00+02:00', status_code: 'delivery_failed' })
    await page.goto(`${url}/track/SR1`)
    for (const language of ['en', 'fr', 'de', 'es', 'zh-Hans', 'zh-Hant', 'ar']) {
      await page.goto(`${url}/track/SR1?lang=${language}`)
      const bottoms = await page
        .locator(answered)
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
      t.equal(bottoms.length, 10, language)
      t.ok(Math.max(...bottoms) <= 844, `${language}: down to ${Math.max(...bottoms)}`)
    }
  },
)

t.test('given a long journey, when a browser shows its page, then the first view is small', { skip }, async (t) => {
  const { url, page, ingest, wrong } = await visit(t, { viewport: { width: 390, height: 844 } })
  const places = Array.from({ length: 20 }, (_, index) => ({
    event_id: `p${index}`,
    occurred_at: `2026-06-11T09:${String(index + 10)}:00+02:00`,
    status_code: 'in_transit',
    description: `Scanned at gate ${index}.`,
    location: { latitude: 45 + index / 10, longitude: 5, address: { locality: `Town ${index}`, country: 'FR' } },
  }))
  await ingest(...places)
  const loaded: Promise<number>[] = []
  page.on('response', (response) => {
    const isLive = response.url().includes('/stream')
    if (!isLive) loaded.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(`${url}/track/SR1`)
  await page.getByText('Live: this page updates by itself').waitFor()
  await page.locator('.map img').scrollIntoViewIfNeeded()
  await page.locator('.map img').evaluate((map: { decode(): Promise<void> }) => map.decode())
  const sizes = await Promise.all(loaded)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  t.ok(bytes < 30_000, `${bytes} bytes when compressed, with the map and the times of the reader`)
  t.ok(sizes.length <= 7, `${sizes.length} requests: page, styles, script, icon, times of the reader, map, QR code`)
  t.same(wrong, [])
  await judge(t, page, 'with a map')
})

t.test('given no script, when the page is read and the form is submitted, then both work', { skip }, async (t) => {
  const { url, page } = await visit(t, { javaScriptEnabled: false })
  await page.goto(url)
  t.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0, 'no button without a function')
  await page.getByLabel('Tracking number').fill('SR1')
  await page.getByRole('button', { name: 'Track' }).click()
  t.equal(page.url(), `${url}/track/SR1`)
  t.equal(await page.locator('h1').textContent(), 'Out for delivery')
  t.equal(await page.locator('.events > .timeline > .event').count(), 4)
  t.equal(await page.locator('.live').textContent(), '', 'nothing claims to be live')
  await page.getByText('Withdrawn events (1)').click()
  t.equal(await page.locator('.withdrawn .event').isVisible(), true)
  await page.getByLabel('Tracking number').fill('<b>/?#"')
  await page.getByRole('button', { name: 'Track' }).click()
  t.equal(await page.locator('.asked bdi').textContent(), '<b>/?#"')
})

t.test(
  'given the reduced view, when a visitor fills in the postal code, then the page shows everything and stays live',
  { skip },
  async (t) => {
    const { url, page, ingest, wrong } = await visit(t, {}, 'reduced')
    const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 2T6', country: 'CA' }
    const pod = { recipient: 'Ann Lee', note: 'At the back door' }
    await ingest({
      event_id: '6',
      occurred_at: '2026-06-11T10:00:00-04:00',
      status_code: 'delivered',
      location: { address },
      pod,
    })
    const hidden = () => page.getByText('Ann Lee').count()
    await page.goto(`${url}/track/SR1`)
    await page.getByText('Live: this page updates by itself').waitFor()
    t.match(await page.locator('.summary').textContent(), 'Toronto, Canada')
    t.equal(await hidden(), 0)
    await judge(t, page, 'the reduced view')
    t.ok((await widest(page)) <= 1280)
    const field = page.getByLabel('Postal code')
    await field.fill('M5V')
    await ingest({ event_id: '7', occurred_at: '2026-06-11T11:00:00-04:00', status_code: 'return_to_sender' })
    await page.locator('h2 .count', { hasText: '6' }).waitFor()
    t.same(
      [await field.inputValue(), await page.locator('#postal_code:focus').count()],
      ['M5V', 1],
      'an update keeps it',
    )
    t.same(wrong, [])
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    t.equal(await page.locator('#postal_code[aria-invalid=true]').count(), 1)
    await judge(t, page, 'a wrong postal code')
    await page.getByLabel('Postal code').fill('m5v2t6')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('Ann Lee').waitFor()
    t.match(page.url(), /[?]link=/)
    t.equal(await page.locator('#postal_code').count(), 0)
    await page.getByText('Live: this page updates by itself').waitFor()
    await ingest({
      event_id: '8',
      occurred_at: '2026-06-11T12:00:00-04:00',
      status_code: 'return_to_sender',
      description: 'To the depot',
    })
    await page.getByText('To the depot').waitFor()
    t.equal(await hidden(), 1)
  },
)

t.test(
  'given screens from 320 to 1280 pixels, when a page is shown, then it never scrolls sideways',
  { skip },
  async (t) => {
    const { url, page } = await visit(t)
    for (const width of [320, 390, 704, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const path of ['/', '/track/SR1', '/track/SR1?lang=ar', `/track/${'x'.repeat(500)}`]) {
        await page.goto(url + path)
        t.ok((await widest(page)) <= width, `${path.slice(0, 20)} at ${width}`)
      }
    }
  },
)

t.test(
  'given a keyboard, when Tab is pressed, then the focus goes through the page in order and can be seen',
  { skip },
  async (t) => {
    const { url, page } = await visit(t)
    await page.goto(`${url}/track/SR1`)
    const focused =
      "[document.activeElement.matches(':focus-visible'), getComputedStyle(document.activeElement).outlineStyle, parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2, document.activeElement.getBoundingClientRect().top >= 0]"
    const order = [
      ...['a.skip', 'a.brand', '.languages summary', 'input#number', 'button'],
      ...['.more summary', '.more summary', '.more summary', '.evidence a', '.more summary', '#withdrawn'],
    ]
    for (const selector of order) {
      await page.keyboard.press('Tab')
      t.equal(await page.locator(`${selector}:focus`).count(), 1, selector)
      t.same(await page.evaluate(focused), [true, 'solid', true, true], `${selector} shows that it has the focus`)
    }
    await page.keyboard.press('Enter')
    t.equal(await page.locator('.withdrawn .event').isVisible(), true)
    await page.reload()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    t.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN', 'the skip link leads to the content')
  },
)

/** The contrast ratio of two `#rrggbb` colours (WCAG 2.2, relative luminance). */
function contrast(...colours: readonly [string, string]): number {
  const light = colours.map((colour) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    const [red = 0, green = 0, blue = 0] = parts.map((part) =>
      part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  })
  return (Math.max(...light) + 0.05) / (Math.min(...light) + 0.05)
}

const coloursOf = (page: Page) =>
  page.evaluate(
    "Object.fromEntries(['ground', 'card', 'text', 'soft', 'accent', 'on-accent', 'good', 'warn', 'bad', 'tint', 'good-tint', 'warn-tint', 'bad-tint'].map((name) => [name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()]))",
  ) as Promise<Record<string, string>>

t.test(
  'given light and dark mode, when the page is shown, then the colours change and all text is legible',
  { skip },
  async (t) => {
    const { url, page } = await visit(t)
    const grounds: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${url}/track/SR1`)
      grounds.push(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
      const colours = await coloursOf(page)
      const pairs = ['text', 'soft', 'accent', 'good', 'warn', 'bad'].flatMap((text) =>
        ['card', 'ground'].map((back) => [text, back]),
      )
      const tints = ['', 'good-', 'warn-', 'bad-'].flatMap((kind) => [
        ['text', `${kind}tint`],
        ['soft', `${kind}tint`],
        [kind.replace('-', '') || 'accent', `${kind}tint`],
      ])
      for (const [text = '', back = ''] of [...pairs, ...tints, ['on-accent', 'accent']]) {
        const ratio = contrast(colours[text] ?? '', colours[back] ?? '')
        t.ok(ratio >= 4.5, `${colorScheme}: ${text} on ${back} is ${ratio.toFixed(2)}`)
      }
    }
    t.same(grounds, ['rgb(244, 246, 248)', 'rgb(14, 20, 27)'])
  },
)

t.test('given the accessibility checker axe, when it checks the pages, then it finds nothing', { skip }, async (t) => {
  const { url, page, ingest } = await visit(t)
  const paths = ['/', '/track/SR1', '/track/unknown']
  for (const path of paths) {
    await page.goto(url + path)
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    await judge(t, page, path)
  }
  await ingest({ event_id: '9', occurred_at: '2026-06-12T10:00:00+02:00', status_code: 'delivery_failed' })
  await page.goto(`${url}/track/SR1`)
  const tree = await page.locator('body').ariaSnapshot()
  for (const part of [
    '- banner:',
    '- search "Track by number":',
    '- main:',
    '- contentinfo:',
    '- heading "Delivery attempt failed" [level=1]',
    '- list "Progress":',
    '- heading "What happened 5" [level=2]',
    '- heading "Friday 12 June" [level=3]',
    '- heading "Delivery attempt failed" [level=4]',
    '- listitem: Delivery attempt failed now',
  ]) {
    t.match(tree, part)
  }
})

t.test(
  'given a document that is dropped on the form, when it is checked, then the page shows all of it and asks no other host',
  { skip },
  async (t) => {
    const { url, page, wrong } = await visit(t)
    const hosts = new Set<string>()
    page.on('request', (request) => request.url().startsWith('http') && hosts.add(new URL(request.url()).host))
    await page.goto(`${url}/`)
    await page.getByText('Try a document').click()
    await page.getByText('A file can be dropped on the field.').waitFor()
    await judge(t, page, 'the empty form')
    const occurred_at = '2026-06-10T09:30:00-04:00'
    const events = [
      { occurred_at, status_code: 'picked_up', description: long },
      { occurred_at, status_code: '<b>' },
    ]
    const text = JSON.stringify({ subject: { tracking_number: 'TRY-1' }, events }, undefined, 2)
    await page.locator('textarea').evaluate((field, dropped) => {
      const { DataTransfer, File, DragEvent } = globalThis as unknown as Dropping
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([dropped], 'a.json'))
      field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, text)
    // The page reads the file in the background, and its policy for scripts refuses waitForFunction.
    while (!(await page.locator('textarea').inputValue()).includes('TRY-1')) await setTimeout(20)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.locator('.finding', { hasText: 'unknown_status_code' }).getByText('Line 13').click()
    t.equal(await page.locator('.lines > :target', { hasText: '"status_code": "<b>"' }).count(), 1)
    await page.locator('.lines > :target a').click()
    t.equal(await page.locator('.finding:target', { hasText: 'unknown_status_code' }).count(), 1, 'and back')
    const format = page.locator('#format-1-aftership-json')
    await format.locator('> summary').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      format.getByRole('button', { name: 'Download' }).click(),
    ])
    t.equal(download.suggestedFilename(), 'timeline.aftership.json')
    t.match(JSON.parse(readFileSync(await download.path(), 'utf8')), { data: { tracking_number: 'TRY-1' } })
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    await judge(t, page, 'a document that was tried')
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      t.ok((await widest(page)) <= width, `${width}`)
    }
    t.same(wrong, [])
    t.same([...hosts], [new URL(url).host])
  },
)

/** What the test uses of a browser to drop a file. */
interface Dropping {
  readonly DataTransfer: new () => { readonly items: { add(file: object): void } }
  readonly File: new (parts: readonly string[], name: string) => object
  readonly DragEvent: new (type: string, options: object) => Event
}

const howTo = readFileSync(new URL('../../../../docs/how-to/embed-a-timeline.md', import.meta.url), 'utf8')
const [snippet = '', styles = ''] = [...howTo.matchAll(/```html\n(.*?)```/gs)].map(([, block]) => block)
const shopPolicy = /```text\nContent-Security-Policy: (.*?)```/s.exec(howTo)?.[1]?.replace(/\s+/g, ' ') ?? ''

/** The page of a shop on another origin, with the snippet of the how-to page and the policy that it asks for. */
async function shop(t: Test, server: string, { head = '', lang = 'de' } = {}): Promise<string> {
  const here = (text: string) => text.replaceAll('https://tracking.example', server)
  const body = `<!doctype html><html lang="${lang}"><head><title>Shop</title>${head}</head>
<body><main><h1>Order</h1>${here(snippet)}</main></body></html>`
  const policy = `default-src 'none'; ${here(shopPolicy).replace('style-src', "style-src 'unsafe-inline'")}`
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
  return listening(t, () => new Response(body, { headers }))
}

/** The kinds of elements and attributes of a tracking page that a component beside it does not have; runs in the browser. */
async function lostBy(address: string): Promise<readonly string[]> {
  const { document, DOMParser } = globalThis as unknown as Parsing
  const main = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html').querySelector('main')
  for (const part of main.querySelectorAll('form, .news, .opener, .identifiers, .share, script, style')) part.remove()
  const kindsIn = (root: Part) =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      one.localName,
      ...one.getAttributeNames().map((name) => `${one.localName} ${name}`),
    ])
  const shown = new Set(kindsIn(document.querySelector('otep-timeline').shadowRoot))
  return [...new Set(kindsIn(main))].filter((kind) => !shown.has(kind))
}

/** As much of a document as the test reads. */
interface Part extends Shown {
  readonly shadowRoot: Part
  querySelector(selector: string): Part
  querySelectorAll(selector: string): readonly Part[]
  remove(): void
}

interface Parsing {
  readonly document: Part
  readonly DOMParser: new () => { parseFromString(text: string, type: string): Part }
}

/** As much of a browser as the test reads. */
interface Styled {
  getComputedStyle(element: unknown): Readonly<Record<string, string>>
}

const inLyon = { location: { latitude: 45, longitude: 5, address: { locality: 'Lyon', country: 'FR' } } }

t.test(
  'given the snippet of the how-to page, when a shop shows it, then the timeline is there and live',
  { skip },
  async (t) => {
    const { url, page, ingest, wrong } = await visit(t, { timezoneId: 'Europe/Paris' })
    await ingest({
      event_id: 'a',
      occurred_at: '2026-06-11T08:10:00+02:00',
      status_code: 'out_for_delivery',
      ...inLyon,
    })
    const other = { ...inLyon.location, latitude: 46 }
    await ingest({
      event_id: 'b',
      occurred_at: '2026-06-11T08:20:00+02:00',
      status_code: 'out_for_delivery',
      location: other,
    })
    await page.goto(await shop(t, url))
    const timeline = page.locator('otep-timeline')
    await timeline.locator('h1', { hasText: 'In Zustellung' }).waitFor()
    t.equal(await timeline.getByText('Track your parcel').isVisible(), false, 'what stood there before is gone')
    t.equal(await timeline.locator('form').count(), 0)
    t.match(await timeline.locator('.map img').getAttribute('src'), `${url}/track-map/SR1?`)
    await timeline.locator('.map img').scrollIntoViewIfNeeded()
    await timeline.locator('.map img').evaluate((map: { decode(): Promise<void> }) => map.decode())
    await timeline.locator('[data-event="4"]').getByText('Details').click()
    await ingest({ event_id: 'c', occurred_at: '2026-06-11T10:00:00+02:00', status_code: 'delivered' })
    await timeline.locator('h1', { hasText: 'Zugestellt' }).waitFor()
    t.equal(await timeline.locator('details[open]').count(), 1, 'what was open stays open')
    t.match(await timeline.getByRole('status').textContent(), 'SR1: Zugestellt')
    t.equal(await timeline.locator('h1').getAttribute('aria-level'), '2', 'below the heading of the shop')
    t.same(await page.evaluate(lostBy, `${url}/track/SR1?lang=de&tz=Europe/Paris`), [], 'nothing of the page is lost')
    t.same(wrong, [])
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      t.ok((await widest(page)) <= width, `${width}`)
    }
    await judge(t, page, 'in a shop')
  },
)

t.test(
  'given a theme, a language and another number, when a shop sets them, then the timeline follows',
  { skip },
  async (t) => {
    const { url, page, wrong } = await visit(t)
    await page.goto(await shop(t, url, { head: styles, lang: 'ar' }))
    const timeline = page.locator('otep-timeline')
    await timeline.locator('.track[dir=rtl] h1').waitFor()
    const styleOf = (selector: string, member: string) =>
      timeline
        .locator(selector)
        .first()
        .evaluate((element, name) => (globalThis as unknown as Styled).getComputedStyle(element)[name], member)
    t.equal(await styleOf('.current .icon', 'color'), 'rgb(122, 31, 162)', 'the colour of the shop')
    await page.emulateMedia({ colorScheme: 'dark' })
    t.equal(await styleOf('.summary', 'backgroundColor'), 'rgb(255, 255, 255)', 'light, as the shop is')
    await timeline.evaluate((element) => element.setAttribute('theme', 'auto'))
    t.equal(await styleOf('.summary', 'backgroundColor'), 'rgb(22, 30, 40)')
    t.same(wrong, [])
    await timeline.evaluate((element) => element.setAttribute('number', 'none'))
    await timeline.getByText('هذا الرقم غير معروف').waitFor()
  },
)

t.test('given a signed link, when a shop sets it, then its customer sees all of the timeline', { skip }, async (t) => {
  const { url, context, page, ingest, wrong } = await visit(t, {}, 'reduced')
  await ingest({
    event_id: 'a',
    occurred_at: '2026-06-11T08:10:00+02:00',
    status_code: 'in_transit',
    description: 'Ann’s',
  })
  await page.goto(await shop(t, url))
  const timeline = page.locator('otep-timeline')
  await timeline.locator('h1').waitFor()
  t.equal(await timeline.getByText('Ann’s').count(), 0, 'the public sees less')
  const { link } = await createLink(context, 'SR1', 1)
  await timeline.evaluate((element, link) => element.setAttribute('link', link), link)
  await timeline.getByText('Ann’s').first().waitFor({ state: 'attached' })
  await ingest({
    event_id: 'b',
    occurred_at: '2026-06-11T09:10:00+02:00',
    status_code: 'in_transit',
    description: 'Bea’s',
  })
  await timeline.getByText('Bea’s').first().waitFor({ state: 'attached' })
  t.same(wrong, [])
})

/** A page that answers in place of that of a timeline, with what a page must not be given by another server. */
const foreign = `<!doctype html><html lang="en" dir="ltr"><head><link rel="stylesheet" href="/a.css"></head>
<body><main data-stream="/live"><h1 class="title" id="t" onclick="pwned.push(1)" style="position: fixed">On its way</h1>
<p><img src="x:y" onerror="pwned.push(2)"><img src="/logo.png" alt="Acme"><svg onload="pwned.push(3)"><path d="M0 0"/>
<foreignObject><b>in svg</b></foreignObject><animate attributeName="href" to="javascript:pwned.push(4)"/></svg></p>
<a href="javascript:pwned.push(5)">one</a><a href=" java\nscript:pwned.push(6)">two</a><a href="/track/SR1" target="_top">three</a>
<a href="https://[broken">four</a><math><mtext>formula</mtext></math><video src="/v" autoplay></video><template><b>later</b></template>
<meta http-equiv="refresh" content="0; url=https://evil.example"><base href="https://evil.example/"><button formaction="/x">press</button>
<x-element onfocus="pwned.push(7)" tabindex="0" autofocus>own</x-element><details data-key="d"><summary>more</summary>text</details>
<iframe srcdoc="<script>parent.pwned.push(8)</script>"></iframe></main></body></html>`

t.test(
  'given a server that answers something else than a timeline, when a shop names it, then only what a timeline is made of is shown',
  { skip },
  async (t) => {
    const { url, page } = await visit(t)
    const answers: Record<string, readonly [type: string, body: string]> = {
      '/track/SR1': ['text/html', foreign],
      '/a.css': ['text/css', '.title { color: red }'],
    }
    const server = await listening(t, (request) => {
      const [type, body] = answers[new URL(request.url).pathname] ?? ['text/plain', '']
      return new Response(body, { headers: { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' } })
    })
    const body = `<!doctype html><html lang="en"><title>Shop</title><script>var pwned = []</script>
<script type="module" src="${url}/otep-timeline.js"></script><otep-timeline number="SR1" src="${server}"></otep-timeline>`
    const headers = { 'Content-Type': 'text/html' }
    await page.goto(await listening(t, () => new Response(body, { headers })))
    const timeline = page.locator('otep-timeline')
    await timeline.locator('h1', { hasText: 'On its way' }).waitFor()
    for (const target of ['h1', 'a >> nth=1', 'a >> nth=0']) await timeline.locator(target).click()
    const shown = await timeline
      .locator('.track *')
      .evaluateAll((all: readonly Shown[]) => all.map((one) => [one.localName, ...one.getAttributeNames()].join(' ')))
    t.same(shown, [
      ...['h1 class id aria-level', 'p', 'img', 'img src alt', 'svg', 'path d', 'a', 'a', 'a href', 'a'],
      ...['details data-key', 'summary'],
    ])
    t.equal(await timeline.locator('a[href]').getAttribute('href'), `${server}/track/SR1`)
    t.same(await page.evaluate('pwned'), [])
  },
)

/** As much of an element as the test reads. */
interface Shown {
  readonly localName: string
  getAttributeNames(): readonly string[]
}
