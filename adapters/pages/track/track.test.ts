import t from 'tap'
import { addProvider, call, createMemoryStore, en, type PublicView } from '../../../engine/index.ts'
import { parcel, profiles, storage } from '../../../profiles/index.ts'
import { operator, world } from '../../auth/world.test.fixture.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { createApp, createParts } from '../../main.ts'

const languages = languagesWith('page.track')

const now = Date.parse('2026-06-20T12:00:00Z')

async function pages(clock = () => now, publicView: PublicView = 'full') {
  const store = createMemoryStore(clock)
  const app = createApp({ store, clock, publicView })
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...createParts({ store, clock }), caller: operator, messages: en, requestId: 'test' }
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

const mainOf = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'))
/** Versions of ICU differ in the comma between weekday and date. */
const dated = (text: string) => text.replace(/day, (?=\d+ [A-Z])/g, 'day ')
const textOf = (html: string) =>
  dated(
    mainOf(html)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  )
const headingOf = (html: string) => dated(/<h1>.*?<\/svg>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, '') ?? '')
const stepsOf = (html: string) =>
  [...html.matchAll(/<li class="(\w+)"( aria-current="step")?>.*?step-name"><span[^>]*>([^<]+)</gs)].map(
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
  t.match(html, '<html lang="en" dir="ltr">')
  t.match(html, '<meta name="robots" content="noindex">')
  t.match(dated(html), '<title>Late: was expected Thursday 11 June · SR1 – ')
  t.equal(headingOf(html), 'Late: was expected Thursday 11 June', 'first when it comes')
  t.match(
    textOf(html),
    'Status Out for delivery When Thursday 11 June, 09:15 What to do You can wait a little longer. If nothing changes, contact the sender.',
  )
  t.match(textOf(html), 'All numbers Tracking number SR1 External number EX1 Order 77', 'the other identifiers')
  t.match(html, '<time datetime="2026-06-09T23:30:00-04:00">', 'the full instant for machines')
  t.match(textOf(html), 'Tuesday 9 June 23:30 Picked up Place: Shop, Toronto, Canada', 'the local time of the event')
  t.match(textOf(html), 'Estimated delivery Thursday 11 June, 12:00')
  t.match(
    textOf(html),
    'Nobody at home. Reason Recipient absent Details Code delivery_failed · The delivery was tried and did not succeed. Reason recipient_absent',
  )
  t.match(
    textOf(html),
    'Source Exception report · acme · ABS Exact time 2026-06-10 18:05 :00 UTC+02:00'.replace(' :00', ':00'),
  )
  t.match(textOf(html), 'Recipient Courier 5')
  t.same(
    stepsOf(html),
    ['Picked up done', '> Out for delivery current', 'Delivered upcoming'],
    'only what happened is done',
  )
  const titles = [...html.matchAll(/<h4><span>([^<]+)/g)].map(([, title]) => title)
  t.same(titles, ['Out for delivery', 'Delivery attempt failed', 'Picked up'], 'newest first')
  t.equal(mainOf(await get('/track/EX1')).includes('Nobody at home.'), true, 'by another identifier as well')
})

t.test('given a number with what nobody can see, when it is in an address, then its timeline is found', async (t) => {
  const { get, ingest, request } = await pages()
  await ingest({ subject: { tracking_number: 'IV1' }, occurred_at: '2026-06-09T23:30:00Z', status_code: 'picked_up' })
  for (const number of [
    'IV1%E2%80%8B',
    '%E2%80%ADIV1%E2%80%AC',
    'I%C2%ADV1',
    '%EF%BB%BFIV1',
    'IV1%F3%A0%81%81',
    'IV1%C2%A0',
  ]) {
    t.match(await get(`/track/${number}`), 'Picked up', number)
    t.equal((await request(`/api/v1/otep/trackings/${number}`, {})).status, 200, number)
    t.equal((await request(`/track?number=${number}`, {})).status, 303, number)
  }
})

t.test('given each code of the profile, when it is the status, then the page matches it', async (t) => {
  const { pageOf } = await pages()
  const names = ['Announced', 'Picked up', 'At facility', 'In transit', 'Out for delivery', 'Delivered']
  const phases: readonly string[] = parcel.phases
  for (const [code, { phase, terminal, phrases }] of Object.entries(parcel.codes)) {
    const before = phase === 'pre_shipment' ? [] : [{ status_code: 'in_transit' }]
    const html = await pageOf(`SR-${code}`, ...before, { status_code: code })
    t.equal(headingOf(html), phrases.en)
    const isMain = phases.includes(phase)
    const here = stepsOf(html).filter((step) => step.startsWith('> '))
    const state = isMain ? (terminal ? 'done' : 'current') : terminal ? 'ended' : 'stopped'
    const name = isMain ? names[phases.indexOf(phase)] : phrases.en
    t.same(here, [`> ${name} ${state}`], `${code}: what left the main line is a step itself`)
    const isBefore = isMain && phases.indexOf(phase) < phases.indexOf('transit')
    t.equal(stepsOf(html).includes('In transit done'), !isBefore && phase !== 'transit', code)
    t.equal(stepsOf(html).includes('Delivered upcoming'), !terminal, `${code}: nothing comes after the end`)
    t.same(
      stepsOf(html).filter((step) => / done$/.test(step) && !/In transit|Delivered/.test(step)),
      [],
      `${code}: no step is done that has no event`,
    )
    t.match(textOf(html), 'What to do', `${code}: says what to do`)
  }
})

t.test(
  'given journeys that fail or turn back, when their pages are read, then the steps tell their story',
  async (t) => {
    const { pageOf } = await pages()
    const way = ['picked_up', 'in_transit', 'out_for_delivery'].map((status_code) => ({ status_code }))
    const failed = { status_code: 'delivery_failed' }
    t.same(stepsOf(await pageOf('A1', ...way, failed)), [
      ...['Picked up done', 'In transit done', 'Out for delivery done'],
      ...['> Delivery attempt failed stopped', 'Delivered upcoming'],
    ])
    t.same(
      stepsOf(await pageOf('A2', ...way, failed, { status_code: 'arrival_scan' })),
      [
        'Picked up done',
        '> At facility current',
        'In transit upcoming',
        'Out for delivery upcoming',
        'Delivered upcoming',
      ],
      'back at a facility, the way there lies ahead again',
    )
    t.same(
      stepsOf(await pageOf('A3', ...way, failed, { status_code: 'arrival_scan' }, { status_code: 'return_to_sender' })),
      [
        ...['Picked up done', 'At facility done', 'In transit done', 'Out for delivery done'],
        '> Returned to sender ended',
      ],
      'a return forgets nothing that happened',
    )
  },
)

/** What a page says of an announcement that came late, if it says something. */
const lateOf = (html: string) => /Latest report (.*?) What to do/.exec(textOf(html))?.[1]
const hint = 'This announcement came late. The journey does not go back.'

t.test(
  'given an announcement that comes late, when the page is read, then the journey stays and the status is beside it',
  async (t) => {
    const { pageOf, request } = await pages()
    const announced = { status_code: 'information_submitted' }
    const way = [announced, ...['picked_up', 'out_for_delivery'].map((status_code) => ({ status_code }))]
    const html = await pageOf('LA1', ...way, { ...announced, location: { address: { locality: 'Office' } } })
    t.equal(headingOf(html), 'Out for delivery')
    t.match(html, '<title>Out for delivery · LA1')
    t.match(html, /data-announcement="LA1: Out for delivery, /)
    t.match(html, /class="event current"[^>]*>(?:(?!<h4>).)*<h4><span>Out for delivery/s)
    t.same(stepsOf(html), ['Announced done', 'Picked up done', '> Out for delivery current', 'Delivered upcoming'])
    t.equal(lateOf(html), `Shipment information received ${hint}`)
    t.notMatch(textOf(html), 'Where Office')
    const { data } = (await (await request('/api/v1/otep/trackings/LA1', {})).json()) as { data: object }
    t.match(data, { current_status: 'information_submitted', delivered: false }, 'the status is that of the protocol')
    const on = await pageOf('LA2', ...way, announced, { status_code: 'arrival_scan' })
    t.equal(headingOf(on), 'Arrived at a facility')
    t.equal(lateOf(on), undefined, 'the next scan gives both')
    const sure = await pageOf('LA3', { status_code: 'picked_up' }, announced, { status_code: 'booking_confirmed' })
    t.equal(headingOf(sure), 'Picked up')
    t.equal(lateOf(sure), `Booking confirmed ${hint}`, 'the latest of several')
    t.same(stepsOf(sure).slice(0, 2), ['Announced done', '> Picked up current'], 'what was announced late happened')
    const tried = await pageOf('LA4', { status_code: 'delivery_failed' }, announced)
    t.equal(headingOf(tried), 'Delivery attempt failed', 'an attempt is a step of the journey')
    const carried = { status_code: 'x-drone_launched' }
    t.equal(headingOf(await pageOf('LA5', { status_code: 'picked_up' }, carried, announced)), 'Drone launched')
  },
)

t.test(
  'given a notice of a sensor, when the page is read, then it is listed, and the headline is not about it',
  async (t) => {
    const { pageOf, request } = await pages()
    const way = ['picked_up', 'in_transit'].map((status_code) => ({ status_code }))
    const html = await pageOf('NO1', ...way, { status_code: 'x-temperature-excursion' })
    t.equal(headingOf(html), 'In transit')
    t.match(html, '<title>In transit · NO1')
    t.same(stepsOf(html), ['Picked up done', '> In transit current', 'Out for delivery upcoming', 'Delivered upcoming'])
    t.equal(lateOf(html), undefined)
    t.match(textOf(html), 'Temperature excursion')
    const { data } = (await (await request('/api/v1/otep/trackings/NO1', {})).json()) as { data: object }
    t.match(data, { current_status: 'in_transit', delivered: false })
    const end = await pageOf('NO2', { status_code: 'delivered' }, { status_code: 'x-temperature-excursion' })
    t.equal(headingOf(end), 'Delivered')
    t.match(textOf(end), 'Temperature excursion')
    t.notMatch(textOf(end), 'Not counted')
  },
)

t.test('given events of one instant or withdrawn ones, then only what holds decides what is late', async (t) => {
  const { pageOf } = await pages()
  const picked = { status_code: 'picked_up', occurred_at: '2026-06-10T08:30:00-04:00' }
  const announced = { ...picked, status_code: 'information_submitted' }
  const withdrawn = { declared_at: '2026-06-12T08:00:00-04:00' }
  t.equal(headingOf(await pageOf('LI1', picked, announced)), 'Picked up')
  const first = await pageOf('LI2', { ...picked, withdrawn }, announced)
  t.equal(headingOf(first), 'Shipment information received')
  t.equal(lateOf(first), undefined)
  const later = await pageOf('LI3', picked, { ...announced, withdrawn })
  t.equal(headingOf(later), 'Picked up')
  t.equal(lateOf(later), undefined)
})

t.test('given an end or a step back that is no late announcement, then the page shows what was reported', async (t) => {
  const { pageOf } = await pages()
  const pageAfter = (number: string, ...codes: readonly string[]) =>
    pageOf(number, ...codes.map((status_code) => ({ status_code })))
  const shown: readonly (readonly [codes: readonly string[], heading: string])[] = [
    [['information_submitted'], 'Shipment information received'],
    [['information_submitted', 'delivery_rescheduled', 'booking_confirmed'], 'Booking confirmed'],
    [['picked_up', 'delivered', 'information_submitted'], 'Delivered'],
    [['picked_up', 'information_submitted', 'cancelled'], 'Shipment cancelled'],
    [['picked_up', 'cancelled', 'information_submitted'], 'Shipment cancelled'],
    [['out_for_delivery', 'delivery_failed'], 'Delivery attempt failed'],
    [['out_for_delivery', 'removed_from_route'], 'Taken off its route'],
    [['out_for_delivery', 'delivery_failed', 'arrival_scan'], 'Arrived at a facility'],
    [['out_for_pickup', 'pickup_failed', 'awaiting_pickup'], 'Ready for pickup'],
    [['out_for_pickup', 'pickup_failed', 'awaiting_pickup', 'information_submitted'], 'Shipment information received'],
  ]
  for (const [index, [codes, heading]] of shown.entries()) {
    const html = await pageAfter(`LB${index}`, ...codes)
    t.equal(headingOf(html), heading, codes.join())
    t.equal(lateOf(html), undefined, codes.join())
  }
})

t.test('given any profile, when an announcement comes late, then the journey stays', async (t) => {
  const { ingest, get } = await pages()
  const late = {
    parcel: ['out_for_delivery', 'awaiting_pickup'],
    storage: ['stored', 'deposit_expected'],
    moving: ['loaded', 'inventory_listed'],
    food: ['arriving', 'order_placed'],
  }
  for (const { name, codes } of profiles) {
    const [here = '', announced = ''] = late[name as keyof typeof late]
    const hour = (hour: number, status_code: string) => ({ occurred_at: `2026-06-10T0${hour}:00:00Z`, status_code })
    await ingest({ profile: name, subject: { tracking_number: name }, events: [hour(1, here), hour(2, announced)] })
    const html = await get(`/track/${name}`)
    t.equal(headingOf(html), codes[here]?.phrases.en, name)
    t.equal(lateOf(html), `${codes[announced]?.phrases.en} ${hint}`, name)
  }
  const events = ['courier_on_the_way', 'preparing'].map((status_code, index) => ({
    ...{ status_code, occurred_at: `2026-06-10T0${index}:00:00Z` },
  }))
  await ingest({ profile: 'food', subject: { tracking_number: 'M1' }, events })
  const food = profiles.find(({ name }) => name === 'food')
  t.equal(headingOf(await get('/track/M1')), food?.codes.preparing?.phrases.en, 'a planned step is not late')
})

t.test(
  'given estimates, when the page is read, then its headline says when it comes, or that it is late',
  async (t) => {
    const { pageOf } = await pages()
    const headlines: Readonly<Record<string, string>> = {
      '2026-06-20T14:00:00Z': 'Arriving today, about 14:00 UTC',
      '2026-06-20T18:30:00-04:00': 'Arriving today, about 18:30',
      '2026-06-21T10:00:00+02:00': 'Arriving tomorrow, about 10:00',
      '2026-06-24T10:00:00-04:00': 'Arriving Wednesday, about 10:00',
      '2026-06-24T00:00:00-04:00': 'Arriving Wednesday',
      '2026-06-30T23:59:00-04:00': 'Arriving Tuesday 30 June',
      '2027-01-04T10:00:00-04:00': 'Arriving Monday 4 January 2027, about 10:00',
      '2026-06-20T00:00:00-04:00': 'Arriving today',
      '2026-06-20T07:00:00-04:00': 'Late: was expected today, 07:00',
      '2026-06-19T18:00:00-04:00': 'Late: was expected yesterday',
      '2026-06-14T00:00:00-04:00': 'Late: was expected Sunday',
    }
    for (const [index, [estimated_delivery_at, headline]] of Object.entries(headlines).entries()) {
      const html = await pageOf(`E${index}`, { status_code: 'in_transit', estimated_delivery_at })
      t.equal(headingOf(html), headline, estimated_delivery_at)
      t.equal(html.includes('summary ahead late"'), headline.startsWith('Late'), estimated_delivery_at)
    }
    const windows: readonly (readonly [from: string, until: string, headline: string])[] = [
      ['2026-06-25T14:00:00-04:00', '2026-06-25T16:00:00-04:00', 'Arriving Thursday, 14:00 to 16:00'],
      ['2026-06-21T14:00:00-00:00', '2026-06-21T16:00:00-00:00', 'Arriving tomorrow, 14:00 to 16:00'],
      ['2026-06-25T14:00:00Z', '2026-06-25T16:00:00Z', 'Arriving Thursday, 14:00 to 16:00 UTC'],
      ['2026-06-21T00:00:00-04:00', '2026-06-24T23:59:59-04:00', 'Arriving between tomorrow and Wednesday'],
      ['2026-06-24T00:00:00-04:00', '2026-06-24T23:59:59-04:00', 'Arriving Wednesday'],
      ['2026-06-24T09:00:00-04:00', '2026-06-25T12:00:00-04:00', 'Arriving between Wednesday and Thursday'],
      ['2026-06-20T05:00:00-04:00', '2026-06-20T07:00:00-04:00', 'Late: was expected today, 07:00'],
    ]
    for (const [index, [from, until, headline]] of windows.entries()) {
      const expected = { estimated_delivery_from: from, estimated_delivery_at: until }
      t.equal(headingOf(await pageOf(`W${index}`, { status_code: 'in_transit', ...expected })), headline, until)
    }
    const listed = async (name: string, expected: object) =>
      textOf(await pageOf(name, { status_code: 'in_transit', ...expected }))
    const hours = {
      estimated_delivery_from: '2026-06-25T14:00:00-04:00',
      estimated_delivery_at: '2026-06-25T16:00:00-04:00',
    }
    t.match(await listed('L1', hours), 'Estimated delivery Thursday 25 June, 14:00 – 16:00')
    const day = { estimated_delivery_at: '2026-06-25T23:59:59-00:00' }
    t.match(await listed('L2', day), 'Estimated delivery Thursday 25 June')
    t.notMatch(await listed('L3', day), '23:59')
    const days = { ...day, estimated_delivery_from: '2026-06-23T00:00:00-00:00' }
    t.match(await listed('L4', days), 'Estimated delivery Tuesday 23 June – Thursday 25 June')
    const unzoned = (day: number) => ({ estimated_delivery_at: `2026-06-${day}T23:59:59-00:00` })
    const late = async (name: string, day: number) =>
      headingOf(await pageOf(name, { status_code: 'in_transit', ...unzoned(day) }))
    t.equal(await late('U1', 19), 'Late: was expected Friday', 'at noon in UTC it has ended everywhere')
    t.equal(await late('U2', 20), 'Arriving today')
    const earlier = await pages(() => now - 60_000)
    const heading = headingOf(await earlier.pageOf('U3', { status_code: 'in_transit', ...unzoned(19) }))
    t.equal(heading, 'Arriving Friday', 'somewhere the day goes on')
    const estimated_delivery_at = '2026-06-24T10:00:00-04:00'
    const held = await pageOf('H1', { status_code: 'delivery_failed', estimated_delivery_at })
    t.equal(headingOf(held), 'Delivery attempt failed', 'what is held up says so first')
    t.match(textOf(held), 'Expected Arriving Wednesday, about 10:00')
    const old = { status_code: 'out_for_delivery', estimated_delivery_at: '2026-06-10T12:00:00-04:00' }
    t.notMatch(
      textOf(await pageOf('H2', old, { status_code: 'delivery_failed' })),
      /Late:|Arriving/,
      'an old one is over',
    )
    t.equal(headingOf(await pageOf('H3', old, { status_code: 'delivered' })), 'Delivered')
  },
)

t.test(
  'given a parcel that goes back, when its page is read, then it says so in the language, and no arrival',
  async (t) => {
    const { pageOf, get } = await pages()
    const estimated_delivery_at = '2026-06-24T10:00:00-04:00'
    const back = await pageOf(
      'B1',
      { status_code: 'in_transit', estimated_delivery_at },
      { status_code: 'x-returning' },
    )
    t.equal(headingOf(back), 'On its way back to the sender')
    t.match(back, 'summary returning')
    t.notMatch(textOf(back), /Arriving/)
    t.equal(headingOf(await get('/track/B1?lang=de')), 'Auf dem Rückweg zum Absender')
    t.equal(headingOf(await get('/track/B1?lang=hu')), 'Úton vissza a feladóhoz')
    const scanned = [{ status_code: 'in_transit', estimated_delivery_at }, { status_code: 'x-returning' }]
    const moved = await pageOf('B2', ...scanned, { status_code: 'arrival_scan' })
    t.notMatch(textOf(moved), /Arriving/, 'what was expected before is over')
  },
)

t.test(
  'given the zone of the reader, when the page is read, then times are in it, beside those of the place',
  async (t) => {
    const { pageOf, get } = await pages()
    await pageOf('Z1', {
      status_code: 'picked_up',
      occurred_at: '2026-06-18T23:30:00-04:00',
      estimated_delivery_at: '2026-06-21T20:00:00-04:00',
    })
    const abroad = await get('/track/Z1?tz=Europe/Berlin')
    t.equal(headingOf(abroad), 'Arriving Monday, about 02:00')
    t.match(textOf(abroad), 'When Yesterday, 05:30 (Thursday, 23:30 local time)'.replace('Yesterday', 'yesterday'))
    t.match(textOf(abroad), 'Times are in your time zone.')
    for (const zone of ['', '?tz=America/Toronto']) t.notMatch(await get(`/track/Z1${zone}`), 'local time)', zone)
    for (const zone of ['nowhere', '+02:00', '%3Cb%3E', 'x'.repeat(500)])
      t.match(textOf(await get(`/track/Z1?tz=${zone}`)), 'Times are local to each place.', zone.slice(0, 20))
  },
)

t.test(
  'given a place without words, when the page is read, then no coordinate and no code stands for it',
  async (t) => {
    const { pageOf } = await pages()
    const html = await pageOf(
      'P1',
      { status_code: 'picked_up', location: { latitude: 43.6532, longitude: -79.3832 } },
      { status_code: 'in_transit', location: { unlocode: 'DEHAM' } },
    )
    t.notMatch(html, /43\.65|79\.38|\WDEHAM\W/)
    t.match(textOf(html), 'Where Germany')
  },
)

const located = (latitude: number, longitude: number, locality: string) => ({
  location: { latitude, longitude, address: { locality, country: 'CA' } },
})

t.test('given a journey with coordinates, when its map is read, then it shows the places in order', async (t) => {
  const { pageOf, request } = await pages()
  const html = await pageOf(
    'M1',
    { status_code: 'picked_up', ...located(45.42, -75.7, 'Ottawa<b>') },
    { status_code: 'arrival_scan', ...located(45.5, -73.57, 'Montréal') },
    { status_code: 'in_transit', ...located(45.5, -73.57, 'Montréal') },
    { status_code: 'in_transit' },
    { status_code: 'out_for_delivery', ...located(43.65, -79.38, 'Toronto') },
  )
  const [, path = ''] =
    /<img src="([^"]+)" alt="Map of the journey: Ottawa&lt;b&gt;, Montréal, Toronto"/.exec(html) ?? []
  t.match(html, 'loading="lazy"')
  const response = await request(path.replaceAll('&amp;', '&'), {})
  t.equal(response.headers.get('content-type'), 'image/svg+xml')
  t.match(response.headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'")
  t.match(response.headers.get('vary'), 'Accept-Language')
  const svg = await response.text()
  const spots = [...svg.matchAll(/class="stop" cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)])
  t.equal(spots.length, 3, 'a place once for each visit')
  const [ottawa = [], montreal = [], toronto = []] = spots
  t.ok((toronto[0] ?? 0) < (ottawa[0] ?? 0) && (ottawa[0] ?? 0) < (montreal[0] ?? 0), 'from west to east')
  t.ok((montreal[1] ?? 0) < (ottawa[1] ?? 0) && (ottawa[1] ?? 0) < (toronto[1] ?? 0), 'north is up')
  t.ok(
    spots.flat().every((pixel) => pixel >= 40 && pixel <= 440),
    'cut to the journey',
  )
  t.match(svg, '>Ottawa&lt;b&gt;</text>')
  t.notMatch(svg, /http:(?!..www.w3.org)|https:|<script|<image/, 'it loads nothing')
  const tag = response.headers.get('etag') ?? ''
  t.equal((await request(path, { 'if-none-match': tag })).status, 304)
  t.not(tag, (await request('/track/M1', {})).headers.get('etag'))
})

t.test('given a journey over the date line, when its map is read, then it goes the short way', async (t) => {
  const { pageOf, request } = await pages()
  const ends = [located(35.7, 179.5, 'West'), located(35.7, -179.5, 'East')]
  await pageOf('M2', ...ends.map((end) => ({ status_code: 'in_transit', ...end })))
  const svg = await (await request('/track-map/M2', {})).text()
  t.match(svg, /points="48,150 432,150"/)
})

t.test('given no two places, or the reduced view, when the page is read, then there is no map', async (t) => {
  const { pageOf, request } = await pages()
  const one = { status_code: 'in_transit', ...located(43.65, -79.38, 'Toronto') }
  t.notMatch(await pageOf('M3', one, one), 'track-map')
  t.equal((await request('/track-map/M3', {})).status, 404)
  t.equal((await request('/track-map/none', {})).status, 404)
  const reduced = await pages(() => now, 'reduced')
  t.notMatch(
    await reduced.pageOf('M4', one, { status_code: 'in_transit', ...located(45.5, -73.57, 'Montréal') }),
    'track-map',
  )
  t.equal((await reduced.request('/track-map/M4', {})).status, 404, 'the public sees no coordinates')
})

t.test('given each language, when the page is read, then all of its words are in it', async (t) => {
  const { pageOf, request } = await pages()
  await pageOf(
    'L1',
    { status_code: 'picked_up', location: { address: { locality: 'Toronto', country: 'CA' } } },
    { status_code: 'delivered', pod: { recipient: 'A', photo_urls: ['https://files.example/p.jpg'] } },
    { status_code: 'x-audit', synthesized: true, source: { type: 'node_scan' } },
  )
  const english = textOf(await (await request('/track/L1', {})).text())
  const delivered = new Set<string>()
  for (const language of languages) {
    for (const path of ['/track/L1', '/track/none']) {
      const response = await request(path, { 'accept-language': language })
      const html = await response.text()
      t.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      t.equal(response.headers.get('content-language'), language)
      t.match(response.headers.get('vary'), 'Accept-Language', path)
      t.equal(
        await (await request(`${path}?lang=${language}`, { 'accept-language': 'nl' })).text().then(titleIn),
        titleIn(html),
      )
    }
    const html = await (await request('/track/L1', { 'accept-language': language })).text()
    delivered.add(headingOf(html))
    t.notMatch(html, /\{\w+\}|undefined/, `${language}: every placeholder is filled in`)
    t.equal(html.match(/ aria-current="true"/g)?.length, 1, 'the switch shows the language')
  }
  t.equal(delivered.size, languages.length)
  t.match(english, 'Toronto, Canada')
})

const titleIn = (html: string) => /<title>.*<\/title>/.exec(html)?.[0]

t.test('given a chosen language, when its links and forms are followed, then it stays', async (t) => {
  const { request, pageOf } = await pages()
  await pageOf('K1', { status_code: 'picked_up' })
  const html = await (await request('/track/K1?lang=fr', {})).text()
  t.match(html, '<input type="hidden" name="lang" value="fr">')
  t.match(html, '<a href="?lang=ar" lang="ar" hreflang="ar">العربية</a>')
  t.equal((await request('/track?number=K1&lang=fr', {})).headers.get('location'), '/track/K1?lang=fr')
  t.notMatch(await (await request('/track/K1', { 'accept-language': 'fr' })).text(), 'name="lang"', 'only if chosen')
})

t.test('given a kept page, when language, zone or the hour are others, then it is not the same page', async (t) => {
  let time = now
  const { request, pageOf } = await pages(() => time)
  await pageOf('T1', { status_code: 'in_transit', estimated_delivery_at: '2026-06-20T12:10:00Z' })
  const tagOf = async (path: string, language: string) =>
    (await request(path, { 'accept-language': language })).headers.get('etag')
  const tags = [
    ...[await tagOf('/track/T1', 'en'), await tagOf('/track/T1', 'de'), await tagOf('/track/T1?tz=Asia/Tokyo', 'en')],
    await tagOf('/track/T1?lang=en', 'en'),
  ]
  t.equal(new Set(tags).size, 4)
  t.equal(await tagOf('/track/T1', 'en-US,en;q=0.9'), tags[0], 'the same language is the same page')
  time += 14 * 60_000
  t.equal(await tagOf('/track/T1', 'en'), tags[0], 'for a quarter of an hour')
  time += 60_000
  const response = await request('/track/T1', { 'if-none-match': tags[0] ?? '' })
  t.equal(response.status, 200)
  t.equal(headingOf(await response.text()), 'Late: was expected today, 12:10 UTC')
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
  for (const [code, { phase, terminal, phrases }] of Object.entries(storage.codes)) {
    const html = await pageOf(`ST-${code}`, ...(phase === 'pre_shipment' ? [] : [stored]), { status_code: code })
    t.equal(headingOf(html), phrases.en, code)
    const place = (storage.phases as readonly string[]).indexOf(phase)
    const side = `> ${phrases.en} ${terminal ? 'ended' : 'stopped'}`
    t.same(
      stepsOf(html).filter((step) => step.startsWith('> ')),
      [place === -1 ? side : `> ${names[place]} ${terminal ? 'done' : 'current'}`],
      code,
    )
  }
  t.match(textOf(await get('/track/ST-stored')), 'What to do It is ready: collect it from the machine.')
  const collected = await pageOf('STC', stored, { status_code: 'collected', pod: { recipient: 'A. Smith' } })
  t.same(stepsOf(collected), ['In the machine done', '> Collected done'])
  t.match(textOf(collected), 'Proof of collection Recipient A. Smith')
  t.match(textOf(await pageOf('STR', stored, { status_code: 'removed' })), 'It is no longer in the machine')
})

t.test(
  'given any profile, when each of its codes is the status, then the page names the steps in its words',
  async (t) => {
    const { ingest, get } = await pages()
    for (const { name, phases, codes, words } of profiles) {
      for (const [code, { phrases, phase, terminal }] of Object.entries(codes)) {
        const number = `${name}-${code}`
        const events = [{ status_code: code, occurred_at: '2026-06-10T08:30:00-04:00' }]
        await ingest({ profile: name, subject: { tracking_number: number }, events })
        const html = await get(`/track/${number}`)
        t.equal(headingOf(html), phrases.en, number)
        const isMain = phases.includes(phase)
        const ahead = terminal ? [] : phases.slice(phases.indexOf(phase) + 1)
        t.equal(stepsOf(html).length, 1 + ahead.length, number)
        const named = Object.entries(words?.phases ?? {}).filter(
          ([name]) => ahead.includes(name) || (isMain && name === phase),
        )
        for (const [, word] of named) t.match(html, typeof word === 'string' ? word : word.en, number)
      }
    }
  },
)

t.test('given an unregistered code, when it is the status, then it is shown as such', async (t) => {
  const { pageOf, request } = await pages()
  const html = await pageOf(
    'SRX',
    { status_code: 'arrival_scan' },
    { status_code: 'x-drone_launched', description: 'Up it goes.' },
  )
  t.equal(headingOf(html), 'Drone launched')
  t.match(textOf(html), 'Details Code x-drone_launched')
  t.match(textOf(html), 'Drone launched Unregistered')
  t.same(stepsOf(html).slice(0, 3), ['At facility done', '> Drone launched stopped', 'In transit upcoming'])
  const only = await pageOf('SRY', { status_code: 'x-drone_launched' })
  t.same(stepsOf(only).slice(0, 2), ['> Drone launched stopped', 'Announced upcoming'])
  t.match(await (await request('/track/SRY', { 'accept-language': 'fr' })).text(), '<span lang="en">Drone launched')
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
    t.match(html, /class="event current".*?<h4><span>Delivered/s, 'the event that gives the status stands out')
    t.equal(html.match(/class="event current"/g)?.length, 1)
    t.match(textOf(html), /Arrived at a facility Not counted .* does not change the status/)
    t.equal(stepsOf(html).at(-1), '> Delivered done')
  },
)

t.test('given withdrawn and synthesized events, when the page is read, then they are marked', async (t) => {
  const { pageOf, ingest, get } = await pages()
  const withdrawn = { declared_at: '2026-06-12T08:00:00-04:00', reason: 'Wrong parcel' }
  const html = await pageOf('SRW', { status_code: 'picked_up' }, { status_code: 'delivered', withdrawn })
  t.match(html, /<h1>.*Picked up.*<\/h1>/, 'a withdrawn event gives no status')
  const folded = html.slice(html.indexOf('<details class="withdrawn"'))
  t.match(
    folded.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
    /Withdrawn events \(1\) .* Delivered Withdrawn Withdrawn at Friday 12 June, 08:00 Reason Wrong parcel/,
  )
  const none = await pageOf('SRN', { status_code: 'picked_up', withdrawn })
  t.match(none, /<h1>.*No status.*<\/h1>/)
  t.match(textOf(none), 'There are no events.')
  await ingest({
    subject: { tracking_number: 'SRS' },
    current_status: 'in_transit',
    current_status_at: '2026-06-10T08:00:00Z',
  })
  t.match(textOf(await get('/track/SRS')), 'In transit Derived')
})

t.test('given an expected time, when the page is read, then it links to a calendar that has it', async (t) => {
  const { pageOf, request, ingest } = await pages(() => Date.parse('2026-06-10T13:00:00Z'), 'reduced')
  const estimated = {
    estimated_delivery_from: '2026-06-12T14:00:00+02:00',
    estimated_delivery_at: '2026-06-12T16:00:00+02:00',
  }
  t.notMatch(await pageOf('SRN', { status_code: 'picked_up' }), '/track-calendar/')
  const pod = { recipient: 'Mrs Confidential' }
  const html = await pageOf('SRC', { status_code: 'in_transit', description: 'Confidential', ...estimated })
  t.match(html, '<a href="/track-calendar/SRC?lang=en">Add to calendar</a>')
  const calendar = await request('/track-calendar/SRC?lang=de', {})
  t.equal(calendar.headers.get('content-type'), 'text/calendar; charset=utf-8')
  const text = await calendar.text()
  t.match(text, /DTSTART:20260612T120000Z\r\nDTEND:20260612T140000Z\r\nSUMMARY:SRC: Unterwegs\r\n/)
  t.notMatch(text, 'Confidential')
  const headers = { 'if-none-match': calendar.headers.get('etag') ?? '' }
  t.equal((await request('/track-calendar/SRC?lang=de', headers)).status, 304)
  t.not((await request('/track-calendar/SRC?lang=fr', headers)).status, 304)
  const delivered = { status_code: 'delivered', occurred_at: '2026-06-10T12:50:00Z', pod }
  await ingest({ subject: { tracking_number: 'SRC' }, events: [delivered] })
  t.match(await (await request('/track-calendar/SRC', headers)).text(), 'DTSTART:20260610T125000Z\r\nSUMMARY')
  t.equal((await request('/track-calendar/NOBODY', {})).status, 404)
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
    'Proof of delivery Recipient A. Smith Signed at Wednesday 10 June, 08:29 Note Left with neighbour',
  )
  t.match(html, '<a href="https://files.example/s?a=1&amp;b=%222%22" rel="noopener noreferrer nofollow">Signature')
  t.match(html, '<a href="https://files.example/p.jpg" rel="noopener noreferrer nofollow">Photo 1')
  t.same(html.match(/<img[^>]*src="[^"]*"/g), ['<img class="code" src="/track-qr/SRP"'], 'nothing but the QR code')
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
  t.notMatch(html, /<script>|<img (?!class="code" src="\/track-qr\/SR%22)/)
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
    t.match(html, '<a class="earlier" href="?all=1">Show earlier events (3)</a>')
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
  t.match(all, 'Events that are not shown here: 203.')
  t.match(all, '<a href="/api/v1/otep/trackings/SRL/events" dir="ltr">')
})

t.test('given credentials that are wrong, when the page is read with them, then it says so', async (t) => {
  const { request, ingest } = await pages()
  await ingest({ subject: { tracking_number: 'SR1' }, events: [] })
  const response = await request('/track/SR1', { authorization: 'Bearer a.b.c' })
  t.equal(response.status, 401)
  t.equal(response.headers.get('www-authenticate'), 'Bearer realm="otep"')
  t.match(textOf(await response.text()), 'Your sign-in is not valid')
})

/** A business in Toronto, and the heading of the page of an order of it. */
async function planning(start?: string) {
  const made = await world(start === undefined ? {} : { start: Date.parse(start) })
  const token = made.tokens.client_admin
  const { key } = (await call(addProvider, operator(made), { name: 'acme', all_businesses: true })) as { key: string }
  const report = (subject: object, more: object = {}) => {
    const event = { occurred_at: '2026-03-01T10:00:00Z', status_code: 'information_submitted', ...more }
    return made.send('POST', '/api/v1/otep/ingest', { token: key, body: { subject, events: [event] } })
  }
  const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
  const order = async (more: object) => {
    const body = { type: 'D', delivery: { name: 'Jo Example', phone: '+1 416 555 0100', address }, ...more }
    const { body: created } = await made.send('POST', '/api/v1/orders', { token, body })
    const { order_id, tracking_number } = created as unknown as { order_id: number; tracking_number: string }
    await report({ tracking_number })
    return { order_id, tracking_number }
  }
  const page = async (number: string, query = '') => (await made.app.request(`/track/${number}${query}`)).text()
  const heading = async (number: string, query = '') => headingOf(await page(number, query))
  const change = (id: number, step: string, body: object = {}) =>
    made.send('POST', `/api/v1/orders/${id}/${step}`, { token, body })
  return { ...made, order, report, page, heading, change }
}

const afternoon = { start: '14:00', end: '16:00' }

t.test('given an own order with a day and a window, when its page is read, then it says when it comes', async (t) => {
  const { order, heading, page, send, tokens, clock } = await planning()
  const { tracking_number: number } = await order({ schedule_date: '2026-06-11', time_window: afternoon })
  t.equal(await heading(number), 'Arriving tomorrow, 14:00 to 16:00')
  t.equal(await heading(number, '?tz=Asia/Tokyo'), 'Arriving tomorrow, 14:00 to 16:00', 'by the clocks at the door')
  const { tracking_number: later } = await order({ schedule_date: '2026-06-13', time_window: afternoon })
  t.equal(await heading(later), 'Arriving Saturday, 14:00 to 16:00')
  const { tracking_number: whole } = await order({ schedule_date: '2026-06-13' })
  t.equal(await heading(whole), 'Arriving Saturday')
  const { tracking_number: none } = await order({})
  t.notMatch(await heading(none), 'Arriving')
  const { tracking_number: pickUp } = await order({ type: 'P', schedule_date: '2026-06-13', time_window: afternoon })
  t.notMatch(await heading(pickUp), 'Arriving', 'the day of a pick-up is not that of an arrival')
  t.match(await page(number, '?lang=de'), 'Ankunft: morgen, 14:00 bis 16:00 Uhr')
  t.match(await page(number, '?lang=ar'), 'dir="rtl"')
  for (const language of languages) {
    const text = textOf(await page(number, `?lang=${language}`))
    t.match(text, /14:00\D{1,20}16:00/, language)
  }
  const { body } = await send('GET', `/api/v1/otep/client/trackings/${number}`, { token: tokens.client_admin })
  t.match(body.details, { schedule_date: '2026-06-11', time_window: afternoon })
  clock.now = Date.parse('2026-06-11T19:45:00Z')
  t.equal(await heading(number), 'Arriving today, 14:00 to 16:00')
  clock.now = Date.parse('2026-06-11T20:15:00Z')
  t.equal(await heading(number), 'Late: was expected today, 16:00')
  clock.now = Date.parse('2026-06-12T20:15:00Z')
  t.equal(await heading(number), 'Late: was expected yesterday')
})

t.test('given an own order, when its plan changes or ends, then its page says what holds', async (t) => {
  const { order, report, heading, page, app, send, tokens, change, clock } = await planning()
  const token = tokens.client_admin
  const one = await order({ reference: 'R1', schedule_date: '2026-06-12', time_window: afternoon })
  const tag = async () => (await app.request(`/track/${one.tracking_number}`)).headers.get('etag')
  const before = await tag()
  clock.now += 60_000
  const updates = [{ ref: 'R1', time_window: { start: '09:00', end: '10:30' }, schedule_date: '2026-06-13' }]
  const changed = await send('POST', '/api/v1/orders/time-windows', { token, body: { updates } })
  t.match(changed, { status: 200 })
  t.equal(await heading(one.tracking_number), 'Arriving Saturday, 09:00 to 10:30')
  t.not(await tag(), before, 'nor does a browser keep the page from before')
  clock.now += 60_000
  await report(
    { tracking_number: one.tracking_number },
    {
      occurred_at: '2026-06-10T10:01:00Z',
      estimated_delivery_at: '2026-06-13T11:00:00-04:00',
      status_code: 'in_transit',
    },
  )
  t.equal(await heading(one.tracking_number), 'Arriving Saturday, about 11:00', 'a later report says more')
  const two = await order({ schedule_date: '2026-06-12', time_window: afternoon })
  t.match((await change(two.order_id, 'cancel')).status, 200)
  t.notMatch(textOf(await page(two.tracking_number)), /Arriving|14:00 to/)
  const three = await order({ schedule_date: '2026-06-12', time_window: afternoon })
  await report(
    { tracking_number: three.tracking_number },
    { occurred_at: '2026-06-10T10:01:00Z', status_code: 'delivered' },
  )
  t.notMatch(textOf(await page(three.tracking_number)), /Arriving|14:00 to/, 'what has arrived is not expected')
  await report({ tracking_number: 'OTHER', order_id: three.order_id })
  t.notMatch(textOf(await page('OTHER')), /Arriving/, 'who only names an order gets no plan of it')
})

t.test('given days on which the clocks change, when a window is shown, then as it was planned', async (t) => {
  for (const [start, day, before, after] of [
    ['2026-03-07T12:00:00Z', '2026-03-08', '-05:00', '-04:00'],
    ['2026-10-31T12:00:00Z', '2026-11-01', '-04:00', '-05:00'],
  ] as const) {
    const { order, heading, clock } = await planning(start)
    const late = await order({ schedule_date: day, time_window: { start: '22:30', end: '23:59' } })
    t.equal(await heading(late.tracking_number), 'Arriving tomorrow, 22:30 to 23:59')
    const early = await order({ schedule_date: day, time_window: { start: '00:15', end: '03:45' } })
    t.equal(await heading(early.tracking_number), 'Arriving tomorrow, 00:15 to 03:45')
    const whole = await order({ schedule_date: day })
    for (const time of [`00:00:00${before}`, `00:30:00${before}`, `23:00:00${after}`, `23:45:00${after}`]) {
      clock.now = Date.parse(`${day}T${time}`)
      t.equal(await heading(whole.tracking_number), 'Arriving today', time)
      t.match(await heading(late.tracking_number), 'Arriving today', time)
    }
  }
})
