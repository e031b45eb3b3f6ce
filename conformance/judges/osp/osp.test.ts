import t from 'tap'
import { osp } from '../../../projections/osp/index.ts'
import { delivered, foundBy, pickedUp, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const whole = timeline(pickedUp, delivered)
const document = osp.project(whole, { baseUrl: 'https://track.example', options: {} })

t.test('given a tracking of the Open Shipping Protocol, when it is judged, then each rule is looked at', async (t) => {
  t.same(await foundBy(judges, document, whole), [[]])
  for (const wrong of [
    { ...document, delivered: false },
    { ...document, status: 'in_transit' },
    { ...document, events: document.events.toReversed() },
    { ...document, events: document.events.map((event) => ({ ...event, time: '00:00' })) },
  ])
    t.same(
      (await foundBy(judges, wrong, whole)).map((found) => found.length),
      [1],
    )
})
