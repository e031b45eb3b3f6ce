import t from 'tap'
import type { Credentials } from '../../engine/index.ts'
import { limitedWorld } from '../limits/limits.test.fixture.ts'
import { createAttempts } from './attempts.ts'
import { createPasswords } from './passwords.ts'
import { passwordOf } from './world.test.fixture.ts'

const day = 86_400_000

t.test('given a crowd whose passwords are checked, when a known account signs in, then it does not wait', async (t) => {
  const { matches } = createPasswords({ N: 2, r: 1, p: 1 })
  const begun: string[] = []
  /** A password that notes when its check begins. */
  const noting = (name: string) => ({ normalize: () => String(begun.push(name)) }) as unknown as string
  const crowd = Array.from({ length: 150 }, (_, at) => matches(noting(`crowd ${at}`), undefined, `source ${at}`))
  const known = [
    matches(noting('ann'), undefined, 'home', 'ann'),
    ...[1, 2].map((at) => matches(noting(`ann ${at}`), undefined, 'home', 'ann')),
    matches(noting('bob'), undefined, 'home', 'bob'),
  ]
  await Promise.all([...crowd, ...known])
  t.same(begun.slice(0, 3), ['crowd 0', 'crowd 1', 'ann'], 'two of the crowd at once, and one of the known')
  const order = begun.filter((name) => !name.startsWith('crowd'))
  t.same(order, ['ann', 'ann 1', 'bob', 'ann 2'], 'known accounts take turns')
})

t.test('given an account that has signed in, when it comes from there again, then its check is told so', async (t) => {
  const clock = { now: 0 }
  const { attempt } = createAttempts(() => clock.now)
  const told: (string | undefined)[] = []
  const check = (answer: true | undefined) => async (known: string | undefined) => {
    told.push(known)
    return answer
  }
  await attempt('ann', 'home', check(undefined))
  await attempt('ann', 'home', check(true))
  await attempt('ann', 'home', check(undefined))
  await attempt('bob', 'home', check(true))
  await attempt('ann', 'elsewhere', check(true))
  clock.now += 30 * day - 1
  await attempt('ann', 'home', check(undefined))
  clock.now += 1
  await attempt('ann', 'home', check(undefined))
  t.same(told, [undefined, undefined, 'ann', undefined, undefined, 'ann', undefined])
})

t.test(
  'given accounts that sign in, when they did so from their source before, then they have a queue of their own',
  async (t) => {
    const { parts, login, ask, tokens } = await limitedWorld()
    const isKnown: boolean[] = []
    const { matches } = parts.credentials
    const noting: Credentials['matches'] = (password, hash, source, known) => {
      isKnown.push(known !== undefined)
      return matches(password, hash, source, known)
    }
    Object.assign(parts.credentials, { matches: noting })
    const right = passwordOf('driver')
    await login('2001:db8::1', 'driver@one.example', 'wrong')
    await login('2001:db8::1', 'driver@one.example', right)
    await login('2001:db8::2', 'driver@one.example', 'wrong')
    await login('2001:db8:0:1::1', 'driver@one.example', right)
    await login('2001:db8::1', 'customer@one.example', passwordOf('customer'))
    t.same(isKnown, [false, false, true, false, false])
    const body = JSON.stringify({ current_password: 'wrong', new_password: 'qzwvkkjxqz77' })
    await ask('198.51.100.1', '/api/v1/user/password', { method: 'PUT', key: tokens.driver, body })
    t.same(isKnown.slice(5), [true], 'who gives the own password again has signed in')
  },
)
