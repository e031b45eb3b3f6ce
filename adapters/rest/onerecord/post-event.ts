import { EngineError, ingestReadings, readRevision } from '../../../engine/index.ts'
import { eventUri } from '../../../projections/onerecord/event.ts'
import { pieceUri } from '../../../projections/onerecord/names.ts'
import { parseOneRecord } from '../../../projections/onerecord/parse/index.ts'
import { requesterOf } from '../../node/limited.ts'
import { readBody } from '../body.ts'
import { type Answer, formatOf, iriOf, jsonLdTypes, respondEmpty } from './call.ts'
import { objectIdIn } from './object-name.ts'

/** The largest event, in bytes, and the most levels in it. */
const bounds = { limit: 256 * 1024, levels: 64 }

/**
 * Records a logistics event of a piece in its timeline. The same event again is answered as before and changes nothing.
 */
export const postEvent: Answer = async (call) => {
  const { request, context } = call
  const { thing, part } = objectIdIn(call.param('object'))
  if (part !== undefined) throw new EngineError('resource_not_found')
  const { timeline, name } = await readRevision(context, thing)
  const rules = { ...bounds, lines: false, open: false, caller: requesterOf(context), types: jsonLdTypes }
  const body = await readBody(request.req.raw, rules)
  const { target } = formatOf(context)
  const uri = pieceUri({ ...target, timeline: name }, timeline.subject)
  const { subject, profile } = timeline
  const readings = parseOneRecord(body, target, { uri, subject, profile })
  const [reading] = readings
  if (readings.length !== 1 || reading?.path === undefined || (reading.event ?? reading.findings) === undefined)
    throw new EngineError('invalid_input', { count: 1 }, [
      {
        path: '@type',
        code: 'unknown_value',
        params: { received: String(readings.length), expected: 'one cargo:LogisticsEvent' },
      },
    ])
  const [result] = await ingestReadings(context, readings, true)
  const findings = result?.errors ?? []
  const [conflict] = findings.filter(({ code }) => code === 'event_id_conflict' || code === 'event_id_reused')
  if (conflict !== undefined) throw new EngineError(conflict.code, conflict.params ?? {})
  if (result?.event_id === undefined || findings.length > 0)
    throw new EngineError('invalid_input', { count: findings.length }, findings)
  const source = { type: 'carrier_tracking', provider: context.caller.name }
  const location = eventUri(uri, { event_id: result.event_id, source })
  return respondEmpty(call, 201, { Location: location, Type: iriOf('cargo:LogisticsEvent') })
}
