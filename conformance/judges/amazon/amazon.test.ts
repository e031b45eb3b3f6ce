import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { judges } from './index.ts'

const target = { baseUrl: 'https://track.example', options: {} }
const mediaType = 'application/json'

function at(hour: string, status_code: string): TimelineEvent {
  const time = `2026-06-10T${hour}:30:00+02:00`
  return { event_id: hour, otep_version: '0.1', occurred_at: time, recorded_at: time, status_code, phase: 'transit' }
}

function timeline(...events: readonly TimelineEvent[]): Timeline {
  const current = events.at(-1)?.status_code
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'TN' } },
    ...(current === undefined ? {} : { current_status: current }),
    ...{ delivered: current === 'delivered', events },
  }
}

const whole = timeline(at('08', 'picked_up'), at('15', 'delivered'))
const happened = (hour: string, eventCode: string, shipmentType = 'FORWARD') => ({
  ...{ eventCode, location: { city: 'Lyon', countryCode: 'FR' }, eventTime: `2026-06-10T${hour}:30:00+02:00` },
  shipmentType,
})
const answer = (eventHistory: readonly object[], status?: string, forward: unknown = [], returns: unknown = []) => ({
  payload: {
    ...{ trackingId: 'TN', alternateLegTrackingId: '', eventHistory, promisedDeliveryDate: '1970-01-01T00:00:00Z' },
    summary: { ...(status && { status }), trackingDetailCodes: { forward, returns } },
  },
})
const good = answer([happened('08', 'PickupDone'), happened('15', 'Delivered')], 'Delivered', ['Signed'])
const returned = answer([happened('08', 'ReturnInitiated', 'RETURNS')], 'Undeliverable', [], ['Damaged'])

/** The findings of each judge: the shape, and the rules. */
async function found(document: unknown, of = whole) {
  const judged = { text: JSON.stringify(document), mediaType, timeline: of, target }
  return Promise.all(judges.map((judge) => judge.judge(judged)))
}

t.test('given answers that are right, when they are judged, then nothing is found', async (t) => {
  t.same(await found(good), [[], []])
  t.same(await found(returned, timeline(at('08', 'return_to_sender'))), [[], []])
  t.same(await found(answer([]), timeline()), [[], []])
  const unnumbered = { ...timeline(), subject: { order_id: 7, package_id: 8 } }
  t.same(await found(changed(answer([]), ['payload', 'trackingId'], ''), unnumbered), [[], []])
  const cancelled = answer([happened('08', 'PickupCancelled')], 'PickupCancelled')
  t.same(await found(cancelled, timeline(at('07', 'booking_confirmed'), at('08', 'cancelled'))), [[], []])
})

t.test('given an answer of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['payload'], undefined],
    [['payload', 'trackingId'], undefined],
    [['payload', 'alternateLegTrackingId'], null],
    [['payload', 'alternateLegTrackingId'], undefined],
    [['payload', 'promisedDeliveryDate'], null],
    [['payload', 'promisedDeliveryDate'], '2026-06-12'],
    [['payload', 'proofOfDelivery'], {}],
    [['payload', 'summary'], null],
    [['payload', 'summary', 'status'], 'PRE_TRANSIT'],
    [['payload', 'summary', 'status'], 'Received'],
    [['payload', 'summary', 'trackingDetailCodes', 'returns'], undefined],
    [['payload', 'summary', 'trackingDetailCodes', 'forward'], ['signed']],
    [
      ['payload', 'summary', 'trackingDetailCodes', 'forward'],
      ['Porch', 'Porch'],
    ],
    [['payload', 'eventHistory'], {}],
    [['payload', 'eventHistory', 0, 'eventCode'], 'PackageReceivedByCarrier'],
    [['payload', 'eventHistory', 0, 'eventCode'], 'Received'],
    [['payload', 'eventHistory', 0, 'eventCode'], undefined],
    [['payload', 'eventHistory', 0, 'eventTime'], '2026-06-10T08:30:00'],
    [['payload', 'eventHistory', 0, 'shipmentType'], 'RETURN'],
    [['payload', 'eventHistory', 0, 'shipmentType'], 'constructFromObject'],
    [['payload', 'eventHistory', 0, 'location', 'countryCode'], 'FRA'],
    [['payload', 'eventHistory', 0, 'location', 'latitude'], 1],
    [['payload', 'eventHistory', 0, 'description'], 'In'],
  ]
  for (const [path, value] of wrong) {
    const text = JSON.stringify(changed(good, path, value))
    const shape = await judges[0]?.judge({ text, mediaType, timeline: whole, target })
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given an answer that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [
      answer([happened('15', 'Delivered'), happened('08', 'PickupDone')], 'Delivered'),
      whole,
      /not when things happened/,
    ],
    [good, timeline(at('15', 'delivered')), /not when things happened/],
    [answer([happened('08', 'PickupDone')], 'InTransit'), whole, /is delivered differ/],
    [good, timeline(at('08', 'picked_up'), at('15', 'in_transit')), /is delivered differ/],
    [good, timeline(at('08', 'picked_up'), at('15', 'in_transit')), /It is not delivered/],
    [answer([happened('08', 'Delivered')], 'InTransit'), timeline(at('08', 'delivered')), /It is delivered/],
    [returned, timeline(at('08', 'x-lost')), /without a return/],
    [
      answer([happened('08', 'ReturnInitiated')], 'Undeliverable'),
      timeline(at('08', 'return_to_sender')),
      /on the way back/,
    ],
    [
      answer([happened('15', 'PickupCancelled')]),
      timeline(at('08', 'picked_up'), at('15', 'cancelled')),
      /carrier had it/,
    ],
    [answer([happened('08', 'PickupDone')]), timeline(at('08', 'picked_up')), /has a status/],
    [answer([], 'PreTransit'), timeline(), /without an event/],
    [
      answer([happened('08', 'PickupDone')], 'InTransit', [], ['Damaged']),
      timeline(at('08', 'picked_up')),
      /way back that/,
    ],
    [changed(good, ['payload', 'trackingId'], ''), whole, /no number of the parcel/],
    [changed(good, ['payload', 'trackingId'], '7'), { ...whole, subject: { order_id: 7 } }, /no number of the parcel/],
    [answer([], 'InTransit', ['Damaged']), timeline(at('08', 'in_transit')), /way there that/],
  ]
  for (const [document, of, sentence] of wrong) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = { text: '{}', mediaType, timeline: timeline(), target }
    t.equal(judge.format, 'amazon')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
  }
})
