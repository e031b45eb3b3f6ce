import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { addProvider, call, stopToken } from '../../../../engine/index.ts'
import { operator, type WorldOptions, world } from '../../../auth/world.test.fixture.ts'
import { mailbox } from '../../../mail/mailbox.test.fixture.ts'
import { browse, judge, listening, skip, widest } from '../../browser.test.fixture.ts'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } })

const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
const orderBody = { type: 'D', delivery: { name: 'Jo Example', phone: '+1 416 555 0100', address } }

/** A PNG of one colour. */
function pngOf(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(red, green, blue))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const chunks = [
    ['IHDR', header],
    ['IDAT', data],
    ['IEND', Buffer.alloc(0)],
  ] as const
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks.map(([name, body]) => chunkOf(name, body))])
}

function chunkOf(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** The check sum of PNG chunks (ISO/IEC 15948, annex D). */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** A shop with a brand, a parcel of it that 25 scans have reported, and a browser. */
async function visit(t: Test, options: BrowserContextOptions = {}, settings: WorldOptions = {}) {
  const box = mailbox()
  const made = await world({ baseUrl: 'https://tracking.example', mail: box.mail, ...settings })
  const url = await listening(t, made.app.fetch)
  const { send, tokens } = made
  const token = tokens.client_admin
  const brand = {
    name: 'Mint & Thyme',
    accent_color: '#f2b705',
    website_url: 'https://mint.example',
    support_url: 'https://mint.example/help',
  }
  const setBrand = async () => {
    await send('PUT', '/api/v1/business/brand', { token, body: brand })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' }
    const body = pngOf(240, 60, [20, 120, 90])
    const { status } = await made.app.request('/api/v1/business/brand/logo', { method: 'PUT', headers, body })
    if (status !== 200) throw new Error(`The logo was answered with ${status}`)
  }
  const { tracking_number: number } = (await send('POST', '/api/v1/orders', { token, body: orderBody })).body
  const { key } = (await call(addProvider, operator(made), { name: 'acme', all_businesses: true })) as { key: string }
  const ingest = (...events: readonly object[]) =>
    send('POST', '/api/v1/otep/ingest', { token: key, body: { subject: { tracking_number: number }, events } })
  await ingest(
    ...Array.from({ length: 24 }, (_, index) => ({
      occurred_at: `2026-06-09T09:${String(index + 10)}:00Z`,
      status_code: 'in_transit',
      location: { latitude: 45 + index / 10, longitude: 5, address: { locality: `Town ${index}`, country: 'FR' } },
    })),
    { occurred_at: '2026-06-10T08:00:00Z', status_code: 'out_for_delivery' },
  )
  return { ...made, box, url, number: String(number), ingest, setBrand, ...(await browse(t, options)) }
}

const views = [390, 820, 1280].flatMap((width) => ['en', 'ar'].map((lang) => ({ width, lang })))

t.test(
  'given a brand, when its page is seen, then axe finds nothing at any width and nothing overflows',
  { skip },
  async (t) => {
    const { url, number, page, wrong, setBrand } = await visit(t, { timezoneId: 'UTC' })
    for (const isBranded of [false, true]) {
      if (isBranded) await setBrand()
      for (const { width, lang } of views) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${url}/track/${number}?lang=${lang}`)
        await page.locator('.live[data-state=on]').waitFor()
        const name = `${width} px, ${lang}, ${isBranded ? 'branded' : 'neutral'}`
        await judge(t, page, name)
        t.ok((await widest(page)) <= width, name)
        t.equal(await page.locator('header .logo').count(), isBranded ? 1 : 0, name)
        const shots = process.env.SHOTS
        if (shots !== undefined)
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            await page.screenshot({
              path: `${shots}/${name.replaceAll(/\W+/g, '-')}-${colorScheme}.png`,
              fullPage: width < 500,
            })
          }
      }
    }
    t.same(wrong, [], 'nothing that the policy forbids was tried')
  },
)

t.test(
  'given a page, when it is shared, then the address of the public is passed on or copied',
  { skip },
  async (t) => {
    const { url, number, page, ingest } = await visit(t, { permissions: ['clipboard-read', 'clipboard-write'] })
    const shared = `https://tracking.example/track/${number}`
    await page.goto(`${url}/track/${number}?lang=en&link=none`)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), shared)
    await page.addInitScript('navigator.share = async (given) => { globalThis.given = given }')
    await page.reload()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    t.match(await page.evaluate('given'), { url: shared })
    await ingest({ occurred_at: '2026-06-10T09:30:00Z', status_code: 'delivered' })
    await page.locator('h1', { hasText: 'Delivered' }).waitFor()
    t.ok(await page.getByRole('button', { name: 'Share', exact: true }).isVisible(), 'also after an update')
    const code = page.getByRole('img', { name: 'QR code of this page' })
    await code.scrollIntoViewIfNeeded()
    const [read] = await readBarcodes(await code.screenshot())
    t.equal(read?.text, shared)
  },
)

t.test(
  'given no script, when a page is shared, then its address can be copied, and no button does nothing',
  { skip },
  async (t) => {
    const { url, number, page } = await visit(t, { javaScriptEnabled: false })
    await page.goto(`${url}/track/${number}?lang=en`)
    t.equal(await page.getByLabel('Address of the page').inputValue(), `https://tracking.example/track/${number}`)
    t.equal(await page.locator('.share button').isVisible(), false)
    await page.emulateMedia({ media: 'print' })
    t.equal(await page.getByLabel('Address of the page').isVisible(), false, 'on paper there is the QR code')
    t.ok(await page.locator('.share .code').isVisible())
  },
)

t.test(
  'given a page of a shop, when it shows the tracking page in a frame, then only if the server allows its origin',
  { skip },
  async (t) => {
    for (const isAllowed of [false, true]) {
      const shop: string = await listening(
        t,
        () => new Response(`<!doctype html><title>Shop</title><main></main>`, html),
      )
      const { url, number, page } = await visit(t, {}, isAllowed ? { frameAncestors: [shop] } : {})
      await page.goto(shop)
      const source = JSON.stringify(`${url}/track/${number}?lang=en`)
      await page.evaluate(
        `document.querySelector('main').innerHTML = '<iframe title="Parcel" src=' + ${source} + '></iframe>'`,
      )
      const frame = page.frameLocator('iframe')
      const status = frame.locator('h1', { hasText: 'Out for delivery' })
      if (isAllowed) await status.waitFor()
      else await page.waitForEvent('console', { predicate: (said) => said.text().includes('frame-ancestors') })
      t.equal(await status.count(), isAllowed ? 1 : 0)
    }
  },
)

const html = { headers: { 'content-type': 'text/html' } }

/** Notes what moves of everything that a page shows (Layout Instability): when, by how much, and each element with its places. */
const watchShifts = `globalThis.shifts = []
const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
const nameOf = (node) => node?.outerHTML?.slice(0, 120) ?? node?.textContent.slice(0, 120)
new PerformanceObserver((list) => {
  for (const { value, startTime, sources } of list.getEntries())
    shifts.push({
      value,
      after: Math.round(startTime) + ' ms',
      moved: sources.map(({ node, previousRect, currentRect }) => [nameOf(node), placeOf(previousRect), placeOf(currentRect)]),
    })
}).observe({ type: 'layout-shift', buffered: true })`

/** Answers with pages that arrive in pieces, as over a slow line. */
function inPieces(fetch: (request: Request) => Response | Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const response = await fetch(request)
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response
    const bytes = new Uint8Array(await response.arrayBuffer())
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += pieceOf.bytes) {
        yield bytes.subarray(at, at + pieceOf.bytes)
        await setTimeout(pieceOf.pause)
      }
    }
    return new Response(ReadableStream.from(pieces()) as ReadableStream, response)
  }
}

/** A page of 14 kB comes in a second. */
const pieceOf = { bytes: 600, pause: 40 }

t.test(
  'given a brand and 25 events, when the page is first seen, then little is loaded and nothing moves',
  { skip },
  async (t) => {
    for (const width of [390, 1280]) {
      const { url, number, page, setBrand } = await visit(t, { viewport: { width, height: 844 }, timezoneId: 'UTC' })
      await setBrand()
      await page.addInitScript(watchShifts)
      const loaded: Promise<number>[] = []
      page.on('response', (response) => {
        if (!response.url().includes('/stream')) loaded.push(response.body().then((body) => gzipSync(body).length))
      })
      await page.goto(`${url}/track/${number}?lang=en`)
      await page.locator('.live[data-state=on]').waitFor()
      for (const image of await page.locator('main img').all()) {
        await image.scrollIntoViewIfNeeded()
        await image.evaluate((one: { decode(): Promise<void> }) => one.decode())
      }
      const sizes = await Promise.all(loaded)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      t.ok(bytes < 20_000, `${width} px: ${bytes} bytes when compressed`)
      t.ok(sizes.length <= 7, `${width} px: ${sizes.length} requests: page, styles, script, icon, logo, map, QR code`)
      t.same(await page.evaluate('shifts'), [], `${width} px: nothing moves`)
    }
  },
)

t.test(
  'given a slow line, when a page arrives in pieces, then what is there does not move when more comes',
  { skip },
  async (t) => {
    for (const { width, lang } of views) {
      const { app, number, page, setBrand } = await visit(t, { viewport: { width, height: 844 }, timezoneId: 'UTC' })
      await setBrand()
      const slow = await listening(t, inPieces(app.fetch))
      await page.addInitScript(watchShifts)
      await page.goto(`${slow}/track/${number}?lang=${lang}`)
      await page.locator('.live[data-state=on]').waitFor()
      t.same(await page.evaluate('shifts'), [], `${width} px, ${lang}`)
    }
  },
)

t.test(
  'given a phone without script, when somebody asks for news, confirms and stops, then each page says what happens, in their language',
  { skip },
  async (t) => {
    const { url, number, page, wrong, box } = await visit(t, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    await page.goto(`${url}/track/${number}?lang=fr`)
    await page.getByLabel('Adresse e-mail').fill('jo@home.example')
    await page.getByRole('button', { name: 'M’avertir' }).click()
    t.equal(await page.locator('h1').textContent(), 'Consultez vos e-mails')
    const { pathname } = await box.nextLink()
    await page.goto(`${url}${pathname}`)
    t.ok((await widest(page)) <= 390)
    await page.getByRole('button', { name: 'Confirmer' }).click()
    t.equal(await page.locator('h1').textContent(), 'Vous recevrez les nouvelles')
    await page.getByRole('link', { name: `Vers la page de ${number}` }).click()
    t.match(page.url(), /lang=fr$/)
    t.same(wrong, [])
  },
)

t.test(
  'given a brand, when the pages of news are seen, then they have it, and axe finds nothing in both directions',
  { skip },
  async (t) => {
    const { url, number, page, box, parts, wrong, setBrand } = await visit(t, { viewport: { width: 390, height: 844 } })
    await setBrand()
    const isBranded = async (name: string) => {
      const logo = page.getByRole('img', { name: 'Mint & Thyme' })
      t.ok(await logo.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth > 0), name)
      const color = 'getComputedStyle(document.documentElement).getPropertyValue("--brand")'
      t.equal(await page.evaluate(color), '#f2b705', name)
      await judge(t, page, name)
      t.ok((await widest(page)) <= 390, name)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name.replaceAll(/\W+/g, '-')}.png` })
    }
    for (const lang of ['en', 'ar']) {
      await page.goto(`${url}/track/${number}?lang=${lang}`)
      await page.locator('#email').fill(`${lang}@home.example`)
      await page.locator('.news button').click()
      await isBranded(`asked, ${lang}`)
      const { pathname } = await box.nextLink()
      await page.goto(`${url}${pathname}`)
      await isBranded(`to confirm, ${lang}`)
      await page.locator('.decide button').click()
      await isBranded(`confirmed, ${lang}`)
    }
    let id = 0
    for await (const { stream } of parts.store.readAll(undefined, { category: 'news_subscription' }))
      id = Number(stream.split('-')[1])
    await page.goto(`${url}/track-stop/${stopToken(parts, id)}`)
    await isBranded('to stop')
    await page.locator('.decide button').click()
    await isBranded('stopped')
    t.same(wrong, [], 'nothing that the policy forbids was tried')
    await page.goto(`${url}/track-stop/wrong`)
    await judge(t, page, 'wrong')
    t.equal(await page.locator('header .logo').count(), 0, 'what is unknown has the brand of nobody')
  },
)
