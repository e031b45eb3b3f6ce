import * as v from 'valibot'
import type { Profile } from './profile.ts'
import { mediaTypeOf, type Projection, representationsOf } from './projection.ts'
import type { Timeline, TimelineEvent } from './timeline.ts'

/** What is wrong with a format: the path of the member (`representations[0].mediaType`) and an English sentence. */
export interface ProjectionFinding {
  readonly path: string
  readonly message: string
}

/** What a format is used with: all formats and profiles in use, among them the format that is checked. */
export interface ProjectionUse {
  readonly profiles: readonly [Profile, ...Profile[]]
  readonly formats: readonly Projection[]
}

/**
 * What is wrong with a format at first sight: its members, its name, its table of codes, and a document of every code of
 * each profile. Empty if nothing is. The conformance suite looks much closer.
 */
export function projectionFindings(format: Projection, use: ProjectionUse): readonly ProjectionFinding[] {
  const missing = missingMembers(format)
  if (missing.length > 0) return missing
  const faulty = [...nameFindings(format, use), ...mediaTypeFindings(format, use), ...tableFindings(format, use)]
  return faulty.length > 0 ? faulty : use.profiles.flatMap((profile) => documentFindings(format, profile, use))
}

const text = v.pipe(v.string('must be a text'), v.regex(/\S/, 'must not be empty'))
const schemaMember = v.looseObject({ '~run': v.function() }, 'must be a valibot schema')
const functionMember = v.function('must be a function')

/** The members of a format; a plug-in in JavaScript may lack any of them. */
const formatShape = v.looseObject(
  {
    name: v.pipe(text, v.regex(/^[a-z][a-z0-9]*$/, 'must consist of small letters and digits')),
    ...{ title: text, standard: text, version: text },
    representations: v.array(
      v.looseObject({
        mediaType: v.pipe(text, v.regex(/^[a-z]+\/[a-z0-9.+-]+$/, 'must be a media type without parameters')),
        form: v.optional(text),
        ...{ write: v.optional(functionMember), pieces: v.optional(functionMember) },
        maxEvents: v.optional(v.number('must be a number')),
      }),
      'must be a list',
    ),
    kind: v.picklist(['history', 'state'], 'must be "history" or "state"'),
    external: v.boolean('must be true or false'),
    losses: v.array(text, 'must be a list of sentences'),
    codes: functionMember,
    schema: schemaMember,
    rows: v.optional(schemaMember),
    options: v.optional(schemaMember),
    ...{ project: functionMember, write: functionMember, pieces: functionMember },
    ...{ steps: v.optional(functionMember), resource: v.optional(functionMember), parse: v.optional(functionMember) },
    ...{ parseInSteps: v.optional(functionMember), proofIn: v.optional(functionMember) },
  },
  'must be an object',
)

function missingMembers(format: unknown): readonly ProjectionFinding[] {
  const { issues = [] } = v.safeParse(formatShape, format)
  return issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '',
    message: issue.received === 'undefined' ? 'is missing' : issue.message,
  }))
}

function nameFindings({ name }: Projection, { formats }: ProjectionUse): readonly ProjectionFinding[] {
  const isTaken = formats.filter((one) => one.name === name).length > 1
  return isTaken ? [{ path: 'name', message: `there is another format "${name}"` }] : []
}

function mediaTypeFindings(format: Projection, { formats }: ProjectionUse): readonly ProjectionFinding[] {
  const typesOf = (one: Projection) => representationsOf(one).map((form) => mediaTypeOf(one, form))
  const all = formats.flatMap(typesOf)
  return typesOf(format)
    .filter((type) => all.filter((other) => other === type).length > 1)
    .map((type) => ({ path: 'representations', message: `two representations have the media type ${type}` }))
}

function tableFindings(format: Projection, { profiles }: ProjectionUse): readonly ProjectionFinding[] {
  return profiles.flatMap((profile) =>
    attempt(`codes(${profile.name})`, () => {
      const table = format.codes(profile)
      const registered = Object.keys(profile.codes)
      const missing = [...registered, 'x-*'].filter((code) => !Object.hasOwn(table, code))
      const strange = Object.keys(table).filter((code) => !registered.includes(code) && !code.startsWith('x-'))
      return [
        ...missing.map((code) => `lacks ${code}`),
        ...strange.map((code) => `has ${code}, which is no code of the profile`),
        ...Object.entries(table).flatMap(([code, { fidelity, value }]) => {
          if (!['=', '~', 'none'].includes(fidelity))
            return [`${code} has the fidelity "${fidelity}", not =, ~ or none`]
          if ((fidelity === 'none') === (value === '')) return []
          return [`${code} must have a value, or the fidelity none and the value ""`]
        }),
      ]
    }),
  )
}

/** Projects a timeline of every code of a profile, and holds the document against its text and its schema. */
function documentFindings(
  format: Projection,
  profile: Profile,
  { profiles }: ProjectionUse,
): readonly ProjectionFinding[] {
  return attempt(`project (a timeline of ${profile.name})`, () => {
    const timeline = timelineOfEveryCode(profile)
    const target = { baseUrl: 'https://otep.example', options: {}, profiles }
    const document = format.project(timeline, target)
    const written = JSON.stringify(document)
    const { issues = [] } = v.safeParse(format.schema, document)
    return [
      ...(written === undefined ? ['makes no JSON document'] : []),
      ...(format.write(timeline, target) === written ? [] : ['write makes another text than JSON.stringify']),
      ...([...format.pieces(timeline, target)].join('') === written ? [] : ['pieces make another text than write']),
      ...issues.slice(0, 3).map((issue) => `does not fit the schema: ${v.getDotPath(issue) ?? ''}: ${issue.message}`),
    ]
  })
}

/** The findings of a check; an exception becomes a finding. */
function attempt(path: string, look: () => readonly string[]): readonly ProjectionFinding[] {
  try {
    return look().map((message) => ({ path, message }))
  } catch (error) {
    return [{ path, message: `throws ${String(error)}` }]
  }
}

function timelineOfEveryCode(profile: Profile): Timeline {
  const events = Object.entries(profile.codes).map(
    ([status_code, { phase }], index): TimelineEvent => ({
      event_id: `event-${index}`,
      otep_version: '0.1',
      occurred_at: `2026-06-10T09:${String(index % 60).padStart(2, '0')}:00-04:00`,
      recorded_at: '2026-06-10T18:00:00.000Z',
      status_code,
      phase,
      source: { type: 'carrier_tracking', provider: 'example' },
    }),
  )
  const last = events.at(-1)?.status_code
  return {
    otep_version: '0.1',
    profile: profile.name,
    subject: { tracking_number: 'SR260610041' },
    ...(last === undefined ? {} : { current_status: last }),
    delivered: false,
    events,
  }
}
