import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { startDouble } from '../../../conformance/eventstore/double.ts'
import { run } from '../../cli/run.ts'
import { isOfOutage } from '../../node/outages.ts'
import { collect, fact, setUp, untilAnswered } from '../eventstore.test.fixture.ts'

const unavailable = { code: 'store_unavailable' }

/** Runs `otep` on a server. */
async function otep(t: Test, address: string, line: readonly string[]) {
  const out: string[] = []
  const write = (text: string) => out.push(text) > 0
  const code = await run(line, {
    env: { OTEP_DATA_DIR: join(t.testdir({}), 'data'), OTEP_STORE: address, PORT: '0', HOST: '127.0.0.1' },
    stdin: Readable.from([]),
    stdout: { write },
    stderr: { write, isTTY: false, columns: 80 } as never,
  })
  return { code, out: out.join('') }
}

t.test(
  'given a server that is lost, when one call has waited in vain, then no other waits, until it is back',
  async (t) => {
    const { double, open } = await setUp(t)
    const store = open({ retryFor: 300 })
    await store.append('shelf-1', [fact()], 'any')
    await double.stop()
    await t.rejects(store.read('shelf-1'), unavailable)
    const calls = double.tally.calls().length
    const outcomes = await Promise.allSettled([
      ...[store.read('shelf-1'), store.latest(), store.keys.read('mary'), collect(store.readAll())],
      ...[store.append('shelf-1', [fact()], 'any'), store.leases.write('webhooks', { holder: 'node', term: 1 })],
    ])
    for (const outcome of outcomes)
      t.match(outcome, { status: 'rejected', reason: { ...unavailable, cause: /cannot be used/ } })
    t.equal(double.tally.calls().length, calls)
    await double.start()
    await untilAnswered(store)
    t.equal((await store.append('shelf-1', [fact()], 'any')).revision, 1)
    t.equal((await store.read('shelf-1')).length, 2)
  },
)

t.test('given a server that is lost and comes back, when calls fail, then each is reported once', async (t) => {
  const { double, open } = await setUp(t)
  const said: string[] = []
  const away = (error: unknown, wasThere: boolean) => said.push(`away ${error instanceof Error} ${wasThere}`)
  const back = (milliseconds: number) => said.push(`back ${milliseconds > 0}`)
  const store = open({ retryFor: 300, away, back })
  await store.append('shelf-1', [fact()], 'any')
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.read('shelf-1'),
    () => store.append('shelf-1', [fact()], 'any'),
  ]
  for (const fail of calls) {
    t.equal(store.lost?.(), undefined)
    await double.stop()
    const outcomes = await Promise.allSettled([fail(), fail(), store.latest()])
    for (const outcome of [...outcomes, ...(await Promise.allSettled([fail()]))])
      t.equal(outcome.status === 'rejected' && isOfOutage(outcome.reason), true)
    const isBack = store.lost?.()
    t.type(isBack, Promise)
    await double.start()
    await isBack
    await t.resolves(fail())
  }
  t.same(said, ['away true true', 'back true', 'away true true', 'back true'])
})

t.test(
  'given a server that is not there, when it answers for the first time, then it was not lost before',
  async (t) => {
    const { double, open } = await setUp(t)
    await double.stop()
    const said: unknown[] = []
    const store = open({ retryFor: 100, away: (_, wasThere) => said.push(wasThere), back: () => said.push('back') })
    await t.rejects(store.read('shelf-1'), unavailable)
    await double.start()
    await store.lost?.()
    t.same(await store.read('shelf-1'), [])
    t.same(said, [false, 'back'])
  },
)

t.test(
  'given a server that takes no writes, when one fails, then it is not lost, and nothing is reported',
  async (t) => {
    const { double, open } = await setUp(t)
    const report = () => t.fail('nothing is lost')
    const store = open({ retryFor: 100, away: report, back: report })
    double.faults.refuse('full')
    const failure = await store.append('shelf-1', [fact()], 'any').catch((error: unknown) => error)
    t.match(failure, unavailable)
    t.equal(isOfOutage(failure), false)
    t.equal(store.lost?.(), undefined)
  },
)

t.test(
  'given a server that takes no writes, when one has waited in vain, then reads go on, and writes are tried once',
  async (t) => {
    const { double, open } = await setUp(t)
    const store = open({ retryFor: 300 })
    await store.append('shelf-1', [fact()], 'any')
    double.faults.refuse('full')
    await t.rejects(store.append('shelf-2', [fact()], 'any'), unavailable)
    const tried = () => double.tally.calls().filter((call) => call === 'append shelf-3').length
    await t.rejects(store.append('shelf-3', [fact()], 'no-stream'), unavailable)
    t.equal(tried(), 1)
    t.equal((await store.read('shelf-1')).length, 1)
    double.faults.refuse(undefined)
    t.match(await store.append('shelf-3', [fact()], 'no-stream'), { revision: 0 })
  },
)

t.test('given what does not pass by itself, when a server starts, then it ends and says what to change', async (t) => {
  const credentials = { username: 'otep', password: 'changeit' }
  const [secure, plain, limited] = await Promise.all([
    startDouble({ credentials }),
    startDouble(),
    startDouble({ credentials, mayReadAll: false }),
  ])
  t.teardown(() => Promise.all([secure, plain, limited].map((double) => double.close())))
  const { connectionString: address } = secure
  const withoutTls = `esdb://127.0.0.1:${secure.port}?tls=false`
  for (const [wrong, check, told] of [
    [address.replace('changeit', 'hunter2'), 'sign-in', /user and password in OTEP_STORE/],
    [address.replace(/&tlsCAFile=.*/, ''), 'tls', /authority .* unknown.*tlsCAFile=/s],
    [plain.connectionString.replace('tls=false', 'tls=true'), 'tls', /does not speak TLS.*tls=false/s],
    [withoutTls, 'tls', /speaks TLS alone.*Remove tls=false/s],
    [address.replace('otep:changeit@', ''), 'read-all', /Name a user/],
    [limited.connectionString, 'read-all', /may not read \$all.*metadata of \$all/s],
  ] as const) {
    const served = await otep(t, wrong, ['serve'])
    t.match(served, { code: 1, out: told }, check)
    t.notMatch(served.out, /hunter2/)
    const { code, out } = await otep(t, wrong, ['doctor'])
    t.match(out, new RegExp(`^failed +${check} `, 'm'))
    t.match({ code, out }, { code: 1, out: told })
  }
})

t.test('given a server that is right, when it is checked, then each check is told by its name', async (t) => {
  const double = await startDouble({ credentials: { username: 'otep', password: 'changeit' } })
  t.teardown(() => double.close())
  const address = `${double.connectionString}&otepPrefix=shop.`
  t.match(await otep(t, address, ['provider', 'add', 'acme', '--all-businesses', '--init']), { code: 0 })
  const events = double.events().filter(({ type }) => !type.startsWith('otep.')).length
  const { code, out } = await otep(t, address, ['doctor', '--json'])
  const { checks } = JSON.parse(out)
  const names = [
    'address',
    'connection',
    'tls',
    'sign-in',
    'read-all',
    'append',
    'history',
    'clock',
    'secret-key',
    'models',
    'leftovers',
  ]
  t.same(
    checks.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]),
    names.map((name) => [name, 'ok']),
  )
  t.match(checks[6], { found: /^began at 20/ })
  t.equal(code, 0)
  t.equal(double.events().filter(({ type }) => !type.startsWith('otep.')).length, events, 'no event is added')
})

t.test('given nobody at an address, when it is checked, then the first check that fails tells', async (t) => {
  const double = await startDouble()
  await double.close()
  const { code, out } = await otep(t, double.connectionString, ['doctor'])
  t.match({ code, out }, { code: 1, out: /failed +connection .*ECONNREFUSED\n +-> Start the server/ })
  t.match(out, /not checked append +needs sign-in/)
  t.match(await otep(t, 'esdb://no-such-host.invalid?tls=false', ['doctor']), { code: 1, out: /failed +address/ })
})

t.test('given a clock that is wrong, when it is checked, then the difference is told', async (t) => {
  const double = await startDouble()
  t.teardown(() => double.close())
  double.faults.clockBehind(60_000)
  t.match(await otep(t, double.connectionString, ['doctor']), { code: 1, out: /failed +clock .* differ by 60 s/ })
})
