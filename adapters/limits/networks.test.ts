import t from 'tap'
import { passwordOf } from '../auth/world.test.fixture.ts'
import { networks, rates } from '../node/limits.ts'
import { limitedWorld, limitsAt } from './limits.test.fixture.ts'
import { networksOf } from './source.ts'

const read = '/api/v1/otep/trackings/L1'

/** A world in which one number exists, and how addresses ask it. */
async function guessing(settings: string) {
  const made = await limitedWorld(settings)
  const single = async (from: string, number: string, key?: string) =>
    (await made.ask(from, `/api/v1/otep/trackings/${number}`, key === undefined ? {} : { key })).status
  /** A batch of so many unknown numbers, after known ones. */
  const batch = async (from: string, count: number, known: readonly string[] = [], headers = {}) => {
    const tracking_numbers = [...known, ...Array.from({ length: count }, (_, id) => `M${id}`)]
    const body = JSON.stringify({ tracking_numbers, ...(Object.keys(headers).length > 0 && { format: 'epcis' }) })
    return (await made.ask(from, '/api/v1/otep/trackings/batch', { method: 'POST', body, headers })).status
  }
  return { ...made, single, batch }
}

t.test('the networks of a source', async (t) => {
  const names = (source: string) => networksOf(source).map(({ name, times }) => `${name} ${times}`)
  t.same(names('2001:db8:1:23ff::/64'), ['2001:db8:1:2300::/56 4', '2001:db8:1:0::/48 16'])
  t.same(names('2001:db8:ffff:7::/64'), ['2001:db8:ffff:0::/56 4', '2001:db8:ffff:0::/48 16'])
  t.same(names('203.0.113.77'), ['203.0.113.0/24 16'])
  t.same(names('local'), [], 'what is no address has none')
  t.same(names('account 7'), [])
})

t.test('given every limit by source and networks, when one source is empty, then its networks are not', async (t) => {
  for (const name of ['misses', 'failed_sign_ins'] as const) {
    for (const [source, neighbour] of [
      ['203.0.113.7', '203.0.113.8'],
      ['2001:db8:1:100::/64', '2001:db8:1:101::/64'],
    ] as const) {
      const { limits, clock } = limitsAt()
      limits.charge(name, source, rates[name].burst)
      t.notOk(limits.hasToken(name, source), name)
      t.ok(limits.hasToken(name, neighbour), name)
      const least = Math.min(...networksOf(source).map(({ times }) => times))
      limits.charge(name, source, (least - 1) * rates[name].burst)
      t.notOk(limits.hasToken(name, neighbour), `${name}: ${least} times as much are those of a network`)
      clock.now += 1_000 * (rates[name].seconds / rates[name].count / least) + 1
      t.ok(limits.hasToken(name, neighbour), `${name}: which gets ${least} times as many`)
    }
  }
  t.ok(networks.every(({ times }) => times > 1))
})

t.test('given a token that is taken from a source, then its networks give one, too, or it gets none', async (t) => {
  const { limits } = limitsAt()
  for (let count = 0; count < 15; count++) limits.charge('misses', `198.51.100.${count}`, 60)
  for (let count = 0; count < 60; count++) t.ok(limits.tryTake('misses', '198.51.100.20'))
  t.notOk(limits.tryTake('misses', '198.51.100.21'))
  t.ok(limits.tryTake('misses', '198.51.101.21'))
})

t.test('given networks, when numbers are guessed from all over one, then all of it is refused alone', async (t) => {
  const { batch, single, limiting } = await guessing('misses=2/m')
  const sites: readonly [inside: (at: number) => string, outside: string][] = [
    [(at) => `2001:db8:1:${at.toString(16)}00::1`, '2001:db8:2::1'],
    [(at) => `203.0.113.${at}`, '203.0.114.1'],
  ]
  for (const [inside, outside] of sites) {
    const statuses: number[] = []
    for (let at = 1; at <= 20; at++) statuses.push(await batch(inside(at), 8))
    t.same(statuses, [...Array(4).fill(200), ...Array(16).fill(429)], 'thirty-two numbers, sixteen times two')
    t.equal(await single(inside(99), 'L1'), 429, 'before anything is looked up')
    t.equal(await single(outside, 'L1'), 200)
  }
  t.equal(await batch('2001:db8:3:100::1', 8), 200)
  t.equal(await single('2001:db8:3:1ff::1', 'L1'), 429, 'the same /56')
  t.equal(await single('2001:db8:3:200::1', 'L1'), 200, 'another /56')
  limiting.now += 60_000
  t.equal(await single('203.0.113.99', 'L1'), 200)
})

t.test('given one source that guesses as much as it may, when others of its network ask, then they find', async (t) => {
  const { batch, single } = await guessing('')
  t.equal(await batch('203.0.113.7', 500), 200)
  for (let count = 0; count < 20; count++) t.equal(await batch('203.0.113.7', 500), 429)
  t.equal(await single('203.0.113.8', 'L1'), 200)
})

t.test(
  'given batches at once from one source, when the first has used up its misses, then only one is told',
  async (t) => {
    const { batch } = await guessing('')
    const statuses = await Promise.all(Array.from({ length: 5 }, () => batch('203.0.113.7', 400)))
    t.same(statuses.toSorted(), [200, 429, 429, 429, 429])
  },
)

t.test('given a budget for all, when all together have missed it, then only misses are refused', async (t) => {
  const { batch, single, ask, limiting, key, tokens, refused } = await guessing('misses=20/m,all_misses=3/m')
  for (const at of [1, 2, 3]) t.equal(await single(`198.18.${at}.1`, 'NO'), 404)
  const answer = await ask('198.18.4.1', '/api/v1/otep/trackings/NO')
  t.equal(answer.status, 429)
  t.equal(answer.headers.get('retry-after'), '20')
  t.same(refused, ['all_misses'])
  t.equal(await single('198.18.4.1', 'L1'), 429, 'a miss then counts as twenty')
  t.equal(await single('198.18.5.1', 'L1'), 200, 'who finds does not notice')
  t.equal((await ask('198.18.6.1', '/track/NO')).status, 429)
  t.equal(await single('198.18.7.1', 'NO', key), 404, 'nor who has a key')
  t.equal(await single('198.18.7.1', 'NO', tokens.client_admin), 404, 'or an account')
  const joined = { Accept: 'application/ld+json' }
  t.equal(await batch('198.18.8.1', 499, ['L1']), 429, 'a batch that misses some tells nothing')
  t.equal(await single('198.18.8.2', 'L1'), 200, 'and counts as one refused miss for its network')
  t.equal(await batch('198.18.9.1', 0, ['L1', 'L1']), 200)
  t.equal(await batch('198.18.10.1', 1, ['L1'], joined), 429, 'one document of many')
  t.equal(await batch('198.18.11.1', 0, ['L1'], joined), 200)
  limiting.now += 20_000
  t.equal(await single('198.18.12.1', 'NO'), 404, 'refused misses take nothing from the budget')
  t.equal(await single('198.18.13.1', 'NO'), 429)
})

t.test('given callers with credentials, when they miss, then the budget of all others is untouched', async (t) => {
  const { single, key } = await guessing('all_misses=1/h')
  for (let count = 0; count < 9; count++) t.equal(await single('198.18.1.1', 'NO', key), 404)
  t.equal(await single('198.18.2.1', 'NO'), 404)
  t.equal(await single('198.18.3.1', 'NO'), 429)
})

t.test('given the defaults, then the budget of all is that of fifty sources', async (t) => {
  const { misses, all_misses: all } = rates
  t.equal(all.count / all.seconds, (50 * misses.count) / misses.seconds)
  t.equal(all.burst, 50 * misses.burst)
})

t.test(
  'given wrong passwords from all over a network, when it has failed too often, then only who has signed in there may',
  async (t) => {
    const { login } = await limitedWorld('failed_sign_ins=1/m')
    const inside = (at: number) => `2001:db8:1:${at.toString(16)}00::1`
    const right = passwordOf('driver')
    t.equal((await login(inside(99), 'driver@one.example', right)).status, 200)
    for (let at = 1; at <= 16; at++) t.equal((await login(inside(at), 'driver@one.example', 'wrong')).status, 401)
    t.equal((await login(inside(17), 'driver@one.example', 'wrong')).status, 429)
    t.equal((await login(inside(99), 'driver@one.example', right)).status, 200)
    t.equal((await login('2001:db8:2::1', 'driver@one.example', right)).status, 200)
  },
)

t.test(
  'given a read that is kept, when the network of its source has missed too often, then it is refused',
  async (t) => {
    const { batch, ask } = await guessing('misses=1/m')
    t.equal((await ask('203.0.113.8', read)).status, 200)
    t.equal(await batch('203.0.113.7', 16), 200)
    t.equal((await ask('203.0.113.8', read)).status, 429)
  },
)
