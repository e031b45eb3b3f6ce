import t from 'tap'
import { world } from '../../auth/world.test.fixture.ts'
import { asking } from './asking.test.fixture.ts'

t.test('given every operation of the interface, when it is described, then the answer fits', async (t) => {
  const made = await world()
  const call = asking(made)
  const { paths } = (await made.send('GET', '/openapi.json')).body
  const names = Object.values(paths as object).flatMap((item) =>
    Object.values(item).map((one) => (one as { operationId?: string }).operationId),
  )
  const described = await Promise.all(
    names.filter(Boolean).map(async (name) => [name, await call('get_operation', { name })] as const),
  )
  t.ok(described.length > 150)
  const refused = described.filter(([, told]) => typeof told === 'string')
  // Routes beside the operations have no separate schema to describe.
  t.same(
    refused.filter(([, told]) => !String(told).startsWith('unknown_operation')),
    [],
  )
  t.ok(refused.length < 20)
})
