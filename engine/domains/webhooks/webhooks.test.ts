import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { call } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { endpointId } from '../../kernel/endpoint.ts'
import { conditionsIn, filterProblem, meets } from '../../kernel/event-filter.ts'
import type { Operation } from '../../kernel/operation.ts'
import { priceOf } from '../../kernel/prices.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type { Audience, WebhookEvent, WebhookEventFacts, WebhookEventType } from '../../kernel/webhook-event.ts'
import type { EndpointHealth } from '../../kernel/webhooks.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { specificationOf } from '../../testing/spec.ts'
import { type EndpointCommand, providerEndpoints, type SetEndpoint } from './endpoint-decider.ts'
import type { EndpointEvent, SettingsEvent } from './events.ts'
import { tallyOf } from './health.ts'
import { type HealthFact, healthFactTypes, healthWebhookEventSource, healthWebhookEventTypes } from './health-events.ts'
import { getWebhookHealth } from './health-summary.ts'
import { endpointIn, loadHooks } from './hooks.ts'
import { keyOverlap } from './keys.ts'
import { webhookOwnerOf, webhookStream } from './owners.ts'
import { ownersOf, recipientsOf } from './recipients.ts'
import { reportHealth } from './report-health.ts'
import { type ChangeSettings, type SettingsChanges, webhookSettings } from './settings-decider.ts'
import type { ReportHealth, TuneEndpoint } from './tuning.ts'
import { fieldProblem, joinUrls, splitUrls, urlFieldNames } from './urls.ts'
import { delivery, domain, eventTypes, people, world } from './world.test.fixture.ts'

const at = '2026-06-10T10:00:00.000Z'
const told = { at, by: 1 }
const spare = 'spare secret of sixteen'
const url = 'https://a.example/hook'
const other = 'https://b.example/hook'

const { given } = specificationOf(t, webhookSettings)
const change = (changes: SettingsChanges, more: object = {}): ChangeSettings => ({
  ...{ type: 'ChangeSettings', ...told, business_id: 1, changes, generatedSecret: spare },
  ...more,
})
const changed = (data: object): SettingsEvent => ({
  type: 'WebhookSettingsChanged',
  data: { ...told, business_id: 1, ...data },
})
const secretSet = (secret: string, more: object = {}): SettingsEvent & EndpointEvent => ({
  type: 'WebhookSecretReplaced',
  data: { ...told, ...more, personal: { secret } },
})
const created = { order_create_webhook_url: [url] }
const withUrl = changed({ personal: { urls: created } })
const until = (milliseconds: number) => isoOf(instantOf(at) + milliseconds)

t.test(
  'given no settings, when the first URL comes, then a secret is made with it, and none with the second',
  async () => {
    given()
      .when(change({ urls: created }))
      .then(withUrl, secretSet(spare))
    given(withUrl, secretSet(spare))
      .when(change({ urls: { pod_files_webhook_url: [other] } }))
      .then(changed({ personal: { urls: { pod_files_webhook_url: [other] } } }))
    given()
      .when(change({ urls: created, secret: 'my own secret 16' }))
      .then(withUrl, secretSet('my own secret 16'))
    given(secretSet('my own secret 16'))
      .when(change({ urls: created }))
      .then(withUrl)
    given()
      .when(change({ driver_location_min_interval_sec: 30 }))
      .then(changed({ driver_location_min_interval_sec: 30 }))
  },
)

t.test('given settings, when they are set to the same values, then nothing is recorded', async () => {
  given().when(change({})).thenNothing()
  given()
    .when(
      change({ driver_location_min_interval_sec: 60, order_lifecycle_events: [], urls: { pod_files_webhook_url: [] } }),
    )
    .thenNothing()
  given(withUrl, secretSet(spare))
    .when(change({ urls: created, secret: spare }))
    .thenNothing()
  given(withUrl, secretSet(spare))
    .when(change({ secret: '****abcd' }))
    .thenNothing()
})

t.test('given a URL with a format, when the URL is removed, then its format is too', async (t) => {
  const format = { field: 'order_create_webhook_url', url, format: 'ce_binary', standard_signature: true } as const
  const formatted = changed({ personal: { url_formats: [format] } })
  const native = { ...format, format: 'native', standard_signature: false } as const
  given(withUrl, secretSet(spare))
    .when(change({ url_formats: [format] }))
    .then(formatted)
  given(withUrl, secretSet(spare))
    .when(change({ url_formats: [native] }))
    .thenNothing()
  const cleared = changed({ personal: { urls: { order_create_webhook_url: [] } } })
  given(withUrl, secretSet(spare), formatted)
    .when(change({ urls: { order_create_webhook_url: [] } }))
    .then(cleared)
  t.same(fold(webhookSettings, [withUrl, secretSet(spare), formatted, cleared]).values.url_formats, [])
  t.same(fold(webhookSettings, [withUrl, secretSet(spare), formatted, cleared, withUrl]).values.url_formats, [])
  given(withUrl, secretSet(spare), formatted)
    .when(change({ url_formats: [] }))
    .then(changed({ personal: { url_formats: [] } }))
})

t.test('given values that do not fit the level or the fields, when they are set, then they are refused', async () => {
  given()
    .when(change({ business_copy: true }))
    .thenRefused('invalid_input')
  given()
    .when(change({ urls: { route_board_webhook_url: [] } }, { customer_id: 3 }))
    .thenRefused('invalid_input')
  given()
    .when(change({ secret: '****abcd' }))
    .thenRefused('invalid_input')
  const format = { field: 'pod_files_webhook_url', url, format: 'native', standard_signature: true } as const
  given(withUrl)
    .when(change({ url_formats: [format] }))
    .thenRefused('invalid_input')
})

t.test(
  'given a secret, when others take its place, then each signs for 24 hours more, and five at most (7)',
  async (t) => {
    const first = secretSet('first')
    given(first)
      .when({ type: 'RotateSecret', ...told, secret: 'second' })
      .then(secretSet('second', { replaced_until: until(keyOverlap) }))
    given(first)
      .when({ type: 'RotateSecret', ...told, secret: 'first' })
      .thenNothing()
    const replaced = (secret: string, hour: number) =>
      secretSet(secret, { at: until(hour * 3_600_000), replaced_until: until(hour * 3_600_000 + keyOverlap) })
    const six = ['b', 'c', 'd', 'e', 'f'].map((secret, hour) => replaced(secret, hour + 1))
    t.same(fold(webhookSettings, [secretSet('a'), ...six]).keys, [
      { secret: 'f' },
      ...['e', 'd', 'c', 'b'].map((secret, index) => ({
        secret,
        expiresAt: instantOf(at) + (5 - index) * 3_600_000 + keyOverlap,
      })),
    ])
    const aDayLater = fold(webhookSettings, [secretSet('a'), replaced('b', 1), replaced('c', 25)]).keys
    t.same(
      aDayLater.map(({ secret }) => secret),
      ['c', 'b'],
      'what signs no more is forgotten',
    )
    const back = fold(webhookSettings, [secretSet('a'), replaced('b', 1), replaced('a', 2)]).keys
    t.same(
      back.map(({ secret }) => secret),
      ['a', 'b'],
      'a secret that comes back signs once',
    )
    const erased: SettingsEvent = { type: 'WebhookSecretReplaced', data: told }
    t.same(fold(webhookSettings, [first, erased]).keys, [])
  },
)

t.test('given replaced secrets, when they are expired, then that happens once; showing one is recorded', async (t) => {
  const expired: SettingsEvent = { type: 'ReplacedWebhookKeysExpired', data: told }
  const second = secretSet('second', { replaced_until: until(keyOverlap) })
  const expire = { type: 'ExpireReplacedKeys', ...told } as const
  given(secretSet('first')).when(expire).thenNothing()
  given(secretSet('first'), second).when(expire).then(expired)
  given(secretSet('first'), second, expired).when(expire).thenNothing()
  given(secretSet('first'), second)
    .when({ ...expire, at: until(keyOverlap) })
    .thenNothing()
  t.same(fold(webhookSettings, [secretSet('first'), second, expired]).keys, [{ secret: 'second' }])
  const reveal = { type: 'RevealSecret', ...told } as const
  given().when(reveal).thenRefused('webhook_secret_missing')
  given(secretSet('first')).when(reveal).then({ type: 'WebhookSecretRevealed', data: told })
})

t.test(
  'given the endpoint of a provider, when it is set and removed, then each is a fact, and its secret ends with it',
  async (t) => {
    const { given } = specificationOf(t, providerEndpoints)
    const named = { channel: 'provider_locker', provider: 'acme' } as const
    const set: SetEndpoint = {
      ...{ type: 'SetEndpoint', ...told, generatedSecret: spare },
      endpoint: {
        ...{ businessId: 1, ...named, url, isSandboxEnabled: true },
        ...{ format: 'native', standard: false, isInOrder: false, ed25519: false },
      },
    }
    const isSet: EndpointEvent = {
      type: 'ProviderEndpointSet',
      data: {
        ...{ ...told, business_id: 1, ...named, sandbox_enabled: true, format: 'native', standard_signature: false },
        personal: { url },
      },
    }
    const removed: EndpointEvent = { type: 'ProviderEndpointRemoved', data: { ...told, business_id: 1, ...named } }
    given().when(set).then(isSet, secretSet(spare))
    given(isSet, secretSet(spare)).when(set).thenNothing()
    given(isSet, secretSet(spare))
      .when({ ...set, secret: '****abcd' })
      .thenNothing()
    given(isSet, secretSet(spare))
      .when({ ...set, secret: 'an own secret 16' })
      .then(secretSet('an own secret 16', { replaced_until: until(keyOverlap) }))
    given()
      .when({ ...set, secret: '****abcd' })
      .thenRefused('invalid_input')
    given(isSet, secretSet(spare))
      .when({ type: 'RemoveEndpoint', ...told })
      .then(removed)
    given(isSet, secretSet(spare), removed).when(set).then(isSet, secretSet(spare))
    const others: readonly EndpointCommand[] = [
      { type: 'RemoveEndpoint', ...told },
      { type: 'RevealSecret', ...told },
      { type: 'RotateSecret', ...told, secret: 'an own secret 16' },
      { type: 'ExpireReplacedKeys', ...told },
    ]
    for (const command of others) given(isSet, removed).when(command).thenRefused('webhook_endpoint_not_found')
  },
)

t.test('given several URLs in a field, when it is split, then only before the next URL (30)', async (t) => {
  t.same(splitUrls('https://a.example/x?ids=1,2,https://b.example/y'), [
    'https://a.example/x?ids=1,2',
    'https://b.example/y',
  ])
  t.same(splitUrls(' https://a.example , HTTP://b.example,, '), ['https://a.example', 'HTTP://b.example'])
  t.same(splitUrls(', ,https://a.example'), ['https://a.example'])
  for (const nothing of ['', ' ', ',', ' , ,']) t.same(splitUrls(nothing), [])
  const path = fc.string({ unit: fc.constantFrom('a', '?', '=', ',', '/', '1', '.'), maxLength: 12 })
  const urls = fc.array(
    path.map((text) => `https://a.example/${text}b`),
    { maxLength: 5 },
  )
  fc.assert(fc.property(urls, (list) => t.strictSame(splitUrls(joinUrls(list)), list)))
  const hostile = ','.repeat(5_000) + ' '.repeat(5_000)
  t.equal(fieldProblem(`x${hostile}${url}`), 'not_a_url')
  t.equal(fieldProblem(hostile + url), undefined, 'what is blank is skipped')
})

t.test('given texts of fields, when they are checked, then invalid lists of URLs are refused', async (t) => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join()
  t.equal(fieldProblem(list(5)), undefined)
  t.equal(fieldProblem(list(6)), 'webhook_urls_too_many')
  t.equal(fieldProblem(`${url},${url}`), 'not_unique')
  for (const bad of [
    'a.example',
    'https:a.example',
    'ftp://a.example',
    'https://',
    'https://a.example/\tb',
    `https://a.example/${'a'.repeat(2048)}`,
  ])
    t.equal(fieldProblem(bad), 'not_a_url', bad.slice(0, 40))
})

t.test(
  'given settings by the operation, when they are changed, then they are answered with the secret masked (56)',
  async (t) => {
    const { ask, refused, events, asked } = world()
    const empty = await ask('admin', 'get_webhook_settings')
    t.equal(empty.customer_id, null)
    t.equal(empty.settings.webhook_sign_secret, undefined)
    t.equal(empty.settings.driver_location_min_interval_sec, 60)
    t.same(
      urlFieldNames.map((field) => empty.settings[field]),
      urlFieldNames.map(() => ''),
    )
    const { settings } = await ask('admin', 'update_webhook_settings', {
      order_create_webhook_url: `${url}, ${other}`,
      order_lifecycle_events: 'order.accepted, order.assigned',
      url_formats: [
        {
          ...{ field: 'order_create_webhook_url', url: other, format: 'ce_structured', standard_signature: true },
          in_order: true,
        },
      ],
    })
    t.equal(settings.order_create_webhook_url, `${url},${other}`)
    t.equal(settings.order_lifecycle_events, 'order.accepted,order.assigned')
    t.match(settings.webhook_sign_secret, /^\*{4}.{4}$/)
    t.same(asked, [
      ['admit', url],
      ['admit', other],
    ])
    const before = (await events()).length
    const again = await ask('admin', 'update_webhook_settings', settings)
    t.same(again.settings, settings)
    t.equal((await events()).length, before, 'what was answered changes nothing')
    t.equal(asked.length, 2, 'and what is known is not looked up again')
    t.equal(
      await refused('admin', 'update_webhook_settings', { webhook_sign_secret: '' }),
      'webhook_sign_secret webhook_secret_too_short',
    )
    const { webhook_sign_secret, standard_webhooks_secret } = await ask('admin', 'reveal_webhook_secret')
    t.equal(webhook_sign_secret, standard_webhooks_secret, 'a generated one has the form of Standard Webhooks')
    t.equal(standard_webhooks_secret.slice(-4), settings.webhook_sign_secret.slice(-4))
    t.same((await events()).at(-1)?.type, 'WebhookSecretRevealed')
    const kept = JSON.stringify(await events())
    for (const secret of [webhook_sign_secret, 'a.example', 'b.example'])
      t.notOk(kept.includes(secret), 'sealed at rest')
    const shown = JSON.stringify([empty, settings, again])
    t.notOk(shown.includes(webhook_sign_secret.slice(6)), 'and not told but where it is revealed')
  },
)

t.test('given secrets, when one is set, then an invalid one is refused at its member (3, 4)', async (t) => {
  const { ask, refused } = world()
  const codeOf = async (secret: string) => refused('admin', 'update_webhook_settings', { webhook_sign_secret: secret })
  t.equal(await codeOf('x'.repeat(15)), 'webhook_sign_secret webhook_secret_too_short')
  t.equal(await codeOf('é'.repeat(16)), 'done')
  t.equal(await codeOf('whsec_not base64!!!!!!'), 'webhook_sign_secret webhook_secret_not_base64')
  const unpadded = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
  t.equal(await codeOf(unpadded), 'done')
  const shown = await ask('admin', 'reveal_webhook_secret')
  t.equal(shown.webhook_sign_secret, unpadded)
  t.equal(shown.standard_webhooks_secret, `${unpadded}=`)
  t.equal(await refused('admin', 'rotate_webhook_secret', { secret: 'short' }), 'secret webhook_secret_too_short')
  t.equal(await refused('admin', 'rotate_webhook_secret', { secret: '****abcd' }), 'secret webhook_secret_too_short')
})

t.test(
  'given URLs that nothing may be sent to, when they are set, then all are refused at their members (53)',
  async (t) => {
    const { context, refused, events } = world()
    const input = {
      order_create_webhook_url: `${url},https://ann:password@a.example/`,
      pod_files_webhook_url: 'http://internal/x',
      order_deleted_webhook_url: url,
    }
    t.equal(
      await refused('admin', 'update_webhook_settings', input),
      'order_create_webhook_url webhook_url_refused, pod_files_webhook_url webhook_url_refused',
    )
    t.equal((await events()).length, 0)
    const operation = domain.operations.find(({ name }) => name === 'update_webhook_settings')
    const error = await operation?.handle(context('admin'), input).catch((thrown) => thrown)
    t.notOk(JSON.stringify([error.message, error.findings]).includes('password'), 'and nobody repeats the credentials')
    const endpoint = { channel: 'provider_locker', provider: 'acme', url, sandbox_url: 'http://internal/x' }
    t.equal(await refused('admin', 'set_webhook_endpoint', endpoint), 'sandbox_url webhook_url_refused')
  },
)

t.test('given invalid inputs, when settings are changed, then each is refused at its path', async (t) => {
  const { refused } = world()
  const codes = async (input: object, who: 'admin' | 'customer' = 'admin') =>
    refused(who, 'update_webhook_settings', { ...input })
  t.equal(await codes({ order_create_webhook_url: 'nowhere' }), 'order_create_webhook_url not_a_url')
  t.equal(
    await codes({ device_order_events: 'device_order.stored,order.assigned' }),
    'device_order_events webhook_event_unknown',
  )
  t.equal(
    await codes({ order_lifecycle_events: 'driver.location_update' }),
    'order_lifecycle_events webhook_event_unknown',
  )
  for (const driver_location_min_interval_sec of [0, 86_401, 1.5])
    t.match(await codes({ driver_location_min_interval_sec }), /^driver_location_min_interval_sec /)
  const format = { field: 'order_create_webhook_url', url, format: 'native', standard_signature: true }
  t.equal(await codes({ url_formats: [format] }), 'url_formats[0].url webhook_url_unknown')
  t.equal(
    await codes({ order_create_webhook_url: url, url_formats: [format, format] }),
    'url_formats[1].url not_unique',
  )
  t.equal(await codes({ business_copy: true }), 'business_copy webhook_customer_only')
  t.equal(await codes({ route_board_webhook_url: url }, 'customer'), 'route_board_webhook_url webhook_business_only')
  t.equal(await codes({ unknown: 1 }), 'unknown unknown_field')
})

t.test(
  'given random changes, when what is answered is sent back, then it changes nothing and records nothing',
  async (t) => {
    const { ask, store } = world()
    const anyUrl = fc.constantFrom(url, other, 'https://a.example/x?ids=1,2', 'http://c.example')
    const field = fc.uniqueArray(anyUrl, { maxLength: 4 }).map((urls) => urls.join(', '))
    const optional = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined })
    const names = fc.uniqueArray(fc.constantFrom('order.assigned', 'order.accepted')).map((list) => list.join())
    const inputs = fc.record({
      order_create_webhook_url: optional(field),
      device_order_webhook_url: optional(field),
      order_lifecycle_webhook_url: optional(field),
      order_lifecycle_events: optional(names),
      driver_location_min_interval_sec: optional(fc.integer({ min: 1, max: 86_400 })),
      webhook_sign_secret: optional(fc.constantFrom('é'.repeat(16), 'a secret of sixteen')),
      format: fc.constantFrom('native', 'ce_binary', 'ce_structured'),
      standard_signature: fc.boolean(),
      customer: fc.boolean(),
    })
    let formats = 0
    await fc.assert(
      fc.asyncProperty(inputs, async ({ format, standard_signature, customer, ...input }) => {
        const level = customer ? { customer_id: people.customer.id } : {}
        const set = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
        await ask('admin', 'update_webhook_settings', { ...level, ...set })
        const { settings } = await ask('admin', 'get_webhook_settings', level)
        const url_formats = splitUrls(settings.order_create_webhook_url).map((one) => ({
          ...{ field: 'order_create_webhook_url', url: one, format, standard_signature },
        }))
        const answered = (await ask('admin', 'update_webhook_settings', { ...level, url_formats })).settings
        formats += answered.url_formats.length
        const stream = webhookStream(customer ? 'customer.3' : 'business.1')
        const before = await store.last(stream)
        const again = (await ask('admin', 'update_webhook_settings', { ...level, ...answered })).settings
        t.strictSame(again, answered)
        t.strictSame(await store.last(stream), before)
      }),
      { numRuns: runs(t, 6) },
    )
    t.ok(!areMany || formats > 20, 'formats were among them')
  },
)

const createdEndpoint = endpointId('business.1', 'order_create_webhook_url', url)

/** What every operation here needs to be asked at all. */
const inputs: Readonly<Record<string, object>> = {
  get_webhook_settings: {},
  update_webhook_settings: {},
  reveal_webhook_secret: {},
  rotate_webhook_secret: {},
  expire_webhook_secrets: {},
  test_webhook: { field: 'order_create_webhook_url' },
  list_webhook_endpoints: {},
  set_webhook_endpoint: { channel: 'provider_locker', provider: 'acme', url },
  reveal_webhook_endpoint_secret: { channel: 'provider_locker', provider: 'acme' },
  rotate_webhook_endpoint_secret: { channel: 'provider_locker', provider: 'acme' },
  expire_webhook_endpoint_secrets: { channel: 'provider_locker', provider: 'acme' },
  test_webhook_endpoint: { channel: 'provider_locker', provider: 'acme' },
  delete_webhook_endpoint: { channel: 'provider_locker', provider: 'acme' },
  list_webhook_urls: {},
  get_webhook_url: { endpoint_id: createdEndpoint },
  get_webhook_health: {},
  tune_webhook_url: { endpoint_id: createdEndpoint, on: false },
  pull_webhooks: { queue: 'erp' },
  list_webhook_deliveries: {},
  get_webhook_delivery: { delivery_id: 'd1' },
  redeliver_webhook: { delivery_id: 'd1' },
  redeliver_webhooks: { delivery_ids: ['d1'] },
  retry_webhook_delivery: { delivery_id: 'd1' },
  replay_webhook_deliveries: { states: ['failed'], since: at, until: at },
  list_parked_webhook_events: {},
  rebuild_webhook_events: {},
}

t.test('given each kind of account, when it calls each operation, then it may only use its own (55)', async (t) => {
  const { ask, refused } = world([delivery('d1'), delivery('d2', { customerId: 3, owner: 'customer.3' })])
  t.same(Object.keys(inputs).sort(), domain.operations.map(({ name }) => name).sort(), 'all operations are named here')
  await ask('admin', 'update_webhook_settings', { order_create_webhook_url: url })
  const names = Object.keys(inputs)
  const codes = async (who: keyof typeof people) =>
    Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await refused(who, name, { ...inputs[name] })] as const)),
    )
  for (const who of ['driver', 'contractor'] as const)
    t.same(new Set(Object.values(await codes(who))), new Set(['forbidden']), who)
  const reading = [
    ...['get_webhook_settings', 'list_webhook_deliveries', 'get_webhook_delivery'],
    ...['list_webhook_urls', 'get_webhook_url', 'get_webhook_health', 'list_parked_webhook_events'],
  ]
  for (const [name, code] of Object.entries(await codes('employee')))
    t.equal(
      code,
      reading.includes(name) ? 'done' : name === 'list_webhook_endpoints' ? 'wrong_account' : 'forbidden',
      name,
    )
  for (const [name, code] of Object.entries(await codes('customer'))) {
    if (name.includes('endpoint')) t.equal(code, 'wrong_account', name)
    if (/(get|tune)_webhook_url/.test(name)) t.equal(code, 'webhook_endpoint_not_found', name)
    if (name === 'pull_webhooks') t.equal(code, 'webhook_queue_not_found', name)
    if (/get_webhook_delivery|redeliver_webhook$|retry/.test(name)) t.equal(code, 'delivery_not_found', name)
  }
  for (const name of ['get_webhook_delivery', 'redeliver_webhook', 'retry_webhook_delivery']) {
    t.equal(await refused('customer', name, { delivery_id: 'd2' }), 'done', name)
    for (const who of ['otherCustomer', 'stranger', 'strangeCustomer'] as const)
      for (const delivery_id of ['d1', 'd2', 'd3'])
        t.equal(await refused(who, name, { delivery_id }), 'delivery_not_found', `${who} ${name} ${delivery_id}`)
  }
  t.equal((await ask('customer', 'list_webhook_deliveries')).total, 1)
  t.equal((await ask('employee', 'list_webhook_deliveries')).total, 2)
  t.equal((await ask('stranger', 'list_webhook_deliveries')).total, 0)
  const ofCustomer = { customer_id: people.customer.id }
  for (const name of names.filter(
    (one) =>
      /settings|_url|_secret$|_secrets$|replay|redeliver_webhooks|list_webhook_del|test_webhook$/.test(one) &&
      !one.includes('endpoint'),
  ))
    for (const who of ['otherCustomer', 'stranger', 'strangeCustomer'] as const)
      t.equal(await refused(who, name, { ...inputs[name], ...ofCustomer }), 'customer_not_found', `${who} ${name}`)
  t.equal(await refused('admin', 'get_webhook_settings', { customer_id: people.driver.id }), 'customer_not_found')
  t.equal(await refused('customer', 'get_webhook_settings', ofCustomer), 'done')
})

t.test(
  'given a customer and its business, when either sets the webhooks of the customer, then they are the same',
  async (t) => {
    const { ask } = world()
    const set = await ask('customer', 'update_webhook_settings', { pod_files_webhook_url: url, business_copy: true })
    t.equal(set.customer_id, 3)
    t.equal(set.settings.business_copy, true)
    t.notOk('route_board_webhook_url' in set.settings)
    t.same(await ask('admin', 'get_webhook_settings', { customer_id: 3 }), set)
    t.equal((await ask('admin', 'get_webhook_settings')).settings.pod_files_webhook_url, '', 'the business has its own')
    t.notOk('business_copy' in (await ask('admin', 'get_webhook_settings')).settings)
  },
)

t.test(
  'given a secret, when it is rotated, then both sign for 24 hours, or until the old one is to expire (7)',
  async (t) => {
    const { ask, clock, store } = world()
    const set = { pod_files_webhook_url: url, webhook_sign_secret: 'the first secret' }
    await ask('admin', 'update_webhook_settings', set)
    const rotated = await ask('admin', 'rotate_webhook_secret', { secret: 'the second secret' })
    t.equal(rotated.standard_webhooks_secret, `whsec_${Buffer.from('the second secret').toString('base64')}`)
    t.same(rotated.replaced_until, [isoOf(clock.now + keyOverlap)])
    const keys = async () => (await loadHooks(store, 'business.1')).endpoints[0]?.keys
    t.same(await keys(), [
      { secret: 'the second secret' },
      { secret: 'the first secret', expiresAt: clock.now + keyOverlap },
    ])
    const byPut = await ask('admin', 'update_webhook_settings', { webhook_sign_secret: 'the third secret' })
    t.equal(byPut.replaced_until.length, 2, 'a new one in the settings is a rotation too')
    t.same((await ask('admin', 'expire_webhook_secrets')).replaced_until, [])
    t.same(await keys(), [{ secret: 'the third secret' }])
    const random = await ask('admin', 'rotate_webhook_secret')
    t.match(random.standard_webhooks_secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    clock.now += keyOverlap
    t.same((await ask('admin', 'get_webhook_settings')).replaced_until, [], 'a day later one signs alone')
  },
)

t.test(
  'given the endpoints of providers, when they are set, then each is by itself, and gone when it is deleted (25)',
  async (t) => {
    const { ask, refused, store, tests } = world()
    const locker = { channel: 'provider_locker', provider: 'acme' }
    const { endpoint } = await ask('admin', 'set_webhook_endpoint', {
      ...locker,
      url,
      events: ['partner_locker.delivery.expired'],
    })
    t.match(endpoint, { ...locker, url, sandbox_enabled: true, format: 'native', standard_signature: false })
    t.match(endpoint.secret, /^\*{4}.{4}$/)
    const back = await ask('admin', 'set_webhook_endpoint', {
      ...locker,
      ...{ url, events: endpoint.events, secret: endpoint.secret },
    })
    t.same(back.endpoint, endpoint)
    const set = async (more: object) => refused('admin', 'set_webhook_endpoint', { ...locker, url, ...more })
    t.equal(await set({ events: ['delivery.assignment.created'] }), 'events[0] webhook_event_unknown')
    t.equal(await set({ provider: 'other' }), 'provider_not_found', 'a provider of another business')
    t.equal(await set({ provider: 'No One' }), 'provider not_provider_name')
    t.equal(await set({ channel: 'tenant' }), 'channel unknown_value')
    await ask('admin', 'set_webhook_endpoint', { ...locker, channel: 'third_party_delivery', url: other })
    const listed = await ask('admin', 'list_webhook_endpoints')
    t.same(
      listed.endpoints.map(({ channel }: { readonly channel: string }) => channel),
      ['provider_locker', 'third_party_delivery'],
    )
    t.equal((await ask('stranger', 'list_webhook_endpoints')).total, 0)
    t.equal(await refused('stranger', 'reveal_webhook_endpoint_secret', locker), 'webhook_endpoint_not_found')
    const revealed = await ask('admin', 'reveal_webhook_endpoint_secret', locker)
    t.equal(revealed.standard_webhooks_secret.slice(-4), endpoint.secret.slice(-4))
    t.equal((await ask('admin', 'rotate_webhook_endpoint_secret', locker)).replaced_until.length, 1)
    t.same((await ask('admin', 'expire_webhook_endpoint_secrets', locker)).replaced_until, [])
    await ask('admin', 'test_webhook_endpoint', locker)
    t.match(tests, [
      { endpoint: { url, owner: 'provider.1.acme.provider_locker' }, eventType: eventTypes.expired.name },
    ])
    const owner = 'provider.1.acme.provider_locker'
    const id = (await loadHooks(store, owner)).endpoints[0]?.id ?? ''
    t.ok(endpointIn(await loadHooks(store, owner), id))
    await ask('admin', 'delete_webhook_endpoint', locker)
    t.equal(endpointIn(await loadHooks(store, owner), id), undefined)
    t.equal((await ask('admin', 'list_webhook_endpoints')).total, 1)
    t.equal(await refused('admin', 'delete_webhook_endpoint', locker), 'webhook_endpoint_not_found')
  },
)

t.test('given a URL, when a test is sent, then it goes there with the requested event', async (t) => {
  const { ask, refused, tests } = world()
  await ask('admin', 'update_webhook_settings', { order_lifecycle_webhook_url: `${url},${other}` })
  const field = 'order_lifecycle_webhook_url'
  const { delivery: sent } = await ask('admin', 'test_webhook', { field })
  t.match(sent, { test: true, event: 'order.assigned', url })
  await ask('admin', 'test_webhook', { field, url: other, event: 'order.accepted' })
  t.match(tests, [
    { endpoint: { url }, eventType: 'order.assigned' },
    { endpoint: { url: other }, eventType: 'order.accepted' },
  ])
  const code = (input: object) => refused('admin', 'test_webhook', { field, ...input })
  t.equal(await code({ url: 'https://c.example' }), 'url webhook_url_unknown')
  t.equal(await code({ event: 'order.created' }), 'event webhook_event_unknown')
  t.equal(await code({ field: 'pod_files_webhook_url' }), 'field webhook_url_unknown')
  t.equal(await code({ customer_id: 3 }), 'field webhook_url_unknown')
  t.equal(tests.length, 2)
  await ask('admin', 'update_webhook_settings', { order_lifecycle_events: 'order.accepted' })
  t.match(
    await ask('admin', 'test_webhook', { field }),
    { delivery: { event: 'order.accepted' } },
    'one that it is told',
  )
})

t.test(
  'given a test under an idempotency key, then its answer is not kept: it holds what a receiver said',
  async (t) => {
    for (const name of ['test_webhook', 'test_webhook_endpoint'])
      t.equal(domain.operations.find((operation) => operation.name === name)?.secret, true, name)
  },
)

t.test(
  'given the endpoint of a provider, when its sandbox is switched off, then both of its URLs say so',
  async (t) => {
    const { ask, store } = world()
    const named = { channel: 'provider_locker', provider: 'acme' }
    const set = (more: object) => ask('admin', 'set_webhook_endpoint', { ...named, url, sandbox_url: other, ...more })
    const switches = async () =>
      (await loadHooks(store, 'provider.1.acme.provider_locker')).endpoints.map(({ isSandboxOff }) => isSandboxOff)
    await set({})
    t.same(await switches(), [undefined, undefined])
    await set({ sandbox_enabled: false })
    t.same(await switches(), [true, true])
  },
)

t.test(
  'given the log, when it is asked, then within what the caller may see, and a replay has its bound (57)',
  async (t) => {
    const { ask, refused, queries, asked } = world([
      delivery('d1', { customerId: 3, nextAt: 5, lastStatus: 500, lastFailure: 'status', redeliveryOf: 'd0' }),
    ])
    const since = '2026-06-10T12:00:00+02:00'
    await ask('admin', 'list_webhook_deliveries', {
      ...{ event: 'order.created', state: ['failed', 'dead'], channel: 'tenant', endpoint_id: 'e1', order_id: 42 },
      ...{ since, until: at, page: 2, per_page: 10 },
    })
    await ask('customer', 'list_webhook_deliveries')
    const narrow = { url: 'a.example', status: 503, failure: 'status', cursor: '5-1' }
    t.notOk('total' in (await ask('admin', 'list_webhook_deliveries', { ...narrow, event_id: 'EVT-1' })))
    await ask('customer', 'redeliver_webhooks', { delivery_ids: ['d1', 'd2'] })
    const replay = { states: ['failed', 'dead', 'skipped'], since, until: at, limit: 10 }
    t.same(await ask('customer', 'replay_webhook_deliveries', replay), { result: true, replayed: 10, left: 7 })
    const from = instantOf(at)
    t.same(queries, [
      {
        ...{ businessId: 1, event: 'order.created', channel: 'tenant', endpointId: 'e1', state: ['failed', 'dead'] },
        ...{ subject: 'order/42', since: from, until: from },
      },
      { businessId: 1, customerId: 3 },
      { businessId: 1, eventId: 'EVT-1', url: 'a.example', status: 503, failure: 'status' },
      { businessId: 1, customerId: 3, state: ['delivered', 'failed', 'dead', 'skipped'], ids: ['d1', 'd2'] },
      { businessId: 1, customerId: 3, state: ['failed', 'dead', 'skipped'], since: from, until: from },
    ])
    t.equal(await refused('admin', 'replay_webhook_deliveries', { ...replay, limit: 1_001 }), 'limit too_large')
    t.equal(
      await refused('admin', 'replay_webhook_deliveries', { ...replay, states: ['delivered'] }),
      'states[0] unknown_value',
    )
    const { delivery: found } = await ask('customer', 'get_webhook_delivery', { delivery_id: 'd1' })
    t.match(found, { delivery_id: 'd1', customer_id: 3, next_attempt_at: '1970-01-01T00:00:00.005Z', last_status: 500 })
    t.match(found, { last_failed_phase: null, last_phases: null }, 'what was not measured')
    t.equal((await ask('admin', 'redeliver_webhook', { delivery_id: 'd1' })).delivery.redelivery_of, 'd1')
    await ask('admin', 'retry_webhook_delivery', { delivery_id: 'd1' })
    t.same(asked, [
      ['redeliver', 'd1'],
      ['retry', 'd1'],
    ])
  },
)

t.test('given a text, when the log is searched for it, then only by those who may read bodies', async (t) => {
  const { ask, refused, context, queries } = world([delivery('d1')])
  await ask('customer', 'list_webhook_deliveries', { text: 'Ana' })
  t.same(queries, [{ businessId: 1, customerId: 3, text: 'Ana' }])
  t.equal(await refused('admin', 'list_webhook_deliveries', { text: 'Ana', page: 2 }), 'page webhook_search_page')
  t.equal(await refused('admin', 'list_webhook_deliveries', { text: '' }), 'text too_short')
  const list = domain.operations.find(({ name }) => name === 'list_webhook_deliveries') as Operation
  const own = context('employee')
  const staffRole = { id: 1, name: 'watch', scopes: [], operations: ['list_webhook_deliveries'] }
  const watching = { ...own, caller: { ...own.caller, account: { ...people.employee, staffRole } } }
  t.match(await call(list, watching, {}), { deliveries: [{}] })
  await t.rejects(call(list, watching, { text: 'Ana' }), { code: 'outside_role' })
})

const tenant = (customerId?: number): Audience => ({ kind: 'tenant', businessId: 1, customerId })
const acme: Audience = { kind: 'provider', businessId: 1, provider: 'acme' }

function webhookEvent(audience: Audience, more: Partial<WebhookEvent> = {}): WebhookEvent {
  return { type: '', id: 'EVT-1', audience, occurredAt: at, subject: 'order/42', data: () => ({}), ...more }
}

/** Who is notified, as `reader url`, with `held` if not always. */
async function toldOf({ store }: ReturnType<typeof world>, eventType: WebhookEventType, it: WebhookEvent) {
  const owners = ownersOf(it, eventType)
  const loaded = await Promise.all(owners.map(async (owner) => [owner, await loadHooks(store, owner)] as const))
  return recipientsOf(eventType, it, new Map(loaded)).map(
    ({ endpoint, reader, isThrottled: isHeld }) => `${reader} ${endpoint.url}${isHeld ? ' held' : ''}`,
  )
}

t.test(
  'given two URLs in a field, when something is told, then each is an endpoint of its own; cleared, none is left (25, 29)',
  async (t) => {
    const made = world()
    const { ask, store } = made
    await ask('admin', 'update_webhook_settings', {
      order_create_webhook_url: `${url},${other}`,
      url_formats: [
        {
          ...{ field: 'order_create_webhook_url', url: other, format: 'ce_binary', standard_signature: true },
          in_order: true,
        },
      ],
    })
    const hooks = await loadHooks(store, 'business.1')
    t.match(hooks.endpoints, [
      { url, format: 'native', standard: false, channel: 'tenant', businessId: 1, interval: 0 },
      { url: other, format: 'ce_binary', standard: true, isInOrder: true },
    ])
    t.equal(hooks.endpoints[0]?.isInOrder, undefined)
    const [first, second] = hooks.endpoints
    t.not(first?.id, second?.id)
    t.same(await toldOf(made, eventTypes.created, webhookEvent(tenant())), [`business ${url}`, `business ${other}`])
    t.same(await toldOf(made, eventTypes.moved, webhookEvent(tenant())), [], 'another field has none')
    await ask('admin', 'update_webhook_settings', { order_create_webhook_url: other })
    const left = await loadHooks(store, 'business.1')
    t.equal(endpointIn(left, first?.id ?? ''), undefined, 'switched off')
    t.match(endpointIn(left, second?.id ?? ''), { format: 'ce_binary' }, 'the other is the same as before')
    await ask('admin', 'update_webhook_settings', { order_create_webhook_url: '' })
    t.same((await loadHooks(store, 'business.1')).endpoints, [])
  },
)

t.test(
  'given a customer with a URL of its own, when its shipment is told of, then to it alone, or beside the business (55)',
  async (t) => {
    const made = world()
    const { ask } = made
    await ask('admin', 'update_webhook_settings', {
      order_create_webhook_url: url,
      order_status_change_webhook_url: url,
    })
    await ask('customer', 'update_webhook_settings', { order_create_webhook_url: other })
    const of = (customer?: number) => webhookEvent(tenant(customer))
    t.same(await toldOf(made, eventTypes.created, of(3)), [`customer ${other}`])
    t.same(await toldOf(made, eventTypes.created, of(4)), [`business ${url}`], 'another customer has none')
    t.same(await toldOf(made, eventTypes.created, of()), [`business ${url}`])
    t.same(await toldOf(made, eventTypes.moved, of(3)), [`business ${url}`], 'nor has it one in another field')
    await ask('customer', 'update_webhook_settings', { business_copy: true })
    t.same(await toldOf(made, eventTypes.created, of(3)), [`customer ${other}`, `business ${url}`])
    const [endpoint] = (await loadHooks(made.store, 'customer.3')).endpoints
    t.match(endpoint, { customerId: 3, businessId: 1, owner: 'customer.3' })
    await ask('admin', 'update_webhook_settings', { route_board_webhook_url: url })
    t.same(ownersOf(of(3), eventTypes.seat), ['business.1'])
    t.same(await toldOf(made, eventTypes.seat, of(3)), [`business ${url}`])
  },
)

t.test(
  'given narrowings, intervals and what tells the same, when something is told, then to whom it concerns',
  async (t) => {
    const made = world()
    const { ask, store } = made
    await ask('admin', 'update_webhook_settings', {
      ...{ order_lifecycle_webhook_url: url, order_lifecycle_events: 'order.accepted' },
      ...{ driver_location_webhook_url: url, driver_location_min_interval_sec: 30 },
      ...{ order_create_webhook_url: url, order_create_async_postback_url: url },
    })
    t.same(await toldOf(made, eventTypes.accepted, webhookEvent(tenant())), [`business ${url}`])
    t.same(await toldOf(made, eventTypes.assigned, webhookEvent(tenant())), [])
    const throttle = 'driver/7'
    t.same(await toldOf(made, eventTypes.position, webhookEvent(tenant(), { throttle })), [`business ${url} held`])
    t.match((await loadHooks(store, 'business.1')).byField.get('driver_location_webhook_url'), [{ interval: 30_000 }])
    const inBatch = (customer?: number) =>
      webhookEvent(tenant(customer), { skippedBy: 'order_create_async_postback_url' })
    t.same(await toldOf(made, eventTypes.created, inBatch()), [])
    t.same(await toldOf(made, eventTypes.created, webhookEvent(tenant())), [`business ${url}`])
    await ask('customer', 'update_webhook_settings', { order_create_webhook_url: other })
    t.same(await toldOf(made, eventTypes.created, inBatch(3)), [`customer ${other}`], 'of the same recipient alone')
    await ask('customer', 'update_webhook_settings', { business_copy: true })
    t.same(await toldOf(made, eventTypes.created, inBatch(3)), [`customer ${other}`])
    await ask('customer', 'update_webhook_settings', { order_create_async_postback_url: other, business_copy: false })
    t.same(await toldOf(made, eventTypes.created, inBatch(3)), [])
  },
)

t.test(
  'given the sandbox, when a provider is told of it, then at the sandbox URL, else at the other, or not at all (33)',
  async (t) => {
    const made = world()
    const locker = { channel: 'provider_locker', provider: 'acme', url }
    const set = (more: object) => made.ask('admin', 'set_webhook_endpoint', { ...locker, ...more })
    const real = webhookEvent(acme)
    const sandbox = webhookEvent(acme, { isSandbox: true })
    t.same(await toldOf(made, eventTypes.opened, real), [])
    await set({ sandbox_url: other })
    t.same(await toldOf(made, eventTypes.opened, sandbox), [`business ${other}`])
    t.same(await toldOf(made, eventTypes.opened, real), [`business ${url}`])
    await set({})
    t.same(await toldOf(made, eventTypes.opened, sandbox), [`business ${url}`])
    await set({ sandbox_url: other, sandbox_enabled: false })
    t.same(await toldOf(made, eventTypes.opened, sandbox), [])
    t.same(await toldOf(made, eventTypes.opened, real), [`business ${url}`])
    await set({ events: ['partner_locker.delivery.expired'] })
    t.same(await toldOf(made, eventTypes.opened, real), [])
    t.same(await toldOf(made, eventTypes.expired, real), [`business ${url}`])
    t.same(await toldOf(made, eventTypes.given, real), [], 'another channel has an endpoint of its own')
  },
)

t.test(
  'given webhook events of each kind, when owners are requested, then they are the streams of settings',
  async (t) => {
    t.same(ownersOf(webhookEvent(tenant(3)), eventTypes.created), ['business.1', 'customer.3'])
    t.same(ownersOf(webhookEvent(acme), eventTypes.given), ['provider.1.acme.third_party_delivery'])
    t.same(ownersOf(webhookEvent(acme), eventTypes.handoff), ['subscription.1.acme'])
    t.equal(webhookOwnerOf(webhookStream('business.1')), 'business.1')
    t.equal(webhookOwnerOf('business-1'), undefined)
  },
)

const tune = (more: Partial<TuneEndpoint>): TuneEndpoint => ({
  ...{ type: 'TuneEndpoint', ...told, endpoint_id: createdEndpoint },
  ...more,
})
const tunedTo = (data: object): SettingsEvent => ({
  type: 'WebhookEndpointTuned',
  data: { ...told, endpoint_id: createdEndpoint, ...data },
})
const report = (more: Partial<ReportHealth>): ReportHealth => ({
  ...{ type: 'ReportHealth', at, endpoint_id: createdEndpoint, disableAfterDays: 0 },
  ...more,
})
const failing = { at, endpoint_id: createdEndpoint, since: until(-600_000), status: 503, failure: 'status' } as const
const failed: SettingsEvent = { type: 'WebhookEndpointFailing', data: failing }

t.test('given an endpoint, when it is switched or limited, then each change is recorded once', async () => {
  given(withUrl)
    .when(tune({ on: false, in_flight: 2 }))
    .then(tunedTo({ on: false, in_flight: 2 }))
  given(withUrl)
    .when(tune({ on: true }))
    .then()
  given(withUrl, tunedTo({ on: false, in_flight: 2 }))
    .when(tune({ on: false, in_flight: 2 }))
    .then()
  given(withUrl, tunedTo({ on: false, in_flight: 2 }))
    .when(tune({ in_flight: null }))
    .then(tunedTo({ in_flight: null }))
  given(withUrl)
    .when(tune({ endpoint_id: 'other', on: false }))
    .thenRefused('webhook_endpoint_not_found')
  const gone = changed({ personal: { urls: { order_create_webhook_url: [] } } })
  given(withUrl, tunedTo({ on: false }), gone, withUrl)
    .when(tune({ on: false }))
    .then(tunedTo({ on: false }))
})

t.test(
  'given a URL, when it is named, then its name is sealed, stays with other changes, and ends with null',
  async (t) => {
    const { ask, refused, store, events } = world()
    await ask('admin', 'update_webhook_settings', { order_create_webhook_url: url })
    const endpoint_id = endpointId('business.1', 'order_create_webhook_url', url)
    const tune = async (changes: object) => (await ask('admin', 'tune_webhook_url', { endpoint_id, ...changes })).url
    t.match(await tune({ name: 'Ana’s ERP', headers: [{ name: 'X-Key', value: 'k' }] }), { name: 'Ana’s ERP' })
    t.notMatch(JSON.stringify(await events()), 'Ana’s')
    t.match(await tune({ on: false, per_second: 5 }), { name: 'Ana’s ERP', headers: [{ name: 'X-Key' }], on: false })
    t.match(await tune({ headers: [] }), { name: 'Ana’s ERP', headers: [] })
    t.match(await tune({ on: true }), { name: 'Ana’s ERP' })
    t.equal(endpointIn(await loadHooks(store, 'business.1'), endpoint_id)?.name, 'Ana’s ERP')
    t.match(await ask('employee', 'list_webhook_urls'), { urls: [{ name: 'Ana’s ERP' }] })
    const before = (await events()).length
    await tune({ name: 'Ana’s ERP' })
    t.equal((await events()).length, before)
    t.equal((await tune({ name: null })).name, null)
    for (const [name, code] of [
      ['', 'too_short'],
      [' ', 'blank'],
      ['a\nb', 'control_character'],
      ['n'.repeat(61), 'too_long'],
    ])
      t.equal(await refused('admin', 'tune_webhook_url', { endpoint_id, name }), `name ${code}`)
  },
)

t.test('given headers of a URL, when they are changed, then each keeps its value until it gets another', async (t) => {
  const key = { name: 'X-Key', value: 'one' }
  const both = tunedTo({ personal: { headers: [key, { name: 'Authorization', value: 'Bearer two' }] } })
  given(withUrl)
    .when(tune({ headers: [key] }))
    .then(tunedTo({ personal: { headers: [key] } }))
  given(withUrl, both)
    .when(tune({ headers: [{ name: 'x-key' }] }))
    .then(tunedTo({ personal: { headers: [{ name: 'x-key', value: 'one' }] } }))
  given(withUrl, both)
    .when(tune({ headers: [{ name: 'X-Key' }, { name: 'Authorization' }] }))
    .then()
  given(withUrl, both)
    .when(tune({ headers: [{ name: 'X-Other' }] }))
    .thenRefused('invalid_input')
  given(withUrl, both)
    .when(tune({ headers: [] }))
    .then(tunedTo({ personal: { headers: [] } }))
  given(withUrl)
    .when(tune({ headers: [] }))
    .then()
  const kept = fold(webhookSettings, [withUrl, both, tunedTo({ in_flight: 2 })]).tunings[createdEndpoint]
  t.match(kept, { inFlight: 2, headers: [key, { name: 'Authorization' }] })
  const erased = fold(webhookSettings, [withUrl, tunedTo({}), tunedTo({ in_flight: 2 })]).tunings[createdEndpoint]
  t.notOk(erased?.headers, 'an erasure takes them away')
  const without = changed({ personal: { urls: { order_create_webhook_url: [] } } })
  t.same(fold(webhookSettings, [withUrl, both, without, withUrl]).tunings, {}, 'they go with the URL')
})

t.test('given headers that are none of the owner, when they are set, then each is refused', async (t) => {
  const { ask, refused, events } = world()
  await ask('admin', 'update_webhook_settings', { order_create_webhook_url: url })
  const set = (...headers: readonly object[]) =>
    refused('admin', 'tune_webhook_url', { endpoint_id: createdEndpoint, headers })
  for (const name of [
    ...['Host', 'connection', 'Content-Type', 'content-anything', 'Cookie', 'Set-Cookie', 'Transfer-Encoding', 'TE'],
    ...['Upgrade', 'Expect', 'Proxy-Authorization', 'User-Agent', 'Signature', 'X-Webhook-Id', 'X-Ohp-Delivery'],
    ...['webhook-signature', 'ce-id', 'GS1-Signature', 'X-Open-Delivery', 'Accept-Encoding', 'X-Forwarded-For'],
    ...['', 'two words', 'X-Ü', 'a:b', 'a\r\nb'],
  ])
    t.match(await set({ name, value: 'a' }), /^headers\[0\]\.name (webhook_header_refused|too_short)/, name)
  for (const value of ['', ' a', 'a ', 'a\r\nX-Evil: b', 'ü', '\t', 'a'.repeat(1025)])
    t.match(await set({ name: 'X-Key', value }), /^headers\[0\]\.value /, JSON.stringify(value))
  t.equal(await set({ name: 'X-Key', value: 'a' }, { name: 'x-key', value: 'b' }), 'headers[1] not_unique')
  t.equal(await set({ name: 'X-Key' }), 'headers[0].value webhook_header_value')
  const eleven = Array.from({ length: 11 }, (_, index) => ({ name: `X-${index}`, value: 'a' }))
  t.match(await set(...eleven), /^headers /)
  t.equal((await events()).filter(({ type }) => type === 'WebhookEndpointTuned').length, 0)
})

t.test('given headers, when they are kept, then the store has them sealed, and answers have their names', async (t) => {
  const { ask, events, store } = world()
  await ask('admin', 'update_webhook_settings', { order_create_webhook_url: url })
  const headers = [{ name: 'Authorization', value: 'Bearer kept secret' }]
  const told = [
    await ask('admin', 'tune_webhook_url', { endpoint_id: createdEndpoint, headers }),
    await ask('employee', 'get_webhook_url', { endpoint_id: createdEndpoint }),
    await ask('employee', 'list_webhook_urls'),
  ]
  t.match(told[1], { url: { headers: [{ name: 'Authorization' }] } })
  t.notMatch(JSON.stringify([told, await events()]), /kept secret/)
  const before = (await events()).length
  await ask('admin', 'tune_webhook_url', { endpoint_id: createdEndpoint, headers: told[1].url.headers })
  t.equal((await events()).length, before, 'what was answered can be sent back')
  t.match((await loadHooks(store, 'business.1')).endpoints, [{ headers }])
})

t.test(
  'given reports of health, when they say something new, then it is recorded, and a failure of days ends it',
  async () => {
    const { at: _, endpoint_id: __, ...fails } = failing
    given(withUrl).when(report(fails)).then(failed)
    given(withUrl, failed).when(report(fails)).then()
    given(withUrl, failed)
      .when(report({}))
      .then({
        type: 'WebhookEndpointRecovered',
        data: { at, endpoint_id: createdEndpoint, since: failing.since },
      })
    given(withUrl).when(report({})).then()
    given(withUrl)
      .when(report({ ...fails, endpoint_id: 'other' }))
      .then()
    const later = { ...fails, at: until(2 * 86_400_000), disableAfterDays: 2 }
    const disabled: SettingsEvent = { type: 'WebhookEndpointDisabled', data: { ...failing, at: later.at } }
    given(withUrl, failed)
      .when(report({ ...later, disableAfterDays: 3 }))
      .then()
    given(withUrl, failed).when(report(later)).then(disabled)
    given(withUrl, failed, disabled).when(report(later)).then()
    const onAgain = tunedTo({ at: until(86_400_000), on: true })
    given(withUrl, failed, disabled, onAgain).when(report(later)).then()
  },
)

t.test(
  'given a receiver that says that it is gone, when that is reported, then its URL is switched off at once',
  async () => {
    const { at: _, endpoint_id: __, ...fails } = { ...failing, status: 410 }
    const disabled: SettingsEvent = { type: 'WebhookEndpointDisabled', data: { ...failing, status: 410, gone: true } }
    const again = tunedTo({ at: until(60_000), on: true })
    given(withUrl)
      .when(report({ ...fails, gone: true }))
      .then(disabled)
    given(withUrl, failed)
      .when(report({ ...fails, gone: true }))
      .then(disabled)
    given(withUrl, disabled)
      .when(report({ ...fails, gone: true }))
      .then()
    given(withUrl, disabled).when(report(fails)).then()
    given(withUrl, disabled, again)
      .when(report({ ...fails, gone: true }))
      .then()
    const later = { at: until(120_000) }
    const data = { ...failing, status: 410, gone: true, ...later } as const
    given(withUrl, disabled, again)
      .when(report({ ...fails, ...later, gone: true }))
      .then({ ...disabled, data })
    given(withUrl, tunedTo({ on: false }))
      .when(report({ ...fails, gone: true }))
      .then()
    given(withUrl)
      .when(report({ ...fails, endpoint_id: 'other', gone: true }))
      .then()
  },
)

t.test('given settings and a provider, when URLs are listed and tuned, then the hooks follow', async (t) => {
  const { ask, store, refused } = world()
  await ask('admin', 'update_webhook_settings', { order_create_webhook_url: `${url}?token=1` })
  await ask('admin', 'set_webhook_endpoint', { channel: 'provider_locker', provider: 'acme', url: other })
  await ask('customer', 'update_webhook_settings', { order_create_webhook_url: other })
  const { urls } = await ask('employee', 'list_webhook_urls')
  t.match(urls, [
    { owner: 'business.1', url, on: true, failing: false, last_at: null, week: { attempts: 0, success_rate: null } },
    { owner: 'provider.1.acme.provider_locker', url: other, field: 'url' },
  ])
  t.equal(urls.length, 2)
  t.match(await ask('admin', 'list_webhook_urls', { customer_id: people.customer.id }), {
    urls: [{ owner: 'customer.3' }],
  })
  for (const { endpoint_id, owner } of urls) {
    const changes = { on: false, in_flight: 2, per_second: 5 }
    t.match(await ask('admin', 'tune_webhook_url', { endpoint_id, ...changes }), { url: { ...changes, hours: [] } })
    t.match(endpointIn(await loadHooks(store, owner), endpoint_id), { isOff: true, inFlight: 2, perSecond: 5 })
    await ask('admin', 'tune_webhook_url', { endpoint_id, on: true, in_flight: null })
    t.match(endpointIn(await loadHooks(store, owner), endpoint_id), {
      isOff: undefined,
      inFlight: undefined,
      perSecond: 5,
    })
    t.equal(await refused('customer', 'tune_webhook_url', { endpoint_id, on: false }), 'webhook_endpoint_not_found')
  }
})

t.test('given latencies by step, when they are summed up, then rate and quantiles follow', async (t) => {
  t.match(tallyOf({ failed: 1, latencies: [0, 0, 3, 0, 0, 0, 0, 0] }), { attempts: 4, rate: 0.75, p50: 38, p95: 49 })
  t.match(tallyOf({ failed: 0, latencies: [90, 0, 0, 0, 0, 0, 0, 10] }), { p50: 6, p95: 2_000 })
  t.match(tallyOf({ failed: 2, latencies: [] }), { attempts: 2, rate: 0, p50: undefined, p95: undefined })
})

t.test(
  'given URLs in their own manner, when they are saved, then plain JSON keeps its order, and public keys are told',
  async (t) => {
    const { ask, store } = world()
    const field = 'order_create_webhook_url'
    const [ordered, verified] = [
      { field, url, format: 'native', standard_signature: false, in_order: true },
      { field, url: other, format: 'native', standard_signature: true, ed25519: true },
    ]
    const set = await ask('admin', 'update_webhook_settings', {
      [field]: `${url},${other}`,
      url_formats: [ordered, verified],
    })
    t.same(set.settings.url_formats, [ordered, verified])
    t.equal(set.public_keys.length, 1)
    await ask('admin', 'rotate_webhook_secret')
    t.equal((await ask('admin', 'get_webhook_settings')).public_keys.length, 2, 'the replaced one still signs')
    const { endpoints } = await loadHooks(store, 'business.1')
    t.match(endpoints, [{ isInOrder: true }, { standard: true, keys: [{ isPublic: true }, { isPublic: true }] }])
    t.notOk(endpoints[0]?.keys[0].isPublic)
  },
)

t.test('given a filter, when it is read, then only conditions are taken, within bounds', async (t) => {
  for (const text of [
    ...[
      '',
      'a',
      'a in ()',
      'a in (,)',
      'a in (1',
      'a = 1',
      'a in (1) or b in (2)',
      'a in (1) and',
      'a in (1) b in (2)',
    ],
    ...['and a in (1)', 'a in (1) and b in (1), c', 'A in (1)', 'a.b.c.d.e in (1)', 'a in ((1))'],
    ...[`a in (${'1,'.repeat(50)}1)`, Array(11).fill('a in (1)').join(' and '), `a in (${'x'.repeat(500)})`],
  ])
    t.equal(conditionsIn(text), undefined, text)
  t.same(conditionsIn(' a.b  not in ( 1 ,two words) and  c in (and)  '), [
    { path: ['a', 'b'], isNegated: true, values: ['1', 'two words'] },
    { path: ['c'], isNegated: false, values: ['and'] },
  ])
  const data = { a: { b: 1 }, list: [{ c: 'x' }, { c: null }], yes: true, none: null }
  for (const [text, expected] of [
    ...([
      ['a.b in (1)', true],
      ['a.b in (2)', false],
      ['a.b not in (2)', true],
      ['a in (1)', false],
    ] as const),
    ...([
      ['list.c in (x)', true],
      ['list.c in (null)', false],
      ['yes in (true)', true],
      ['none in (null)', false],
    ] as const),
    ...([
      ['missing in (1)', false],
      ['missing not in (1)', true],
      ['a.b in (1) and yes in (no)', false],
    ] as const),
    ...([
      ['constructor in (1)', false],
      ['yes.length in (1)', false],
    ] as const),
  ] as const)
    t.equal(meets(data, conditionsIn(text) ?? []), expected, text)
})

t.test(
  'given a URL with a filter, when events come, then only those that meet it are sent, and it is checked',
  async (t) => {
    const { ask, refused, store } = world()
    const field = 'order_create_webhook_url'
    const set = (where: string) => ({
      [field]: url,
      url_formats: [{ field, url, format: 'native', standard_signature: false, where }],
    })
    const path = 'url_formats[0].where webhook_filter_invalid'
    for (const wrong of ['order_id', 'elsewhere in (1)', 'constructor in (1)', 'order_id in (1) and elsewhere in (1)'])
      t.equal(await refused('admin', 'update_webhook_settings', set(wrong)), path, wrong)
    const cost = priceOf('local_delivery', v.string())
    const priced = { ...eventTypes.created, data: v.strictObject({ cost, order_id: v.number() }) }
    t.equal(filterProblem('cost in (1)', [priced]), 'webhook_filter_invalid', 'nobody finds out prices')
    t.equal(filterProblem('order_id in (1)', [priced]), undefined)
    const { settings } = await ask('admin', 'update_webhook_settings', set('order_id in (42, 43)'))
    t.match(settings.url_formats, [{ where: 'order_id in (42, 43)' }])
    const hooks = new Map([['business.1', await loadHooks(store, 'business.1')]])
    const told = (order_id: number) =>
      recipientsOf(
        eventTypes.created,
        {
          ...{ type: 'order.created', id: 'EVT-1', subject: 'order/1', occurredAt: '2026-06-10T10:00:00.000Z' },
          ...{ audience: { kind: 'tenant', businessId: 1 }, data: () => ({ order_id }) },
        },
        hooks,
      ).length
    t.same([42, 43, 44].map(told), [1, 1, 0])
  },
)

t.test(
  'given the endpoint of a provider with a filter, when events come, then only those that meet it are sent, and it is sealed',
  async (t) => {
    const { ask, refused, store, events } = world()
    const named = { channel: 'provider_locker', provider: 'acme' }
    const set = (where: string) => ({ ...named, url, where })
    for (const wrong of ['order_id', 'elsewhere in (1)'])
      t.equal(await refused('admin', 'set_webhook_endpoint', set(wrong)), 'where webhook_filter_invalid', wrong)
    const { endpoint } = await ask('admin', 'set_webhook_endpoint', set('order_id not in (42)'))
    t.equal(endpoint.where, 'order_id not in (42)')
    t.notMatch(JSON.stringify(await events()), 'order_id not in', 'what is in events may tell of people')
    const owner = 'provider.1.acme.provider_locker'
    const hooks = new Map([[owner, await loadHooks(store, owner)]])
    const told = (order_id: number) =>
      recipientsOf(
        eventTypes.opened,
        {
          ...{ type: eventTypes.opened.name, id: 'PLE-1', subject: 'locker/1', occurredAt: at },
          ...{ audience: { kind: 'provider', businessId: 1, provider: 'acme' }, data: () => ({ order_id }) },
        },
        hooks,
      ).length
    t.same([42, 43].map(told), [0, 1])
    const { endpoint: reset } = await ask('admin', 'set_webhook_endpoint', { ...named, url })
    t.equal(reset.where, undefined, 'what is left out is reset')
  },
)

t.test(
  'given several URLs that are told of failing ones, when one of them fails, is switched off and recovers, then all others are told, and never itself',
  async (t) => {
    const made = world()
    const { ask, store } = made
    const field = 'endpoint_health_webhook_url'
    await ask('admin', 'update_webhook_settings', {
      ...{ [field]: `${url},${other}`, order_create_webhook_url: url, disable_failing_after_days: 1 },
    })
    const caller = { kind: 'operator', name: 'test', scopes: [] } as const
    let ids = 0
    const recording = { store, caller, randomId: () => `health-${ids++}`, requestId: 'r' }
    const since = '2026-06-01T10:00:00.000Z'
    const toldAbout = async (endpoint_id: string) => {
      for (const health of [{ since }, {}])
        await reportHealth(recording, 'business.1', { at: '2026-06-10T10:00:00.000Z', endpoint_id, ...health })
      const told: string[] = []
      for (const fact of await store.read(webhookStream('business.1'))) {
        if (!healthFactTypes.includes(fact.type) || (fact as HealthFact).data.endpoint_id !== endpoint_id) continue
        for await (const it of await healthWebhookEventSource.webhookEventsOf({ store } as WebhookEventFacts, fact)) {
          const eventType = healthWebhookEventTypes.find(({ name }) => name === it.type)
          for (const one of eventType === undefined ? [] : await toldOf(made, eventType, it))
            told.push(`${it.type} ${one}`)
        }
      }
      return told
    }
    const names = ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered']
    const [first, second] = [url, other].map((one) => endpointId('business.1', field, one))
    t.same(
      await toldAbout(first ?? ''),
      names.map((name) => `${name} business ${other}`),
    )
    t.same(
      await toldAbout(second ?? ''),
      names.map((name) => `${name} business ${url}`),
    )
    t.same(
      await toldAbout(createdEndpoint),
      names.flatMap((name) => [`${name} business ${url}`, `${name} business ${other}`]),
      'the same URL in another field is another endpoint',
    )
  },
)

t.test('given URLs that fail, wait and are off, when their health is asked for, then one answer has all', async (t) => {
  const { ask, refused, context, queries } = world([delivery('gone', { state: 'dead' })])
  const urls = ['a', 'b', 'c', 'd'].map((host) => `https://${host}.example/x`)
  await ask('admin', 'update_webhook_settings', { order_create_webhook_url: [...urls, 'pull:own'].join(',') })
  const listed = (await ask('admin', 'list_webhook_urls')).urls as readonly { endpoint_id: string; url: string }[]
  const idOf = (host: string) => listed.find(({ url }) => url.includes(host))?.endpoint_id ?? ''
  await ask('admin', 'tune_webhook_url', { endpoint_id: idOf('d.'), on: false })
  const hour = { failed: 1, latencies: [3] }
  const health = { lastAt: 9, lastDuration: 5, hour, day: hour, week: hour, hours: [] }
  const failing = { ...health, isFailing: true, failingSince: 1_000, lastFailure: 'timeout' as const }
  const states: Readonly<Record<string, EndpointHealth>> = {
    [idOf('a.')]: failing,
    [idOf('b.')]: { ...health, isFailing: false, failingSince: 2_000, lastFailure: 'reset' },
    [idOf('c.')]: { ...health, isFailing: false },
  }
  const asking = context('admin')
  const webhooks: Context['webhooks'] = {
    ...asking.webhooks,
    health: async (id) => states[id],
    backlog: async (id) => ({ waiting: id === idOf('c.') ? 0 : 2, isMore: id === idOf('a.'), since: 500 }),
  }
  const answer = await call(getWebhookHealth, { ...asking, webhooks }, {})
  t.match(answer, {
    ...{ urls: 4, failing: 1, disabled: 0, off: 1, waiting: 6, waiting_is_more: true },
    ...{ waiting_since: '1970-01-01T00:00:00.500Z', attempts: 12, success_rate: 0.75, given_up: 1 },
    troubled: [
      { endpoint_id: idOf('a.'), trouble: 'failing', failing_since: '1970-01-01T00:00:01.000Z', waiting: 2 },
      { endpoint_id: idOf('d.'), trouble: 'off', failing_since: null },
      { endpoint_id: idOf('b.'), trouble: 'waiting', waiting_is_more: false },
    ],
  })
  t.equal((answer.troubled as readonly unknown[]).length, 3, 'what is well is not named')
  t.match(queries.at(-1), { businessId: 1, state: ['dead'], since: Date.parse('2026-06-09T10:00:00Z') })
  t.match(await ask('customer', 'get_webhook_health'), {
    urls: 0,
    success_rate: null,
    waiting_since: null,
    troubled: [],
  })
  t.equal(await refused('customer', 'get_webhook_health', { customer_id: 4 }), 'customer_not_found')
  t.equal(await refused('driver', 'get_webhook_health'), 'forbidden')
})
