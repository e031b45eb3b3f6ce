import t from 'tap'
import { orderStatuses } from '../../../engine/index.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { site as siteAt } from '../signed-in/site.test.fixture.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import { untold } from '../texts.test.fixture.ts'
import { receiver, running, until } from '../webhooks/receiver.test.fixture.ts'
import { titleOf } from '../words.ts'
import { day, event } from './day.test.fixture.ts'
import { type TodayTexts, todayTexts } from './texts.ts'

type Six<T> = [T, T, T, T, T, T]

const home = '/today'

const site = (options: Parameters<typeof siteAt>[1] = {}) =>
  siteAt(home, { webhooks: { allow: ['127.0.0.0/8'] }, ...options })

/** The text of a page: what somebody reads, a blank between two elements. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

t.test(
  'given a day, when staff open its page, then it says what needs somebody, and each figure leads on',
  async (t) => {
    const { get, signIn, ...place } = await site()
    const { good, order, drive } = await day(place)
    await drive({ schedule_date: '2026-06-10' }, 'complete')
    await drive({ schedule_date: '2026-06-09' }, 'complete')
    await drive({ schedule_date: '2026-06-10' }, 'fail')
    await drive({ schedule_date: '2026-06-09' })
    await order({ schedule_date: '2026-06-10' })
    const again = await drive({ schedule_date: '2026-06-10' })
    await good('POST', `/api/v1/orders/${again}/fail`, { reason: 'deliver_later' })
    for (const schedule_date of ['2026-06-11', '2026-06-12', undefined])
      await order({ ...(schedule_date && { schedule_date }) })
    const { cookie } = await signIn('client_employee')
    const { status, html } = await get(home, cookie)
    t.equal(status, 200)
    const text = textOf(html)
    t.match(text, /Late 1 Not ended[\s\S]*Failed 2 [\s\S]*Undeliverable 1 [\s\S]*Unassigned 1 [\s\S]*Approvals 0 /)
    const needs = [...html.matchAll(/<a href="([^"]+)">([^<]+)<\/a><\/th><td class="number"[^>]*>(?:<strong>)?(\d+)/g)]
    const counted = needs.slice(0, 4).map(([, path = '', what, number]) => ({ path, what, number: Number(number) }))
    t.same(
      counted.map(({ what }) => what),
      ['Late', 'Failed', 'Undeliverable', 'Unassigned'],
    )
    for (const { path, what, number } of counted) {
      const list = (await get(path, cookie)).html
      t.equal(list.match(/ data-row/g)?.length, number, `${what} is the number of rows at ${path}`)
      t.match(textOf(list), `Orders ${number} order`)
    }
    t.match(html, 'href="/mcp-approvals"')
    t.match(text, /New order 4 2 Delivered – 1 Failed 2 2 On the way 1 0 All 7 5/)
    t.match(text, /Today 100 % 1 of 1 delivered Last 14 days 50.0 % 1 of 2 delivered/)
    t.match(text, /2026-06-09 1 0 0 % 2026-06-10 1 1 100 %/, 'the plot as a table')
    t.match(html, /<title id="(plot-\w+)">Delivered by day<\/title><desc id="\1-scale">/)
    t.match(html, /href="\/today" aria-current="page">Today<\/a><\/li><li><a href="\/orders"/, 'it comes first')
    t.match(text, 'No URL receives webhooks.')
    t.notMatch(text, 'Work for all nodes', 'the server is for its operators')
  },
)

t.test(
  'given other accounts, when they open the page, then they see what is theirs, or that it is not for them',
  async (t) => {
    const { get, post, signIn, ids, ...place } = await site()
    const { order } = await day({ ...place, ids })
    await order({ schedule_date: '2026-06-01', customer_id: ids.customer })
    await order({ schedule_date: '2026-06-01' })
    const customer = await get(home, (await signIn('customer')).cookie)
    const text = textOf(customer.html)
    t.match(text, /Late 1 /)
    t.match(text, /New order 1 0 All 1 0/)
    t.notMatch(text, /Unassigned|What providers push|Server/)
    t.match(textOf((await get(home, (await signIn('client_admin', 'two')).cookie)).html), 'There is no open order')
    for (const who of ['driver', 'contractor'] as const) {
      const refused = await get(home, (await signIn(who)).cookie)
      t.equal(refused.status, 403)
      t.match(refused.html, 'This page is not for your account')
      t.notMatch(refused.html, 'href="/today"')
    }
    t.match((await get(home)).html, /To see how the day goes[\s\S]*action="\/today\/sign-in"/)
    t.equal((await post(home, {})).status, 405)
  },
)

t.test(
  'given a staff role that leaves one figure, when the page is opened, then it shows that one alone',
  async (t) => {
    const { get, signIn, send, tokens, ids } = await site()
    const admin = (method: string, path: string, body: object) =>
      send(method, path, { token: tokens.client_admin, body })
    const narrow = { name: 'Board', scopes: ['analytics:read'], operations: ['get_today'] }
    const { staff_role_id } = (await admin('POST', '/api/v1/staff-roles', narrow)).body
    await admin('PATCH', `/api/v1/accounts/${ids.client_employee}`, { staff_role_id })
    const { status, html } = await get(home, (await signIn('client_employee')).cookie)
    t.equal(status, 200)
    t.match(textOf(html), 'There is no open order')
    t.notMatch(html, /id="(on-time|ingest|webhooks|server)"/)
  },
)

t.test(
  'given what providers push, when staff look, then they see how much was refused and why, of their own ones only',
  async (t) => {
    const { get, signIn, clock, send, tokens, other, ...place } = await site()
    const { provider, push } = await day({ ...place, send, tokens })
    const [own, shared] = [await provider('acme'), await provider('global', false)]
    await push(own, event('1'), event('2'), event('3', { status_code: '' }))
    await push(own, event('1'))
    await push(shared, event('9'), event('10', { occurred_at: 'yesterday' }))
    clock.now += 3_600_000
    await push(own, event('4'))
    const { cookie } = await signIn('client_employee')
    const text = textOf((await get(home, cookie)).html)
    t.match(text, '5 events in 24 hours, 1 refused (20.0 %).')
    t.match(text, /acme 2026-06-10 07:00 UTC-04:00 5 5 1 1 20.0 % \w+ 1 /)
    t.match(text, /global for all businesses [\s\S]*– – – – What it pushes for others, too/)
    const api = (token: string) => send('GET', '/api/v1/analytics/ingest', { token })
    t.match((await api(tokens.client_admin)).body, {
      ...{ received: 5, refused: 1, counted_since: '2026-06-10T10:00:00.000Z' },
      providers: [
        { provider: 'acme', counts_hidden: false, last_heard_at: '2026-06-10T11:00:00.000Z' },
        { provider: 'global', counts_hidden: true, received: 0, last_heard_at: '2026-06-10T10:00:00.000Z', codes: [] },
      ],
    })
    t.match((await api(other.tokens.client_admin)).body, { received: 0, providers: [{ provider: 'global' }] })
    t.equal((await api(tokens.customer)).status, 403)
  },
)

t.test(
  'given an operator of the server, when the page is opened, then it has the store, the nodes and all counts',
  async (t) => {
    // The first account of a test harness is the administrator of the first business.
    const { get, signIn, store, send, tokens, ids, ...place } = await site({
      server: { store: 'memory:', files: [], operators: [1] },
    })
    t.equal(ids.client_admin, 1)
    const { provider, push } = await day({ ...place, ids, send, tokens })
    await push(await provider('global', false), event('1'), event('2', { status_code: '' }))
    const beat = {
      ...{ name: 'node-of-tests', host: 'here', pid: 1, version: '1.0.0', since: '2026-06-10T09:00:00.000Z' },
      ...{ at: '2026-06-10T10:00:00.000Z', leases: ['webhooks'] },
      models: [
        { name: 'orders', version: 1, isCaughtUp: false, secondsBehind: 7 },
        { name: 'people', version: 1, isCaughtUp: true, secondsBehind: 0 },
      ],
    }
    const write = (models: readonly object[], term: number) =>
      store.leases.write('node-1', { holder: beat.name, term, checkpoint: JSON.stringify({ ...beat, models }) })
    await store.leases.write('webhooks', { holder: beat.name, term: 1 })
    await write(beat.models, 1)
    const { cookie } = await signIn('client_admin')
    const text = textOf((await get(home, cookie)).html)
    t.match(
      text,
      /Store memory: [\s\S]*here node-of- Live 1.0.0 2026-06-10 06:00 UTC-04:00 webhooks orders: 7 seconds behind/,
    )
    t.match(text, /global for all businesses 2026-06-10 06:00 UTC-04:00 2 2 0 1 50.0 %/)
    await write(beat.models.slice(1), 2)
    t.match(textOf((await get(home, cookie)).html), 'All 1 caught up')
    const key = await send('POST', '/api/v1/api-keys', {
      token: tokens.client_admin,
      body: { name: 'k', scopes: ['analytics:read'] },
    })
    for (const token of [tokens.client_employee, String(key.body.key)])
      t.equal((await send('GET', '/api/v1/server', { token })).status, 403, 'neither others nor keys')
    t.match((await send('GET', '/api/v1/server', { token: tokens.client_admin })).body, {
      store: 'memory:',
      bytes: null,
    })
  },
)

t.test(
  'given a receiver that fails, when the page is opened, then it says what waits, and for which URL',
  async (t) => {
    const { get, signIn, ...place } = await site()
    running(t, place)
    const { order, good } = await day(place)
    const { url, says } = await receiver(t)
    says.status = 500
    await good('PUT', '/api/v1/webhook-settings', { order_create_webhook_url: url })
    await order()
    const { cookie } = await signIn('client_employee')
    const found = await until(async () => {
      const text = textOf((await get(home, cookie)).html)
      return /Tried again/.test(text) ? text : undefined
    })
    t.match(
      found,
      /1 URL [\s\S]*Waiting 1 oldest 2026-06-10 06:00[\s\S]*0 % of 1 attempts[\s\S]*Given up in 24 hours 0/,
    )
    t.match(found, /127.0.0.1:\d+\/hook Tried again 2026-06-10 06:00 UTC-04:00 1 /)
  },
)

t.test('given a language, when numbers are shown, then they are written as in it', async (t) => {
  const [en, fr, de, es, ar, hans] = ['en', 'fr', 'de', 'es', 'ar', 'zh-Hans'].map(todayTexts) as Six<TodayTexts>
  t.same(
    [en, fr, de, es, hans, ar].map(({ number }) => number(12_345).replace(/\s/g, ' ')),
    ['12,345', '12 345', '12.345', '12.345', '12,345', '12,345'],
  )
  t.same(
    [en, fr, de, hans].map(({ percent }) => [0, 0.0001, 0.9999, 1].map((share) => percent(share).replace(/\s/g, ' '))),
    [
      ['0 %', '< 0.1 %', '99.9 %', '100 %'],
      ['0 %', '< 0,1 %', '99,9 %', '100 %'],
      ['0 %', '< 0,1 %', '99,9 %', '100 %'],
      ['0%', '< 0.1%', '99.9%', '100%'],
    ],
  )
  t.same([0, 1023, 1536, 5 * 1024 ** 4].map(en.server.bytes), ['0 bytes', '1023 bytes', '1.5 KiB', '5.0 TiB'])
  t.equal(fr.server.bytes(1536), '1,5 Kio')
  t.same(
    [1, 2, 3, 14, 100].map((days) => ar.onTime.days({ days })),
    ['آخر يوم', 'آخر يومين', 'آخر 3 أيام', 'آخر 14 يومًا', 'آخر 100 يوم'],
  )
  for (const status of Object.keys(orderStatuses)) {
    t.equal(orderStatusIn('en', status), titleOf(status.toLowerCase()))
    t.equal(new Set(['en', 'fr', 'de', 'es', 'zh-Hans', 'ar'].map((one) => orderStatusIn(one, status))).size, 6)
  }
})

t.test(
  'given a full day, when it is read in each language, then nothing is left in English, and every link keeps the language',
  async (t) => {
    const { get, signIn, ...place } = await site({ server: { store: 'memory:', files: [], operators: [1] } })
    const { good, order, drive, provider, push } = await day(place)
    for (const date of ['2026-06-09', '2026-06-10']) await drive({ schedule_date: date }, 'complete')
    await drive({ schedule_date: '2026-06-10' }, 'fail')
    await order({ schedule_date: '2026-06-10' })
    await push(await provider('acme'), event('1'), event('2', { status_code: '' }))
    await provider('global', false)
    await good('PUT', '/api/v1/webhook-settings', { order_create_webhook_url: 'http://127.0.0.1:49999/hook' })
    const [admin, driver] = [await signIn('client_admin'), await signIn('driver')]
    for (const language of languagesWith('page.today')) {
      const path = `${home}?lang=${language}`
      const { html } = await get(path, admin.cookie)
      t.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
      for (const [, address = ''] of html.matchAll(/(?:href|action)="(\/(?!assets)[^"]+)"/g))
        if (address !== '/') t.match(address, `lang=${language}`, `${address} keeps the language`)
      for (const id of ['needs', 'orders', 'on-time', 'ingest', 'webhooks', 'server']) t.match(html, `<h2 id="${id}">`)
      const others = [html, (await get(path)).html, (await get(path, driver.cookie)).html]
      for (const page of others) {
        t.match(page, `href="?lang=fr" lang="fr"`, 'the switch of languages')
        if (language !== 'en') untold(t, page, todayTexts(language), todayTexts('en'), language)
      }
    }
    const german = textOf((await get(home, admin.cookie, { 'accept-language': 'de' })).html)
    t.match(
      german,
      /Heute Stand 2026-06-10[\s\S]*Fehlgeschlagen 1 [\s\S]*Neuer Auftrag 1 1[\s\S]*Ereignisse in 24 Stunden: 2, davon abgelehnt: 1 \(50,0 %\)\./,
    )
    const { headers } = await get(`${home}/sign-out?lang=de`, admin.cookie)
    t.equal(headers.get('location'), `${home}?lang=de`)
  },
)
