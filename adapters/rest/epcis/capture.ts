import {
  type CaptureJob,
  captureEpcis,
  captureEvent,
  captureJob,
  captureJobs,
  EngineError,
  inSteps,
  isObject,
  type Reading,
  readerOf,
  requestedFormat,
  requireCaptureHeader,
} from '../../../engine/index.ts'
import { writeXml, type XmlElement } from '../../../projections/shared/xml.ts'
import { requesterOf } from '../../node/limited.ts'
import { readBody } from '../body.ts'
import { inTurn } from '../large-calls.ts'
import { type Answer, captureLimits, type EpcisCall, nextLink, pageOf, respond, respondJson } from './call.ts'

const types = ['application/json', 'application/ld+json', 'application/xml', 'text/xml']

/** Captures a document. The job is finished with the response. */
export const postCapture: Answer = async (call) => {
  const behaviour = call.request.req.header('GS1-Capture-Error-Behaviour') ?? 'rollback'
  requireCaptureHeader('GS1-Capture-Error-Behaviour', behaviour, false)
  const isWanted = (document: unknown) => isEnvelope(document) || typeof document === 'string'
  const { id } = await withReadings(call, isWanted, (readings) =>
    captureEpcis(call.context, readings, behaviour === 'proceed' ? 'proceed' : 'rollback'),
  )
  return respond(call, 202, null, { Location: `${call.context.baseUrl}/epcis/capture/${id}` })
}

/** Captures a single event. */
export const postEvent: Answer = async (call) => {
  let event: unknown
  const isWanted = (document: unknown) => {
    event = document
    return isObject(document) && !isEnvelope(document)
  }
  const { id, errors } = await withReadings(call, isWanted, (readings) => captureEvent(call.context, readings))
  const conflict = errors.find(({ code }) => code === 'event_id_reused' || code === 'event_id_conflict')
  if (conflict !== undefined) throw new EngineError(conflict.code, conflict.params)
  if (errors.length > 0) throw new EngineError('invalid_input', { count: errors.length }, errors)
  const location =
    id === undefined ? {} : { Location: `${call.context.baseUrl}/epcis/events/${encodeURIComponent(id)}` }
  return respond(call, 201, JSON.stringify(event), { 'Content-Type': 'application/ld+json', ...location })
}

function isEnvelope(document: unknown): boolean {
  return isObject(document) && (document.type === 'EPCISDocument' || document.type === 'EPCISQueryDocument')
}

/** Captures the readings of the body, if it is of the wanted kind; the large calls of a caller do so one after the other. */
async function withReadings<Result>(
  { request, context, gateway }: EpcisCall,
  isWanted: (document: unknown) => boolean,
  capture: (readings: readonly Reading[]) => Promise<Result>,
): Promise<Result> {
  return inTurn(gateway.largeCalls, context, async (turn) => {
    const document = await readBody(request.req.raw, {
      ...{ limit: captureLimits.bytes, lines: false, types, open: false },
      ...{ caller: requesterOf(context), turn },
    })
    const isXml = typeof document === 'string'
    for (const header of ['GS1-EPCIS-Version', 'GS1-CBV-Version'] as const)
      requireCaptureHeader(header, request.req.header(header), isXml)
    if (!isWanted(document)) throw new EngineError('invalid_input', { count: 1 }, [{ path: '', code: 'not_epcis' }])
    const { projection, target } = requestedFormat(context, 'epcis')
    return capture(await inSteps(readerOf(projection, target)(document), context.pause))
  })
}

/** The caller's capture jobs, newest first. */
export const getCaptures: Answer = async (call) => {
  const { perPage, after } = pageOf(call)
  const offset = Number(after?.o ?? 0)
  const { jobs, total } = await captureJobs(call.context, { offset, limit: perPage })
  const next = offset + jobs.length < total ? { o: offset + jobs.length } : undefined
  return respondJson(call, jobs.map(described), nextLink(call, next))
}

/** A capture job of the caller. */
export const getCapture: Answer = async (call) => {
  const job = described(await captureJob(call.context, call.param('captureID')))
  return call.wantsXml ? respond(call, 200, inXml(job), { 'Content-Type': 'application/xml' }) : respondJson(call, job)
}

type DescribedJob = ReturnType<typeof described>

function inXml({ captureErrorBehaviour, createdAt, finishedAt, errors, ...job }: DescribedJob): string {
  const element = (name: string, ...children: XmlElement['children']) => ({ name, children })
  const texts = (members: object) => Object.entries(members).map(([name, text]) => element(name, String(text)))
  const listed = errors.map((error) => element('error', ...texts(error)))
  return writeXml({
    name: 'epcis:EPCISCaptureJob',
    attributes: {
      'xmlns:epcis': 'urn:epcglobal:epcis:xsd:2',
      ...Object.fromEntries(Object.entries(job).map(([name, value]) => [name, String(value)])),
    },
    children: [
      ...texts({ captureErrorBehaviour, createdAt, finishedAt }),
      ...(listed.length === 0 ? [] : [element('errors', ...listed)]),
    ],
  })
}

function described({ id, success, error_behaviour, created_at, finished_at, errors }: CaptureJob) {
  return {
    captureID: id,
    createdAt: created_at,
    finishedAt: finished_at,
    running: false,
    success,
    captureErrorBehaviour: error_behaviour,
    errors: errors.map(({ path, code }) => ({
      type: 'epcisException:ValidationException',
      title: code,
      status: 400,
      detail: path,
    })),
  }
}
