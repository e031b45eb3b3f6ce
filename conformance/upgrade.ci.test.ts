import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { startCluster } from './eventstore/double.ts'
import { startBalancer } from './nodes/balancer.ts'
import { ask, type Sent, send } from './nodes/client.ts'
import { followOn } from './nodes/reader.ts'
import { watchReady } from './nodes/ready.ts'
import { program } from './program/files.ts'
import { addProvider } from './program/provider.ts'
import { type Server, startServer } from './program/server.ts'

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

/** Seconds that a node drains: a balancer of a busy machine has to notice it within them. */
const drain = '5'

const parcels = 8

/** Milliseconds between two calls of a client: under way all the time, but not all that a machine can do. */
const pause = 50

t.test(
  'given three nodes under load behind a balancer that looks at /readyz, when each is stopped and started again, then no call fails and nothing is lost',
  async (t) => {
    const cluster = await startCluster(3)
    const store = ['--store', cluster.connectionString]
    const dataDirs = [1, 2, 3].map((node) => join(t.testdir({}), String(node)))
    const ready = watchReady()
    const balancer = await startBalancer(ready.ports)
    const nodes: Server[] = []
    const isOver = new AbortController()
    t.teardown(async () => {
      isOver.abort()
      ready.close()
      await balancer.close()
      await Promise.all(nodes.map((node) => node.kill()))
      await cluster.close()
    })
    const settings = { OTEP_LIMITS: 'off', OTEP_DRAIN_SECONDS: drain }
    const start = async (index: number) => {
      const node = await startServer(program, dataDirs[index] ?? '', [], store, settings)
      nodes[index] = node
      await ready.add(node.port)
    }
    const key = await addProvider('acme', [...store, '--data-dir', dataDirs[0] ?? ''])
    for (const index of dataDirs.keys()) await start(index)

    const sent: string[] = []
    const refused: unknown[] = []
    const write = async (lane: number) => {
      for (let number = lane; !isOver.signal.aborted; number += 2) {
        const event: Sent = { event_id: `e-${number}`, subject: { tracking_number: `UP${number % parcels}` } }
        const answer = await send(balancer, key, [event])
        if (answer.status === 200 && answer.accepted === 1) sent.push(event.event_id)
        else refused.push(answer)
        await setTimeout(pause)
      }
    }
    const read = async () => {
      while (!isOver.signal.aborted) {
        const owed = sent.filter((id) => Number(id.slice(2)) % parcels === 0)
        const { events } = await ask(balancer, 'UP0')
        const missing = owed.filter((id) => !events.includes(id))
        if (missing.length > 0) refused.push({ missing })
        await setTimeout(pause)
      }
    }
    await send(balancer, key, [{ event_id: 'first', subject: { tracking_number: 'UP0' } }])
    const reader = await followOn(balancer, 'UP0')
    const load = [write(0), write(1), read()]
    await setTimeout(500)
    for (const index of dataDirs.keys()) {
      const old = nodes[index]
      t.equal(await old?.stop(), 0, 'a node that is stopped ends in order')
      await start(index)
    }
    isOver.abort()
    await Promise.all(load)

    t.same(refused, [], 'each call is taken, and each answer has all that was acknowledged before')
    t.same(balancer.failures, [], 'no answer has a status from 500 on')
    const owed = sent.filter((id) => Number(id.slice(2)) % parcels === 0)
    t.ok(owed.length > 0)
    for (const node of nodes) {
      const told = await Promise.all(Array.from({ length: parcels }, (_, parcel) => ask(node, `UP${parcel}`)))
      t.same(
        told.flatMap(({ events }) => events).toSorted(),
        ['first', ...sent].toSorted(),
        'each event is there, once',
      )
    }
    const live = await reader.until((events) => events.length >= owed.length)
    t.same(live.events.toSorted(), owed.toSorted(), 'a reader has heard each event once')
    t.ok(live.connections > 1, 'from one node after the other')
    t.ok(live.hints.every((hint) => hint >= 1_000 && hint <= 3_000))
    t.ok(live.hints.length > live.connections, 'a connection that a node ends tells when to connect again')
  },
)
