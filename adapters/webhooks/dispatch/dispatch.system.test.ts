import t from 'tap'
import { killed, kills } from './kill.test.fixture.ts'

t.test(
  `given a process that is killed ${kills} times, then nothing is lost, and little comes twice (case 26)`,
  async (t) => {
    const { got, wanted, inFlight, damage } = await killed(t)
    t.same(
      wanted.filter((id) => !got.includes(id)),
      [],
      'every delivery came',
    )
    const twice = got.length - new Set(got).size
    // As many again were answered and not recorded yet.
    t.ok(twice <= 2 * inFlight * kills, `${twice} came twice`)
    t.equal(damage, 'ok')
  },
)
