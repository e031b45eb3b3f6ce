import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import {
  type Caller,
  type Code,
  type Context,
  call,
  createMemoryStore,
  type DeliveryDetail,
  deriveId,
  EngineError,
  en,
  fold,
  handoffEndpoints,
  isEngineError,
  isoOf,
  loadSubscriptions,
  maskedSecret,
  type Operation,
  perform,
  type Webhooks,
} from '../../../index.ts'
import { createTestParts } from '../../../testing/parts.test.fixture.ts'
import { recordCall } from '../../../testing/recording.test.fixture.ts'
import { runs } from '../../../testing/runs.test.fixture.ts'
import { refusalOf, specificationOf } from '../../../testing/spec.ts'
import { handoffsDomain } from '../index.ts'
import { handoffWebhookEventNames } from '../machine.ts'
import { callers } from '../world.test.fixture.ts'
import { handoffSubscriptions, type SubscriptionCommand, subscriptionOwnerOf, subscriptionStream } from './decider.ts'
import type { HandoffSubscribed, SubscriptionEvent } from './events.ts'

const { given } = specificationOf(t, handoffSubscriptions)

const start = Date.parse('2026-06-10T10:00:00.000Z')
const at = isoOf(start)
const secret = 'a secret of thirty-two letters!!'
const urlOf = (number: number) => `https://partner.example/hook/${number}`

const data = (number: number) => ({
  ...({
    at,
    business_id: 1,
    provider: 'acme',
    events: ['handoff.accepted'],
    format: 'native',
    standard: false,
  } as const),
  personal: { url: urlOf(number), secret },
})
const subscribe = (number: number): SubscriptionCommand => ({ type: 'Subscribe', data: data(number) })
const subscribed = (id: number): HandoffSubscribed => ({
  type: 'HandoffSubscribed',
  data: { ...data(id), subscription_id: id },
})
const revoke = (subscription_id: number): SubscriptionCommand => ({ type: 'RevokeSubscription', at, subscription_id })
const revoked = (subscription_id: number): SubscriptionEvent => ({
  type: 'HandoffSubscriptionRevoked',
  data: { at, subscription_id },
})

t.test('given a partner, when it subscribes, then it may five times, each URL once', async () => {
  const five = [1, 2, 3, 4, 5].map(subscribed)
  given().when(subscribe(1)).then(subscribed(1))
  given(subscribed(1)).when(subscribe(1)).thenRefused('handoff_subscription_exists')
  given(...five.slice(0, 4))
    .when(subscribe(5))
    .then(subscribed(5))
  given(...five)
    .when(subscribe(6))
    .thenRefused('handoff_subscriptions_too_many')
  given(...five, revoked(2))
    .when(subscribe(6))
    .then(subscribed(6))
  given(subscribed(1), revoked(1))
    .when(subscribe(1))
    .then({ type: 'HandoffSubscribed', data: { ...data(1), subscription_id: 2 } })
})

t.test('given a subscription, when it is revoked, then it is once', async () => {
  given(subscribed(1)).when(revoke(1)).then(revoked(1))
  given(subscribed(1)).when(revoke(2)).thenRefused('handoff_subscription_not_found')
  given(subscribed(1), revoked(1)).when(revoke(1)).thenRefused('handoff_subscription_not_found')
  given().when(revoke(1)).thenRefused('handoff_subscription_not_found')
})

t.test('given any history, when it is folded, then what stands is what was added and not revoked', async (t) => {
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 8 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (taken) => {
      let state = handoffSubscriptions.initial()
      const standing = new Map<number, string>()
      let count = 0
      for (const [isNew, number] of taken) {
        const command = isNew ? subscribe(number) : revoke(number)
        const code = refusalOf(() => {
          state = fold(handoffSubscriptions, handoffSubscriptions.decide(command, state), state)
        })
        let expected: string | undefined
        if (!isNew) expected = standing.delete(number) ? undefined : 'handoff_subscription_not_found'
        else if ([...standing.values()].includes(urlOf(number))) expected = 'handoff_subscription_exists'
        else if (standing.size === 5) expected = 'handoff_subscriptions_too_many'
        else standing.set(++count, urlOf(number))
        if (code !== expected) throw new Error(`${JSON.stringify(command)}: ${code}, not ${expected}`)
        const found = state.standing.map(({ id, url }) => [id, url])
        if (JSON.stringify(found) !== JSON.stringify([...standing])) throw new Error(JSON.stringify(found))
      }
    }),
    { numRuns: runs(t, 100) },
  )
})

t.test(
  'given subscriptions, when endpoints are made of them, then they are of the channel, and their ids stay',
  async (t) => {
    const owner = 'subscription.1.acme'
    const [one, other] = handoffEndpoints(fold(handoffSubscriptions, [subscribed(1), subscribed(2)]))
    t.same(one, {
      ...{
        id: deriveId('endpoint', owner, 'url', urlOf(1)),
        owner,
        businessId: 1,
        channel: 'order_handoff',
        field: 'url',
      },
      ...{ url: urlOf(1), format: 'native', standard: false, events: ['handoff.accepted'], interval: 0 },
      keys: [{ secret }],
    })
    t.not(one?.id, other?.id)
    const again = { ...subscribed(3), data: { ...subscribed(3).data, personal: { url: urlOf(1), secret } } }
    t.equal(handoffEndpoints(fold(handoffSubscriptions, [subscribed(1), revoked(1), again]))[0]?.id, one?.id)
    const { personal: _, ...erased } = data(1)
    const locked: SubscriptionEvent = { type: 'HandoffSubscribed', data: { ...erased, subscription_id: 1 } }
    t.same(handoffEndpoints(fold(handoffSubscriptions, [locked])), [], 'without a secret nothing is sent')
    t.equal(subscriptionOwnerOf(subscriptionStream(1, 'acme')), owner)
    t.equal(subscriptionOwnerOf('webhook-business.1'), undefined)
  },
)

const partner = (name: string, businessId: number): Caller => ({
  ...{ kind: 'provider', name, businessId },
  scopes: ['ohp:write'],
})

interface Subscription {
  readonly subscription_id: number
  readonly secret: string
  readonly headers: readonly object[]
  readonly where?: string
}

/** What the sending side is asked. */
type Asked = 'admit' | 'challenge' | 'test'

/** An engine whose sending side writes down what it is asked, and refuses what the test wants refused. */
function createWorld(refused: Partial<Readonly<Record<Asked, Code>>> = {}) {
  const store = createMemoryStore(() => start)
  const parts = createTestParts({ store, clock: () => start })
  const asked: (readonly unknown[])[] = []
  async function ask(name: Asked, ...given: readonly unknown[]) {
    asked.push([name, ...given])
    const code = refused[name]
    if (code !== undefined) throw new EngineError(code)
  }
  const webhooks: Webhooks = {
    ...parts.webhooks,
    checkUrl: (url) => ask('admit', url),
    challenge: (owner, url, secret, headers = []) => ask('challenge', owner, url, secret, ...headers),
    test: async ({ url }, event) => {
      await ask('test', url, event)
      return { id: 'del_1' } as DeliveryDetail
    },
  }
  const directory = { ...parts.directory, serves: async (_: unknown, name: string) => name === 'acme' }
  const context: Context = {
    ...parts,
    directory,
    webhooks,
    caller: partner('acme', 1),
    messages: en,
    requestId: 'test',
  }

  async function as(caller: Caller, name: string, input: object, key?: string) {
    const found = handoffsDomain.operations.find((one) => one.name === name) as Operation
    const asking = { ...context, caller }
    const answer = key === undefined ? await call(found, asking, input) : await perform(found, asking, input, key)
    recordCall({ operation: name, input, status: 200, answer })
    v.parse(found.output, answer)
    return answer as unknown as { readonly subscription: Subscription; readonly subscriptions: readonly Subscription[] }
  }

  async function codeOf(input: object, name = 'create_handoff_subscription', caller = context.caller) {
    try {
      await as(caller, name, input)
      return 'done'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }

  return { store, parts, asked, context, as, codeOf }
}

const wanted = { url: urlOf(1), secret, events: ['handoff.accepted', 'handoff.tracking'] }

t.test(
  'given a URL that echoes, when a partner subscribes, then it is recorded, and its secret never told',
  async (t) => {
    const world = createWorld()
    const acme = partner('acme', 1)
    const { subscription } = await world.as(acme, 'create_handoff_subscription', wanted)
    t.same(world.asked, [
      ['admit', urlOf(1)],
      ['challenge', 'subscription.1.acme', urlOf(1), secret],
    ])
    t.same(subscription, {
      ...{ subscription_id: 1, url: urlOf(1), secret: maskedSecret(secret), events: wanted.events },
      ...{ format: 'native', signature: 'native', headers: [], created_at: at },
    })
    const more = {
      ...wanted,
      url: urlOf(2),
      events: handoffWebhookEventNames,
      format: 'ce_binary',
      signature: 'standard',
      headers: [{ name: 'Authorization', value: 'Bearer of the gateway' }],
      where: 'handoff_id in (7)',
    }
    await world.as(acme, 'create_handoff_subscription', more)
    const { subscriptions } = await world.as(acme, 'list_handoff_subscriptions', {})
    t.same(
      subscriptions.map(({ subscription_id }) => subscription_id),
      [1, 2],
    )
    t.notMatch(JSON.stringify(subscriptions), secret)
    t.same(subscriptions[1]?.headers, [{ name: 'Authorization' }])
    t.same(world.asked.at(-1)?.at(-1), more.headers[0], 'the challenge has it, too')
    const [first, second] = handoffEndpoints(await loadSubscriptions(world.parts.store, 1, 'acme'))
    t.same([first?.standard, first?.keys], [false, [{ secret }]])
    t.same(second?.headers, more.headers)
    t.equal(subscriptions[1]?.where, more.where)
    t.same(second?.filter, [{ path: ['handoff_id'], isNegated: false, values: ['7'] }])
    t.same([second?.standard, second?.format, second?.events], [true, 'ce_binary', handoffWebhookEventNames])
    for (const other of [partner('other', 1), partner('acme', 2)]) {
      t.same((await world.as(other, 'list_handoff_subscriptions', {})).subscriptions, [])
      const code = await world.codeOf({ subscription_id: 1 }, 'revoke_handoff_subscription', other)
      t.equal(code, 'handoff_subscription_not_found')
    }
    await world.as(acme, 'revoke_handoff_subscription', { subscription_id: 1 })
    t.same(
      handoffEndpoints(await loadSubscriptions(world.parts.store, 1, 'acme')).map(({ url }) => url),
      [urlOf(2)],
    )
    const kept = []
    for await (const event of world.store.readAll()) kept.push(event)
    t.notMatch(JSON.stringify(kept), /of the gateway/)
    t.notMatch(JSON.stringify(kept), secret, 'the store holds the secret sealed alone')
    t.notMatch(JSON.stringify(kept), /partner\.example/, 'and the URL too, which may hold a token')
  },
)

t.test(
  'given a partner, when an admin subscribes it, then its URL is challenged, tested and listed, until the admin ends it',
  async (t) => {
    const world = createWorld()
    const { admin, stranger } = callers
    const partner = { provider: 'acme' }
    const { subscription } = await world.as(admin, 'create_partner_subscription', { ...partner, ...wanted })
    t.match(subscription, { ...partner, subscription_id: 1, url: urlOf(1), secret: maskedSecret(secret) })
    t.same(await world.as(admin, 'test_partner_subscription', { ...partner, subscription_id: 1 }), {
      ...{ result: true, delivery_id: 'del_1' },
    })
    const tracking = { ...partner, subscription_id: 1, event: 'handoff.tracking' }
    await world.as(admin, 'test_partner_subscription', tracking)
    t.same(world.asked.slice(1), [
      ['challenge', 'subscription.1.acme', urlOf(1), secret],
      ['test', urlOf(1), 'handoff.accepted'],
      ['test', urlOf(1), 'handoff.tracking'],
    ])
    t.match(await world.as(admin, 'list_partner_subscriptions', {}), { total: 1, subscriptions: [subscription] })
    for (const name of ['test_partner_subscription', 'revoke_partner_subscription'])
      t.equal(
        await world.codeOf({ ...partner, subscription_id: 1 }, name, stranger),
        'handoff_subscription_not_found',
        name,
      )
    const unknown = { ...wanted, provider: 'nobody' }
    t.equal(await world.codeOf(unknown, 'create_partner_subscription', admin), 'provider_not_found')
    await world.as(admin, 'revoke_partner_subscription', { ...partner, subscription_id: 1 })
    t.match(await world.as(admin, 'list_partner_subscriptions', {}), { total: 0, subscriptions: [] })
  },
)

t.test(
  'given a URL that is refused or does not echo, when a partner subscribes, then nothing is recorded',
  async (t) => {
    for (const [refused, code, steps] of [
      [{ admit: 'webhook_url_refused' }, 'webhook_url_refused', ['admit']],
      [{ challenge: 'webhook_challenge_failed' }, 'webhook_challenge_failed', ['admit', 'challenge']],
    ] as const) {
      const world = createWorld(refused)
      t.equal(await world.codeOf(wanted), code)
      t.same(
        world.asked.map(([step]) => step),
        steps,
      )
      t.same((await loadSubscriptions(world.parts.store, 1, 'acme')).standing, [])
      t.equal(await world.store.last(subscriptionStream(1, 'acme')), undefined)
    }
  },
)

t.test('given what cannot be recorded, when a partner subscribes, then nobody is asked for an echo', async (t) => {
  const world = createWorld()
  for (const number of [1, 2, 3, 4, 5]) await world.codeOf({ ...wanted, url: urlOf(number) })
  const before = world.asked.length
  t.equal(before, 10)
  t.equal(await world.codeOf({ ...wanted, url: urlOf(6) }), 'handoff_subscriptions_too_many')
  t.equal(await world.codeOf(wanted), 'handoff_subscription_exists')
  for (const wrong of [
    { secret: 'too short' },
    { secret: 'whsec_this is not base64' },
    { secret: `${secret}\n` },
    { secret: '' },
    { events: [] },
    { events: ['handoff.accepted', 'handoff.accepted'] },
    { events: ['order.created'] },
    { url: 'ftp://partner.example/' },
    { url: 'partner.example' },
    { format: 'xml' },
    { signature: 'none' },
  ])
    t.equal(await world.codeOf({ ...wanted, url: urlOf(7), ...wrong }), 'invalid_input', JSON.stringify(wrong))
  t.equal(world.asked.length, before)
})

t.test('given an idempotency key, when a partner subscribes, then nothing of the call is kept under it', async (t) => {
  const world = createWorld()
  await world.as(partner('acme', 1), 'create_handoff_subscription', wanted, 'key-1')
  for await (const { stream } of world.store.readAll()) t.notMatch(stream, /^idempotency-/)
  t.equal(await world.codeOf(wanted), 'handoff_subscription_exists')
})
