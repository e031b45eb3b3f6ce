import { gzipSync } from 'node:zlib'
import t from 'tap'
import { addProvider, call, createMemoryStore, EngineError, en, type Storage } from '../../engine/index.ts'
import { createApp, createParts } from '../main.ts'
import { plain } from './html.test.fixture.ts'

const now = Date.parse('2026-06-20T12:00:00Z')
const clock = () => now
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

async function site({ hsts = false, broken }: { hsts?: boolean; broken?: () => unknown } = {}) {
  const memory = createMemoryStore(clock)
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const parts = createParts({ store: memory, clock })
  const context = { ...parts, caller: operator, messages: en, requestId: 'test' }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  const fail = async () => {
    throw broken?.()
  }
  const store: Storage = broken === undefined ? memory : { ...memory, read: fail }
  const app = createApp({ store, clock, hsts, publicView: 'full' })
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { method, headers }))
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  const ingest = async (body: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return app.fetch(new Request('http://localhost/api/v1/otep/ingest', { method: 'POST', headers, body }))
  }
  const record = (subject: object, status_code: string) =>
    ingest(JSON.stringify({ subject, status_code, occurred_at: '2026-06-10T09:30:00-04:00' }))
  return { get, ingest, key: String(key), record }
}

t.test('given any page, when it is served, then its policy allows only content of this server', async (t) => {
  const { get, record } = await site()
  await record({ tracking_number: 'SR1' }, 'picked_up')
  for (const path of ['/', '/try', '/track/SR1', '/track/unknown', '/track?number=SR1']) {
    const { headers, html } = await get(path)
    t.equal(headers.get('content-security-policy'), policy, path)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('referrer-policy'), 'no-referrer')
    t.equal(headers.get('x-frame-options'), 'DENY')
    t.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    t.match(headers.get('permissions-policy'), 'camera=(), display-capture=(), geolocation=()')
    t.equal(headers.get('cache-control'), 'no-cache')
    t.equal(headers.get('strict-transport-security'), null, 'no HSTS header without https')
    t.notMatch(html, /<style|\sstyle=|<script(?! type="module" src="\/assets\/)|\son[a-z]+=/, 'nothing inline')
  }
  const secure = await site({ hsts: true })
  t.equal((await secure.get('/')).headers.get('strict-transport-security'), 'max-age=31536000')
})

t.test('given a cached page, when it is requested again, then it is sent only if it has changed', async (t) => {
  const { get, record } = await site()
  await record({ tracking_number: 'SR1' }, 'picked_up')
  const tag = (await get('/track/SR1')).headers.get('etag') ?? ''
  t.match(tag, /^"\w+"$/)
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await get('/track/SR1', { 'if-none-match': known })
    t.same([again.status, again.html, again.headers.get('etag')], [304, '', tag], known)
    t.equal(again.headers.get('content-security-policy'), policy)
  }
  t.equal((await get('/track/SR1', { 'if-none-match': '"other"' })).status, 200)
  await record({ tracking_number: 'SR1' }, 'delivered')
  const changed = await get('/track/SR1', { 'if-none-match': tag })
  t.equal(changed.status, 200)
  t.not(changed.headers.get('etag'), tag)
})

t.test('given HEAD, when a page is requested, then the headers are those of GET and the body is empty', async (t) => {
  const { get, record } = await site()
  await record({ tracking_number: 'SR1' }, 'picked_up')
  for (const path of ['/', '/track/SR1', '/track/unknown']) {
    const [head, full] = [await get(path, {}, 'HEAD'), await get(path)]
    t.same([head.status, head.html], [full.status, ''], path)
    t.same(Object.fromEntries(head.headers), Object.fromEntries(full.headers))
  }
})

t.test('given another method, when it is used on a page, then it is refused', async (t) => {
  const { get } = await site()
  const accepted = {
    '/': 'GET, HEAD',
    '/try': 'GET, HEAD, POST',
    '/track': 'GET, HEAD',
    '/track/SR1': 'GET, HEAD, POST',
  }
  for (const [path, allow] of Object.entries(accepted)) {
    const { status, headers } = await get(path, {}, 'PUT')
    t.same([status, headers.get('allow')], [405, allow], path)
  }
})

t.test('given an unknown number, when its page is read, then the number is shown escaped', async (t) => {
  const { get } = await site()
  const numbers: readonly (readonly [path: string, shown: string])[] = [
    ['SR9', 'SR9'],
    ['AB%2FCD', 'AB/CD'],
    ['AB/CD', 'AB/CD'],
    ['a.b', 'a.b'],
    ['%3Cscript%3Ealert(1)%3C/script%3E', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['%22%20onfocus=%27x%27', '&quot; onfocus=&#39;x&#39;'],
    ['%F0%9F%93%A6', '📦'],
    ['100%', '100%'],
    ['%zz', '%zz'],
    ['%E4', '%E4'],
    ['AB%252FCD', 'AB%2FCD'],
    ['a%00b%0d%0ac', 'a\uFFFDb\uFFFD\uFFFDc'],
    ['x'.repeat(500), 'x'.repeat(500)],
    ['x'.repeat(800), `${'x'.repeat(500)}…`],
    ['%F0%9F%93%A6'.repeat(400), `${'📦'.repeat(250)}…`],
    ['%20', ' '],
  ]
  for (const [path, shown] of numbers) {
    const { status, html, headers } = await get(`/track/${path}`)
    t.equal(status, 404, path.slice(0, 40))
    t.match(html, `<bdi class="identifier">${shown}</bdi>`, 'the number is shown')
    t.match(html, '<form class="number large" role="search" aria-label="Track by number" action="/track" method="get">')
    t.notMatch(html, '<script')
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  }
})

t.test('given a number with odd characters, when events were recorded for it, then its page is found', async (t) => {
  const { get, record } = await site()
  for (const number of ['AB/CD', 'a.b', '100%', '📦', '<b>"&\'', 'AB%2FCD', 'a?b#c', 'ä ö', '..']) {
    await record({ tracking_number: number }, 'picked_up')
    const { status, headers } = await get(`/track?number=${encodeURIComponent(number)}`)
    const page =
      status === 303
        ? await get(headers.get('location') ?? '')
        : await get(`/track?number=${encodeURIComponent(number)}`)
    t.equal(page.status, 200, number)
    t.match(plain(page.html), `<bdi class="identifier">${number}</bdi>`)
  }
})

t.test('given the form, when it is submitted, then it redirects to the page of the number', async (t) => {
  const { get } = await site()
  const leads: Record<string, string> = {
    '/track?number=SR1': '/track/SR1',
    '/track?number=+SR1%0d%0a': '/track/SR1',
    '/track?number=AB%2FCD': '/track/AB%2FCD',
    '/track?number=%0d%0aX-Evil:%201': '/track/X-Evil%3A%201',
    '/track?number=//evil.example/': '/track/%2F%2Fevil.example%2F',
    '/track?number=': '/',
    '/track': '/',
    '/track/': '/',
    [`/track?number=${'%F0%9F%93%A6'.repeat(400)}`]: `/track/${'%F0%9F%93%A6'.repeat(250)}%EF%BF%BD`,
  }
  for (const [path, target] of Object.entries(leads)) {
    const { status, headers } = await get(path)
    t.same([status, headers.get('location')], [303, target], path.slice(0, 60))
  }
})

t.test('given an order with several parcels, when a provider reads its page, then it lists them', async (t) => {
  const { get, key, record } = await site()
  await record({ tracking_number: 'SR/1', order_id: 77 }, 'picked_up')
  await record({ tracking_number: 'SR2', order_id: 77 }, 'picked_up')
  t.equal((await get('/track/77')).status, 404, 'the public finds nothing by an id that is counted')
  const { status, html } = await get('/track/77', { authorization: `Bearer ${key}` })
  t.equal(status, 409)
  t.match(html, 'Tracking number <a href="/track/SR%2F1">')
  t.match(html, 'Tracking number <a href="/track/SR2">')
})

t.test('given a store that fails, when a page is read, then it says so without saying why', async (t) => {
  const logged = t.capture(console, 'error', () => {})
  const unavailable = await site({ broken: () => new EngineError('store_unavailable') })
  const later = await unavailable.get('/track/SR1')
  t.equal(later.status, 503)
  t.equal(later.headers.get('retry-after'), '1', 'in a second')
  const broken = await site({ broken: () => new Error('disk on fire') })
  const { status, html } = await broken.get('/track/SR1', { 'x-request-id': 'r-1' })
  t.equal(status, 500)
  t.match(html, '<code>r-1</code>')
  t.notMatch(html, 'disk on fire')
  t.match(logged(), [{ args: [/"request":"r-1".*pages\.test\.ts/] }], 'the log says where')
})

t.test('given the first page, when its commands are run, then the first event is recorded', async (t) => {
  const { get, ingest } = await site()
  const { html } = await get('/', { host: 'tracking.example:8080' })
  t.match(html, 'otep provider add demo')
  const commands = [...html.matchAll(/<code>(.*?)<\/code>/gs)].map(([, command = '']) => plain(command))
  t.match(commands[1], 'curl http://tracking.example:8080/api/v1/otep/ingest \\\n')
  const [, body = ''] = /-d '(.*)'$/s.exec(commands[1] ?? '') ?? []
  const answer = (await (await ingest(body)).json()) as object
  t.match(answer, { result: true, data: { accepted: 1 } })
  t.equal(
    Object.hasOwn((answer as { data: { events: [object] } }).data.events[0], 'warnings'),
    false,
    'without any remark',
  )
  t.equal(commands[2], 'curl http://tracking.example:8080/api/v1/otep/trackings/DEMO-1')
  t.match(html, '<a href="/track/DEMO-1">http://tracking.example:8080/track/DEMO-1</a>')
  t.equal((await get('/track/DEMO-1')).status, 200)
  for (const [, path = ''] of html.matchAll(/<li><a href="([^"]+)">/g)) t.equal((await get(path)).status, 200, path)
  t.equal(
    [...html.matchAll(/<li><a href="/g)].length,
    7,
    'the documentation, a document to try, the webhook events, the description, the codebook, the schema and the members of OTEP',
  )
})

t.test('given an invalid Host header, when the first page is read, then it is not repeated', async (t) => {
  const { get } = await site()
  for (const host of [
    '"><script>alert(1)</script>',
    "x';rm -rf ~;'",
    'a b',
    '$(id)',
    'x'.repeat(300),
    'evil.example/path',
  ]) {
    t.match((await get('/', { host })).html, 'curl http://localhost:3000/api/', host.slice(0, 40))
  }
  t.match((await get('/', { host: '[::1]:3000' })).html, 'curl http://[::1]:3000/api/')
  const secure = await site({ hsts: true })
  t.match((await secure.get('/', { host: 'tracking.example' })).html, 'curl https://tracking.example/api/')
})

t.test('given the assets of a page, when they are fetched, then they may be cached indefinitely', async (t) => {
  const { get, record } = await site()
  await record({ tracking_number: 'SR1' }, 'picked_up')
  const html = (await get('/')).html + (await get('/track/SR1')).html
  const paths = new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path))
  const types: Record<string, string> = {
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml',
  }
  t.equal(paths.size, 4)
  for (const path of paths) {
    t.match(path, /^\/assets\/\w+\.[0-9a-f]{12}\.(css|js|svg)$/)
    const { status, headers, html } = await get(path)
    t.equal(status, 200, path)
    t.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.equal(headers.get('content-type'), types[path.split('.').at(-1) ?? ''])
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.ok(html.length > 100)
  }
  t.equal((await get('/assets/track.000000000000.css')).status, 404)
})

t.test(
  'given the web component, when a page of another origin loads it, then it may, and keeps it for a day',
  async (t) => {
    const { get, record } = await site()
    await record({ tracking_number: 'SR1' }, 'picked_up')
    const { status, headers, html } = await get('/otep-timeline.js')
    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.equal(headers.get('cache-control'), 'public, max-age=86400')
    t.ok(gzipSync(html).length < 15_000, `${gzipSync(html).length} bytes when compressed`)
    t.notMatch(html, /^import /m, 'it needs nothing else')
    const again = await get('/otep-timeline.js', { 'if-none-match': headers.get('etag') ?? '' })
    t.same([again.status, again.html, again.headers.get('cache-control')], [304, '', 'public, max-age=86400'])
    t.equal((await get('/otep-timeline.js', {}, 'POST')).status, 405)
    const style = /href="(\/assets\/[^"]+css)"/.exec((await get('/track/SR1')).html)?.[1] ?? ''
    for (const path of ['/otep-timeline.js', '/track/SR1', '/track/SR1?link=1.a', '/track/none', style])
      t.equal((await get(path)).headers.get('access-control-allow-origin'), '*', path)
    for (const path of ['/webhooks', '/mcp-approvals', '/'])
      t.equal((await get(path)).headers.get('access-control-allow-origin'), null, `${path} is for its visitor alone`)
  },
)

t.test(
  "given a document with all of OTEP's own members, when its namespace is asked, then each of them is in context and page",
  async (t) => {
    const { get, ingest } = await site()
    const address = { street: 'Main St 1', locality: 'Toronto', region: 'ON', postal_code: 'L5M 2B7', country: 'CA' }
    const place = { name: 'Hub', unlocode: 'CATOR', gln: '9521230000116', latitude: 43.5, longitude: -79, address }
    const signed = { recipient: 'J. Doe', signed_at: '2026-06-10T09:31:00-04:00', signature_url: 'https://a.example/s' }
    await ingest(
      JSON.stringify({
        subject: { tracking_number: 'NS1', gs1_sscc: '395212300004172605', order_id: 7, package_id: 8 },
        ...{ status_code: 'delivered', occurred_at: '2026-06-10T09:30:00-04:00', location: place, description: 'Here' },
        pod: { ...signed, photo_urls: ['https://a.example/p'], note: 'door' },
        source: { type: 'proof_of_delivery', code: 'D1' },
        ...{ incident_reason: 'weather', estimated_delivery_at: '2026-06-10T12:00:00Z', synthesized: true },
        withdrawn: { declared_at: '2026-06-12T00:00:00Z', reason: 'the wrong parcel' },
      }),
    )
    const { html: document } = await get('/api/v1/otep/trackings/NS1?format=epcis')
    const written = new Set([...document.matchAll(/"otep:(\w+)":/g)].map(([, name]) => String(name)))
    t.ok(written.size > 30, `${written.size} members`)
    const answer = await get('/ns/otep', { accept: 'application/ld+json' })
    t.equal(answer.headers.get('content-type'), 'application/ld+json')
    t.match(answer.headers.get('cache-control'), 'public')
    t.equal(answer.headers.get('vary'), 'Accept')
    const { '@context': context } = JSON.parse(answer.html)
    const page = await get('/ns/otep', { accept: 'text/html' })
    t.equal(page.headers.get('content-security-policy'), policy)
    for (const name of written)
      t.equal(context[`otep:${name}`]?.['@id'], `https://w3id.org/otep#${name}`, `${name} is in the context`)
    for (const term of Object.keys(context).filter((term) => term.startsWith('otep:'))) {
      const name = term.slice('otep:'.length)
      t.match(page.html, new RegExp(`<dt id="${name}">.*\\n<dd>[A-Z]`), `${name} has a meaning`)
    }
    const tag = page.headers.get('etag') ?? ''
    t.equal((await get('/ns/otep', { accept: 'text/html', 'if-none-match': tag })).status, 304)
    t.equal(
      (await get('/ns/otep', { accept: '*/*', 'if-none-match': tag })).status,
      200,
      'the context is another answer',
    )
    t.equal((await get('/ns/otep', {}, 'POST')).status, 405)
  },
)
