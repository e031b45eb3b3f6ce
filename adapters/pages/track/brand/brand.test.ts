import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { addProvider, call, sweepLogos } from '../../../../engine/index.ts'
import { operator, type World, world } from '../../../auth/world.test.fixture.ts'
import { accentsFor, contrast, grounds, readable } from './accents.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAC0lEQVR4nGNgwAUAABoAASRETuUAAAAASUVORK5CYII=',
  'base64',
)
const path = '/api/v1/business/brand'
const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
const orderBody = { type: 'D', delivery: { name: 'Jo Example', phone: '+1 416 555 0100', address } }

function asAdmin({ app, send, tokens }: World, party: Pick<World, 'tokens'> = { tokens }) {
  const token = party.tokens.client_admin
  return {
    set: (body: object) => send('PUT', path, { token, body }),
    show: () => send('GET', path, { token }),
    remove: () => send('DELETE', path, { token }),
    removeLogo: () => send('DELETE', `${path}/logo`, { token }),
    upload: async (bytes: Uint8Array, type = 'image/png') => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      const response = await app.request(`${path}/logo`, { method: 'PUT', headers, body: Buffer.from(bytes) })
      return { status: response.status, body: (await response.json()) as { code?: string; brand?: unknown } }
    },
  }
}

/** A parcel of the first business with an event, and how its page is read. */
async function parcelOf(made: World) {
  const { app, send, tokens } = made
  const number = (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: orderBody })).body
    .tracking_number as string
  const { key } = (await call(addProvider, operator(made), { name: 'acme', all_businesses: true })) as { key: string }
  const push = (subject: object, events: readonly object[], token = key) =>
    send('POST', '/api/v1/otep/ingest', { token, body: { subject, events } })
  await push({ tracking_number: number }, [{ occurred_at: '2026-06-10T09:00:00Z', status_code: 'picked_up' }])
  const page = async (of = number) => app.request(`/track/${of}`)
  return { number, push, page }
}

t.test('given a brand, when the page of a parcel of the business is read, then it shows it', async (t) => {
  const made = await world()
  const { set, upload, show, removeLogo, remove } = asAdmin(made)
  const { page, number } = await parcelOf(made)
  const before = await page()
  t.match(await before.text(), 'OTEP tracking')
  t.equal((await show()).body.brand, null)

  const brand = {
    name: 'Mint & Co',
    accent_color: '#FFCC00',
    website_url: 'https://mint.example',
    support_url: 'https://mint.example/help',
  }
  t.match((await set(brand)).body, { result: true, brand: { ...brand, logo: null } })
  t.match((await upload(png)).body.brand, { logo: { width: 3, height: 2 } })
  const after = await page()
  const html = await after.text()
  t.match(html, /<title>[^<]*– Mint &amp; Co<\/title>/)
  t.match(html, 'href="https://mint.example"')
  t.match(html, 'Contact Mint &amp; Co')
  t.notMatch(html, 'OTEP tracking')
  const [, css = ''] = /<style>(.*?)<\/style>/.exec(html) ?? []
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(css))
  t.match(
    after.headers.get('content-security-policy'),
    `style-src 'self' 'sha256-${Buffer.from(digest).toString('base64')}';`,
  )
  const tag = after.headers.get('etag') ?? ''
  t.not(tag, before.headers.get('etag'))
  const again = await made.app.request(`/track/${number}`, { headers: { 'if-none-match': tag } })
  t.equal(again.status, 304)
  t.equal(again.headers.get('content-security-policy'), after.headers.get('content-security-policy'))

  const [, src = ''] = /<img class="logo" src="([^"]+)"/.exec(html) ?? []
  const image = await made.app.request(src)
  t.same(Buffer.from(await image.arrayBuffer()), png)
  t.match(Object.fromEntries(image.headers), {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  })
  t.equal((await made.app.request(src.replace(/v=.*/, 'v=old'))).headers.get('cache-control'), 'no-cache')

  t.equal((await removeLogo()).body.brand.logo, null)
  t.equal((await made.app.request(src)).status, 404)
  t.match(await (await page()).text(), '<bdi>Mint &amp; Co</bdi>')
  t.equal((await remove()).body.brand, null)
  t.match(await (await page()).text(), 'OTEP tracking')
})

t.test(
  'given other businesses and providers, when they brand themselves, then no page of others changes',
  async (t) => {
    const made = await world()
    const { number, push, page } = await parcelOf(made)
    await asAdmin(made, made.other).set({ name: 'Intruder' })
    t.notMatch(await (await page()).text(), 'Intruder')

    const order = await made.send('POST', '/api/v1/orders', { token: made.other.tokens.client_admin, body: orderBody })
    const { order_id, tracking_number } = order.body
    // Somebody who reports for the second business adds its order to a carrier's parcel that nobody has ordered.
    const event = (hour: number) => [{ occurred_at: `2026-06-10T0${hour}:00:00Z`, status_code: 'in_transit' }]
    await push({ tracking_number: 'FREE1' }, event(1))
    await push({ tracking_number: 'FREE1', order_id }, event(2))
    await push({ external_tracking_number: 'FREE2' }, event(1))
    await push({ external_tracking_number: 'FREE2', tracking_number: 'FREE2X', order_id }, event(2))
    for (const free of ['FREE1', 'FREE2']) {
      const html = await (await page(free)).text()
      t.match(html, 'In transit')
      t.notMatch(html, 'Intruder', free)
    }
    await asAdmin(made).set({ name: 'Mint' })
    await push({ tracking_number: number, order_id }, event(3))
    t.notMatch(await (await page()).text(), /Intruder/, 'nor one of two businesses')
    await push({ tracking_number }, event(4))
    t.match(await (await page(tracking_number)).text(), 'Intruder', 'its own is')
  },
)

t.test('given staff and others, when they set a brand, then only admins may, and what is wrong is named', async (t) => {
  const made = await world()
  const { set, upload } = asAdmin(made)
  t.match(await upload(png), { status: 404, body: { code: 'brand_not_found' } })
  for (const [role, token] of Object.entries(made.tokens)) {
    const { status } = await made.send('PUT', path, { token, body: { name: 'A' } })
    t.equal(status, role === 'client_admin' ? 200 : 403, role)
  }
  t.equal((await made.send('GET', path, { token: made.tokens.customer })).status, 403)
  t.equal((await made.send('GET', path)).status, 401)
  const wrong: readonly (readonly [object, string])[] = [
    [{ name: 'A', accent_color: 'red' }, 'not_a_color'],
    [{ name: 'A', accent_color: '#fff;}' }, 'not_a_color'],
    [{ name: 'A', website_url: 'http://a.example' }, 'not_https'],
    [{ name: 'A', website_url: 'https://user:secret@a.example' }, 'not_https'],
    [{ name: 'A', support_url: 'javascript:alert(1)' }, 'not_https'],
    [{ name: 'A\u0000' }, 'control_character'],
  ]
  for (const [body, code] of wrong) t.match(JSON.stringify((await set(body)).body), code, JSON.stringify(body))
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  t.match(await upload(svg), { status: 422, body: { code: 'logo_type' } })
  t.match(await upload(svg, 'image/svg+xml'), { status: 415 })
  t.match(await upload(Buffer.from('%PDF-1.7 and more')), { body: { code: 'logo_type' } })
  const huge = Buffer.from(png)
  huge.writeUInt32BE(30_000, 16)
  t.match(await upload(huge), { status: 422, body: { code: 'logo_too_large' } })
  t.match(await upload(Buffer.concat([png, Buffer.alloc(33 * 1024)])), { status: 413 })
})

t.test('given logos that no brand has, when files are swept, then these go and the current one stays', async (t) => {
  const made = await world()
  const { set, upload } = asAdmin(made)
  await set({ name: 'Mint' })
  await upload(png)
  const { parts } = made
  await parts.files.keep(`business-${made.business}/${'b'.repeat(32)}.png`, png.toString('base64'))
  const names = async () => {
    const found: string[] = []
    for await (const { name } of parts.files.list()) found.push(name)
    return found.length
  }
  t.equal(await names(), 2)
  t.equal(await sweepLogos(parts, 0), 0, 'not before they have settled')
  t.equal(await sweepLogos(parts, Date.now() + 1_000), 1)
  t.equal(await sweepLogos(parts, Date.now() + 1_000), 0)
  t.equal(await names(), 1)
})

t.test('given any colour, when it is the accent, then text in it can be read in light and in dark', async (t) => {
  const css = readFileSync(new URL('../../../../../adapters/pages/assets/track.css', import.meta.url), 'utf8')
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
  for (const [scheme, rules] of [
    ['light', light],
    ['dark', dark],
  ] as const)
    for (const ground of grounds[scheme]) t.match(rules, new RegExp(`--(ground|card|tint): ${ground};`))
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, (color) => {
      const accents = accentsFor(color)
      for (const scheme of ['light', 'dark'] as const)
        if (grounds[scheme].some((ground) => contrast(accents[scheme], ground) < readable)) return false
      // What is written on the accent has the colours of the stylesheet.
      return contrast(accents.light, '#ffffff') >= readable && contrast(accents.dark, '#0b1826') >= readable
    }),
  )
  t.equal(accentsFor('#0b5cad').light, '#0b5cad', 'what can be read stays')
})
