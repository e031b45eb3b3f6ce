import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import {
  addProvider,
  askAgain,
  type Caller,
  call,
  dueNews,
  duePutOff,
  finishNews,
  isoOf,
  otepForget,
  type StreamName,
  startLife,
} from '../../../../engine/index.ts'
import { operator, type WorldOptions, world } from '../../../auth/world.test.fixture.ts'
import { createLimits } from '../../../limits/index.ts'
import { mailbox } from '../../../mail/mailbox.test.fixture.ts'
import { limitsFrom } from '../../../node/limits.ts'
import type { Log } from '../../../node/log.ts'
import type { Mail } from '../../../node/mail.ts'
import { startPolicies } from '../../../policies/index.ts'
import { newsMails } from '../../../policies/news-mails.ts'
import { newsMailOf } from './mails.ts'

const hour = 3_600_000

/** A server with a mail server in memory, and a parcel on its way. */
async function posting(options: WorldOptions = {}) {
  const box = mailbox()
  const said: object[] = []
  const tell = (fields: object) => void said.push(fields)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const made = await world({ mail: box.mail, baseUrl: 'https://tracking.example', ...options })
  const { app, parts, send, clock } = made
  const { key } = (await call(addProvider, operator(made), { name: 'acme', all_businesses: true })) as { key: string }
  const ingest = (...events: readonly object[]) => {
    const timed = events.map((event) => ({ occurred_at: isoOf(clock.now), ...event }))
    return send('POST', '/api/v1/otep/ingest', {
      token: key,
      body: { subject: { tracking_number: 'SR1' }, events: timed },
    })
  }
  const form = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await app.request(path, { method: 'POST', headers, body: String(new URLSearchParams(fields)) })
    const text = await answer.text()
    return { status: answer.status, text }
  }
  const pathOf = async (next = box.nextLink()) => {
    const { pathname, search } = await next
    return `${pathname}${search}`
  }
  const subscribe = async (email = 'jo@home.example', more: Readonly<Record<string, string>> = {}) => {
    const asked = await form('/track-notify/SR1', { email, ...more })
    if (asked.status !== 200) throw new Error(asked.text)
    const path = await pathOf()
    await form(path)
    return path
  }
  const [policy] = newsMails(parts, box.mail, newsMailOf, log)
  /** Hands all events of timelines to the policy; it may get each of them any number of times. */
  const tellAll = async () => {
    const { signal } = new AbortController()
    for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
  }
  await ingest({ status_code: 'in_transit' })
  clock.now += hour
  return { ...made, box, log, said, ingest, form, pathOf, subscribe, tellAll }
}

const subjectsOf = ({ taken }: ReturnType<typeof mailbox>) => taken.map(({ subject }) => subject)
const titleOf = (page: string) => /<h1>(.*?)<\/h1>/.exec(page)?.[1]

t.test(
  'given a parcel on its way, when somebody asks for news, then nothing is kept or sent before they confirm',
  async (t) => {
    const { app, box, ingest, form, pathOf, tellAll, store, clock } = await posting()
    t.match(await (await app.request('/track/SR1')).text(), /action="\/track-notify\/SR1"/)
    const asked = await form('/track-notify/SR1', { email: ' Jo@Home.example ', lang: 'de' })
    t.equal(titleOf(asked.text), 'Sehen Sie in Ihr Postfach')
    const path = await pathOf()
    t.match(box.taken, [{ to: ['Jo@Home.example'], subject: 'Bestätigen: Neuigkeiten zu SR1' }])
    clock.now += hour
    await ingest({ status_code: 'out_for_delivery' })
    await tellAll()
    const shown = await app.request(path)
    t.equal(titleOf(await shown.text()), 'Neuigkeiten zu SR1 erhalten?')
    t.equal(shown.headers.get('cache-control'), 'no-store')
    await tellAll()
    t.equal(box.taken.length, 1, 'reading the page changes nothing')
    const all: string[] = []
    for await (const { stream } of store.readAll()) all.push(stream)
    t.notOk(all.some((stream) => stream.startsWith('news_subscription')))
    clock.now += 24 * hour
    const late = await form(path)
    t.equal(late.status, 404, 'the link is good for a day')
    t.equal((await form('/track-confirm/wrong')).status, 404)
  },
)

t.test('given somebody who confirmed, when there is news, then each is one e-mail in their language', async (t) => {
  const { box, ingest, subscribe, tellAll, clock } = await posting()
  await subscribe('jo@home.example', { lang: 'de' })
  await tellAll()
  t.equal(box.taken.length, 1, 'what the page told already is no news')
  const at = (hours: number) => {
    clock.now += hours * hour
    return { occurred_at: isoOf(clock.now) }
  }
  const place = { location: { address: { locality: 'Bonn', country: 'DE' } } }
  const told: string[] = []
  const report = async (...events: readonly object[]) => {
    await ingest(...events)
    const before = box.taken.length
    await tellAll()
    await tellAll()
    told.push(...subjectsOf(box).slice(before))
    return box.taken.at(-1)
  }
  await report({ ...at(1), status_code: 'arrival_scan', ...place })
  t.same(told, [], 'a scan on the way is none')
  await report({ ...at(1), status_code: 'in_transit', estimated_delivery_at: '2026-06-12T14:00:00+02:00' })
  await report({ ...at(1), status_code: 'in_transit', estimated_delivery_at: '2026-06-12T15:00:00+02:00' })
  await report({ ...at(1), status_code: 'in_transit', estimated_delivery_at: '2026-06-12T18:00:00+02:00' })
  const out = await report({ ...at(1), status_code: 'out_for_delivery', ...place })
  await report({ ...at(1), status_code: 'delivery_failed' })
  await report({ ...at(1), status_code: 'in_transit' })
  await report({ ...at(20), status_code: 'out_for_delivery' }, { ...at(1), status_code: 'delivery_failed' })
  const last = await report({ ...at(1), status_code: 'out_for_delivery' }, { ...at(1), status_code: 'delivered' })
  t.same(told, [
    ...['Ankunft: Freitag, gegen 14:00 Uhr: SR1', 'Ankunft: Freitag, gegen 18:00 Uhr: SR1'],
    ...['In Zustellung: SR1', 'Zustellung fehlgeschlagen: SR1', 'Zustellung fehlgeschlagen: SR1', 'Zugestellt: SR1'],
  ])
  t.match(out?.text, /^Wo: Bonn, Deutschland$/m)
  t.match(out?.text, /^https:\/\/tracking\.example\/track\/SR1\?lang=de$/m)
  t.match(out?.html, /<html lang="de" dir="ltr">/)
  t.match(out?.unsubscribe, /^https:\/\/tracking\.example\/track-stop\//)
  t.equal(new Set(box.taken.map(({ id }) => id)).size, box.taken.length, 'each has its own id')
  t.notMatch(last?.html, /<img|<link|<script/)
})

t.test('given an announcement that came late, when a mail is sent, then it says the current status', async (t) => {
  const { app, box, ingest, subscribe, tellAll } = await posting()
  await subscribe()
  await ingest({ status_code: 'information_submitted', estimated_delivery_at: '2026-06-12T14:00:00+02:00' })
  await tellAll()
  t.match(box.taken.at(-1)?.text, 'Status: Shipment information received')
  const { data } = (await (await app.request('/api/v1/otep/trackings/SR1')).json()) as { data: object }
  t.match(data, { current_status: 'information_submitted' })
})

t.test(
  'given the order of a business with a brand, when there is news, then the e-mails and their pages have it',
  async (t) => {
    const { app, box, send, tokens, pathOf, tellAll, clock, parts } = await posting()
    const token = tokens.client_admin
    const brand = { name: 'Mint & Thyme', accent_color: '#0a6b4f', website_url: 'https://mint.example' }
    await send('PUT', '/api/v1/business/brand', { token, body: brand })
    const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
    const order = { type: 'D', delivery: { name: 'Jo', phone: '+1 416 555 0100', address } }
    const { tracking_number: number } = (await send('POST', '/api/v1/orders', { token, body: order })).body
    const { key } = (await call(addProvider, operator({ parts }), { name: 'other', all_businesses: true })) as {
      key: string
    }
    const push = (status_code: string) =>
      send('POST', '/api/v1/otep/ingest', {
        token: key,
        body: { subject: { tracking_number: number }, events: [{ occurred_at: isoOf(clock.now), status_code }] },
      })
    await push('in_transit')
    const isBranded = async (answer: Response, title: string) => {
      const html = await answer.text()
      t.equal(titleOf(html), title)
      t.match(
        html,
        '<a class="brand" href="https://mint.example" rel="noopener"><bdi>Mint &amp; Thyme</bdi></a>',
        title,
      )
      t.match(html, `<title>${title} – Mint &amp; Thyme</title>`)
      t.notMatch(html, 'OTEP tracking', title)
      const [, css = ''] = /<style>(.*?)<\/style>/.exec(html) ?? []
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(css))).toString('base64')
      t.match(css, '#0a6b4f', title)
      t.match(answer.headers.get('content-security-policy'), `style-src 'self' 'sha256-${digest}';`, title)
    }
    const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
      app.request(path, { method: 'POST', body: new URLSearchParams(fields) })
    await isBranded(await post(`/track-notify/${number}`, { email: 'jo' }), 'This is not an e-mail address')
    await isBranded(await post(`/track-notify/${number}`, { email: 'jo@home.example' }), 'Check your e-mail')
    const confirmation = await pathOf()
    await isBranded(await app.request(confirmation), `Get news of ${number}?`)
    await isBranded(await post(confirmation), 'You will get the news')
    clock.now += hour
    await push('delivered')
    await tellAll()
    const stop = (box.taken[1]?.unsubscribe ?? '').slice('https://tracking.example'.length)
    await isBranded(await app.request(stop), 'Stop these e-mails?')
    await isBranded(await post(stop), 'You get no more e-mails')
    await isBranded(await post(stop), 'You get no more e-mails')
    await isBranded(await post(`/track-notify/${number}`, { email: 'jo@home.example' }), 'There will be no more news')
    t.same(subjectsOf(box), [`Confirm: news of ${number} – Mint & Thyme`, `Delivered: ${number} – Mint & Thyme`])
    t.match(box.taken[1]?.html, /<bdi>Mint &amp; Thyme<\/bdi>/)
  },
)

t.test('given old events, when they are filled in, then nobody is told of them', async (t) => {
  const { box, ingest, subscribe, tellAll, clock, parts } = await posting()
  clock.now += 100 * hour
  await subscribe()
  await ingest({ status_code: 'out_for_delivery', occurred_at: isoOf(clock.now - 60 * hour) })
  await tellAll()
  await ingest({ status_code: 'delivered', occurred_at: isoOf(clock.now - 59 * hour) })
  await tellAll()
  t.equal(box.taken.length, 1)
  const told: unknown[] = []
  for await (const { type, data } of parts.store.readAll(undefined, { category: 'news_subscription' }))
    if (type === 'NewsTold') told.push(data)
  t.match(told, [
    { told: { status: 'out_for_delivery' }, mailed: false },
    { told: { status: 'delivered' }, mailed: false },
  ])
})

t.test(
  'given the link of an e-mail, when it is posted as mail programs do, then the address is gone from the store',
  async (t) => {
    const { app, box, ingest, form, subscribe, tellAll, store, clock, parts } = await posting()
    const confirmation = await subscribe('jo@home.example')
    await ingest({ status_code: 'out_for_delivery' })
    await tellAll()
    t.equal((await form(confirmation)).status, 200, 'a second click changes nothing')
    const { unsubscribe = '' } = box.taken.at(-1) ?? {}
    const path = unsubscribe.slice('https://tracking.example'.length)
    t.match(await (await app.request(path)).text(), /Stop these e-mails\?/)
    const sealed = async () => {
      const events: { type: string; data: unknown; stream: string }[] = []
      for await (const event of store.readAll(undefined, { category: 'news_subscription' })) events.push(event)
      return events
    }
    const [confirmed] = await sealed()
    t.match(confirmed?.data, { personal: String }, 'it was sealed from the start')
    t.notMatch(JSON.stringify(await sealed()), /home\.example/)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = () => app.request(path, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
    t.equal((await post()).status, 200)
    t.equal((await post()).status, 200, 'again')
    t.equal((await form(confirmation)).status, 404, 'the first link does not say that news still come')
    const [opened] = await parts.store.read(confirmed?.stream as StreamName)
    t.notOk(Object.keys(opened?.data ?? {}).includes('personal'), 'its key is destroyed')
    clock.now += hour
    await ingest({ status_code: 'delivered' })
    await tellAll()
    t.equal(box.taken.length, 2)
    t.equal((await app.request(`${path.split('?')[0]}x`, { method: 'POST' })).status, 404)
  },
)

t.test(
  'given personal data that is erased, when people get news of it, then their addresses are erased, too',
  async (t) => {
    const made = await posting()
    const { box, ingest, form, subscribe, tellAll, store, parts } = made
    await subscribe('jo@home.example')
    await subscribe('al@home.example')
    const caller: Caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] }
    await call(otepForget, { ...operator(made), caller }, { tracking_number: 'SR1' })
    const streams = new Set<string>()
    for await (const { stream } of store.readAll(undefined, { category: 'news_subscription' })) streams.add(stream)
    t.equal(streams.size, 2)
    for (const stream of streams) {
      const events = await parts.store.read(stream as StreamName)
      t.match(events.at(-1), { type: 'NewsSubscriptionEnded', data: { reason: 'erased' } })
      t.notOk(Object.keys(events[0]?.data ?? {}).includes('personal'))
    }
    await ingest({ status_code: 'out_for_delivery' })
    await tellAll()
    t.equal(box.taken.length, 2, 'the two links to confirm')
    const again = await form('/track-notify/SR1', { email: 'jo@home.example' })
    t.equal(again.status, 409)
  },
)

t.test('given a parcel that arrived, when a week has passed, then the news end by themselves', async (t) => {
  const { app, ingest, subscribe, tellAll, clock, parts, ...made } = await posting()
  await subscribe()
  const due = () => dueNews(parts, clock.now, 0, 10)
  clock.now += 8 * 24 * hour
  t.same(await due(), [])
  await ingest({ status_code: 'delivered' })
  await tellAll()
  clock.now += 6 * 24 * hour
  t.same(await due(), [])
  clock.now += 2 * 24 * hour
  const [one, ...others] = await due()
  t.same(others, [])
  await finishNews(operator({ parts }), one?.id ?? 0)
  t.same(await due(), [])
  t.notMatch(await (await app.request('/track/SR1')).text(), /track-notify/, 'nothing is offered after the end')
  t.equal((await made.form('/track-notify/SR1', { email: 'jo@home.example' })).status, 409)
})

t.test(
  'given a place whose name holds line ends, when there is news of it, then it is one line of the e-mail',
  async (t) => {
    const { box, ingest, subscribe, tellAll } = await posting()
    await subscribe()
    const name = 'Depot\n\nPay the customs here:\u2028\u202e\nhttps://evil.example\n'
    await ingest({ status_code: 'out_for_delivery', location: { name } })
    await tellAll()
    const lines = box.taken.at(-1)?.text.split('\n') ?? []
    t.ok(lines.includes('Where: Depot Pay the customs here: https:// evil. example'))
    t.same(
      lines.filter((line) => line.startsWith('http')).map((line) => new URL(line).host),
      ['tracking.example', 'tracking.example'],
      'the page, and the end of the news',
    )
  },
)

t.test(
  'given a server that is set up differently, when a page is read, then news are offered only where they can be sent',
  async (t) => {
    const without = await posting({ mail: undefined })
    t.notMatch(await (await without.app.request('/track/SR1')).text(), /track-notify/)
    t.equal((await without.form('/track-notify/SR1', { email: 'jo@home.example' })).status, 409)
    const { form, box, ingest, subscribe, tellAll } = await posting({ publicView: 'reduced' })
    t.equal((await form('/track-notify/unknown', { email: 'jo@home.example' })).status, 404)
    t.equal((await form('/track-notify/SR1', { email: 'jo' })).status, 422)
    await subscribe()
    const at = { name: 'Home of Jo', address: { street: 'High St 1', locality: 'York', country: 'GB' } }
    await ingest({ status_code: 'out_for_delivery', location: at, description: 'Left at 12 Low St' })
    await tellAll()
    t.match(box.taken.at(-1)?.text, /^Where: York, United Kingdom$/m)
    t.notMatch(box.taken.at(-1)?.text, /High St|Low St|Home of Jo/)
  },
)

t.test('given somebody who asks again and again, when a limit is met, then no more is sent', async (t) => {
  const limited = async (OTEP_LIMITS: string) => {
    const clock = { now: 0 }
    const settings = limitsFrom({ OTEP_LIMITS })
    const made = await posting({ limits: createLimits({ settings, proxies: [], now: () => clock.now }) })
    return { ...made, asks: async (email: string) => (await made.form('/track-notify/SR1', { email })).status }
  }
  const again = await limited('')
  t.equal(await again.asks('jo@home.example'), 200)
  t.equal(await again.asks('JO@home.example'), 429, 'an address, once a minute')
  const from = await limited('messages_from=2/h')
  for (const [name, status] of [
    ['a', 200],
    ['b', 200],
    ['c', 429],
  ] as const)
    t.equal(await from.asks(`${name}@home.example`), status, 'a source')
  const of = await limited('news_of=1/h')
  t.equal(await of.asks('a@home.example'), 200)
  t.equal(await of.asks('b@home.example'), 429, 'a timeline')
  const to = await limited('messages_to=1/h,messages_again=off')
  t.equal(await to.asks('jo@home.example'), 200)
  t.equal(await to.asks('jo@home.example'), 200, 'nobody can tell what others asked for an address')
  await setTimeout(20)
  t.equal(to.box.taken.length, 1)
  const { subscribe, form, pathOf } = await posting()
  for (let count = 0; count < 20; count++) await subscribe(`${count}@home.example`)
  await form('/track-notify/SR1', { email: 'one@more.example' })
  t.equal((await form(await pathOf())).status, 409)
})

t.test('given one address and two links, when both are used, then each news comes once', async (t) => {
  const { box, form, pathOf, ingest, tellAll } = await posting()
  for (const _ of [1, 2]) await form('/track-notify/SR1', { email: 'jo@home.example' })
  const paths = [await pathOf(), await pathOf()]
  await Promise.all([...paths, ...paths].map((path) => form(path)))
  await ingest({ status_code: 'delivered' })
  await tellAll()
  t.same(subjectsOf(box).slice(2), ['Delivered: SR1'])
})

t.test(
  'given a mail server that fails, when it is back, then the news is sent, and an address that it refuses gets no more',
  async (t) => {
    const { box, subscribe, ingest, parts, log, tellAll, said } = await posting()
    for (const name of ['jo', 'al', 'di']) await subscribe(`${name}@home.example`)
    await ingest({ status_code: 'delivered' })
    const { signal } = new AbortController()
    const failing: Mail = {
      check: box.mail.check,
      send: async (message) => {
        if (message.to[0] === 'jo@home.example') throw new Error('the mail server failed with 451')
        return message.to[0] === 'al@home.example' ? 'the mail server failed with 550' : box.mail.send(message)
      },
    }
    const [policy] = newsMails(parts, failing, newsMailOf, log)
    const handleAll = async () => {
      for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
    }
    await t.rejects(handleAll(), /451/)
    await t.rejects(handleAll(), /451/)
    t.same(
      box.taken.slice(3).map(({ to }) => to[0]),
      ['di@home.example'],
      'others do not wait',
    )
    await tellAll()
    t.same(
      box.taken.slice(4).map(({ to }) => to[0]),
      ['jo@home.example'],
    )
    t.match(said, [{ refused: 'the mail server failed with 550' }])
    t.notMatch(JSON.stringify(said), /home\.example/)
  },
)

t.test(
  'given an address that the mail server puts off, then nobody else waits, and it is offered again ever more seldom',
  async (t) => {
    const { box, subscribe, ingest, parts, log, said, clock } = await posting()
    for (const name of ['jo', 'al']) await subscribe(`${name}@home.example`)
    const full = Object.assign(new Error('the mail server failed with 452'), { code: 452, isDeferred: true })
    let failure: Error | undefined = full
    const failing: Mail = {
      check: box.mail.check,
      send: async (message) => {
        if (failure !== undefined && message.to[0] === 'jo@home.example') throw failure
        return box.mail.send(message)
      },
    }
    const { signal } = new AbortController()
    const policies = newsMails(parts, failing, newsMailOf, log)
    const positions: (string | undefined)[] = [undefined, undefined]
    /** Passes the deadlines of this moment, and lets each policy go on where it was; answers who got an e-mail. */
    const passing = async (minutes: number) => {
      clock.now += minutes * 60_000
      const before = box.taken.length
      for (const { id } of await duePutOff(parts, clock.now, 0, 10)) await askAgain(operator({ parts }), id)
      for (const [index, policy] of policies.entries())
        for await (const event of parts.store.readAll(positions[index], policy.filter)) {
          await policy.handle(event, signal)
          positions[index] = event.position
        }
      return box.taken.slice(before).map(({ to }) => to[0])
    }
    await passing(0)
    await ingest({ status_code: 'delivered' })
    t.same(await passing(0), ['al@home.example'])
    t.match(said, [{ policy: 'news-mails', code: 452 }])
    t.notMatch(JSON.stringify(said), /home\.example/)
    await ingest({ status_code: 'delivered', description: 'Once more' })
    t.same(await passing(4), [])
    t.equal(said.length, 1, 'not before its time, whatever happens')
    await passing(1)
    t.match(said[1], { policy: 'news-again', code: 452 })
    await passing(9)
    t.equal(said.length, 2, 'after twice as long')
    failure = new Error('the mail server failed with ESOCKET')
    await t.rejects(passing(1), /ESOCKET/, 'without a server, it waits as all do')
    failure = undefined
    t.same(await passing(0), ['jo@home.example'])
    t.same(await passing(600), [], 'once')
  },
)

t.test('given two nodes, when one stops, then the other goes on, and no news comes twice', async (t) => {
  const { box, subscribe, ingest, parts, store, log } = await posting()
  await subscribe()
  const started = ['a', 'b'].map((name) => {
    const stopping = new AbortController()
    t.teardown(() => stopping.abort())
    // As the server does: each policy waits for it.
    setMaxListeners(0, stopping.signal)
    const wait = (ms: number, signal: AbortSignal) => setTimeout(Math.min(ms, 5), undefined, { signal }).catch(() => {})
    const clocks = { signal: stopping.signal, now: () => performance.now(), wait }
    const life = startLife(store.leases, { ...clocks, name, failed: (error) => t.fail(String(error)) })
    return { stopping, running: startPolicies({ ...parts, writeNews: newsMailOf }, store, { ...clocks, life, log }) }
  })
  const until = async (isDone: () => boolean | Promise<boolean>) => {
    while (!(await isDone())) await setTimeout(5)
  }
  const leaseOf = async () => (await store.leases.read('news-mails'))?.holder ?? ''
  await until(async () => (await leaseOf()) !== '')
  await ingest({ status_code: 'out_for_delivery' })
  await until(() => box.taken.length > 1)
  const first = await leaseOf()
  const [holder] = started.filter((_, index) => ['a', 'b'][index] === first)
  holder?.stopping.abort()
  await holder?.running
  await until(async () => !['', first].includes(await leaseOf()))
  await ingest({ status_code: 'delivered' })
  await until(() => box.taken.length > 2)
  for (const { stopping, running } of started) {
    stopping.abort()
    await running
  }
  t.same(subjectsOf(box), ['Confirm: news of SR1', 'Out for delivery: SR1', 'Delivered: SR1'])
})
