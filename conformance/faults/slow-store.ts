import type { Test } from 'tap'
import { createEventstoreStorage, type EventstoreOptions } from '../../adapters/eventstore/index.ts'
import type { Members } from '../../engine/index.ts'
import { type Cluster, type Double, startCluster, startDouble } from '../eventstore/double.ts'
import { codesOf, document, journey } from '../rest/events.ts'
import { type Faults, type Interface, interfaceOn, ready } from './setting.ts'

type Waiting = Omit<EventstoreOptions, 'connectionString' | 'clock'>

async function onDouble(t: Test, waiting: Waiting = {}): Promise<Interface & { readonly double: Double }> {
  const double = await startDouble()
  t.teardown(() => double.close())
  return { ...(await on(t, double.connectionString, waiting)), double }
}

async function onCluster(t: Test): Promise<Interface & { readonly cluster: Cluster }> {
  const cluster = await startCluster(3)
  t.teardown(() => cluster.close())
  return { ...(await on(t, cluster.connectionString)), cluster }
}

function on(t: Test, address: string, waiting: Waiting = {}): Promise<Interface> {
  const store = createEventstoreStorage({ ...waiting, connectionString: address, clock: Date.now })
  return interfaceOn(t, { store, address, directory: t.testdir() })
}

/** A call about several parcels, which is several appends. */
function manyParcels(name: string): Members {
  return { timelines: ['A', 'B', 'C'].map((parcel) => document(`${name}-${parcel}`, journey)) }
}

async function standsOnce(t: Test, { client }: Interface, name: string): Promise<void> {
  for (const parcel of ['A', 'B', 'C'])
    t.same(codesOf(await client.timeline(`${name}-${parcel}`)), codesOf({ events: journey }), `${name}-${parcel}`)
}

/** A distant store that is slow, does not answer, or moves. */
export const slowStore: Faults = {
  'given a store that takes its time, when it is used, then answers are late and right, and /readyz says how late':
    async (t) => {
      const { client, double } = await onDouble(t)
      await ready(client)
      double.faults.delay(100)
      t.match(await client.ingest(document('SLOW', journey)), { status: 200, body: { data: { accepted: 5 } } })
      t.same(codesOf(await client.timeline('SLOW')), codesOf({ events: journey }))
      const { status, body } = await client.get('/readyz')
      const { reachable, ms } = body.store as { readonly reachable: boolean; readonly ms: number }
      t.same({ status, reachable }, { status: 200, reachable: true })
      t.ok(ms >= 95, `the store took ${ms} ms`)
    },

  'given a store that is slow from the start, when a node starts on it, then it is ready after a while': async (t) => {
    const { client, double } = await onDouble(t)
    double.faults.delay(250)
    t.match(await client.get('/readyz'), { status: 503, body: { status: 'unready' } })
    t.match(await ready(client), { status: 200, body: { status: 'ready' } })
  },

  'given a client that gives up, when the call continues without it, then it is recorded completely or not at all':
    async (t) => {
      const given = await onDouble(t)
      const { client, double, url, key } = given
      double.faults.delay(40)
      for (const patience of [30, 90, 180]) {
        const name = `GIVEN-UP-${patience}`
        const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
        const body = JSON.stringify(manyParcels(name))
        const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(patience) }
        await fetch(`${url}/api/v1/otep/ingest`, init).catch(() => {})
        const { status, body: answer } = await client.ingest(manyParcels(name))
        t.equal(status, 200)
        const { accepted, duplicate } = answer.data as Members
        t.ok(accepted === 15 || duplicate === 15, `${name}: ${accepted} accepted, ${duplicate} duplicate`)
        await standsOnce(t, given, name)
      }
    },

  'given appends that are lost or never answered, when the carrier repeats its call, then nothing is doubled': async (
    t,
  ) => {
    const given = await onDouble(t, { timeout: 200, retryFor: 300 })
    const { client, double } = given
    const many = 1000
    for (const fault of ['dropReplies', 'loseAppends'] as const) {
      double.faults[fault](many)
      const { status, headers, body } = await client.ingest(manyParcels(fault))
      t.match({ status, body }, { status: 503, body: { code: 'store_unavailable' } })
      t.equal(headers.get('retry-after'), '1')
      double.faults[fault](0)
      t.match(await client.ingest(manyParcels(fault)), { status: 200 })
      await standsOnce(t, given, fault)
    }
  },

  'given live streams, when the server drops its subscriptions, then each continues without a gap': async (t) => {
    const { client, double } = await onDouble(t)
    await client.ingest(document('LIVE', journey.slice(0, 1)))
    const streams = await Promise.all([1, 2, 3].map(() => client.live('LIVE', { 'Last-Event-ID': '0' })))
    for (const [number, event] of journey.slice(1).entries()) {
      await client.ingest(document('LIVE', [event]))
      if (number % 2 === 0) double.faults.dropSubscriptions()
      const told = await Promise.all(streams.map((stream) => stream.next()))
      for (const { id, data } of told)
        t.match({ id, data }, { id: `${number + 1}`, data: { current_status: event.status_code } })
    }
    await Promise.all(streams.map((stream) => stream.close()))
  },

  'given a cluster, when its leader moves and stops while events arrive, then all are recorded once': async (t) => {
    const given = await onCluster(t)
    const { client, cluster } = given
    const calls = Array.from({ length: 30 }, (_, number) => `MOVE-${number}`)
    const waiting = [...calls]
    const disturbances = [cluster.moveLeader, () => cluster.stopNode(cluster.leader()), cluster.moveLeader]
    const lane = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        if (waiting.length % 10 === 5) await disturbances.shift()?.()
        let { status } = await client.ingest(manyParcels(name))
        for (let again = 0; status === 503 && again < 20; again++) ({ status } = await client.ingest(manyParcels(name)))
        t.equal(status, 200, name)
      }
    }
    await Promise.all([lane(), lane(), lane()])
    t.same(disturbances, [], 'the leader moved, stopped and moved again')
    for (const name of calls) await standsOnce(t, given, name)
  },
}
