import t from 'tap'
import type { EngineError } from '../../engine/index.ts'
import { createIdentify } from './identity.ts'
import { startIssuer } from './issuer.test.fixture.ts'
import { passwordOf, type World, world } from './world.test.fixture.ts'

const hour = 3_600_000

/** A harness whose waits have their own clock: the time of day can be set without any time passing. */
async function steadyWorld() {
  const steady = { now: 0 }
  const made = await world({ now: () => steady.now })
  return { ...made, steady }
}

function login({ send }: World, password: string) {
  return send('POST', '/api/v1/user/login', { body: { email: 'driver@one.example', password } })
}

async function locked() {
  const made = await steadyWorld()
  for (let count = 0; count < 5; count++) await login(made, 'wrong')
  return made
}

t.test(
  'given an email that has to wait, when the clock is set back, then it waits no longer than before',
  async (t) => {
    const made = await locked()
    made.clock.now -= hour
    t.equal((await login(made, 'wrong')).headers.get('retry-after'), '30')
    made.steady.now += 30_000
    t.equal((await login(made, passwordOf('driver'))).status, 200)
  },
)

t.test('given an email that has to wait, when the clock is set ahead, then it waits all the same', async (t) => {
  const made = await locked()
  made.clock.now += 2 * hour
  t.equal((await login(made, passwordOf('driver'))).headers.get('retry-after'), '30')
})

t.test('given an issuer that was down, when the clock is set back, then it is asked again in a moment', async (t) => {
  const idp = await startIssuer()
  t.teardown(idp.close)
  const time = { clock: Date.now(), now: 0 }
  const identify = createIdentify({ clock: () => time.clock, now: () => time.now })
  const seconds = Math.floor(time.clock / 1000) - 3_600
  const token = await idp.sign({ iss: idp.issuer, aud: 'app', sub: '42', iat: seconds, exp: seconds + 86_400 })
  const asked = () => identify(token, { issuer: idp.issuer, audience: 'app' }).catch(({ code }: EngineError) => code)
  idp.misbehave('down')
  t.equal(await asked(), 'identity_provider_unavailable')
  idp.misbehave(undefined)
  time.clock -= hour
  t.equal(await asked(), 'identity_provider_unavailable')
  time.now += 5_000
  t.match(await asked(), { subject: '42' })
})
