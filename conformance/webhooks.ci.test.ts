import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { passwordOf } from '../adapters/auth/world.test.fixture.ts'
import { createParts, webhookEventTypes } from '../adapters/engine.ts'
import { isObject, type Role } from '../engine/index.ts'
import { randomFrom } from './kill/random.ts'
import { openBusiness, send, signIn } from './orders/office.ts'
import { program } from './program/files.ts'
import { startServer } from './program/server.ts'
import { errorsIn, exampleErrors, judgeBy } from './webhooks/description.ts'
import { formatFlaws, nativeIn, standardFlaws, standardForm } from './webhooks/judges.ts'
import { type Live, live, sendingOf, until } from './webhooks/live.test.fixture.ts'
import {
  causePartnerEvents,
  lockerDelivery,
  type Partner,
  partnerChannels,
  partnerOf,
} from './webhooks/partner-script.test.fixture.ts'
import { type Capture, challengeIn, headerOf, startReceiver } from './webhooks/receiver.ts'
import { flawsBy, type Recipe, recipeFor } from './webhooks/recipes.ts'
import {
  causeTenantEvents,
  type Format,
  formats,
  nasty,
  order,
  setAllUrls,
} from './webhooks/tenant-script.test.fixture.ts'

/** A webhook event as it came: to the field or channel, and in the format, that its path names. */
interface Received {
  readonly event: string
  readonly place: string
  readonly format: Format
  readonly capture: Capture
}

/** The recipes that must not verify each webhook event; the life cycle has two signatures. */
const foreignRecipes = {
  tenant: ['lifecycle', 'provider', 'handoff'],
  lifecycle: ['provider', 'handoff'],
  provider: ['tenant', 'lifecycle', 'handoff'],
  handoff: ['tenant', 'lifecycle', 'provider'],
} as const satisfies Readonly<Record<Recipe, readonly Recipe[]>>

function receivedIn({ receiver }: Live): readonly Received[] {
  return receiver.captures.flatMap((capture) => {
    const [, place = '', format] = capture.path.split('/')
    const known = formats.find((one) => one === format)
    if (known === undefined || receiver.at(capture.path).every((one) => one !== capture)) return []
    return [{ event: nativeIn(known, capture).event, place, format: known, capture }]
  })
}

/** Where a webhook event arrives. */
function placeOf({ field, channel }: (typeof webhookEventTypes)[number]): string {
  return field ?? channel
}

/** Where a header contains eight or more consecutive characters of a secret or of its base64. */
function leaksOf({ headers }: Capture, secret: string): readonly string[] {
  const texts = [secret, standardForm(secret)].map((text) => text.replace(/^whsec_/, ''))
  const pieces = texts.flatMap((text) => Array.from({ length: text.length - 7 }, (_, at) => text.slice(at, at + 8)))
  return headers.filter(([, value]) => pieces.some((piece) => value.includes(piece))).map(([name]) => `${name} tells`)
}

/** Headers that hold something of what orders, drivers and partners have written. */
function injected({ headers }: Capture): readonly string[] {
  const all = headers.map(([name, value]) => `${name}: ${value}`)
  return all.filter((line) => /Injected|Panne|[^\x20-\x7e]/.test(line) || /%C3%|PK-|TN-/i.test(line))
}

function missingIn(received: readonly Received[]): readonly string[] {
  const wanted = webhookEventTypes.flatMap((eventType) =>
    formats.map((format) => `${eventType.name} at ${placeOf(eventType)} in ${format}`),
  )
  const found = new Set(received.map(({ event, place, format }) => `${event} at ${place} in ${format}`))
  return wanted.filter((one) => !found.has(one))
}

/** The secret of a place: of the business, of the endpoint of a partner, or of its subscription. */
async function secretsOf(place: Live, partners: readonly Partner[]): Promise<(received: Received) => string> {
  const { ask, tokens } = place
  const reveal = async (path: string) => ask(tokens.client_admin, 'POST', `/api/v1/${path}/secret/reveal`, {})
  const business: string = (await reveal('webhook-settings')).webhook_sign_secret
  const others = new Map<string, string>()
  for (const { name, format, secret } of partners) {
    others.set(`order_handoff ${format}`, secret)
    for (const channel of partnerChannels)
      others.set(`${channel} ${format}`, (await reveal(`webhook-endpoints/${channel}/${name}`)).secret)
  }
  return ({ place: at, format }) => others.get(`${at} ${format}`) ?? business
}

t.test(
  'given URLs in every format, when everything happens that can be received, then every judge accepts it',
  async (t) => {
    const place = await live(t)
    const { tokens, receiver, app } = place
    await setAllUrls(place, tokens.client_admin)
    await causeTenantEvents(place)
    const partners: Partner[] = []
    for (const format of formats) {
      const partner = await partnerOf(place, format)
      partners.push(partner)
      await causePartnerEvents(place, partner)
    }
    await place.settled()
    const received = receivedIn(place)
    t.same(missingIn(received), [], 'every event came in every format')
    t.same(place.troubles, [])
    t.comment(`${received.length} webhook events of ${webhookEventTypes.length} kinds came`)
    const secretOf = await secretsOf(place, partners)
    const description = await (await app.request('/asyncapi-webhooks.json')).json()

    const flawsOf = (judge: (one: Received) => readonly string[]) =>
      received.flatMap((one) => judge(one).map((flaw) => `${one.event} at ${one.place} in ${one.format}: ${flaw}`))

    t.test('then the description is AsyncAPI, and headers, bodies and examples are as it says', async (t) => {
      t.same(errorsIn(description), [])
      t.same(exampleErrors(description), [])
      const judge = judgeBy(description)
      t.same(
        flawsOf(({ event, format, capture }) => judge(event, format, capture)),
        [],
      )
    })

    t.test(
      'then CloudEvents are read by their SDK, one id names an event everywhere, and no header is broken',
      async (t) => {
        t.same(
          flawsOf(({ event, format, capture }) => formatFlaws(event, format, capture)),
          [],
        )
      },
    )

    t.test('then the libraries for Standard Webhooks verify it, with the shown secret alone', async (t) => {
      t.same(
        flawsOf((one) => standardFlaws(one.capture, standardForm(secretOf(one)))),
        [],
      )
      const verified = received.filter(({ capture, ...one }) => {
        const forged = { ...capture, body: Buffer.concat([capture.body, Buffer.from(' ')]) }
        return standardFlaws(forged, standardForm(secretOf({ ...one, capture }))).length < 2
      })
      t.same(verified, [], 'and none with another body')
    })

    t.test('then it verifies by the recipe of its own channel, and by no other', async (t) => {
      t.same(
        flawsOf(({ capture, ...one }) => flawsBy(recipeFor(one.place), capture, secretOf({ ...one, capture }))),
        [],
      )
      const others = received.flatMap((one) =>
        foreignRecipes[recipeFor(one.place)]
          .filter((recipe) => flawsBy(recipe, one.capture, secretOf(one)).length === 0)
          .map((recipe) => `${one.event} verifies as ${recipe}`),
      )
      t.same(others, [])
    })
    t.test('then no header tells anything of a secret, nor what somebody else has written', async (t) => {
      t.same(
        flawsOf((one) => [...leaksOf(one.capture, secretOf(one)), ...injected(one.capture)]),
        [],
      )
      const bodies = received.map(({ capture }) => capture.body.toString()).join('\n')
      for (const [name, text] of Object.entries(nasty))
        t.ok(bodies.includes(JSON.stringify(text).slice(1, -1)), `the ${name} is in bodies, unchanged`)
    })
    t.ok(receiver.captures.length > received.length, 'challenges were echoed')
  },
)

/** The URLs of a field, in each format, with Standard Webhooks. */
async function setField(place: Live, field: string, root: string, token = place.tokens.client_admin): Promise<void> {
  const urls = formats.map((format) => ({ format, url: place.receiver.urlOf(`/${root}/${format}`) }))
  await place.ask(token, 'PUT', '/api/v1/webhook-settings', {
    [field]: urls.map(({ url }) => url).join(','),
    url_formats: urls.map(({ format, url }) => ({ field, url, format, standard_signature: true })),
  })
}

/** A token of an account that signs in now: the others have run out where the clock was moved far. */
async function signInAgain({ send }: Live, role: Role): Promise<string> {
  const body = { email: `${role}@one.example`, password: passwordOf(role) }
  return (await send('POST', '/api/v1/user/login', { body })).body.access_token
}

async function businessSecret({ ask }: Live, token: string): Promise<string> {
  return (await ask(token, 'POST', '/api/v1/webhook-settings/secret/reveal', {})).webhook_sign_secret
}

t.test(
  'given a failing receiver, when a delivery is attempted five times, then the body and the ids stay and everything else is new',
  async (t) => {
    const place = await live(t)
    const { tokens, receiver, clock, parts, business } = place
    await setField(place, 'order_lifecycle_webhook_url', 'failing')
    const paths = formats.map((format) => `/failing/${format}`)
    for (const path of paths) receiver.answer(path, () => ({ status: 500 }))
    const secret = await businessSecret(place, tokens.client_admin)
    await place.ask(tokens.client_admin, 'POST', `/api/v1/orders/${(await order(place)).order_id}/ready`)
    for (const [index, seconds] of [0, 11, 110, 1_100, 11_000].entries()) {
      clock.now += seconds * 1_000
      await until(
        () => paths.every((path) => receiver.at(path).length > index),
        () => `attempt ${index + 1}`,
      )
      const isRecorded = async () => {
        const { deliveries } = await parts.webhooks.page({ businessId: business }, { limit: 10, offset: 0 })
        return deliveries.every(({ attempts, state }) => attempts === index + 1 && state !== 'sending')
      }
      await until(isRecorded, () => `the record of attempt ${index + 1}`)
    }
    clock.now += 100_000_000
    for (const format of formats) {
      const captures = receiver.at(`/failing/${format}`)
      const values = (name: string) => captures.map((capture) => headerOf(capture, name))
      t.same(values('X-Webhook-Attempt'), ['1', '2', '3', '4', '5'], format)
      if (format === 'ce_binary') t.same(values('ce-otepattempt'), ['1', '2', '3', '4', '5'])
      t.equal(new Set(captures.map(({ body }) => body.toString('hex'))).size, 1, `${format}: one body, byte for byte`)
      for (const name of ['X-Webhook-Id', 'X-Webhook-Event-Id', 'webhook-id', 'ce-id'])
        t.equal(new Set(values(name)).size, 1, `${format}: one ${name}`)
      for (const name of ['X-Webhook-Timestamp', 'webhook-timestamp', 'webhook-signature', 'X-Webhook-Signature-V2'])
        t.equal(new Set(values(name)).size, 5, `${format}: each attempt has its own ${name}`)
      t.same(
        captures.flatMap((capture) => flawsBy('lifecycle', capture, secret)),
        [],
      )
      t.same(
        captures.flatMap((capture) => standardFlaws(capture, standardForm(secret))),
        [],
      )
      const [first] = captures
      if (format === 'ce_structured') t.notMatch(first?.body.toString(), /otepattempt|"attempt/)
    }
    const { deliveries } = await parts.webhooks.page({ businessId: business }, { limit: 10, offset: 0 })
    t.same(
      deliveries.map(({ state, attempts }) => [state, attempts]),
      formats.map(() => ['failed', 5]),
    )
    for (const { id, url } of deliveries) {
      const detail = await parts.webhooks.find(business, id)
      const [sent] = receiver.at(new URL(url).pathname)
      t.equal(detail?.body, sent?.body.toString(), 'the log has the very body')
      for (const { requestHeaders } of detail?.history ?? [])
        t.not(requestHeaders.Signature, headerOf(sent as Capture, 'Signature'), 'and no whole signature')
    }
  },
)

t.test(
  'given a secret, when it is replaced, then both verify for 24 hours, and a retry is signed by what counts then',
  async (t) => {
    const place = await live(t)
    const { tokens, receiver, clock } = place
    await setField(place, 'order_create_webhook_url', 'rotated')
    const path = '/rotated/native'
    receiver.answer(path, () => ({ status: receiver.at(path).length === 1 ? 500 : 200 }))
    const secrets = [await businessSecret(place, tokens.client_admin)]
    await order(place)
    await place.settled()
    for (let count = 0; count < 3; count++) {
      clock.now += 1_000
      await place.ask(tokens.client_admin, 'POST', '/api/v1/webhook-settings/secret/rotate', {})
      secrets.unshift(await businessSecret(place, tokens.client_admin))
    }
    clock.now += 11_000
    await until(
      () => receiver.at(path).length === 2,
      () => 'the retry',
    )
    const [first, retry] = receiver.at(path) as [Capture, Capture]
    t.same(headerOf(first, 'webhook-signature')?.split(' ').length, 1)
    t.same(headerOf(retry, 'webhook-signature')?.split(' ').length, 4)
    for (const secret of secrets) t.same(standardFlaws(retry, standardForm(secret)), [])
    t.same(flawsBy('tenant', retry, secrets[0] ?? ''), [], 'the native signature is of the newest')
    t.not(flawsBy('tenant', retry, secrets[3] ?? '').length, 0)
    clock.now += 24 * 3_600_000 - 11_000 + 1
    const token = await signInAgain(place, 'client_admin')
    await place.ask(token, 'POST', '/api/v1/orders', { type: 'D', delivery: { name: 'A', address: { street: 'S' } } })
    await until(
      () => receiver.at(path).length === 3,
      () => 'an order a day later',
    )
    const later = receiver.at(path)[2] as Capture
    t.same(headerOf(later, 'webhook-signature')?.split(' ').length, 1)
    t.same(standardFlaws(later, standardForm(secrets[0] ?? '')), [])
  },
)

t.test(
  'given a URL with default settings, when it receives an event, then with the original headers only',
  async (t) => {
    const place = await live(t)
    const { ask, tokens, receiver, ids } = place
    await ask(tokens.client_admin, 'PUT', '/api/v1/webhook-settings', {
      order_create_webhook_url: `${receiver.urlOf('/plain?ids=1,2')},${receiver.urlOf('/second')}`,
      order_lifecycle_webhook_url: receiver.urlOf('/cycle'),
    })
    await order(place)
    const { order_id } = await order(place)
    await ask(tokens.client_admin, 'POST', `/api/v1/orders/${order_id}/assign-driver`, { driver_id: ids.driver })
    await place.settled()
    const namesAt = (path: string) =>
      receiver
        .at(path)
        .at(-1)
        ?.headers.map(([name]) => name)
    const connection = ['host', 'connection']
    const tenant = ['Content-Type', 'Signature', 'X-Webhook-Event-Id', 'X-Webhook-Timestamp']
    const rest = ['X-Webhook-Attempt', 'X-Webhook-Sequence', 'user-agent', 'accept-encoding', 'content-length']
    t.same(namesAt('/plain?ids=1,2'), [...connection, ...tenant, ...rest])
    t.same(namesAt('/second'), [...connection, ...tenant, ...rest])
    t.same(namesAt('/cycle'), [...connection, ...tenant, 'X-Webhook-Id', 'X-Webhook-Signature-V2', ...rest])
    t.equal(receiver.at('/plain?ids=1,2').length, 2, 'commas within a query end no URL')
    t.equal(receiver.at('/second').length, 2)
    const body = JSON.parse(receiver.at('/second')[0]?.body.toString() ?? '')
    t.same(Object.keys(body), ['event', 'occurred_at', 'business_id', 'data'])
  },
)

t.test(
  'given a customer with hidden prices, when it and its business receive events, then its events have no prices',
  async (t) => {
    const place = await live(t)
    const { ask, tokens, ids, receiver } = place
    await setAllUrls(place, tokens.client_admin, '/business')
    await setAllUrls(place, tokens.customer, '/customer')
    await ask(tokens.customer, 'PUT', '/api/v1/webhook-settings', { business_copy: true })
    const made = () => order(place, { customer_id: ids.customer })
    const seen = await made()
    await place.settled()
    await ask(tokens.client_admin, 'PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, {
      families: ['local_delivery'],
    })
    const hidden = await made()
    await ask(tokens.client_admin, 'POST', `/api/v1/orders/${hidden.order_id}/assign-driver`, { driver_id: ids.driver })
    await place.settled()
    const secrets = {
      business: await businessSecret(place, tokens.client_admin),
      customer: await businessSecret(place, tokens.customer),
    }
    t.not(secrets.business, secrets.customer)
    for (const field of ['order_create_webhook_url', 'order_status_change_webhook_url'])
      for (const format of formats) {
        const found = (who: string) =>
          receiver
            .at(`/${who}/${field}/${format}`)
            .filter((capture) => nativeIn(format, capture).data.order_id === hidden.order_id)
        const [mine, theirs] = [found('customer'), found('business')]
        t.equal(mine.length, 1, `${field} in ${format}`)
        t.equal(theirs.length, 1)
        t.same(
          mine.flatMap((one) => pricesIn(nativeIn(format, one))),
          [],
        )
        for (const one of theirs)
          t.match(nativeIn(format, one).data, {
            shipping_price: '10.00',
            currency: 'CAD',
            price_details: { tax: '1.50' },
          })
        t.same(
          mine.flatMap((one) => flawsBy('tenant', one, secrets.customer)),
          [],
        )
        t.same(
          theirs.flatMap((one) => flawsBy('tenant', one, secrets.business)),
          [],
        )
        t.same(
          mine.flatMap((one) => standardFlaws(one, standardForm(secrets.customer))),
          [],
        )
      }
    const before = receiver.at('/customer/order_create_webhook_url/native').map((one) => nativeIn('native', one).data)
    t.match(
      before.find(({ order_id }) => order_id === seen.order_id),
      { shipping_price: '10.00' },
      'before that, it received the event',
    )
  },
)

/** The names of document 3 ("What the service does"), and the engine's own. */
const tellsPrice = /price$|^(price_details|currency|tax.*|surcharge.*|.*amount|third_party_.*)$/

function pricesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pricesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (tellsPrice.test(name) ? [name] : pricesIn(member)))
}

t.test(
  'given an order that another carrier has, when its customer receives events, then they are like those of any order',
  async (t) => {
    const place = await live(t)
    const { ask, send, tokens, ids, receiver } = place
    const key = await place.addProvider('secretpost')
    await setAllUrls(place, tokens.client_admin, '/business')
    await setAllUrls(place, tokens.customer, '/customer')
    await ask(tokens.customer, 'PUT', '/api/v1/webhook-settings', { business_copy: true })
    const { order_id, tracking_number } = await order(place, { customer_id: ids.customer })
    const path = `/api/v1/orders/${order_id}`
    await ask(tokens.client_admin, 'POST', `${path}/hand-to-carrier`, { provider: 'secretpost' })
    await place.follow()
    t.equal((await send('POST', `${path}/cancel`, { token: tokens.customer })).status, 409)
    await ask(key, 'POST', '/api/v1/otep/ingest', {
      subject: { tracking_number },
      event_id: 'scan-1',
      occurred_at: new Date(place.clock.now).toISOString(),
      status_code: 'in_transit',
      location: { name: 'Secret depot' },
      source: { type: 'carrier_tracking' },
    })
    await ask(tokens.client_admin, 'POST', `${path}/fail`, { reason: 'deliver_later' })
    await ask(tokens.client_admin, 'POST', `${path}/carrier-delivered`)
    await place.follow()
    await place.settled()
    const bodiesOf = (who: string) =>
      receiver.captures.filter((one) => one.path.startsWith(`/${who}/`)).map(({ body }) => body.toString())
    const [mine, theirs] = [bodiesOf('customer'), bodiesOf('business')]
    t.same(
      mine.filter((body) =>
        /secret|CARRIER|third_party|"provider"|"status":(33|43)|previous_status":(33|43)/i.test(body),
      ),
      [],
    )
    for (const word of [
      /"provider":"secretpost"/,
      /"status":33/,
      /"status":43/,
      /Secret depot/,
      /"code":"cancel_refused"/,
    ])
      t.ok(
        theirs.some((body) => word.test(body)),
        `the business receives ${word}`,
      )
    const dataAt = (who: string, field: string) =>
      receiver.at(`/${who}/${field}/native`).map((one) => nativeIn('native', one).data)
    // Deliveries that are made together arrive in any order.
    const steps = (who: string) =>
      dataAt(who, 'order_status_change_webhook_url')
        .map(({ operation_type, operation_description }) => [Number(operation_type), operation_description] as const)
        .sort(([one], [other]) => one - other)
    t.same(steps('customer'), [
      [1001, ''],
      [2002, ''],
      [6002, ''],
    ])
    t.same(
      steps('business').map(([type]) => type),
      [2009, 6007, 6008],
    )
    t.match(dataAt('customer', 'order_cancel_failed_webhook_url'), [{ code: 'ORDER_CANCEL_REFUSED', http_status: 409 }])
    t.equal(mine.length, theirs.length, 'and of nothing less')
  },
)

t.test(
  'given a URL that is removed, when a delivery still waits for it, then it is skipped, and can be redelivered',
  async (t) => {
    const place = await live(t)
    const { ask, tokens, receiver, clock } = place
    const set = (url: string) =>
      ask(tokens.client_admin, 'PUT', '/api/v1/webhook-settings', { order_create_webhook_url: url })
    const listed = async (state: string) =>
      (await ask(tokens.client_admin, 'GET', `/api/v1/webhook-deliveries?state=${state}`)).deliveries
    const path = '/off'
    receiver.answer(path, () => ({ status: receiver.at(path).length === 1 ? 500 : 200 }))
    await set(receiver.urlOf(path))
    await order(place)
    await place.settled()
    t.equal((await listed('waiting')).length, 1)
    await set('')
    clock.now += 20_000
    await until(
      async () => (await listed('skipped')).length === 1,
      () => 'what waited is skipped',
    )
    t.equal(receiver.at(path).length, 1, 'it was not sent')
    const [{ delivery_id }] = await listed('skipped')
    const again = `/api/v1/webhook-deliveries/${delivery_id}/redeliver`
    t.match(await place.send('POST', again, { token: tokens.client_admin }), {
      status: 409,
      body: { code: 'endpoint_gone' },
    })
    await set(receiver.urlOf(path))
    t.match((await ask(tokens.client_admin, 'POST', again)).delivery, { redelivery_of: delivery_id })
    await until(
      () => receiver.at(path).length === 2,
      () => 'the redelivery',
    )
    const [first, second] = receiver.at(path) as [Capture, Capture]
    t.equal(second.body.toString(), first.body.toString())
    t.not(headerOf(second, 'X-Webhook-Event-Id'), headerOf(first, 'X-Webhook-Event-Id'), 'under a new id')
  },
)

t.test('given events that have an id of their own, when they are sent again, then it stays', async (t) => {
  const place = await live(t)
  const { ask, tokens, receiver } = place
  await setField(place, 'order_lifecycle_webhook_url', 'own')
  await ask(tokens.client_admin, 'POST', `/api/v1/orders/${(await order(place)).order_id}/ready`)
  await place.settled()
  const { deliveries } = await ask(tokens.client_admin, 'GET', '/api/v1/webhook-deliveries')
  for (const { delivery_id } of deliveries)
    await ask(tokens.client_admin, 'POST', `/api/v1/webhook-deliveries/${delivery_id}/redeliver`)
  await place.settled()
  for (const format of formats) {
    const [first, second] = receiver.at(`/own/${format}`) as [Capture, Capture]
    t.equal(second.body.toString(), first.body.toString(), format)
    for (const name of ['X-Webhook-Event-Id', 'X-Webhook-Id', 'webhook-id', 'ce-id'])
      t.equal(headerOf(second, name), headerOf(first, name), `${format}: ${name}`)
  }
})

t.test(
  'given a store without a sending node, when the next node starts, then the events recorded meanwhile are sent',
  async (t) => {
    const file = join(t.testdir(), 'webhooks.db')
    const place = await live(t, { webhooks: { file } })
    const { ask, tokens, receiver } = place
    await ask(tokens.client_admin, 'PUT', '/api/v1/webhook-settings', {
      order_create_webhook_url: receiver.urlOf('/next'),
    })
    await order(place)
    await place.settled()
    await place.stop()
    const { order_id } = await order(place)
    t.equal(receiver.at('/next').length, 1, 'nothing is sent')
    const parts = createParts({
      store: place.store,
      clock: () => place.clock.now,
      webhooks: { file, allow: ['127.0.0.0/8'] },
    })
    const next = sendingOf({ parts, store: place.store })
    next.start()
    await until(
      () => receiver.at('/next').length === 2,
      () => 'the order of between',
    )
    await next.stop()
    await parts.webhooks.close()
    t.equal(nativeIn('native', receiver.at('/next')[1] as Capture).data.order_id, order_id)
  },
)

t.test('given an endpoint, when it is tested, then it is sent one marked example, and never again', async (t) => {
  const place = await live(t)
  const { ask, tokens, receiver, app, clock } = place
  const judge = judgeBy(await (await app.request('/asyncapi-webhooks.json')).json())
  await setAllUrls(place, tokens.client_admin)
  for (const eventType of webhookEventTypes.filter(({ field }) => field !== undefined))
    for (const format of formats) {
      const path = `/${eventType.field}/${format}`
      receiver.answer(path, () => ({ status: 503 }))
      const body = { field: eventType.field, url: receiver.urlOf(path), event: eventType.name }
      const { delivery } = await ask(tokens.client_admin, 'POST', '/api/v1/webhook-settings/test', body)
      t.match(delivery, { test: true, state: 'failed', attempts: 1, last_status: 503 })
      const capture = receiver.at(path).at(-1) as Capture
      t.equal(headerOf(capture, 'X-Webhook-Test'), '1')
      t.equal(nativeIn(format, capture).data.test, true)
      t.same(judge(eventType.name, format, capture), [], `${eventType.name} in ${format}`)
      clock.now += 2_000
    }
  const count = receiver.captures.length
  clock.now += 60_000
  await place.settled()
  t.equal(receiver.captures.length, count + 1, 'nothing is tried again')
})

t.test('given a mock cabinet, when its events are sent, then to the sandbox URL, marked, or not at all', async (t) => {
  const place = await live(t)
  const { ask, tokens, receiver } = place
  const key = await place.addProvider('acme')
  const set = (more: object) =>
    ask(tokens.client_admin, 'PUT', '/api/v1/webhook-endpoints/provider_locker/acme', {
      url: receiver.urlOf('/real'),
      ...more,
    })
  const cancelled = async (mock: boolean) => {
    await ask(key, 'POST', `${await lockerDelivery(place, { key }, { mock })}/cancel`)
    await place.settled()
  }
  await set({ sandbox_url: receiver.urlOf('/sandbox') })
  await cancelled(true)
  await set({})
  await cancelled(true)
  await set({ sandbox_enabled: false })
  await cancelled(true)
  await cancelled(false)
  const [marked, real] = receiver.at('/real') as [Capture, Capture]
  t.equal(receiver.at('/sandbox').length, 1)
  t.equal(receiver.at('/real').length, 2)
  for (const capture of [marked, ...receiver.at('/sandbox')]) {
    t.match(nativeIn('native', capture), { livemode: false, event_id: /^PLE-MOCK-/ })
    t.equal(headerOf(capture, 'X-Webhook-Test'), '1')
  }
  t.match(nativeIn('native', real), { livemode: true, event_id: /^PLE-(?!MOCK)/ })
  t.equal(headerOf(real, 'X-Webhook-Test'), undefined)
})

t.test(
  'given a URL for handoffs, when it does not echo the challenge as it should, then nobody is subscribed',
  async (t) => {
    const place = await live(t)
    const { ask, send, receiver } = place
    const key = await place.addProvider('acme')
    const subscribe = (path: string) => {
      const body = { url: receiver.urlOf(path), secret: 'a secret of some length', events: ['handoff.accepted'] }
      return send('POST', '/api/v1/ohp/subscriptions', { token: key, body })
    }
    const echo = (capture: Capture) => challengeIn(capture) ?? ''
    let before = ''
    receiver.answer('/wrong', () => ({ body: 'f'.repeat(64) }))
    receiver.answer('/none', () => ({}))
    receiver.answer('/failed', (capture) => ({ status: 500, body: echo(capture) }))
    receiver.answer('/again', () => ({ body: before }))
    receiver.answer('/oversized', (capture) => ({ body: echo(capture) + ' '.repeat(20_000) }))
    receiver.answer('/late', (capture) => ({ body: echo(capture), after: 3_200 }))
    receiver.answer('/json', (capture) => {
      before = echo(capture)
      return { body: JSON.stringify({ challenge: before }) }
    })
    t.match(await subscribe('/json'), { status: 200 })
    for (const path of ['/wrong', '/none', '/failed', '/again', '/oversized', '/late'])
      t.match(await subscribe(path), { status: 422, body: { code: 'webhook_challenge_failed' } }, path)
    t.match((await ask(key, 'GET', '/api/v1/ohp/subscriptions')).subscriptions, [{ url: receiver.urlOf('/json') }])
    t.equal((await ask(key, 'GET', '/api/v1/ohp/subscriptions')).subscriptions.length, 1)
    const challenges = receiver.captures.flatMap((capture) => challengeIn(capture) ?? [])
    t.equal(new Set(challenges).size, 7, 'each challenge is another')
    for (const challenge of challenges) t.match(challenge, /^[0-9a-f]{64}$/)
    for (let more = 60 - challenges.length; more > 0; more--) t.equal((await subscribe('/wrong')).status, 422)
    t.match(await subscribe('/wrong'), { status: 429, body: { code: 'too_many_sends' } }, 'and no more in this minute')
    t.match(await subscribe('/json'), { status: 409 }, 'what cannot be recorded anyway is refused as before')
  },
)

t.test(
  'given a customer with its own webhooks, when events are sent, then those of its orders go there, and all others to the business',
  async (t) => {
    const place = await live(t)
    const { ask, send, tokens, ids, receiver, other } = place
    const field = 'order_create_webhook_url'
    const put = (token: string, path: string) =>
      ask(token, 'PUT', '/api/v1/webhook-settings', { [field]: receiver.urlOf(path) })
    await put(tokens.client_admin, '/business')
    await put(tokens.customer, '/customer')
    const [own, general] = [await order(place, { customer_id: ids.customer }), await order(place)]
    await place.settled()
    const toldAt = (path: string) => receiver.at(path).map((one) => nativeIn('native', one).data.order_id)
    t.same(toldAt('/customer'), [own.order_id])
    t.same(toldAt('/business'), [general.order_id])

    const { deliveries } = await ask(tokens.client_admin, 'GET', '/api/v1/webhook-deliveries')
    t.equal(deliveries.length, 2)
    t.equal((await ask(tokens.customer, 'GET', '/api/v1/webhook-deliveries')).deliveries.length, 1)
    t.equal((await ask(other.tokens.client_admin, 'GET', '/api/v1/webhook-deliveries?event=order.created')).total, 0)
    const ofBusiness = deliveries.find((one: { readonly customer_id: unknown }) => one.customer_id === null)
    for (const { delivery_id } of deliveries)
      for (const token of [other.tokens.client_admin, other.tokens.customer]) {
        const path = `/api/v1/webhook-deliveries/${delivery_id}`
        t.equal((await send('GET', path, { token })).status, 404)
        t.equal((await send('POST', `${path}/redeliver`, { token })).status, 404)
        t.equal((await send('POST', `${path}/retry`, { token })).status, 404)
      }
    const path = `/api/v1/webhook-deliveries/${ofBusiness.delivery_id}`
    t.equal((await send('GET', path, { token: tokens.customer })).status, 404, 'nor does a customer see the business')
    const reveal = '/api/v1/webhook-settings/secret/reveal'
    const foreign = { token: other.tokens.client_admin, body: { customer_id: ids.customer } }
    t.equal((await send('POST', reveal, foreign)).status, 404)
    t.equal((await send('POST', reveal, { token: tokens.client_employee, body: {} })).status, 403)
    const wrong = '/api/v1/webhook-endpoints/provider_locker/acme/secret/reveal'
    t.equal((await send('POST', wrong, { token: other.tokens.client_admin, body: {} })).status, 404)
  },
)

t.test('given a secret, when settings are read and sent back, then it is masked, and stays', async (t) => {
  const place = await live(t)
  const { ask, send, tokens, receiver } = place
  const path = '/api/v1/webhook-settings'
  const secret = 'é'.repeat(16)
  const url = receiver.urlOf('/kept')
  await ask(tokens.client_admin, 'PUT', path, { webhook_sign_secret: secret, order_create_webhook_url: url })
  const { settings } = await ask(tokens.client_admin, 'GET', path)
  t.match(settings.webhook_sign_secret, /^\*{4}.{4}$/)
  await ask(tokens.client_admin, 'PUT', path, settings)
  t.equal(await businessSecret(place, tokens.client_admin), secret)
  for (const wrong of ['', 'é'.repeat(15), 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!']) {
    const answer = await send('PUT', path, { token: tokens.client_admin, body: { webhook_sign_secret: wrong } })
    t.equal(answer.status, 422, JSON.stringify(wrong))
  }
  const named = 'http://jane.doe:hunter2-password@127.0.0.1:9/hook'
  const refused = await send('PUT', path, { token: tokens.client_admin, body: { order_create_webhook_url: named } })
  t.equal(refused.status, 422)
  t.notMatch(JSON.stringify(refused.body), /hunter2|jane\.doe/)
  await order(place)
  await place.settled()
  t.same(
    receiver.at('/kept').flatMap((one) => flawsBy('tenant', one, secret)),
    [],
  )
  t.equal(receiver.at('/kept').length, 1)
})

/** The rounds of killing (more in a nightly run), and in each the number of orders and of callers. */
const kills = Number(process.env.OTEP_KILL_ROUNDS ?? 3)
const perRound = 240
const callers = 4

/** A server is killed so many milliseconds after it begins, or after it has sent something, at most. */
const longestWait = 300

/** Concurrent attempts at one URL that answers well: each can be repeated after a kill. */
const inFlight = 64

/** Attempts that were answered and not recorded yet, likewise. */
const unrecorded = 64

t.test(
  `given a server that is killed ${kills} times, then every recorded order is sent, with one id and one body`,
  async (t) => {
    const seed = Number(process.env.OTEP_TEST_SEED ?? randomInt(2 ** 31))
    t.comment(`OTEP_TEST_SEED=${seed} chooses the same moments again`)
    const random = randomFrom(seed)
    process.env.OTEP_WEBHOOK_ALLOW = '127.0.0.0/8'
    t.teardown(() => delete process.env.OTEP_WEBHOOK_ALLOW)
    const dataDir = join(t.testdir(), 'data')
    const { admin } = await openBusiness(['--data-dir', dataDir], { admin: 'client_admin' })
    const receiver = await startReceiver(Date.now)
    t.teardown(receiver.close)
    let server = await startServer(program, dataDir)
    t.teardown(() => server.kill())
    const token = await signIn(server, admin)
    const body = { order_create_webhook_url: receiver.urlOf('/orders') }
    t.equal((await send(server, 'PUT', '/api/v1/webhook-settings', { token, body })).status, 200)
    const answered: number[] = []
    let unanswered = 0

    async function push() {
      const lane = async () => {
        for (let count = 0; count < perRound / callers; count++) {
          const made = { type: 'D', delivery: { name: 'A', address: { street: '1 Street' } } }
          const answer = await send(server, 'POST', '/api/v1/orders', { token, body: made })
          if (answer.status !== 200) return void unanswered++
          answered.push(answer.body.order_id)
        }
      }
      await Promise.all(Array.from({ length: callers }, lane))
    }

    for (let round = 0; round < kills; round++) {
      const before = receiver.captures.length
      const pushing = push()
      if (round % 2 === 0)
        await until(
          () => receiver.captures.length > before,
          () => `something that is sent in round ${round + 1}`,
        )
      await setTimeout(random() * longestWait)
      await server.kill()
      await pushing
      t.comment(`kill ${round + 1}: ${answered.length} orders answered, ${receiver.captures.length} deliveries`)
      server = await startServer(program, dataDir)
    }
    const count = (await send(server, 'GET', '/api/v1/orders?per_page=1', { token })).body.total
    const deliveredOrders = () => new Set(receiver.captures.map((one) => nativeIn('native', one).data.order_id))
    await until(
      () => deliveredOrders().size >= count,
      () => `${count} orders, of which ${deliveredOrders().size} were sent`,
    )
    const delivered = deliveredOrders()
    t.same(
      answered.filter((id) => !delivered.has(id)),
      [],
      'every acknowledged order is sent',
    )
    t.equal(delivered.size, count, 'and every other recorded order')
    const copies = receiver.captures.map((one) => `${headerOf(one, 'X-Webhook-Event-Id')} ${one.body.toString()}`)
    t.equal(new Set(copies).size, count, 'each under one id and with one body, however often')
    const repeated = copies.length - count
    t.ok(repeated <= (inFlight + unrecorded) * kills, `${repeated} deliveries came twice`)
    t.comment(`${kills} kills: ${count} orders (${unanswered} calls without an answer), ${repeated} deliveries twice`)
    t.equal(await server.stop(), 0)
  },
)
