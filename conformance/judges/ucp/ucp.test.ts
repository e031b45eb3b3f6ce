import t from 'tap'
import { ucp } from '../../../projections/ucp/index.ts'
import { delivered, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const whole = timeline(pickedUp, delivered)
const document = ucp.project(whole, { baseUrl: 'https://track.example', options: {} })

for (const { name, open } of judges) {
  t.test(name, async (t) => {
    const { here, missing } = open()
    if (here === undefined) return void t.pass(missing)
    t.same(await here(shown(document, whole)), [], 'a right document')
    const wrong = {
      ...document,
      totals: [],
      fulfillment: { events: document.fulfillment.events.map((event) => ({ ...event, type: 'shipped', id: 7 })) },
    }
    t.not((await here(shown(wrong, timeline(returned)))).length, 0, 'a wrong one')
  })
}
