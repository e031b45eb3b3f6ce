import t from 'tap'
import { passwordOf, world } from './world.test.fixture.ts'

t.test('given an account, when it signs in, then its token tells who it is', async (t) => {
  const { send, tokens, ids, business } = await world()
  const { status, body } = await send('GET', '/api/v1/user', { token: tokens.driver })
  t.equal(status, 200)
  t.match(body, {
    result: true,
    id: ids.driver,
    role: 'driver',
    business: { id: business, time_zone: 'America/Toronto' },
  })
  const { body: session } = await send('POST', '/api/v1/user/login', {
    body: { email: 'DRIVER@one.example', password: passwordOf('driver') },
  })
  t.match(session, { result: true, access_token: /^ots_[0-9a-f]{64}$/, token_type: 'Bearer' })
  t.equal(session.expires_at, '2026-06-10 22:00:00')
})
