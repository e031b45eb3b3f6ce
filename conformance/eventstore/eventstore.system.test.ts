import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  ANY,
  type AppendExpectedRevision,
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  NO_STREAM,
  type ResolvedEvent,
  START,
  STREAM_EXISTS,
  type SubscribeToAllOptions,
  streamNameFilter,
} from '@eventstore/db-client'
import t from 'tap'
import {
  clientOf,
  clusterOf,
  collect,
  doubleOf,
  event,
  events,
  failure,
  fate,
  paths,
  take,
  until,
} from './eventstore.test.fixture.ts'

const types = (items: readonly ResolvedEvent[]) => items.map((item) => item.event?.type)
const ours = ({ event }: ResolvedEvent) => event !== undefined && !event.streamId.startsWith('$')

for (const [way, options] of paths) {
  t.test(`given a stream of two events, when it is appended to ${way}, then beliefs are held against it`, async (t) => {
    const client = clientOf(t, await doubleOf(t))
    const append = (stream: string, expectedRevision: AppendExpectedRevision) =>
      client.appendToStream(stream, event(), { ...options, expectedRevision })
    const first = await client.appendToStream('box-1', events('A', 'B'), { ...options, expectedRevision: NO_STREAM })
    t.equal(first.nextExpectedRevision, 1n)
    const [last] = await collect(client.readStream('box-1', { direction: BACKWARDS, fromRevision: END, maxCount: 1 }))
    t.same(first.position, last?.event?.position, 'the place of the last event')
    for (const wrong of [NO_STREAM, 0n, 2n] as const) {
      t.match(await failure(append('box-1', wrong)), {
        type: 'wrong-expected-version',
        streamName: 'box-1',
        expectedVersion: wrong,
        actualVersion: 1n,
      })
    }
    t.match(await failure(append('box-2', STREAM_EXISTS)), { expectedVersion: STREAM_EXISTS, actualVersion: NO_STREAM })
    t.match(await failure(append('box-2', 0n)), { expectedVersion: 0n, actualVersion: NO_STREAM })
    for (const [index, right] of ([1n, STREAM_EXISTS, ANY] as const).entries()) {
      t.equal((await append('box-1', right)).nextExpectedRevision, BigInt(index + 2))
    }
  })

  t.test(`given events that stand, when they are appended ${way} again, then ids decide`, async (t) => {
    const double = await doubleOf(t)
    const client = clientOf(t, double)
    const [one, two, three] = [event(), event(), event()]
    const strong = { ...options, expectedRevision: NO_STREAM } as const
    const first = await client.appendToStream('box-1', [one, two], strong)
    await client.appendToStream('box-1', three, { ...options, expectedRevision: 1n })
    t.same(await client.appendToStream('box-1', [one, two], strong), first, 'answered as the first time')
    t.equal(await fate(client.appendToStream('box-1', [one, three], strong)), 'wrong-expected-version', 'in part')
    t.equal(await fate(client.appendToStream('box-1', [one, two, three, event()], strong)), 'wrong-expected-version')
    t.same(await client.appendToStream('box-1', [one, two], { ...options, expectedRevision: ANY }), first, 'remembered')
    t.equal(await fate(client.appendToStream('box-1', [one, event()], options)), 'wrong-expected-version', 'in part')
    t.equal(double.events().length, 3)
    await client.appendToStream('box-2', one, options)
    t.equal(double.events().length, 4, 'the same id in another stream is another event')
    await client.appendToStream('box-2', [event(), one], options)
    t.equal(double.events().length, 6, 'and so is one after a new event, if no revision is expected')
  })

  t.test(`given a limit, when more is appended ${way}, then it is refused`, async (t) => {
    const double = await doubleOf(t, { maxAppendSize: 1000 })
    const client = clientOf(t, double)
    const large = client.appendToStream('box-1', event('Packed', { text: 'x'.repeat(1000) }), options)
    t.match(await failure(large), { type: 'maximum-append-size-exceeded', maxAppendSize: 1000 })
    t.equal(await fate(client.appendToStream('box-1', event('Packed', { text: 'x'.repeat(900) }), options)), 'done')
  })

  t.test(`given no limit of ours, when more than 1 MiB is appended ${way}, then it is refused`, async (t) => {
    const client = clientOf(t, await doubleOf(t))
    const large = client.appendToStream('box-1', event('Packed', { text: 'x'.repeat(1_048_576) }), options)
    t.match(await failure(large), { type: 'maximum-append-size-exceeded', maxAppendSize: 1_048_576 })
  })

  t.test(`given a tombstone, when it is appended to ${way}, then that is refused for ever`, async (t) => {
    const client = clientOf(t, await doubleOf(t))
    await client.appendToStream('box-1', event(), options)
    t.equal(await fate(client.tombstoneStream('box-1', { expectedRevision: 7n })), 'wrong-expected-version')
    await client.tombstoneStream('box-1', { expectedRevision: 0n })
    t.match(await failure(client.appendToStream('box-1', event(), options)), {
      type: 'stream-deleted',
      streamName: 'box-1',
    })
    t.equal(await fate(collect(client.readStream('box-1'))), 'stream-deleted')
    t.equal(await fate(client.deleteStream('box-1')), 'stream-deleted')
  })

  t.test(`given an id that is no UUID, when it is appended ${way}, then it is refused`, async (t) => {
    const double = await doubleOf(t)
    const odd = clientOf(t, double).appendToStream('box-1', { ...event(), id: 'box-1' }, options)
    t.equal(await fate(odd), 'unknown')
    t.same(double.events(), [])
  })
}

t.test('given a server that refuses, when appended, then each path says it in its own words', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  const said = async (status: 'full' | 'timeout' | 'unavailable') => {
    double.faults.refuse(status)
    const fates: string[] = []
    for (const [, options] of paths) fates.push(await fate(client.appendToStream('box-1', event(), options)))
    return fates
  }
  t.same(await said('full'), ['unknown', 'unavailable'])
  t.same(await said('timeout'), ['deadline-exceeded', 'timeout'])
  t.same(await said('unavailable'), ['unknown', 'unavailable'])
  t.same(double.events(), [])
  double.faults.refuse(undefined)
  t.equal(await fate(client.appendToStream('box-1', event())), 'done')
})

t.test('given a restart, when events are appended again, then only those with a revision are known', async (t) => {
  const double = await doubleOf(t)
  const before = clientOf(t, double)
  const [strong, weak] = [event(), event()]
  await before.appendToStream('box-1', strong, { expectedRevision: NO_STREAM })
  await before.appendToStream('box-2', weak)
  await double.stop()
  await double.start()
  const client = clientOf(t, double)
  await client.appendToStream('box-1', strong, { expectedRevision: NO_STREAM })
  await client.appendToStream('box-2', weak)
  const places = double.events().map(({ stream, revision, id }) => [stream, revision, id])
  t.same(places, [
    ['box-1', 0, strong.id],
    ['box-2', 0, weak.id],
    ['box-2', 1, weak.id],
  ])
})

t.test('given a stream, when it is read, then a range of it comes in either direction', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  const data = { text: 'ü' }
  const metadata = { schema: 2 }
  await client.appendToStream('box-1', [...events('A', 'B', 'C'), { ...event('D', data), metadata }])
  const read = async (options: Parameters<typeof client.readStream>[1]) =>
    types(await collect(client.readStream('box-1', options)))
  t.same(await read({}), ['A', 'B', 'C', 'D'])
  t.same(await read({ fromRevision: 1n, maxCount: 2 }), ['B', 'C'])
  t.same(await read({ fromRevision: 9n }), [])
  t.same(await read({ direction: BACKWARDS, fromRevision: END, maxCount: 2 }), ['D', 'C'])
  t.same(await read({ direction: BACKWARDS, fromRevision: 1n }), ['B', 'A'])
  t.same(await read({ direction: BACKWARDS, fromRevision: START }), ['A'])
  const [last] = await collect(client.readStream('box-1', { fromRevision: 3n }))
  t.match(last?.event, { streamId: 'box-1', revision: 3n, type: 'D', data, metadata, isJson: true })
  t.equal(Math.round(Math.abs(Number(last?.event?.created) - Date.now()) / 3_600_000), 0)
  t.equal(await fate(collect(client.readStream('box-2'))), 'stream-not-found')
})

t.test('given many streams, when all is read, then positions grow and the system is among them', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  for (let turn = 0; turn < 40; turn++) await client.appendToStream(`box-${turn % 3}`, events('A', 'B'))
  await client.setStreamMetadata('box-1', { maxCount: 5 })
  const all = await collect(client.readAll())
  const places = all.map((item) => item.event?.position ?? { commit: 0n, prepare: 0n })
  const grow = places.every(({ commit, prepare }, index) => {
    const before = places[index - 1] ?? { commit: -1n, prepare: -1n }
    return commit > before.commit || (commit === before.commit && prepare > before.prepare)
  })
  t.ok(grow)
  const firstOfOurs = all.findIndex(ours)
  t.ok(all.slice(firstOfOurs).some((item) => item.event?.type === '$statsCollected'))
  t.equal(all.at(-1)?.event?.streamId, '$$box-1')
  const middle = places[40] ?? { commit: 0n, prepare: 0n }
  t.same(await collect(client.readAll({ fromPosition: middle, maxCount: 3 })), all.slice(40, 43), 'inclusive')
  const back = await collect(client.readAll({ fromPosition: middle, direction: BACKWARDS, maxCount: 3 }))
  t.same(back, all.slice(37, 40).reverse(), 'exclusive')
  t.same(await collect(client.readAll({ fromPosition: END, direction: BACKWARDS })), all.toReversed())
})

t.test('given a deleted stream, when it is appended to, then it comes back without what was hidden', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  await client.setStreamMetadata('box-1', { owner: 'shop' })
  await client.appendToStream('box-1', events('A', 'B'))
  await client.deleteStream('box-1', { expectedRevision: 1n })
  t.equal(await fate(collect(client.readStream('box-1'))), 'stream-not-found')
  t.equal(await fate(client.appendToStream('box-1', event(), { expectedRevision: STREAM_EXISTS })), 'stream-deleted')
  const back = event('C')
  t.equal((await client.appendToStream('box-1', back, { expectedRevision: NO_STREAM })).nextExpectedRevision, 2n)
  t.equal((await client.appendToStream('box-1', back, { expectedRevision: 1n })).nextExpectedRevision, 2n, 'again')
  t.same(types(await collect(client.readStream('box-1'))), ['C'])
  t.match((await client.getStreamMetadata('box-1')).metadata, { owner: 'shop', truncateBefore: 2 })
  t.equal(double.events().length, 3, 'all is in the log')
})

t.test('given $maxCount, when the stream is read, then only its last events are there', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  await client.setStreamMetadata('box-1', { maxCount: 2 })
  await client.appendToStream('box-1', events('A', 'B', 'C'))
  t.same(types(await collect(client.readStream('box-1'))), ['B', 'C'])
  t.same(types(await take(client.subscribeToStream('box-1'), 2)), ['B', 'C'])
  t.same(types((await collect(client.readAll())).filter(ours)), ['A', 'B', 'C'])
})

t.test(
  'given a subscription to all, when it resumes, then it starts after its position and continues live',
  async (t) => {
    const client = clientOf(t, await doubleOf(t))
    await client.appendToStream('box-1', events('A', 'B', 'C'))
    const [, b] = (await collect(client.readAll())).filter(ours)
    const subscription = client.subscribeToAll({ fromPosition: b?.event?.position ?? START })
    const taken = take(subscription, 7)
    await once(subscription, 'caughtUp')
    await Promise.all(['D', 'E', 'F'].map((type) => client.appendToStream(`box-${type}`, events(type, type))))
    const seen = await taken
    t.equal(seen[0]?.event?.type, 'C')
    const all = (await collect(client.readAll({ fromPosition: seen[0]?.event?.position ?? START }))).filter(ours)
    t.same(seen, all, 'each once, in the order of their commits')
  },
)

t.test('given filters, when subscribed, then what passes is what they name', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  await client.appendToStream('box-1', events('Packed', 'Sent'))
  await client.appendToStream('shelf-1', events('Packed', 'Sold'))
  const seen = async (filter: SubscribeToAllOptions['filter'] & object, count: number) =>
    (await take(client.subscribeToAll({ filter }), count)).map(({ event }) => `${event?.streamId} ${event?.type}`)
  t.same(await seen(streamNameFilter({ prefixes: ['shelf-', 'bag-'] }), 2), ['shelf-1 Packed', 'shelf-1 Sold'])
  t.same(await seen(streamNameFilter({ regex: '^box' }), 2), ['box-1 Packed', 'box-1 Sent'])
  t.same(await seen(eventTypeFilter({ prefixes: ['S'] }), 2), ['box-1 Sent', 'shelf-1 Sold'])
  t.same(await seen(eventTypeFilter({ regex: '^[^$].*d$' }), 3), ['box-1 Packed', 'shelf-1 Packed', 'shelf-1 Sold'])
})

t.test('given a filter that is no regular expression, when subscribed, then that is refused', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  t.equal(await fate(take(client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) }), 1)), 'unknown')
})

t.test(
  'given events of other applications, when asked, then the double tells its calls and what it sent',
  async (t) => {
    const double = await doubleOf(t, { latency: { read: 1, write: 6 } })
    const client = clientOf(t, double)
    double.foreign(1_200)
    await client.appendToStream('box-1', event('Packed'), { credentials: { username: 'admin', password: 'changeit' } })
    const filter = streamNameFilter({ prefixes: ['box-'] })
    t.same(types(await take(client.subscribeToAll({ filter }), 1)), ['Packed'])
    t.equal(double.tally.events(), 1)
    const all = await collect(client.readAll())
    t.equal(all.filter(({ event }) => event?.type === 'SomethingElse').length, 1_200)
    t.ok(all.some(({ event }) => event?.type === '$statsCollected'))
    t.equal(double.tally.events(), 1 + all.length)
    t.same(double.tally.calls(), ['append box-1', 'subscribe $all', 'read $all'])
  },
)

t.test('given readers that look for little, when they have looked, then the double tells it for each', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  double.foreign(1_200)
  await client.appendToStream('box-1', event('Packed'))
  const filterOf = (...prefixes: readonly string[]) =>
    streamNameFilter({ prefixes: [...prefixes], maxSearchWindow: 100, checkpointInterval: 1 })
  for (const prefixes of [['box-'], ['bag-', 'box-']])
    t.same(types(await take(client.subscribeToAll({ filter: filterOf(...prefixes) }), 1)), ['Packed'])
  const readers = double.tally.readers()
  t.same([...readers.keys()], ['box-', 'bag-,box-'])
  for (const { records, checkpoints } of readers.values()) {
    t.ok(records >= 1_201, `${records} records`)
    t.equal(checkpoints, Math.floor(records / 100))
  }
  t.equal(
    double.tally.records(),
    [...readers.values()].reduce((sum, { records }) => sum + records, 0),
  )
})

t.test('given a filter that little passes, when subscribed, then checkpoints tell how far it looked', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  await client.appendToStream('box-1', events(...Array.from({ length: 39 }, () => 'Packed')))
  await client.appendToStream('shelf-1', event('Sold'))
  const all = await collect(client.readAll())
  const checkpoints: unknown[] = []
  const checkpointReached = async (_: unknown, position: unknown) => {
    checkpoints.push(position)
  }
  const filter = streamNameFilter({
    prefixes: ['shelf-'],
    maxSearchWindow: 10,
    checkpointInterval: 2,
    checkpointReached,
  })
  t.same(types(await take(client.subscribeToAll({ filter }), 1)), ['Sold'])
  t.same(checkpoints, [all[19]?.event?.position, all[39]?.event?.position])
})

t.test('given a subscription to a stream, when it starts behind a revision, then that one is left out', async (t) => {
  const client = clientOf(t, await doubleOf(t))
  const early = take(client.subscribeToStream('box-2'), 1)
  await client.appendToStream('box-1', events('A', 'B'))
  t.same(types(await take(client.subscribeToStream('box-1', { fromRevision: 0n }), 1)), ['B'])
  const live = client.subscribeToStream('box-1', { fromRevision: END })
  const taken = take(live, 1)
  await once(live, 'caughtUp')
  await client.appendToStream('box-1', event('C'))
  await client.appendToStream('box-2', event('D'))
  t.same(types(await taken), ['C'])
  t.same(types(await early), ['D'], 'a stream may be waited for')
})

t.test('given an old server, when a subscription has caught up, then nobody says so', async (t) => {
  const client = clientOf(t, await doubleOf(t, { caughtUp: false }))
  await client.appendToStream('box-1', event('A'))
  const subscription = client.subscribeToStream('box-1')
  subscription.on('caughtUp', () => t.fail('it was said'))
  const taken = take(subscription, 2)
  await once(subscription, 'confirmation')
  await client.appendToStream('box-1', event('B'))
  t.same(types(await taken), ['A', 'B'])
})

t.test('given live subscriptions, when the server drops them, then each ends with an error', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  const subscriptions = [client.subscribeToAll(), client.subscribeToStream('box-1')]
  const ends = subscriptions.map((subscription) => fate(take(subscription, 100)))
  await Promise.all(subscriptions.map((subscription) => once(subscription, 'caughtUp')))
  double.faults.dropSubscriptions()
  t.same(await Promise.all(ends), ['unavailable', 'unavailable'])
})

t.test('given a server that stops, when it starts again, then it has its port and its events', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  await client.appendToStream('box-1', event('A'))
  const subscription = client.subscribeToAll()
  const end = fate(take(subscription, 100))
  await once(subscription, 'caughtUp')
  await double.stop()
  t.match(await end, /^(unavailable|cancelled)$/)
  t.equal(await fate(collect(clientOf(t, double).readStream('box-1'))), 'unavailable')
  await double.start()
  t.same(types(await collect(clientOf(t, double).readStream('box-1'))), ['A'])
})

t.test('given a slow server, when it is called, then it answers, but not before', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  await client.appendToStream('box-1', event())
  double.faults.delay(200)
  const calls = [
    () => client.appendToStream('box-1', event()),
    () => collect(client.readStream('box-1')),
    () => client.deleteStream('box-1'),
  ]
  for (const call of calls) {
    let isLate = false
    setTimeout(() => {
      isLate = true
    }, 100)
    await call()
    t.ok(isLate, 'what was due before the delay is over has happened')
  }
})

t.test('given a call of its own, when its reply or itself is lost, then its deadline ends it', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  const options = { ...paths[1]?.[1], deadline: 300 }
  double.faults.dropReplies(1)
  t.equal(await fate(client.appendToStream('box-1', event(), options)), 'deadline-exceeded')
  t.equal(double.events().length, 1)
  double.faults.loseAppends(1)
  t.equal(await fate(client.appendToStream('box-1', event(), options)), 'deadline-exceeded')
  t.equal(double.events().length, 1)
  t.equal(await fate(client.appendToStream('box-1', event(), options)), 'done', 'the faults are used up')
})

t.test('given credentials are demanded, when called, then it counts who calls', async (t) => {
  const double = await doubleOf(t, { credentials: { username: 'admin', password: 'p@ss:word' } })
  const user = clientOf(t, double)
  const nobody = clientOf(t, { connectionString: double.connectionString.replace(/\/\/.*@/, '//') })
  const wrong = clientOf(t, { connectionString: double.connectionString.replace(/\/\/.*@/, '//admin:guess@') })
  await user.appendToStream('box-1', event('A'))
  t.same(types((await collect(user.readAll())).filter(ours)), ['A'])
  t.same(types(await collect(nobody.readStream('box-1'))), ['A'])
  t.equal(await fate(collect(nobody.readAll())), 'access-denied')
  t.equal(await fate(take(nobody.subscribeToAll(), 1)), 'access-denied')
  t.equal(await fate(nobody.appendToStream('$box', event())), 'access-denied')
  t.equal(await fate(collect(wrong.readStream('box-1'))), 'access-denied', 'UNAUTHENTICATED')
  t.equal(await fate(wrong.appendToStream('box-1', event())), 'access-denied')
  t.equal(
    await fate(user.appendToStream('box-1', event(), { credentials: { username: 'admin', password: 'no' } })),
    'access-denied',
  )
  t.equal(double.events().length, 1)
})

t.test('given a cluster, when the leader moves or dies, then one call fails and the next finds it', async (t) => {
  const cluster = await clusterOf(t, 3)
  const client = clientOf(t, cluster)
  const [first, second, third] = [event(), event(), event()]
  await client.appendToStream('box-1', first, { expectedRevision: NO_STREAM })
  t.equal(cluster.leader(), 0)
  cluster.moveLeader()
  t.match(await failure(client.appendToStream('box-1', second, { expectedRevision: 0n })), {
    type: 'not-leader',
    leader: { address: '127.0.0.1', port: cluster.doubles[1]?.port },
  })
  t.equal(await fate(client.appendToStream('box-1', second, { expectedRevision: 0n })), 'done')
  cluster.doubles[1]?.faults.dropReplies(1)
  const cutOff = fate(client.appendToStream('box-1', third, { expectedRevision: 1n }))
  await until(() => cluster.doubles[1]?.events().length === 3)
  await cluster.stopNode(1)
  t.equal(cluster.leader(), 2)
  t.match(await cutOff, /^(unavailable|cancelled)$/)
  t.equal((await client.appendToStream('box-1', third, { expectedRevision: 1n })).nextExpectedRevision, 2n)
  t.equal(cluster.doubles[0]?.events().length, 3, 'the repetition is known to the next leader')
  await cluster.startNode(1)
  const revived = clientOf(t, cluster.doubles[1] ?? { connectionString: '' })
  t.equal((await collect(revived.readStream('box-1'))).length, 3)
  t.equal(await fate(revived.appendToStream('box-1', event(), { ...paths[1]?.[1] })), 'not-leader')
  t.equal(
    await fate(collect(clientOf(t, cluster.doubles[0] ?? cluster).readAll({ requiresLeader: true }))),
    'not-leader',
  )
})

t.test(
  'given a follower, when many appends reach it at once, then all are refused, and then all go to the leader',
  async (t) => {
    const cluster = await clusterOf(t, 2)
    const client = clientOf(t, cluster)
    await client.appendToStream('box-0', event())
    cluster.moveLeader()
    const all = Array.from({ length: 30 }, (_, index) => [`box-${index}`, event()] as const)
    const send = () => Promise.all(all.map(([stream, event]) => fate(client.appendToStream(stream, event))))
    t.same(new Set(await send()), new Set(['not-leader']))
    t.same(new Set(await send()), new Set(['done']))
    t.equal(cluster.doubles[0]?.events().length, 31)
  },
)

t.test('given a reply that is lost, when appended in a batch, then the client waits past its deadline', async (t) => {
  const double = await doubleOf(t)
  const client = EventStoreDBClient.connectionString(double.connectionString)
  double.faults.dropReplies(1)
  const [unanswered, again] = [event(), clientOf(t, double)]
  const options = { expectedRevision: NO_STREAM, deadline: 300 } as const
  const append = client.appendToStream('box-1', unanswered, options)
  const first = fate(append)
  t.equal(await fate(append, 1500), 'pending')
  t.equal(double.events().length, 1, 'it is committed')
  await client.dispose()
  t.not(await first, 'done')
  const { nextExpectedRevision } = await again.appendToStream('box-1', unanswered, options)
  t.equal(nextExpectedRevision, 0n, 'a repetition tells')
  t.equal(double.events().length, 1)
})

t.test('given a clock behind the server, when appended in a batch, then every deadline has passed', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  double.faults.clockBehind(20_000)
  t.equal(await fate(client.appendToStream('box-1', event())), 'deadline-exceeded')
  t.same(double.events(), [])
  t.equal(
    await fate(client.appendToStream('box-1', event(), paths[1]?.[1])),
    'done',
    'a call of its own takes no clock',
  )
  double.faults.clockBehind(0)
  t.equal(await fate(client.appendToStream('box-1', event())), 'done')
})

t.test('given two clients, when the server of one stops, then appends of the other are rejected too', async (t) => {
  const [failing, healthy] = [await doubleOf(t), await doubleOf(t)]
  const [one, other] = [clientOf(t, failing), clientOf(t, healthy)]
  await one.appendToStream('box-1', event())
  healthy.faults.dropReplies(1)
  const waiting = fate(other.appendToStream('box-1', event()))
  await until(() => healthy.events().length === 1)
  await failing.stop()
  t.match(await waiting, /^(unavailable|cancelled)$/, 'its own server is well')
})

t.test(
  'given conflicts that do not throw, when appended in a batch, then the reported revision is wrong',
  async (t) => {
    const double = await doubleOf(t)
    const quiet = clientOf(t, { connectionString: `${double.connectionString}&throwOnAppendFailure=false` })
    await quiet.appendToStream('box-1', events('A', 'B', 'C', 'D'))
    const told: unknown[] = []
    for (const [, options] of paths) {
      const answer = await quiet.appendToStream('box-1', event(), { ...options, expectedRevision: NO_STREAM })
      told.push([answer.success, answer.nextExpectedRevision])
    }
    t.same(told, [
      [false, 1n],
      [false, 3n],
    ])
  },
)

t.test('given a batch of several messages, when it is sent, then it is one append', async (t) => {
  const double = await doubleOf(t)
  const client = clientOf(t, double)
  const many = Array.from({ length: 50 }, () => event('A', { text: randomUUID() }))
  const { nextExpectedRevision } = await client.appendToStream('box-1', many, { batchAppendSize: 500 })
  t.equal(nextExpectedRevision, 49n)
  t.equal(new Set((await collect(client.readStream('box-1'))).map(({ event }) => event?.position?.commit)).size, 1)
})
