import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { recordScans } from './follow.ts'
import { followedNumber } from './followed.ts'

const types = [
  ...(['application/json', 'application/xml', 'text/xml', 'text/plain'] as const),
  'application/x-www-form-urlencoded',
]

/** Takes what a carrier sends by itself about the parcels of an account. */
export const receiveCarrierEvents = operation({
  name: 'receive_carrier_events',
  summary:
    'For carriers: what became of the parcels of an account, in the form of the carrier and with its signature. A repeated request changes nothing.',
  scopes: [],
  risk: 'low',
  writes: true,
  tag: 'LabelService',
  rest: {
    method: 'POST',
    path: '/api/v1/labelservice/carriers/{carrier_account_id}/events',
    document: 'body',
    ...{ types, isBinary: true, bodyLimit: 256 * 1024, allHeaders: 'headers' },
  },
  ids: { carrier_account_id: 'rule' },
  input: v.strictObject({
    carrier_account_id: v.pipe(id, v.description('The account that the carrier tells of.')),
    headers: v.record(v.string(), v.string()),
    body: v.pipe(v.string(), v.base64()),
  }),
  output: v.strictObject({
    result: v.literal(true),
    parcels: v.pipe(v.number(), v.description('The parcels of labels of the account that it tells of.')),
  }),
  errors: ['carrier_events_refused', 'contention'],
  handle: async (context, { carrier_account_id: account, headers, body }) => {
    const request = { headers, body: Uint8Array.from(atob(body), (char) => char.charCodeAt(0)) }
    const answer = await context.ports.labels.received(context, account, request)
    if (answer === undefined) throw new EngineError('carrier_events_refused')
    let parcels = 0
    for (const { tracking_number, events } of answer.reports) {
      const followed = await followedNumber(context, tracking_number)
      if (followed?.followed.carrier_account_id !== account) continue
      await recordScans(context, followed, events)
      parcels++
    }
    return { result: true, parcels }
  },
})
