import * as v from 'valibot'
import type { CarrierWarnings } from '../../kernel/carrier-scan.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { pathTo } from '../../kernel/finding.ts'
import { type Code, messageOf } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { recordScans } from './follow.ts'
import { followedNumber } from './followed.ts'

const types = [
  ...(['application/json', 'application/xml', 'text/xml', 'text/plain'] as const),
  'application/x-www-form-urlencoded',
]

const warningSchema = v.strictObject({ path: v.string(), code: v.string(), message: v.string() })

/** Something that could not be read, as the sender gets it. */
type CarrierWarning = v.InferOutput<typeof warningSchema>

function shown(
  report: string,
  { path, code, received = '' }: CarrierWarnings[number],
  { messages }: Pick<Context, 'messages'>,
): CarrierWarning {
  const field = path.slice(path.lastIndexOf('.') + 1)
  // A carrier of a plug-in can name any code.
  return { path: pathTo(report, path), code, message: messageOf(code as Code, { field, received }, messages) }
}

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
    warnings: v.exactOptional(v.pipe(v.array(warningSchema), v.description('What could not be read.'))),
  }),
  errors: ['carrier_events_refused', 'contention'],
  handle: async (context, { carrier_account_id: account, headers, body }) => {
    const request = { headers, body: Uint8Array.from(atob(body), (char) => char.charCodeAt(0)) }
    const answer = await context.ports.labels.received(context, account, request)
    if (answer === undefined) throw new EngineError('carrier_events_refused')
    let parcels = 0
    const unread: CarrierWarning[] = []
    for (const [index, { tracking_number, events, warnings = [] }] of answer.reports.entries()) {
      const followed = await followedNumber(context, tracking_number)
      if (followed?.followed.carrier_account_id !== account) continue
      await recordScans(context, followed, events)
      parcels++
      unread.push(...warnings.map((warning) => shown(pathTo('reports', index), warning, context)))
    }
    return { result: true, parcels, ...(unread.length > 0 && { warnings: unread }) }
  },
})
