import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { atOnce, createMemoryStore } from '../../../engine/index.ts'
import { runs } from '../../../engine/testing/runs.test.fixture.ts'
import { createLimits } from '../../limits/index.ts'
import { messagesIn } from '../../locales/messages.ts'
import { createApp } from '../../main.ts'
import { limitsFrom } from '../../node/limits.ts'
import { plain } from '../html.test.fixture.ts'
import { walk } from './walk.ts'

const clock = () => Date.parse('2026-12-20T12:00:00Z')

/** The words of a page or of a part of it. */
const words = (html: string) =>
  plain(html.replace(/<wbr>/g, '').replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

function site({ limits = '' } = {}) {
  const store = createMemoryStore(clock)
  const settings = limitsFrom({ OTEP_LIMITS: limits })
  const app = createApp({
    ...{ store, clock },
    ...(limits !== '' && {
      limits: createLimits({ settings, proxies: [], now: clock, onRefused() {}, onUntrusted() {} }),
    }),
  })
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await app.fetch(new Request(`http://localhost${path}`, init))
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers })
  const post = (document: string | File, format = 'otep', path = '/try') => {
    const body = new FormData()
    body.set(typeof document === 'string' ? 'document' : 'file', document)
    body.set('format', format)
    return send(path, { method: 'POST', body })
  }
  return { store, send, get, post }
}

/** What the form of a page holds: its text, and the token of the chosen format. */
function formIn(html: string) {
  const [, text = ''] = /<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(html) ?? []
  const [, format = ''] = /<option value="(\w+)" selected/.exec(html) ?? []
  return { text: plain(text), format }
}

/** The findings of a page: severity, line (0 without one), path, message and code. */
function findingsIn(html: string) {
  return [...html.matchAll(/<li class="finding (\w+)" id="finding-(\d+)">([\s\S]*?)<\/li>/g)].map(
    ([, severity, order, item = '']) => {
      const [head = '', message = '', code = ''] = [...item.matchAll(/<p[^>]*>([\s\S]*?)<\/p>/g)].map(
        ([, part]) => part,
      )
      const line = Number(/href="#line-(\d+)"/.exec(head)?.[1] ?? 0)
      const path = words(/<code[^>]*>([\s\S]*?)<\/code>/.exec(head)?.[1] ?? '')
      return { severity, order, line, path, message: words(message), code: words(code).split(' ')[0] }
    },
  )
}

/** The value at the end of some steps: names, and indexes in brackets. */
const valueAt = (document: unknown, steps: readonly string[]) =>
  steps.reduce<unknown>(
    (value, step) => (value as Readonly<Record<string, unknown>> | undefined)?.[step.replace(/[[\]]/g, '')],
    document,
  )

const journey = (number: string, more: object = {}) => ({
  subject: { tracking_number: number },
  events: [{ occurred_at: '2026-06-10T09:30:00-04:00', status_code: 'picked_up', ...more }],
})

t.test('given the first page, when its link is followed, then there is a form that needs no script', async (t) => {
  const { get } = site()
  t.match((await get('/')).html, '<a href="/try">')
  const { status, html } = await get('/try')
  t.equal(status, 200)
  t.match(html, '<form class="try" id="try" action="/try" method="post" enctype="multipart/form-data">')
  t.match(
    words(/<select[\s\S]*?<\/select>/.exec(html)?.[0] ?? ''),
    /Open Tracking Event Protocol .*EPCIS .*AfterShip .*Amazon/,
  )
  t.equal(formIn(html).text, '')
})

t.test('given the example of each format, when it is checked, then it gives its timeline without errors', async (t) => {
  const { get, post } = site()
  const names = [...(await get('/try')).html.matchAll(/href="\/try\?example=([\w.]+)"/g)].map(([, name = '']) => name)
  t.same(names, [
    'otep.json',
    'epcis.json',
    'epcis.xml',
    'onerecord.json',
    'aftership.json',
    'amazon.json',
    'otep.ndjson',
    'errors',
  ])
  for (const name of names.filter((one) => one !== 'errors')) {
    const { text, format } = formIn((await get(`/try?example=${name}`)).html)
    t.equal(format, name.split('.')[0])
    t.equal(text.startsWith('<'), name.endsWith('.xml'))
    const { status, html } = await post(text, format)
    t.equal(status, 200, name)
    t.same(findingsIn(html), [], name)
    t.match(html, /<h1 aria-level="2">.*Delivered/, `${name} is delivered`)
    const events = [...html.matchAll(/<li class="event[ "]/g)].length
    t.equal(events, name === 'amazon.json' ? 9 : 10, `${name} has its events`)
    t.match(words(html), `Events that the engine takes: ${events}. Events that it refuses: 0.`)
    t.equal(formIn(html).text, text, 'the form keeps the document')
  }
})

t.test('given a timeline, when it is shown, then it is there in every format that the server has', async (t) => {
  const { get, post } = site()
  const { html } = await post(JSON.stringify(journey('SR1')))
  const { data } = JSON.parse((await get('/api/v1/otep/formats')).html) as {
    data: { format: string; title: string; losses: string[] }[]
  }
  t.ok(data.length > 13)
  for (const { format, losses } of data) {
    const [part = ''] = new RegExp(`<details id="format-1-${format}-json">[\\s\\S]*?</pre>`).exec(html) ?? []
    const [, code = ''] = /<pre[^>]*><code>([\s\S]*)<\/code>/.exec(part) ?? []
    t.type(JSON.parse(plain(code)), 'object', `${format} is JSON`)
    t.same(part.match(/<li>/g)?.length ?? 0, losses.length, `${format} says what is lost`)
  }
  const [, native = ''] = /format-1-otep-json[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(html) ?? []
  t.match(JSON.parse(plain(native)), { subject: { tracking_number: 'SR1' }, current_status: 'picked_up' })
  t.match(
    html,
    /format-1-epcis-xml[\s\S]*?&lt;\?xml[\s\S]*?data-file="timeline\.epcis\.xml" data-type="application\/xml"/,
  )
})

t.test(
  'given a document with errors, when it is checked, then each finding names the line that it is at',
  async (t) => {
    const { get, post, send } = site()
    const { text } = formIn((await get('/try?example=errors')).html)
    const { html } = await post(text)
    const findings = findingsIn(html)
    const lines = text.split('\n')
    const headers = { 'Content-Type': 'application/json' }
    const verdict = JSON.parse((await send('/api/v1/otep/validate', { method: 'POST', headers, body: text })).html) as {
      errors: { path: string; message: string }[]
    }
    t.ok(verdict.errors.length > 10)
    for (const { path, message } of verdict.errors)
      t.ok(
        findings.find((one) => one.path === path && one.message === message && one.severity === 'error'),
        path,
      )
    const document = JSON.parse(text) as object
    for (const { path, line } of findings) {
      const steps = path.split(/\.|(?=\[)/)
      const isIndex = steps.at(-1)?.startsWith('[')
      const isThere = valueAt(document, steps) !== undefined
      const expected = isIndex ? String(valueAt(document, steps)) : isThere ? `"${steps.at(-1)}": ` : /\{$/
      t.match(lines[line - 1], expected, `${path} is at line ${line}`)
    }
    const missing = findings.find((one) => one.path === 'events[2].occurred_at')
    t.match(lines[missing?.line ?? 0], '"event_id": "EX-2"', 'what is missing is at the line of what lacks it')
    t.match(
      html,
      /<li id="line-7" class="error"><code> {4}&quot;trackingNumber&quot;.*<\/code> <a href="#finding-\d+">/,
    )
    t.match(words(html), 'The document does not conform.')
    t.match(words(html), 'There is no timeline, because no event could be taken from the document.')
  },
)

t.test('given text that is not JSON or XML, when it is checked, then the line where it breaks is named', async (t) => {
  const { post } = site()
  const broken: readonly (readonly [text: string, line: number])[] = [
    ['{\n  "subject": {},\n  "events": [,]\n}', 3],
    ['{\r\n"a": 1\r\n"b": 2}', 3],
    ['{\n"a": [1, 2\n}\n', 3],
    ['{\n"a": "b\n"}', 2],
    ['{"a": 01}', 1],
    ['{\n"a":\n', 2],
    ['', 1],
    ['[1]\n\n]', 3],
    ['{\n"a": "\\x"}', 2],
  ]
  for (const [text, line] of broken) {
    const { status, html } = await post(text)
    t.equal(status, 200)
    t.match(findingsIn(html), [{ severity: 'error', line, path: '', code: 'malformed_json' }], JSON.stringify(text))
    t.match(html, `<li id="line-${line}" class="error">`)
  }
  const { html } = await post('<a>\n<b>\n</a>', 'epcis')
  t.match(findingsIn(html), [{ severity: 'error', line: 3, code: 'malformed_xml' }])
  t.match(findingsIn((await post('<a/>', 'otep')).html), [{ code: 'malformed_json', line: 1 }], 'OTEP is JSON')
})

t.test('given any text, when it is walked through, then it is JSON exactly if JSON.parse reads it', (t) => {
  const nothing = { value() {}, opened() {}, closed() {} }
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const changed = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '1', '-', '\\', ' ', '\n', 'e', '.'),
    )
    .map(([text, at, piece]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + piece + text.slice(place + (at % 2))
    })
  fc.assert(
    fc.property(fc.oneof(changed, fc.json(), fc.string()), (text) => {
      const at = atOnce(walk(text, nothing))
      t.equal(at === undefined, parses(text), JSON.stringify(text))
      if (at !== undefined) t.ok(at >= 0 && at <= text.length)
    }),
    { numRuns: runs(t, 300) },
  )
  t.end()
})

t.test('given hostile content, when it is shown, then it is escaped everywhere', async (t) => {
  const { post } = site()
  const evil = '</textarea><script>alert(1)</script><img src=x onerror=alert(1)>"\'\u202e'
  const documents = [
    JSON.stringify(journey(evil, { description: evil, location: { name: evil }, event_id: evil })),
    JSON.stringify({ [evil]: evil, subject: { tracking_number: evil }, events: [{ [evil]: 1, status_code: evil }] }),
    JSON.stringify({ subject: JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'), events: evil }),
    evil,
    `<${evil}`,
  ]
  for (const format of ['otep', 'epcis', 'aftership', 'amazon'])
    for (const document of documents) {
      const { status, html } = await post(document, format)
      t.equal(status, 200)
      t.notMatch(html, /<img|<script(?! type="module" src="\/assets\/)|\son[a-z]+="|\sstyle=/)
      t.equal(html.match(/<\/textarea>/g)?.length, 1)
    }
  const { status, html } = await post('{}', '<b>')
  t.equal(status, 400)
  t.match(html, '&lt;b&gt;')
})

t.test('given a form that cannot be read, when it is sent, then the page says why', async (t) => {
  const { post, send } = site()
  const large = await post(' '.repeat(1024 * 1024))
  t.equal(large.status, 413)
  t.match(words(large.html), 'The body is larger than 1048576 bytes.')
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('document='.padEnd(64 * 1024, 'x'))),
  })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const endless = await send('/try', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  t.equal(endless.status, 413, 'whatever its length is said to be')
  const json = await send('/try', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
  t.equal(json.status, 415)
  const cut = await send('/try', { method: 'POST', headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' })
  t.equal(cut.status, 400)
  t.equal((await post(new File([new Uint8Array([0xff, 0x41])], 'a.json'))).status, 400, 'not UTF-8')
  const deep = await post('['.repeat(500) + ']'.repeat(500))
  t.match(findingsIn(deep.html), [{ code: 'too_deep' }])
  const wide = JSON.stringify({ subject: Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`a${at}`, 1])) })
  t.match(findingsIn((await post(wide)).html), [{ code: 'too_many_members' }])
})

t.test('given a file or a form of another kind, when it is sent, then it is read as well', async (t) => {
  const { get, post, send } = site()
  const text = JSON.stringify(journey('SR1'))
  t.match((await post(new File([`\ufeff${text}`], 'a.json'))).html, /<h1 aria-level="2">.*Picked up/i)
  const xml = formIn((await get('/try?example=epcis.xml')).html).text
  const wide = Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  t.match((await post(new File([new Uint8Array(wide)], 'a.xml'), 'epcis')).html, /<h1 aria-level="2">.*Delivered/)
  const urlencoded = await send('/try', { method: 'POST', body: new URLSearchParams({ document: text }) })
  t.match(urlencoded.html, /<h1 aria-level="2">.*Picked up/i)
})

t.test('given a document that was tried, when the server is asked for it, then it has kept nothing', async (t) => {
  const { get, post, store } = site()
  const { html, headers } = await post(JSON.stringify(journey('SR1')))
  t.match(html, 'SR1')
  t.equal(headers.get('cache-control'), 'no-store')
  t.equal((await get('/track/SR1')).status, 404)
  t.equal(await store.latest(), undefined, 'the store is empty')
  const again = await post(JSON.stringify(journey('SR1', { status_code: 'delivered' })))
  t.equal(again.html.match(/<li class="event[ "]/g)?.length, 1, 'nothing of the first document is in the second')
})

t.test('given a source that tries too often, when it goes on, then it has to wait as for validations', async (t) => {
  const { post, send } = site({ limits: 'validate=1/m:2' })
  const text = JSON.stringify(journey('SR1'))
  t.same([(await post(text)).status, (await post(text)).status], [200, 200])
  const refused = await post(text)
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), '60')
  const headers = { 'Content-Type': 'application/json' }
  const validation = await send('/api/v1/otep/validate', { method: 'POST', headers, body: text })
  t.equal(validation.status, 429, 'both take from the same bucket')
})

t.test('given a long document, when it is shown, then the page stays short and says what it leaves out', async (t) => {
  const { post } = site()
  const event = (index: number) => ({
    occurred_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    status_code: index === 400 ? 'teleported' : 'in_transit',
    source: { type: 'node_scan' },
  })
  const long = {
    otep_version: '0.1',
    profile: 'parcel',
    subject: { tracking_number: 'SR1' },
    events: Array.from({ length: 900 }, (_, index) => event(index)),
  }
  const { html } = await post(JSON.stringify(long, undefined, 2))
  const finding = findingsIn(html).find(({ code }) => code === 'unknown_status_code')
  t.match(finding, { code: 'unknown_status_code', path: 'events[400].status_code', line: 7 + 400 * 7 + 3 })
  t.match(html, `<li id="line-${finding?.line}" class="error">`)
  t.match(words(html), /Lines 301 to 2\d{3} are not shown\./)
  t.match(words(html), 'Earlier events that are not shown: 699')
  t.match(words(html), 'This document would be too long for the page.')
  t.ok(html.length < 3_000_000, `${html.length} characters`)
  const dense = await post(JSON.stringify(long))
  t.match(words(dense.html), 'Its lines are very long, so it is laid out again here.')
  t.equal(findingsIn(dense.html).find(({ code }) => code === 'unknown_status_code')?.line, finding?.line)
  const empty = { subject: { tracking_number: 'SR1' }, events: Array.from({ length: 5_000 }, () => ({ a: 1 })) }
  const faulty = await post(JSON.stringify(empty, undefined, 2))
  t.equal(findingsIn(faulty.html).length, 200)
  t.match(words(faulty.html), /Findings that are not shown: \d{3,}/)
  const many = Array.from({ length: 7 }, (_, index) => journey(`SR${index}`))
  t.match(words((await post(JSON.stringify({ timelines: many }))).html), 'Timelines that are not shown: 2')
})

t.test('given a reader of another language, when a document is tried, then page and messages are in it', async (t) => {
  const { get, post } = site()
  const titles = {
    en: 'Try a document',
    fr: 'Essayer un document',
    de: 'Ein Dokument ausprobieren',
    es: 'Probar un documento',
    'zh-Hans': '试用文档',
    'zh-Hant': '試用文件',
    ar: 'تجربة مستند',
  }
  for (const [lang, title] of Object.entries(titles)) {
    t.match((await get('/try', { 'accept-language': lang })).html, `<h1>${title}</h1>`)
    const { html, headers } = await post(JSON.stringify({ ...journey('SR1'), colour: 1 }), 'otep', `/try?lang=${lang}`)
    t.match(html, `<h1>${title}</h1>`)
    t.match(html, `action="/try?lang=${lang}"`)
    t.equal(headers.get('content-language'), lang)
    const { unknown_field = '' } = messagesIn(lang)
    const found = findingsIn(html).find(({ code }) => code === 'unknown_field')
    t.equal(found?.message, unknown_field.replace('{field}', 'colour').replace(/\[.*\]/, ''), lang)
    t.notMatch(words(html), /\{\w+\}(?! ?")/, 'no placeholder is left')
  }
})

t.test('given the examples of the project, when each is tried, then the page agrees with the engine', async (t) => {
  const { post } = site()
  const read = (name: string) =>
    readFileSync(new URL(`../../../../docs/examples/${name}.json`, import.meta.url), 'utf8')
  const late = await post(read('late-and-duplicate'))
  t.match(findingsIn(late.html)[0], { severity: 'error', line: 163, code: 'after_terminal' })
  t.match(words(late.html), 'Events that the engine takes: 9. Events that it refuses: 0.')
  t.match((await post(read('status-only'))).html, /<h1 aria-level="2">.*Delivered/)
  t.match((await post(read('house-move'))).html, '<h1 aria-level="2">', 'another profile')
})

t.test('given findings in an XML document, when it is checked, then each has the line of its element', async (t) => {
  const { get, post } = site()
  const { text } = formIn((await get('/try?example=epcis.xml')).html)
  const changes: readonly (readonly [from: RegExp, to: string, path: string])[] = [
    [/<eventTime>[^<]*/, '<eventTime>yesterday', 'eventList[0].eventTime'],
    [/<bizStep>[^<]*(?=[\s\S]*?<\/ObjectEvent>)/, '<bizStep>nonsense', 'eventList[0].bizStep'],
    [/(?<=<\/ObjectEvent>[\s\S]*?)<action>[^<]*/, '<!-- <action> --><action>NO', 'eventList[1].action'],
    [/(?<=<\/ObjectEvent>[\s\S]*?)<\/ObjectEvent>/, '<foo a=">"/></ObjectEvent>', 'eventList[1].foo'],
  ]
  for (const [from, to, path] of changes) {
    const changed = text.replace(from, to)
    const wanted = changed.slice(0, changed.indexOf(to) + to.length).split('\n').length
    const found = findingsIn((await post(changed, 'epcis')).html).filter((one) =>
      one.path.replaceAll(' ', '').endsWith(path),
    )
    t.same(
      found.map(({ line }) => line),
      [wanted],
      path,
    )
  }
  const wrapped = text.replace(/<ObjectEvent>[\s\S]*<\/ObjectEvent>/, (events) =>
    events
      .replace(/<ObjectEvent>/, '<extension>\n<TransformationEvent>')
      .replace('</ObjectEvent>', '</TransformationEvent></extension>'),
  )
  const found = findingsIn((await post(wrapped, 'epcis')).html)
  t.ok(found.length > 0)
  t.same(
    found.filter(({ line }) => line === 0),
    [],
    'also in the extensions of older versions',
  )
})

t.test(
  'given the answer of a read, when it is checked, then it is no timeline, and no verdict says that it is',
  async (t) => {
    const data = { otep_version: '0.1', profile: 'parcel', ...journey('SR1') }
    const { html } = await site().post(JSON.stringify({ result: true, format: 'otep', data }))
    t.ok(findingsIn(html).some(({ path, code }) => path === 'data' && code === 'unknown_field'))
    t.notMatch(words(html), /level \d/i)
  },
)

t.test('given one event on each line, when they are checked, then each finding has its line', async (t) => {
  const { get, post } = site()
  const { text, format } = formIn((await get('/try?example=otep.ndjson')).html)
  t.equal(format, 'otep')
  const good = await post(text)
  t.same(findingsIn(good.html), [])
  t.match(good.html, /<h1 aria-level="2">.*Delivered/)
  const lines = text.trim().split('\n')
  const wrong = [lines[0], '', lines[1]?.replace(/"occurred_at":"[^"]*"/, '"occurred_at":"noon"'), '{"broken', lines[2]]
  const { html } = await post(wrong.join('\n'))
  t.match(findingsIn(html), [
    { severity: 'error', line: 3, path: 'lines[1].occurred_at' },
    { severity: 'error', line: 4, path: 'lines[2]', code: 'malformed_json' },
  ])
  const many = await post(`${'{}\n'.repeat(10_001)}`)
  t.match(findingsIn(many.html), [{ code: 'too_many_events' }])
})

t.test(
  'given the answer to a document, when another language is chosen, then the document is sent again in it',
  async (t) => {
    const { post } = site()
    const { html } = await post(JSON.stringify(journey('LG1')))
    t.match(html, '<form class="try" id="try" action="/try"')
    t.match(html, '<button form="try" formaction="/try?lang=de" lang="de">Deutsch</button>')
    t.match(html, /<button form="try" formaction="\/try\?lang=en" lang="en" aria-current="true">/)
    const german = await post(JSON.stringify(journey('LG1')), 'otep', '/try?lang=de')
    t.match(german.html, '<html lang="de"')
    const long = await post(`${JSON.stringify(journey('LG1'))}${' '.repeat(300 * 1024)}`)
    t.notMatch(long.html, 'formaction', 'a form that cannot hold the document sends none')
  },
)
