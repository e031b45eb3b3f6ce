import t from 'tap'
import { workAtRandom } from './random.test.fixture.ts'

t.test('given much random work with money, then wallets and orders are what books by double entry say', async (t) => {
  await workAtRandom(t, 500, 60)
})
