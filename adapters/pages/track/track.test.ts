import t from 'tap'
import { addProvider, call, createMemoryStore, languages } from '../../../engine/index.ts'
import { parcel, profiles, storage } from '../../../profiles/index.ts'
import { createApp, createParts } from '../../main.ts'

const now = Date.parse('2026-06-20T12:00:00Z')
const clock = () => now

async function pages() {
  const store = createMemoryStore(clock)
  const app = createApp({ store, clock })
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...createParts({ store, clock }), caller: operator, messages: languages.en, requestId: 'test' }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  const request = (path: string, headers: Readonly<Record<string, string>>) =>
    app.fetch(new Request(`http://localhost${path}`, { headers }))
  const get = async (path: string) => (await request(path, {})).text()
  const ingest = async (document: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(document) }
    const response = await app.fetch(new Request('http://localhost/api/v1/otep/ingest', init))
    return (await response.json()) as { readonly data: { readonly rejected: number } }
  }
  /** Records the events of one number, an hour apart, and returns its page. */
  const pageOf = async (tracking_number: string, ...events: readonly object[]) => {
    const hour = (index: number) => ({ occurred_at: `2026-06-10T${String(index + 8).padStart(2, '0')}:30:00-04:00` })
    const timed = events.map((event, index) => ({ ...hour(index), ...event }))
    const { data } = await ingest({ subject: { tracking_number }, events: timed })
    if (data.rejected > 0) throw new Error(JSON.stringify(data))
    return get(`/track/${encodeURIComponent(tracking_number)}`)
  }
  return { store, request, get, ingest, pageOf }
}

const titled = (code: string) => `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`
const mainOf = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'))
const textOf = (html: string) =>
  mainOf(html)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const stepsOf = (html: string) =>
  [...html.matchAll(/<li class="(\w+)"( aria-current="step")?>.*?step-name">([^<]+)</gs)].map(
    ([, state, here, name]) => `${here ? '> ' : ''}${name} ${state}`,
  )

t.test('given a journey, when its page is read, then it shows where the parcel is and what happened', async (t) => {
  const { get, ingest } = await pages()
  await ingest({
    subject: { tracking_number: 'SR1', external_tracking_number: 'EX1', order_id: 77 },
    events: [
      {
        occurred_at: '2026-06-09T23:30:00-04:00',
        status_code: 'picked_up',
        location: { name: 'Shop', address: { locality: 'Toronto', country: 'CA' } },
        pod: { recipient: 'Courier 5' },
      },
      {
        occurred_at: '2026-06-10T18:05:00+02:00',
        status_code: 'delivery_failed',
        incident_reason: 'recipient_absent',
        description: 'Nobody at home.',
        source: { type: 'exception', code: 'ABS' },
      },
      {
        occurred_at: '2026-06-11T09:15:00+02:00',
        status_code: 'out_for_delivery',
        estimated_delivery_at: '2026-06-11T12:00:00+02:00',
      },
    ],
  })
  const html = await get('/track/SR1')
  t.match(html, '<html lang="en">')
  t.match(html, '<meta name="robots" content="noindex">')
  t.match(html, '<title>Out for delivery · SR1 – ')
  t.match(html, /<h1>.*Out for delivery.*<\/h1>/, 'the status in words')
  t.match(html, parcel.codes.out_for_delivery.meaning)
  t.match(textOf(html), 'External number EX1 Order 77', 'the other identifiers')
  t.match(html, '<time datetime="2026-06-09T23:30:00-04:00">', 'the full instant for machines')
  t.match(textOf(html), '2026-06-09 23:30 UTC-04:00', 'the local time of the event, in its own offset')
  t.match(textOf(html), 'Estimated delivery 2026-06-11 12:00 UTC+02:00')
  t.match(textOf(html), 'Shop, Toronto, CA')
  t.match(textOf(html), 'Nobody at home. Reason recipient_absent Source Exception report · acme · code ABS')
  t.match(textOf(html), 'Recipient Courier 5')
  t.same(stepsOf(html), [
    'Announced done',
    'Pick-up done',
    'At facility done',
    'In transit done',
    '> Out for delivery current',
    'Delivered upcoming',
  ])
  const titles = [...html.matchAll(/<h3><span>([^<]+)/g)].map(([, title]) => title)
  t.same(titles, ['Out for delivery', 'Delivery failed', 'Picked up'], 'newest first')
  t.equal(mainOf(await get('/track/EX1')).includes('Nobody at home.'), true, 'by another identifier as well')
})

t.test('given each code of the profile, when it is the status, then the page matches it', async (t) => {
  const { pageOf } = await pages()
  const names = ['Announced', 'Pick-up', 'At facility', 'In transit', 'Out for delivery', 'Delivered']
  for (const [code, { phase, terminal, meaning }] of Object.entries(parcel.codes)) {
    const html = await pageOf(`SR-${code}`, { status_code: 'in_transit' }, { status_code: code })
    t.match(html.match(/<h1>.*<\/h1>/)?.[0], `<span>${titled(code)}</span>`, code)
    t.match(html, meaning)
    const isMain = (parcel.phases as readonly string[]).includes(phase)
    const here = stepsOf(html).filter((step) => step.startsWith('> '))
    const state = isMain ? (terminal ? 'done' : 'current') : 'stopped'
    const place = isMain ? names[(parcel.phases as readonly string[]).indexOf(phase)] : 'In transit'
    t.same(here, [`> ${place} ${state}`], `${code}: the line stops at the last step of the main line`)
    t.equal(html.includes('class="notice"'), !isMain, `${code}: what is beside the main line says so`)
    t.equal(
      stepsOf(html).at(-1),
      code === 'delivered' ? '> Delivered done' : `Delivered ${terminal ? 'unreached' : 'upcoming'}`,
    )
  }
})

t.test('given a stay in a machine, when its page is read, then it uses the words of its profile', async (t) => {
  const { ingest, get } = await pages()
  const pageOf = async (number: string, ...events: readonly object[]) => {
    const hour = (index: number) => ({ occurred_at: `2026-06-10T${String(index + 8).padStart(2, '0')}:30:00-04:00` })
    const timed = events.map((event, index) => ({ ...hour(index), ...event }))
    const { data } = await ingest({ profile: 'storage', subject: { tracking_number: number }, events: timed })
    t.equal(data.rejected, 0)
    return get(`/track/${number}`)
  }
  const stored = { status_code: 'stored' }
  const names = ['Announced', 'In the machine', 'Collected']
  for (const [code, { phase, terminal, meaning }] of Object.entries(storage.codes)) {
    const html = await pageOf(`ST-${code}`, stored, { status_code: code })
    t.match(html, meaning, code)
    const place = (storage.phases as readonly string[]).indexOf(phase)
    const here = place === -1 ? '> In the machine stopped' : `> ${names[place]} ${terminal ? 'done' : 'current'}`
    t.same(
      stepsOf(html).filter((step) => step.startsWith('> ')),
      [here],
      `${code}: the line stops at the last step of the main line`,
    )
    t.equal(html.includes('class="notice"'), place === -1, code)
  }
  const collected = await pageOf('STC', stored, { status_code: 'collected', pod: { recipient: 'A. Smith' } })
  t.same(stepsOf(collected), ['Announced done', 'In the machine done', '> Collected done'])
  t.match(textOf(collected), 'Proof of collection Recipient A. Smith')
  t.match(textOf(await pageOf('STR', stored, { status_code: 'removed' })), 'It is no longer in the machine')
})

t.test(
  'given any profile, when each of its codes is the status, then the page names the steps in its words',
  async (t) => {
    const { ingest, get } = await pages()
    for (const { name, phases, codes, words } of profiles) {
      for (const [code, { meaning, phase }] of Object.entries(codes)) {
        const number = `${name}-${code}`
        const events = [{ status_code: code, occurred_at: '2026-06-10T08:30:00-04:00' }]
        await ingest({ profile: name, subject: { tracking_number: number }, events })
        const html = await get(`/track/${number}`)
        t.match(html, meaning, number)
        t.equal(stepsOf(html).length, phases.length, number)
        t.equal(html.includes('class="notice"'), !phases.includes(phase), number)
        for (const word of Object.values(words?.phases ?? {})) t.match(html, word, number)
      }
    }
  },
)

t.test('given an unregistered code, when it is the status, then it is shown as such', async (t) => {
  const { pageOf } = await pages()
  const html = await pageOf(
    'SRX',
    { status_code: 'arrival_scan' },
    { status_code: 'x-drone_launched', description: 'Up it goes.' },
  )
  t.match(html, /<h1>.*Drone launched.*<\/h1>/)
  t.match(textOf(html), 'The provider wrote: x-drone_launched')
  t.match(textOf(html), 'Drone launched Unregistered')
  t.same(stepsOf(html).slice(2, 4), ['> At facility stopped', 'In transit upcoming'])
  const only = await pageOf('SRY', { status_code: 'x-drone_launched' })
  t.notMatch(only, 'aria-current', 'no step of the main line was reached')
})

t.test(
  'given events after a terminal one, when the page is read, then they stay and are marked as not counting',
  async (t) => {
    const { pageOf } = await pages()
    const html = await pageOf(
      'SRT',
      { status_code: 'delivered' },
      { status_code: 'x-audit' },
      { status_code: 'arrival_scan' },
    )
    t.match(html, /<h1>.*Delivered.*<\/h1>/)
    t.equal(html.match(/Not counted/g)?.length, 2)
    t.match(html, /class="event current".*?<h3><span>Delivered/s, 'the event that gives the status stands out')
    t.equal(html.match(/class="event current"/g)?.length, 1)
    t.match(textOf(html), /Arrival scan Not counted .* does not change the status/)
    t.equal(stepsOf(html).at(-1), '> Delivered done')
  },
)

t.test('given withdrawn and synthesized events, when the page is read, then they are marked', async (t) => {
  const { pageOf, ingest, get } = await pages()
  const withdrawn = { declared_at: '2026-06-12T08:00:00-04:00', reason: 'Wrong parcel' }
  const html = await pageOf('SRW', { status_code: 'picked_up' }, { status_code: 'delivered', withdrawn })
  t.match(html, /<h1>.*Picked up.*<\/h1>/, 'a withdrawn event gives no status')
  const folded = html.slice(html.indexOf('<details'), html.indexOf('</details>'))
  t.match(
    folded.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
    /1 withdrawn event .* Delivered Withdrawn .* Withdrawn at 2026-06-12 08:00 UTC-04:00 Reason Wrong parcel/,
  )
  const none = await pageOf('SRN', { status_code: 'picked_up', withdrawn })
  t.match(none, /<h1>.*No status.*<\/h1>/)
  t.match(textOf(none), 'There are no events.')
  await ingest({
    subject: { tracking_number: 'SRS' },
    current_status: 'in_transit',
    current_status_at: '2026-06-10T08:00:00Z',
  })
  t.match(textOf(await get('/track/SRS')), 'In transit Synthesized')
})

t.test('given proof of delivery, when the page is read, then evidence is linked and never embedded', async (t) => {
  const { pageOf, ingest, store, get } = await pages()
  const pod = {
    recipient: 'A. Smith',
    signed_at: '2026-06-10T08:29:00-04:00',
    note: 'Left with\nneighbour',
    signature_url: 'https://files.example/s?a=1&b="2"',
    photo_urls: ['https://files.example/p.jpg'],
  }
  const html = await pageOf('SRP', { status_code: 'delivered', pod })
  t.match(
    textOf(html),
    'Proof of delivery Recipient A. Smith Signed at 2026-06-10 08:29 UTC-04:00 Note Left with neighbour',
  )
  t.match(html, '<a href="https://files.example/s?a=1&amp;b=%222%22" rel="noopener noreferrer nofollow">Signature')
  t.match(html, '<a href="https://files.example/p.jpg" rel="noopener noreferrer nofollow">Photo 1')
  t.notMatch(html, '<img')
  const refused = await ingest({
    subject: { tracking_number: 'SRJ' },
    events: [
      { occurred_at: '2026-06-10T08:00:00Z', status_code: 'delivered', pod: { signature_url: 'javascript:alert(1)' } },
    ],
  })
  t.equal(refused.data.rejected, 1)
  const data = { provider: 'acme', event_id: 'e1', added: { pod: { signature_url: 'javascript:alert(1)' } } }
  await pageOf('SRK', { status_code: 'delivered', event_id: 'e1' })
  const id = '00000000-0000-8000-8000-000000000001'
  await store.append(
    'tracking-tracking_number:SRK',
    [{ type: 'TrackingEventEnriched', data, id, metadata: { schemaVersion: 1 } }],
    'any',
  )
  const old = await get('/track/SRK')
  t.match(old, 'Signature: javascript:alert(1)', 'an address that cannot be followed is text')
  t.notMatch(old, 'href="javascript:')
})

t.test('given hostile text in every field, when the page is read, then all of it is escaped', async (t) => {
  const { get, ingest } = await pages()
  const evil = (name: string) => `${name}"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}&lt;\u202e`
  const event = {
    event_id: evil('id'),
    occurred_at: '2026-06-10T08:00:00Z',
    status_code: 'delivered',
    location: {
      name: evil('name'),
      address: { locality: evil('loc').slice(0, 99), region: evil('reg').slice(0, 99), country: 'CA' },
    },
    source: { type: 'exception', code: evil('src') },
    incident_reason: evil('why').slice(0, 100),
    description: evil('words'),
    pod: {
      recipient: evil('who'),
      note: evil('note'),
      signature_url: 'https://files.example/"><script>alert(1)</script>',
    },
  }
  const withdrawn = {
    ...event,
    event_id: 'w',
    occurred_at: '2026-06-10T09:00:00Z',
    withdrawn: { declared_at: '2026-06-10T10:00:00Z', reason: evil('gone') },
  }
  const subject = {
    tracking_number: evil('SR').slice(0, 100),
    external_tracking_number: evil('EX').slice(0, 100),
    piece_id: evil('P'),
  }
  t.equal((await ingest({ subject, events: [event, withdrawn] })).data.rejected, 0)
  const html = await get(`/track/${encodeURIComponent(subject.tracking_number)}`)
  for (const name of ['id', 'name', 'loc', 'reg', 'src', 'why', 'words', 'who', 'note', 'gone', 'SR', 'EX', 'P']) {
    t.match(html, `${name}&quot;&#39;&gt;&lt;script&gt;`, `${name} is shown, escaped`)
  }
  t.notMatch(html, /<script>|<img/)
  t.equal(html.match(/<script/g)?.length, 1, 'the only script is that of the page')
})

t.test(
  'given a long history, when the page is read, then it shows the latest events and a link to the rest',
  async (t) => {
    const { get, ingest } = await pages()
    const events = Array.from({ length: 203 }, (_, index) => ({
      occurred_at: new Date(now - index * 60_000).toISOString(),
      status_code: 'in_transit',
    }))
    await ingest({ subject: { tracking_number: 'SRL' }, events })
    const html = await get('/track/SRL')
    t.equal(html.match(/data-event=/g)?.length, 200)
    t.match(html, '<a class="earlier" href="?all=1">Show 3 earlier events</a>')
    const all = await get('/track/SRL?all=1')
    t.equal(all.match(/data-event=/g)?.length, 203)
    t.notMatch(all, 'class="earlier"')
  },
)

t.test('given a page of thousands of events, then it shows the latest thousand and where the others are', async (t) => {
  const { ingest, get } = await pages()
  const count = 1_203
  const events = Array.from({ length: count }, (_, index) => ({
    event_id: `e-${index}`,
    status_code: 'in_transit',
    occurred_at: new Date(now - (count - index) * 60_000).toISOString(),
  }))
  await ingest({ subject: { tracking_number: 'SRL' }, events })
  const all = await get('/track/SRL?all=1')
  t.equal(all.match(/data-event=/g)?.length, 1_000)
  t.match(all, `data-event="e-${count - 1}"`)
  t.match(all, '203 more events are not shown here.')
  t.match(all, '<a href="/api/v1/otep/trackings/SRL/events">')
})

t.test('given credentials that are wrong, when the page is read with them, then it says so', async (t) => {
  const { request, ingest } = await pages()
  await ingest({ subject: { tracking_number: 'SR1' }, events: [] })
  const response = await request('/track/SR1', { authorization: 'Bearer a.b.c' })
  t.equal(response.status, 401)
  t.equal(response.headers.get('www-authenticate'), 'Bearer realm="otep"')
  t.match(textOf(await response.text()), 'Your sign-in is not valid')
})
