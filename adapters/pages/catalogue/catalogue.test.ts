import t from 'tap'
import { world } from '../../auth/world.test.fixture.ts'
import { webhookEventTypes } from '../../engine.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { eventPageOf, requestIn } from './page.test.fixture.ts'

const languages = languagesWith('page.catalogue')

const home = '/webhook-events'

t.test(
  'given anybody, when the catalogue is opened, then every event has its row, its cause and its page',
  async (t) => {
    const { app } = await world()
    const response = await app.request(home)
    t.equal(response.status, 200)
    const html = await response.text()
    t.notMatch(html, /<style|\sstyle=|<script(?! type="module" src=)|\son[a-z]+=/, 'nothing inline')
    for (const { name, summary, field } of webhookEventTypes) {
      const [row = ''] = new RegExp(`<tr id="${name}">.*?</tr>`, 's').exec(html) ?? []
      t.match(row, `href="${home}/${name}"`, name)
      t.match(row, summary.replaceAll("'", '&#39;'))
      if (field !== undefined) t.match(row, field)
      t.equal((await app.request(`${home}/${name}`)).status, 200)
    }
    t.equal((await app.request(`${home}/order.nonsense`)).status, 404)
    t.equal((await app.request(home, { method: 'POST' })).status, 405)
  },
)

t.test(
  'given a reader, when the catalogue is asked for in a language, then it is in that language, and so are its links',
  async (t) => {
    const { app } = await world()
    const titles = new Set<string>()
    for (const language of languages) {
      const html = await (await app.request(home, { headers: { 'accept-language': language } })).text()
      t.match(html, `<html lang="${language}"`)
      titles.add(/<p class="lead">(.*?)<\/p>/.exec(html)?.[1] ?? '')
    }
    t.equal(titles.size, languages.length)
    const arabic = await (await app.request(`${home}?lang=ar`)).text()
    t.match(arabic, `href="${home}/order.assigned?lang=ar"`)
    t.match(arabic, '<td class="wrap" lang="en" dir="ltr">', 'what is in English is marked')
    const page = await (await app.request(`${home}/order.assigned?lang=ar`)).text()
    t.match(page, `href="${home}?lang=ar#order.assigned"`)
  },
)

t.test('given a page that is known already, when it is asked for again, then it is answered with 304', async (t) => {
  const { app } = await world()
  for (const path of [home, `${home}/order.assigned`]) {
    const etag = (await app.request(path)).headers.get('etag') ?? ''
    t.equal((await app.request(path, { headers: { 'if-none-match': etag } })).status, 304, path)
    t.not((await app.request(`${path}?lang=de`)).headers.get('etag'), etag)
  }
})

t.test(
  'given an event, when its page is opened, then it shows it in each form, with the headers of that form',
  async (t) => {
    const { app } = await world()
    const { examples, html } = await eventPageOf(app, 'order.assigned')
    const { body, headers } = requestIn(examples.native)
    const [type] = webhookEventTypes.filter(({ name }) => name === 'order.assigned')
    t.match(JSON.parse(body), { event: 'order.assigned', data: { ...type?.example } })
    t.match(headers, { 'content-type': 'application/json', 'x-webhook-signature-v2': /=$/ })
    t.match(requestIn(examples.binary).headers, { 'ce-type': 'io.otep.order.assigned', 'ce-subject': /^order\/\d+$/ })
    const structured = requestIn(examples.structured)
    t.equal(structured.headers['content-type'], 'application/cloudevents+json')
    t.same(JSON.parse(structured.body).data, JSON.parse(body))
    t.match(requestIn(examples.standard).headers, { 'webhook-signature': /^v1,/ })
    for (const name of [...Object.keys(headers).slice(1), 'ce-id', 'webhook-id'])
      t.match(html.toLowerCase(), `<td><code dir="ltr">${name}</code></td>`)
  },
)

t.test(
  'given the code of each page, when it gets the example of that page, then it takes that and nothing else',
  async (t) => {
    const { app } = await world()
    const verifierIn = async (code: string): Promise<(received: object) => boolean> =>
      Object.values(await import(`data:text/javascript,${encodeURIComponent(code)}`))[0] as never
    for (const { name } of webhookEventTypes) {
      const { examples, codes, html } = await eventPageOf(app, name)
      const secret = /“(.*?)”/.exec(html)?.[1] ?? ''
      t.equal(codes.length, 4)
      const [native = '', , standard = ''] = codes
      for (const [code, example] of [
        [native, examples.native],
        [native, examples.binary],
        [native, examples.structured],
        [standard, examples.standard],
      ] as const) {
        const verify = await verifierIn(code)
        const { headers, body } = requestIn(example)
        const now = Number(headers['x-webhook-timestamp'] ?? headers['x-ohp-timestamp'])
        t.ok(verify({ headers, body: Buffer.from(body), secret, now }), name)
        t.notOk(verify({ headers, body: Buffer.from(`${body} `), secret, now }), 'another body')
        t.notOk(verify({ headers, body: Buffer.from(body), secret: 'another secret', now }), 'another secret')
      }
    }
  },
)
