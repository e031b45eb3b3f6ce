import * as v from 'valibot'
import {
  type CodeMapping,
  type Context,
  EngineError,
  operation,
  type Projection,
  profileNamed,
  projectInSteps,
  requestedFormat,
  type Timeline,
} from '../../../engine/index.ts'
import { parseJsonInSteps } from '../../http/json.ts'
import { isRead, tryIn } from '../../http/trial.ts'

const token = (description: string) => v.exactOptional(v.pipe(v.string(), v.maxLength(60), v.description(description)))

/** Validates a document and writes its timelines in a format; nothing is stored. */
export const projectDocument = operation({
  name: 'project_document',
  summary:
    'Validate a document, and write the timelines that it makes in a format, with what is lost. Nothing is stored.',
  scopes: [],
  risk: 'low',
  limit: 'validate',
  mcp: { title: 'Validate and project a document', server: 'developer', idempotent: true },
  input: v.strictObject({
    document: v.pipe(v.unknown(), v.description('The document: JSON, or the text of JSON or XML.')),
    format: token('Token of its format. Default: otep.'),
    to: token('Token of the format that it is written in. Default: otep.'),
  }),
  output: v.strictObject({
    result: v.literal(true),
    conformant: v.exactOptional(
      v.pipe(v.boolean(), v.description('Missing where the format has no check of its own.')),
    ),
    level: v.exactOptional(v.number()),
    accepted: v.pipe(v.number(), v.description('Events that otep_ingest would take.')),
    refused: v.number(),
    finding_count: v.number(),
    findings: v.pipe(v.array(v.looseObject({})), v.description('The first 200, errors before warnings.')),
    timeline_count: v.number(),
    timelines: v.pipe(
      v.array(
        v.strictObject({
          subject: v.looseObject({}),
          data: v.pipe(v.unknown(), v.description('The document of the timeline in the wanted format.')),
          partly_kept: v.pipe(
            v.array(v.strictObject({ code: v.string(), fidelity: v.string(), value: v.string() })),
            v.description('Its codes whose meaning the format keeps partly (~) or not at all (none).'),
          ),
        }),
      ),
      v.description('The first five.'),
    ),
    losses: v.pipe(v.array(v.string()), v.description('What documents of the wanted format never have.')),
  }),
  errors: [
    'unknown_format',
    'format_not_read',
    'malformed_json',
    'malformed_xml',
    'too_many_events',
    'too_many_things',
    'event_too_large',
  ],
  handle: async (context, { document, format, to }) => {
    const source = readFormat(context, format)
    const { projection, target } = requestedFormat(context, to)
    const isText = typeof document === 'string' && !document.trimStart().startsWith('<')
    const tried = await tryIn(context, isText ? await parseJsonInSteps(document) : document, source)
    const { verdict, counts, findings, findingCount, found } = tried
    const timelines = []
    for (const timeline of tried.timelines) {
      const data = await projectInSteps(projection, timeline, target, context.pause)
      timelines.push({ subject: timeline.subject, data, partly_kept: partlyKept(timeline, projection, context) })
    }
    return {
      result: true,
      ...verdict,
      ...{ accepted: counts.taken, refused: counts.refused },
      ...{ finding_count: findingCount, findings, timeline_count: found, timelines },
      losses: projection.losses,
    }
  },
})

function readFormat(context: Context, format: string | undefined): Projection {
  const { projection } = requestedFormat(context, format)
  const read = context.formats.filter(isRead)
  if (read.includes(projection)) return projection
  const expected = read.map(({ name }) => name).join(', ')
  throw new EngineError('format_not_read', { received: projection.name, expected })
}

/** The codes of a timeline that a format does not keep whole. */
function partlyKept(timeline: Timeline, projection: Projection, { profiles }: Context) {
  const mappings: Readonly<Record<string, CodeMapping>> = projection.codes(profileNamed(profiles, timeline.profile))
  return [...new Set(timeline.events.map(({ status_code }) => status_code))].flatMap((code) => {
    const mapping = mappings[code]
    return mapping === undefined || mapping.fidelity === '=' ? [] : [{ code, ...mapping }]
  })
}
