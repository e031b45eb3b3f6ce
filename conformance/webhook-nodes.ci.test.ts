import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openStore, webhookEventTypes } from '../adapters/engine.ts'
import { storeFrom } from '../adapters/node/config.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { randomFrom } from './kill/random.ts'
import { type SharedStore, storesOfRun } from './nodes/shared.ts'
import { send } from './orders/office.ts'
import { program } from './program/files.ts'
import { type Server, startServer } from './program/server.ts'
import { nativeIn } from './webhooks/judges.ts'
import { type Live, live, until } from './webhooks/live.test.fixture.ts'
import { causePartnerEvents, partnerOf } from './webhooks/partner-script.test.fixture.ts'
import { type Capture, challengeIn, headerOf } from './webhooks/receiver.ts'
import { causeTenantEvents, formats, order, setAllUrls } from './webhooks/tenant-script.test.fixture.ts'

const key = randomBytes(32).toString('hex')
process.env.OTEP_SECRET_KEY = key

/** Milliseconds after the last kill until all is sent: twice the first pause of a delivery, and what a busy machine needs. */
const patience = 120_000

/** The formats that are sent: at night all (`OTEP_STORES=all`), else one, since webhooks.ci sends all without kills. */
const tried = process.env.OTEP_STORES === 'all' ? formats : formats.slice(0, 1)

/** Milliseconds between two kills. */
const pause = { least: 3_000, more: 4_000 }

/** Three nodes on a store, of which a random one is killed every few seconds. */
interface Nodes {
  readonly all: Server[]
  /** Epoch milliseconds of the kills. */
  readonly kills: number[]
  /** Ends the killing; all nodes run then. */
  calm(): Promise<void>
}

/** Starts them. Of every second machine that is lost, the disk is lost too, where each node has its own. */
async function startNodes(t: Test, store: SharedStore, random: () => number): Promise<Nodes> {
  // One public address for all, as behind a balancer: it is in the bodies, which have to be the same no matter who sends.
  const settings = { OTEP_LIMITS: 'off', OTEP_BASE_URL: 'https://otep.example' }
  const start = (name: string) => startServer(program, store.dataDirOf(name), [], ['--store', store.address], settings)
  const all = await Promise.all(['0', '1', '2'].map(start))
  const kills: number[] = []
  const ending = new AbortController()
  const killing = async () => {
    while (!ending.signal.aborted) {
      await setTimeout(pause.least + pause.more * random())
      const place = Math.floor(random() * all.length)
      kills.push(Date.now())
      await all[place]?.kill()
      all[place] = await start(kills.length % 2 === 0 ? String(place) : `${place}-${kills.length}`)
    }
  }
  const killed = killing()
  t.teardown(async () => {
    ending.abort()
    await killed.catch(() => {})
    await Promise.all(all.map((node) => node.kill()))
  })
  return {
    all,
    kills,
    calm: async () => {
      ending.abort()
      await killed
    },
  }
}

function eventsOf(captures: readonly Capture[]): readonly Capture[] {
  return captures.filter((one) => challengeIn(one) === undefined)
}

/** What is missing of every event at its URL in every format. */
function missingIn({ receiver }: Live): readonly string[] {
  const found = new Set(
    eventsOf(receiver.captures).flatMap((capture) => {
      const [, place = '', name] = capture.path.split('/')
      const format = formats.find((one) => one === name)
      return format === undefined ? [] : [`${nativeIn(format, capture).event} at ${place} in ${format}`]
    }),
  )
  const wanted = webhookEventTypes.flatMap(({ name, field, channel }) =>
    tried.map((format) => `${name} at ${field ?? channel} in ${format}`),
  )
  return wanted.filter((one) => !found.has(one))
}

/** Refuses the first attempt of one delivery in four, so that there is always something that waits. */
function refuseSome({ receiver }: Live, path: string, refused: Set<Capture>): void {
  const seen = new Map<string, number>()
  receiver.answer(path, (capture) => {
    const name = `${capture.path} ${headerOf(capture, 'X-Webhook-Event-Id')} ${capture.body}`
    const isRefused = !seen.has(name) && seen.size % 4 === 0
    seen.set(name, (seen.get(name) ?? 0) + 1)
    if (isRefused) refused.add(capture)
    const challenge = challengeIn(capture)
    return isRefused && challenge === undefined ? { status: 500 } : { body: challenge ?? '' }
  })
}

/** What was acknowledged more than once, by its URL and event. */
function repeatedIn(captures: readonly Capture[], refused: ReadonlySet<Capture>): readonly (readonly Capture[])[] {
  const groups = new Map<string, Capture[]>()
  for (const capture of eventsOf(captures)) {
    const name = `${capture.path} ${headerOf(capture, 'X-Webhook-Event-Id')} ${capture.body}`
    if (!refused.has(capture)) groups.set(name, [...(groups.get(name) ?? []), capture])
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/**
 * What is wrong with the requests of what came twice: each has to be a separate attempt, with the next number and its own id, and
 * the log of its business has to have counted all of them; the tokens are those of the businesses.
 */
async function unexplained(
  group: readonly Capture[],
  node: Server,
  tokens: readonly string[],
): Promise<readonly string[]> {
  const [first] = group
  const eventId = (first && headerOf(first, 'X-Webhook-Event-Id')) ?? ''
  const numbers = group.map((one) => Number(headerOf(one, 'X-Webhook-Attempt')))
  // Those of providers have an id for each attempt, too.
  const ids = group.flatMap((one) => headerOf(one, 'X-Webhook-Delivery-Id') ?? [])
  const path = `/api/v1/webhook-deliveries?event_id=${eventId}&per_page=100`
  const logs = await Promise.all(tokens.map((token) => send(node, 'GET', path, { token })))
  const counts = logs.flatMap(({ body }) =>
    body.deliveries.map(({ attempts }: { readonly attempts: number }) => attempts),
  )
  const isLogged = eventId === '' || counts.some((count: number) => count >= Math.max(...numbers))
  const isCounted = new Set(numbers).size === group.length && new Set(ids).size === ids.length
  return isCounted && isLogged ? [] : [`${first?.path} ${eventId}: attempts ${numbers}, in the log ${counts}`]
}

/** The ids and states of the whole log at a node, page by page. */
async function logAt(node: Server, token: string): Promise<readonly string[]> {
  const found: string[] = []
  let cursor = ''
  do {
    const { status, body } = await send(node, 'GET', `/api/v1/webhook-deliveries?per_page=100${cursor}`, { token })
    if (status !== 200) throw new Error(`The log was answered with ${status}: ${JSON.stringify(body)}`)
    found.push(...body.deliveries.map((one: Record<string, unknown>) => `${one.delivery_id} ${one.state}`))
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (cursor !== '')
  return found
}

/** Orders of the other business go through some states; a URL wants the events of each in order. */
async function causeInOrder({ other, ...place }: Live, path: string): Promise<void> {
  const { ask, receiver } = place
  const admin = other.tokens.client_admin
  const url = receiver.urlOf(path)
  const field = 'order_status_change_webhook_url'
  const url_formats = [{ field, url, format: 'native', standard_signature: false, in_order: true }]
  await ask(admin, 'PUT', '/api/v1/webhook-settings', { [field]: url, url_formats })
  const one = { ...place, ...other, other }
  const price = { shipping_price: '10', currency: 'EUR' }
  const orders = await Promise.all(
    Array.from({ length: 8 }, async () => (await order(one, { price })).order_id as number),
  )
  for (const id of orders) {
    await ask(admin, 'POST', `/api/v1/orders/${id}/ready`)
    await ask(admin, 'POST', `/api/v1/orders/${id}/assign-driver`, { driver_id: other.ids.driver })
    await ask(admin, 'POST', `/api/v1/orders/${id}/unassign-driver`)
    await ask(admin, 'POST', `/api/v1/orders/${id}/cancel`)
    await setTimeout(300)
  }
}

/** Subjects whose events were acknowledged for the first time in another order than they happened. */
function disordered(captures: readonly Capture[], refused: ReadonlySet<Capture>): readonly string[] {
  const last = new Map<string, string>()
  const seen = new Set<string>()
  const wrong: string[] = []
  for (const capture of captures) {
    const body = capture.body.toString()
    if (refused.has(capture) || seen.has(body)) continue
    seen.add(body)
    const subject = String(JSON.parse(body).data.order_id)
    const sequence = headerOf(capture, 'X-Webhook-Sequence') ?? ''
    if (sequence < (last.get(subject) ?? '')) wrong.push(subject)
    last.set(subject, sequence)
  }
  return wrong
}

for (const [name, makeStore] of storesOfRun) {
  await t.test(`given three nodes on ${name}, when a random one is killed every few seconds`, async (t) => {
    const seed = randomInt(2 ** 31)
    t.comment(`seed ${seed}`)
    const store = await makeStore(t.testdir({}))
    t.teardown(store.close)
    const opened = await openStore(storeFrom({ OTEP_STORE: store.address }))
    t.teardown(() => opened.close())
    const secret = secretOf(key)
    const place = await live(t, { store: opened, secret, start: Date.now() }, true)
    const { tokens, receiver } = place
    const refused = new Set<Capture>()
    for (const { field, channel } of webhookEventTypes)
      for (const format of tried) refuseSome(place, `/${field ?? channel}/${format}`, refused)
    refuseSome(place, '/in-order', refused)
    const nodes = await startNodes(t, store, randomFrom(seed))

    await setAllUrls(place, tokens.client_admin, '', tried)
    await causeTenantEvents(place)
    for (const format of tried) await causePartnerEvents(place, await partnerOf(place, format))
    await causeInOrder(place, '/in-order')
    await nodes.calm()
    await until(
      () => missingIn(place).length === 0,
      () => `${nodes.kills.length} kills, missing: ${missingIn(place).join(', ')}`,
      patience,
    )

    await t.test('then every event was received, and what came twice was in flight at a kill', async (t) => {
      const logs = async () => Promise.all(nodes.all.map((node) => logAt(node, tokens.client_admin)))
      await setTimeout(15_000)
      await until(
        async () => {
          const found = await logs()
          // A node that has lost its disk makes all of them again.
          const isWhole = new Set(found.map((log) => log.length)).size === 1
          return isWhole && found.flat().every((one) => !/waiting|sending/.test(one))
        },
        () => 'the end of all deliveries at each node',
        patience,
      )
      const repeated = repeatedIn(receiver.captures, refused)
      t.comment(`${nodes.kills.length} kills, ${receiver.captures.length} requests, ${refused.size} refused`)
      t.comment(`${repeated.length} came twice`)
      const [node] = nodes.all as [Server, ...Server[]]
      const businesses = [tokens.client_admin, place.other.tokens.client_admin]
      const found = await Promise.all(repeated.map((group) => unexplained(group, node, businesses)))
      t.same(found.flat(), [], 'each was sent again as an attempt of its own, which the log has counted')
    })

    await t.test('then the log is the same at each node, and nothing in it waits', async (t) => {
      const [one, two, three] = await Promise.all(nodes.all.map((node) => logAt(node, tokens.client_admin)))
      t.ok((one?.length ?? 0) > webhookEventTypes.length)
      t.same(two?.toSorted(), one?.toSorted())
      t.same(three?.toSorted(), one?.toSorted())
      t.same(
        one?.filter((line) => !/delivered|skipped/.test(line)),
        [],
      )
    })

    await t.test('then the URL that wants them in order got the events of each order in order', async (t) => {
      const captures = receiver.at('/in-order')
      t.ok(captures.length >= 8 * 3, `${captures.length} came`)
      t.same(disordered(captures, refused), [])
    })
  })
}
