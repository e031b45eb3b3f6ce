import t from 'tap'
import { addProvider, call, createMemoryStore, en } from '../../../engine/index.ts'
import { createApp, createParts, type EngineOptions } from '../../main.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const baseUrl = 'https://tracking.example'
const sscc = '106141412345678908'
const serial = 'a/b+1'

/** A server with a pallet, an item with a serial number, and a parcel that only its owner may find. */
async function server(more: Partial<EngineOptions> = {}) {
  const store = createMemoryStore(() => now)
  const options = { store, clock: () => now, baseUrl, ...more }
  const parts = createParts(options)
  const app = createApp({ ...options, parts })
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...parts, caller: operator, messages: en, requestId: 'test' }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  const ingest = async (subject: object) => {
    const event = { event_id: 'a', status_code: 'picked_up', occurred_at: '2026-06-10T08:00:00Z' }
    const body = JSON.stringify({ subject, events: [event] })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await app.request('/api/v1/otep/ingest', { method: 'POST', headers, body })
    t.match(await answer.json(), { data: { accepted: 1 } })
  }
  await ingest({ gs1_sscc: sscc })
  await ingest({ piece_id: 'urn:epc:id:sgtin:4012345.011111.a%2Fb+1' })
  await ingest({ order_id: 7 })
  const get = (path: string, accept?: string, method = 'GET') =>
    app.request(path.startsWith('http') ? path.replace(baseUrl, '') : path, {
      method,
      ...(accept !== undefined && { headers: { accept } }),
    })
  return { get, app, key }
}

const sgtin = `/01/04012345111118/21/${encodeURIComponent(serial)}`

t.test('given a link of a thing, when a browser opens it, then it is redirected to the tracking page', async (t) => {
  const { get } = await server()
  for (const path of [`/00/${sscc}`, `/00/${sscc}/`, `/00/${sscc}?linkType=gs1:defaultLink`, sgtin]) {
    for (const accept of [undefined, 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'image/png']) {
      const answer = await get(path, accept)
      t.equal(answer.status, 307, `${path} ${accept}`)
      const page = await get(String(answer.headers.get('location')), 'text/html')
      t.equal(page.status, 200, String(answer.headers.get('location')))
      t.match(await page.text(), path === sgtin ? 'sgtin:4012345.011111.a%2Fb' : sscc)
    }
  }
  const { headers } = await get(`/00/${sscc}?17=270131&linkType=gs1:defaultLink&x=a%26b`)
  t.equal(headers.get('location'), `${baseUrl}/track/${sscc}?17=270131&x=a%26b`, 'the other members are passed on')
})

t.test('given a link of a thing, when a program asks for a document, then it is redirected to one', async (t) => {
  const { get } = await server()
  for (const accept of ['application/json', 'application/xml', 'application/ld+json, text/html;q=0.5']) {
    const answer = await get(sgtin, accept)
    t.equal(answer.status, 307)
    const location = String(answer.headers.get('location'))
    t.match(location, '/api/v1/otep/trackings/')
    const document = await get(location, accept)
    t.equal(document.status, 200)
    t.match(document.headers.get('content-type'), accept.split(',')[0])
  }
  for (const type of ['gs1:epcis', 'https://ref.gs1.org/voc/epcis', 'https://gs1.org/voc/epcis']) {
    const answer = await get(`/00/${sscc}?linkType=${encodeURIComponent(type)}`)
    t.equal(answer.status, 307)
    const events = await (await get(String(answer.headers.get('location')))).text()
    t.match(events, 'picked_up', 'the public view of an event')
  }
})

t.test('given a link with parameters, when it is resolved, then its target gets those that are for it', async (t) => {
  const { get } = await server()
  const asked = `/00/${sscc}?utm_source=box&17=261231&lang=fr&format=epcis&linkType=gs1:traceability`
  const page = (await get(asked, 'text/html')).headers.get('location')
  t.equal(page, `${baseUrl}/track/${sscc}?utm_source=box&17=261231&lang=fr&format=epcis`)
  const document = (await get(asked, 'application/json')).headers.get('location')
  t.equal(document, `${baseUrl}/api/v1/otep/trackings/${sscc}?format=epcis`)
  t.equal((await get(String(page), 'text/html')).status, 200)
  t.equal((await get(String(document), 'application/json')).status, 200)
  t.equal((await get('/.well-known/gs1resolver?v=1', 'application/json')).status, 422)
})

t.test(
  'given a link of a thing, when its links are asked for, then they are a linkset without a redirect',
  async (t) => {
    const { get } = await server()
    const asked: readonly [path: string, accept: string | undefined, type: string][] = [
      ['?linkType=linkset', undefined, 'application/linkset+json'],
      ['?linkType=all', 'application/linkset+json', 'application/linkset+json'],
      ['', 'application/linkset+json, */*;q=0.1', 'application/linkset+json'],
      ['?linkType=linkset', 'application/json', 'application/json'],
      ['?linkType=linkset', 'text/html', 'application/json'],
    ]
    for (const [query, accept, type] of asked) {
      const answer = await get(`/00/${sscc}${query}`, accept)
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('content-type'), type)
      t.match(answer.headers.get('link'), 'rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"')
      const { linkset } = (await answer.json()) as { linkset: readonly [Record<string, readonly Target[]>] }
      const [{ anchor, ...links }] = linkset
      t.equal(anchor, `${baseUrl}/00/${sscc}`)
      const types = ['defaultLink', 'traceability', 'epcis'].map((name) => `https://ref.gs1.org/voc/${name}`)
      t.strictSame(Object.keys(links), types)
      t.strictSame(links[types[0] as string], [{ href: `${baseUrl}/track/${sscc}`, title: 'Tracking page' }])
      for (const { href, type } of Object.values(links).flat())
        t.equal((await get(href, type)).status, 200, `${href} as ${type}`)
    }
  },
)

interface Target {
  readonly href: string
  readonly type?: string
}

t.test(
  'given any link, when its headers are read, then they lead to the linkset and let other pages read',
  async (t) => {
    const { get } = await server()
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await get(`/00/${sscc}`, undefined, method)
      t.equal(status, 307)
      t.equal(body, null)
      const linkset = `<${baseUrl}/00/${sscc}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`
      t.equal(headers.get('link'), linkset)
      t.equal(headers.get('access-control-allow-origin'), '*')
      t.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS')
      t.match(headers.get('vary'), 'Accept')
    }
    const options = await get(`/00/${sscc}`, undefined, 'OPTIONS')
    t.equal(options.status, 204)
    t.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
    const post = await get(`/00/${sscc}`, undefined, 'POST')
    t.equal(post.status, 405)
  },
)

t.test('given what is no Digital Link, when it is asked for, then it is refused as such', async (t) => {
  const { get } = await server()
  const wrong = [
    '/00/106141412345678907',
    '/00/10614141234567890',
    `/00/${sscc}/foo`,
    `/00/${sscc}/21/1`,
    '/01/04012345111118/21/a/10/b',
    '/01/04012345111118/21/',
    '/01/04012345111118/21/%ff',
    '/8004/ABC',
  ]
  for (const path of wrong) {
    const answer = await get(path)
    t.equal(answer.status, 400, path)
    t.match(await answer.json(), { result: false, code: 'not_digital_link' })
    t.equal(answer.headers.get('access-control-allow-origin'), '*')
  }
})

t.test('given things that cannot be found, when they are asked for, then all answers are alike', async (t) => {
  const { get } = await server()
  const missing = [
    '/00/006141410000000012',
    '/01/04012345111118',
    '/01/04012345111118/21/x',
    '/8004/40123457',
    '/401/7123',
  ]
  for (const path of missing) {
    for (const query of ['', '?linkType=linkset', '?linkType=gs1:pip', '?postal_code=75001', '?link=forged']) {
      const answer = await get(`${path}${query}`)
      t.equal(answer.status, 404, `${path}${query}`)
      t.match(await answer.json(), { code: 'timeline_not_found' })
      t.equal(answer.headers.get('link'), null)
    }
  }
  const other = await get(`/00/${sscc}?linkType=gs1:pip`)
  t.equal(other.status, 404)
  t.match(await other.json(), { code: 'link_type_not_found' })
})

t.test('given a server that reduces its public view, when a link is resolved, then it tells no more', async (t) => {
  const { get } = await server({ publicView: 'reduced' })
  const answer = await get(`/00/${sscc}`, 'application/json')
  t.equal(answer.status, 307)
  t.equal(answer.headers.get('location'), `${baseUrl}/api/v1/otep/trackings/${sscc}`)
})

t.test('given a resolver, when it describes itself, then it names the keys that it resolves', async (t) => {
  const { get } = await server()
  const answer = await get('/.well-known/gs1resolver', 'application/json')
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('access-control-allow-origin'), '*')
  const description = (await answer.json()) as { readonly supportedPrimaryKeys: readonly string[] }
  t.match(description, { name: 'OTEP tracking', resolverRoot: baseUrl, linkTypeDefaultCanBeLinkset: false })
  for (const key of description.supportedPrimaryKeys) {
    const { status } = await get(`/${key}/0`)
    t.equal(status, 400, `${key} is a path of the resolver, whose check refuses a wrong value`)
  }
})
