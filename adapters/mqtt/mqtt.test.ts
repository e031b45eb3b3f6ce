import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect as connectSocket, createServer } from 'node:net'
import { Aedes } from 'aedes'
import mqtt, { type MqttClient } from 'mqtt'
import t, { type Test } from 'tap'
import {
  addProvider,
  type Caller,
  call,
  createMemoryStore,
  en,
  followsWith,
  otepForget,
  otepIngest,
  runPolicy,
  type Storage,
  startLife,
} from '../../engine/index.ts'
import { createAuthenticate } from '../auth/index.ts'
import { world } from '../auth/world.test.fixture.ts'
import { noLimits } from '../node/limits.ts'
import type { Log } from '../node/log.ts'
import { mqttFrom } from '../node/mqtt.ts'
import { createWait } from '../node/wait.ts'
import { observations } from '../rest/sensorthings/observations.ts'
import { startMqtt } from './index.ts'
import { createCheck } from './packets.ts'
import { topicsOf } from './topics.ts'

const keeper: Caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] }
const provider: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }
const operator: Caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] }

/** An engine that speaks MQTT. */
async function createNode(t: Test, setting: { readonly port?: number; readonly url?: string }, store?: Storage) {
  const { parts, tokens, other, send } = await world({ publicView: 'reduced', ...(store && { store }) })
  const said: unknown[] = []
  const tell = (...all: unknown[]) => void said.push(all)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const wait = createWait(parts.store as Storage)
  const speaking = await startMqtt(
    { port: setting.port, url: setting.url },
    {
      ...{
        parts,
        authenticate: createAuthenticate(parts),
        limits: noLimits,
        observations,
        log,
        host: '127.0.0.1',
        wait,
      },
    },
  )
  t.teardown(() => speaking.close())
  const context = (caller: Caller) => ({ ...parts, caller, messages: en, requestId: 'test' })
  let hour = 0
  const report = (tracking_number: string, status_code: string, more: object = {}) => {
    hour += 1
    const occurred_at = `2026-06-10T0${hour}:00:00Z`
    const events = [{ occurred_at, status_code, ...more }]
    return call(otepIngest, context(provider), { document: { subject: { tracking_number }, events } })
  }
  const forget = (tracking_number: string) => call(otepForget, context(operator), { tracking_number })
  return { parts, tokens, other, send, speaking, report, forget, said }
}

/** A client, and the last message on each topic that it received. */
async function createClient(t: Test, url: string, password?: string) {
  const options = { username: 'otep', reconnectPeriod: 0, ...(password === undefined ? {} : { password }) }
  const client: MqttClient = await mqtt.connectAsync(url, options)
  t.teardown(() => client.endAsync(true))
  const last = new Map<string, string>()
  const looks = new Set<() => void>()
  client.on('message', (topic, payload) => {
    last.set(topic, payload.toString())
    for (const look of looks) look()
  })
  return {
    client,
    last,
    /** Waits until what was received is so. */
    until: (isSo: (last: ReadonlyMap<string, string>) => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!isSo(last)) return
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
      }),
    closed: new Promise<void>((resolve) => void client.once('close', () => resolve())),
  }
}

const all = ['homeassistant/#', 'otep/+/state']

const stateIn = (last: ReadonlyMap<string, string>) => {
  const [, state = ''] = [...last].find(([topic]) => topic.endsWith('/state')) ?? []
  return state === '' ? undefined : (JSON.parse(state) as Record<string, unknown>)
}

const pod = { recipient: 'Mrs Confidential' }
const location = { name: 'Depot', address: { street: 'Private Lane 7', locality: 'Toronto', country: 'CA' } }

t.test(
  'given a broker, when a client follows a timeline, then it alone receives its state until it ends',
  async (t) => {
    const { tokens, other, speaking, report, forget, parts } = await createNode(t, { port: 0 })
    const url = `mqtt://127.0.0.1:${speaking.port}`
    const estimated_delivery_at = '2026-06-12T16:00:00+02:00'
    await report('SR1', 'in_transit', { location, description: 'Confidential', estimated_delivery_at })
    const mine = await createClient(t, url, tokens.client_admin)
    const theirs = await createClient(t, url, other.tokens.client_admin)
    await mine.client.subscribeAsync(all)
    for (const topic of ['#', '+/1/state', 'v1.1/Things'])
      await t.rejects(
        mine.client.subscribeAsync(topic),
        { message: 'Subscribe error: Unspecified error' },
        `${topic} is refused`,
      )
    await theirs.client.subscribeAsync(all)
    await theirs.client.publishAsync('otep/follow', 'NOBODY', { qos: 1 })
    await mine.client.publishAsync('otep/follow', 'SR1', { qos: 1 })
    await mine.until((last) => stateIn(last) !== undefined && last.size === 3)
    t.match(stateIn(mine.last), {
      ...{ number: 'SR1', status: 'in_transit', phrase: 'In transit', delivered: false, place: 'Toronto' },
      ...{ expected_until: estimated_delivery_at, url: /\/track\/SR1$/ },
    })
    const [follow] = await followsWith(parts)
    const topics = topicsOf(follow?.id ?? 0)
    t.same([...mine.last.keys()].toSorted(), Object.values(topics).toSorted())
    t.match(JSON.parse(mine.last.get(topics.status) ?? ''), { state_topic: topics.state, name: 'Status' })
    t.match(JSON.parse(mine.last.get(topics.expected) ?? ''), { device_class: 'timestamp' })
    await report('SR1', 'delivered', { pod })
    await mine.until((last) => stateIn(last)?.delivered === true)
    t.notMatch([...mine.last.values()].join(''), /Confidential|Private Lane/)
    const later = await createClient(t, url, tokens.client_admin)
    await later.client.subscribeAsync(all)
    await later.until(({ size }) => size === 3)
    t.same(stateIn(later.last), stateIn(mine.last), 'what is kept')
    await mine.client.publishAsync('otep/unfollow', 'SR1', { qos: 1 })
    await mine.until((last) => [...last.values()].every((payload) => payload === ''))
    await mine.client.publishAsync('otep/follow', 'SR1', { qos: 1 })
    await mine.until((last) => stateIn(last) !== undefined)
    await forget('SR1')
    await mine.until((last) => [...last.values()].every((payload) => payload === ''))
    t.same(await followsWith(parts), [])
    const after = await createClient(t, url, tokens.client_admin)
    await after.client.subscribeAsync(all)
    await after.client.publishAsync('otep/unfollow', 'SR1', { qos: 1 })
    t.equal(after.last.size, 0, 'nothing is kept')
    t.equal(theirs.last.size, 0, 'and others received nothing')
  },
)

t.test('given a broker, when a client may not do something, then it is refused', async (t) => {
  const { tokens, speaking } = await createNode(t, { port: 0 })
  const url = `mqtt://127.0.0.1:${speaking.port}`
  await t.rejects(createClient(t, url, 'wrong'), { code: 4 })
  await t.rejects(createClient(t, url), { code: 4 })
  for (const [topic, payload, retain] of [
    ['otep/1/state', '{}', false],
    ['homeassistant/sensor/otep_1/status/config', '{}', false],
    ['otep/follow', 'SR1', true],
    ['otep/follow', 'x'.repeat(2_000), false],
  ] as const) {
    const { client, closed } = await createClient(t, url, tokens.driver)
    client.publish(topic, payload, { retain })
    await closed
    t.pass(`${topic} ${payload.length} ${retain}`)
  }
  const long = connectSocket(speaking.port ?? 0, '127.0.0.1')
  long.on('error', () => {})
  const ended = once(long, 'close')
  long.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]))
  await ended
})

t.test(
  'given a Datastream, when a provider publishes an Observation, then it is an event that subscribers receive',
  async (t) => {
    const { parts, other, send, speaking, report, said } = await createNode(t, { port: 0 })
    const url = `mqtt://127.0.0.1:${speaking.port}`
    const added = await call(
      addProvider,
      { ...parts, caller: keeper, messages: en, requestId: 'test' },
      {
        ...{ name: 'acme', all_businesses: true },
      },
    )
    const key = String(added.key)
    await report('SR1', 'picked_up', { description: 'Confidential' })
    /** The topic of the Datastream that the caller sees. */
    const topicFor = async (token: string) => {
      const { body } = await send('GET', "/sensorthings/v1.1/Things('tracking_number:SR1')/Datastreams", { token })
      return `${body.value[0]['@iot.selfLink'].split('/sensorthings/')[1]}/Observations`
    }
    const [carrier, stranger] = [await createClient(t, url, key), await createClient(t, url, other.tokens.driver)]
    const [topic, seen] = [await topicFor(key), await topicFor(other.tokens.driver)]
    await carrier.client.subscribeAsync(topic)
    await stranger.client.subscribeAsync(seen)
    await t.rejects(stranger.client.subscribeAsync("v1.1/Datastreams('NOBODY/x')/Observations"))
    const observation = {
      ...{ result: 'otep:parcel:delivered', phenomenonTime: '2026-06-10T08:00:00Z' },
      parameters: { description: 'Confidential' },
    }
    await stranger.client.publishAsync(seen, JSON.stringify(observation), { qos: 1 })
    await carrier.client.publishAsync(topic, 'no JSON', { qos: 1 })
    await carrier.client.publishAsync(topic, JSON.stringify(observation), { qos: 1 })
    await carrier.until(({ size }) => size === 1)
    await stranger.until(({ size }) => size === 1)
    t.match(JSON.parse(carrier.last.get(topic) ?? ''), { '@iot.id': String, ...observation })
    t.match(JSON.parse(stranger.last.get(seen) ?? ''), { '@iot.id': String, result: observation.result })
    t.notMatch(stranger.last.get(seen), 'Confidential')
    t.equal(said.length, 2, 'what a stranger sent, and what is no JSON')
    const measured = `v1.1/Datastreams('${encodeURIComponent('tracking_number:SR1/temperature:urn%3Aprobe%3A7')}')/Observations`
    const at = (minute: number) => `2026-06-10T09:0${minute}:00.000Z`
    const reading = (result: number, minute: number) => ({ result, phenomenonTime: at(minute) })
    const made = await send('POST', `/sensorthings/${measured}`, { token: key, body: reading(4.5, 0) })
    t.equal(made.status, 201)
    await carrier.client.subscribeAsync(measured)
    await carrier.client.publishAsync(measured, JSON.stringify(reading(9.25, 1)), { qos: 1 })
    await carrier.until((last) => last.has(measured))
    t.match(JSON.parse(carrier.last.get(measured) ?? ''), reading(9.25, 1), 'and so are readings of sensors')
  },
)

t.test('given packets in pieces, when one is too long, then what comes before it has passed', async (t) => {
  const check = createCheck()
  const passed: Buffer[] = []
  check.on('data', (chunk: Buffer) => passed.push(chunk))
  const failed = once(check, 'error')
  const packet = Buffer.from([0x30, 0x82, 0x01, ...Array.from({ length: 130 }, () => 7)])
  for (const byte of [...packet, 0xc0, 0x00]) check.write(Buffer.from([byte]))
  check.write(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x01]))
  t.match(await failed, [{ message: 'A packet is too long.' }])
  t.equal(Buffer.concat(passed).length, packet.length + 2)
})

t.test('given another broker, when somebody follows a timeline there, then its state is kept there', async (t) => {
  const broker = new Aedes()
  await broker.listen()
  const server = createServer(broker.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  t.teardown(() => new Promise<void>((resolve) => broker.close(resolve)))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const subscribed = once(broker, 'subscribe')
  const store = createMemoryStore(Date.now)
  const { speaking, report, parts, said } = await createNode(t, { url }, store)
  await subscribed
  const stopping = new AbortController()
  const node = { signal: stopping.signal, now: () => performance.now(), wait: createWait(store) }
  const life = startLife(store.leases, {
    ...{ ...node, name: 'one', told: async () => ({}), isForgotten: () => false, failed: () => {} },
  })
  const run = { ...node, life, onFailure: (trouble: unknown) => void said.push(trouble) }
  const read = { ...parts.store, leases: store.leases, keys: store.keys } as Storage
  const running = Promise.all(speaking.policies.map((policy) => runPolicy(read, policy, run)))
  const mine = await createClient(t, url)
  await mine.client.subscribeAsync('#')
  await report('SR1', 'picked_up')
  await mine.client.publishAsync('otep/follow', 'SR1', { qos: 1 })
  await mine.until((last) => stateIn(last)?.status === 'picked_up')
  await report('SR1', 'delivered', { pod })
  await mine.until((last) => stateIn(last)?.status === 'delivered')
  await mine.client.publishAsync('otep/unfollow', 'SR1', { qos: 1 })
  await mine.until((last) => stateIn(last) === undefined)
  t.notMatch([...mine.last.values()].join(''), 'Confidential')
  t.same(said, [])
  await speaking.close()
  stopping.abort()
  await running
  await life.ended
})

t.test('given settings, when they are read, then wrong ones are refused without the password', async (t) => {
  t.equal(mqttFrom({}), undefined)
  t.same(mqttFrom({ OTEP_MQTT_PORT: '1883' }), { port: 1_883, url: undefined })
  const url = 'mqtts://otep:secret@broker.example'
  t.same(mqttFrom({ OTEP_MQTT_URL: url }), { port: undefined, url })
  t.throws(() => mqttFrom({ OTEP_MQTT_PORT: 'x' }), { message: /OTEP_MQTT_PORT/ })
  t.throws(() => mqttFrom({ OTEP_MQTT_URL: 'https://otep:secret@broker.example' }), {
    message: /^(?!.*secret).*OTEP_MQTT_URL/,
  })
})
