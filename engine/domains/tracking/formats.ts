import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { excerptOf } from '../../kernel/finding.ts'
import { sha256 } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { parse } from '../../kernel/parse.ts'
import type { Profile } from '../../kernel/profile.ts'
import {
  type Dialect,
  formatUri,
  mediaTypeOf,
  type Projection,
  representationsOf,
  type Target,
} from '../../kernel/projection.ts'
import { formatsAnswerSchema } from './answers.ts'

/** A format and its requested options. */
export interface RequestedFormat {
  readonly projection: Projection
  readonly target: Target
}

/** The member of an input that names a format. */
export const formatToken = v.exactOptional(
  v.pipe(v.string(), v.description('Token of the output format. Default: otep.')),
)

/** The other members of an input: options of the format. */
export const formatOption = v.pipe(
  v.string(),
  v.description('An option of the format, as named in the list of formats.'),
)

const noOptions = v.strictObject({})

/**
 * The format with this token (the first one if absent), with validated options. Throws `unknown_format` and
 * `invalid_input`.
 */
export function requestedFormat(
  { formats, profiles, baseUrl, strictReading }: Pick<Context, 'formats' | 'profiles' | 'baseUrl' | 'strictReading'>,
  token?: string,
  options: Readonly<Record<string, unknown>> = {},
): RequestedFormat {
  const projection = formatOf(formats, token)
  const { value, findings } = parse(projection.options ?? noOptions, options)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return { projection, target: { baseUrl, options: value, profiles, ...(strictReading && { strict: true }) } }
}

function formatOf(formats: readonly [Projection, ...Projection[]], token: string | undefined): Projection {
  const found = token === undefined ? formats[0] : formats.find(({ name }) => name === token)
  if (found !== undefined) return found
  throw new EngineError('unknown_format', {
    received: excerptOf(token ?? ''),
    expected: formats.map(({ name }) => name).join(', '),
  })
}

/** What reads documents: a format, or a dialect for which nothing is written. */
export interface RequestedDialect {
  readonly dialect: Dialect
  readonly target: Target
}

/** What reads documents under this token (the first format if absent). Throws `unknown_format` and `format_not_read`. */
export function requestedDialect(
  context: Pick<Context, 'formats' | 'dialects' | 'profiles' | 'baseUrl' | 'strictReading'>,
  token?: string,
): RequestedDialect {
  const dialect = context.dialects?.find(({ name }) => name === token)
  const { projection, target } = requestedFormat(context, dialect === undefined ? token : undefined)
  if (dialect !== undefined) return { dialect, target }
  if (projection !== context.formats[0] && projection.parse === undefined)
    throw new EngineError('format_not_read', {
      received: projection.name,
      expected: dialectsOf(context)
        .map(({ name }) => name)
        .join(', '),
    })
  return { dialect: projection, target }
}

/** Everything that reads documents: the first format, others that can, and the dialects. */
export function dialectsOf({ formats, dialects = [] }: Pick<Context, 'formats' | 'dialects'>): readonly Dialect[] {
  return [...formats.filter(({ parse }, index) => index === 0 || parse !== undefined), ...dialects]
}

/** Version of a format's output: it changes with the projection, its options and the server's address. */
export function versionOfFormat({ projection, target }: RequestedFormat): string {
  const key = JSON.stringify([target.baseUrl, Object.entries(target.options).sort()])
  return `${projection.name}.${projection.version}.${sha256(key).slice(0, 8)}`
}

/** The names of the options of a format. */
export function optionNames({ options = noOptions }: Pick<Projection, 'options'>): readonly string[] {
  const { entries = {} } = options as { readonly entries?: object }
  return Object.keys(entries)
}

/** A format as an entry of the list of formats. */
function describeFormat(projection: Projection, index: number, profiles: readonly Profile[]) {
  const { name, title, standard, version, kind, external, losses, parse: read } = projection
  return {
    format: name,
    title,
    standard,
    version,
    kind,
    external,
    profile: formatUri(name),
    media_types: representationsOf(projection).map((representation) => mediaTypeOf(projection, representation)),
    options: optionNames(projection),
    reads: index === 0 || read !== undefined,
    losses,
    codes: Object.fromEntries(profiles.map((profile) => [profile.name, projection.codes(profile)])),
  }
}

/** Lists the formats. */
export const otepFormats = operation({
  name: 'otep_formats',
  summary: 'All output formats: media types, options, standard, mapping of each code, and what is lost.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  mcp: { title: 'Output formats', server: 'developer' },
  input: v.strictObject({}),
  output: formatsAnswerSchema,
  errors: [],
  rest: { method: 'GET', path: '/api/v1/otep/formats', cache: 'public, max-age=300' },
  handle: async ({ formats, profiles, dialects = [] }) => ({
    result: true,
    data: formats.map((format, index) => describeFormat(format, index, profiles)),
    dialects: dialects.map(({ name: format, title, standard }) => ({ format, title, standard })),
    webhooks: [...formats, ...dialects].filter(({ proofIn }) => proofIn !== undefined).map(({ name }) => name),
  }),
})
