import { jsonSchemaOf } from '../../adapters/http/schema.ts'
import {
  type CodeMapping,
  codeOf,
  formatUri,
  mediaTypeOf,
  type Profile,
  type Projection,
  representationsOf,
  type Timeline,
} from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { dialects } from '../../projections/dialects/index.ts'
import { projections } from '../../projections/index.ts'
import { meaningOf } from '../../projections/shared/codes.ts'
import { code, codes, fenced, page, plain, table } from './markdown.ts'

/** The pages of `formats/` by name: the list, and a page for each format. */
export function formatPages(): ReadonlyMap<string, string> {
  const own = projections.map((projection) => [`formats/${projection.name}.md`, formatPage(projection)] as const)
  return new Map([['formats/README.md', listPage()], ...own])
}

const reading: Readonly<Record<string, string>> = { '=': 'kept', '~': 'in part', none: 'no value' }

function listPage(): string {
  const rows = projections.map(({ name, title, standard, kind, parse, codes: mappingsFor }) => {
    const fidelities = profiles.flatMap((profile) => Object.entries(mappingsFor(profile)).filter(isRegistered(profile)))
    const count = (wanted: string) => String(fidelities.filter(([, { fidelity }]) => fidelity === wanted).length)
    const link = `[${name}](${name}.md)`
    return [
      link,
      plain(title),
      plain(standard),
      kind,
      parse === undefined ? '' : 'yes',
      count('='),
      count('~'),
      count('none'),
    ]
  })
  return page(
    'Formats',
    ['projections/list.ts', 'projections/dialects/index.ts'],
    [
      `The ${projections.length} formats in which a timeline can be read, with \`?format=TOKEN\` or by \`Accept\`; as JSON:
\`GET /api/v1/otep/formats\`. [Read timelines](../../how-to/read-timelines.md#in-another-format) explains how to request one.
A *history* lists events, a *state* is their result. The columns show how many of the registered codes are kept, kept in part, or
without a value.`,
      table(['token', 'format', 'version', 'kind', 'read, too', 'kept', 'in part', 'none'], rows),
      `All but \`otep\` and \`osp\` are judged by official schemas, ontologies or types, or by shapes written from them. The draft of the Open Shipping
Protocol has its schemas in the text and publishes no files of them, so \`osp\` is not judged by anything official: its schema and rules are
written by hand.`,
      '## Documents that are only read',
      `These can be pushed with \`?format=TOKEN\`, as [other formats](../../explanation/reading-other-formats.md) are, and sent as
[webhooks](../../how-to/take-webhooks-of-an-aggregator.md). Nothing is written in them.`,
      table(
        ['token', 'system', 'what is read'],
        dialects.map(({ name, title, standard }) => [code(name), plain(title), plain(standard)]),
      ),
      `EDI messages are not read: neither EDIFACT IFTSTA nor X12 214. There are kept parsers of their syntax (\`edifact\` and \`node-x12\`), but what
their status codes and qualifiers mean differs by trading partner, and nobody publishes the tables.`,
    ],
    3,
  )
}

function isRegistered(profile: Profile) {
  return ([word]: readonly [string, CodeMapping]) => codeOf(profile, word) !== undefined
}

function formatPage(projection: Projection): string {
  const { name, title, standard, kind, losses } = projection
  const types = representationsOf(projection).map(
    (representation) => `- ${code(mediaTypeOf(projection, representation))}`,
  )
  return page(
    title,
    [`projections/${name}/index.ts`],
    [
      `Token ${code(name)}, profile ${code(formatUri(name))}. ${plain(standard)}; ${aboutKind[kind]}.${readingOf(projection)}`,
      `Media types of the bare document:\n\n${types.join('\n')}`,
      ...optionsPart(projection),
      '## What becomes of each code',
      ...profiles.flatMap((profile) => profilePart(projection, profile)),
      '## What is lost',
      losses.length === 0 ? 'Nothing.' : losses.map((loss) => `- ${prose(loss)}`).join('\n'),
      '## Example',
      'A parcel that was picked up in Hamburg and delivered in Lyon:',
      fenced(
        'json',
        JSON.stringify(projection.project(example, { baseUrl: 'https://otep.example', options: {} }), null, 2),
      ),
      ...inputPart(projection),
    ],
    3,
  )
}

/** A sentence whose code words may already be marked as code. */
function prose(sentence: string): string {
  return sentence
    .split('`')
    .map((part, index) => (index % 2 === 0 ? plain(part) : code(part)))
    .join('')
}

const aboutKind = { history: 'it lists events', state: 'it has one state, which results from the events' }

function readingOf({ name, parse }: Projection): string {
  if (parse === undefined) return ''
  return name === 'epcis'
    ? ' It is [read](../../explanation/epcis-ingest.md), too.'
    : ' It is [read](../../explanation/reading-other-formats.md), too.'
}

function optionsPart({ options }: Projection): readonly string[] {
  const { properties = {} } = options === undefined ? {} : jsonSchemaOf(options)
  const all = Object.entries(properties as Readonly<Record<string, OptionSchema>>)
  if (all.length === 0) return []
  const isDescribed = all.some(([, { description }]) => description !== undefined)
  const rows = all.map(([name, { enum: values = [], description = '' }]) => {
    const said = values.length === 0 ? 'text' : codes(values)
    return [code(name), said, ...(isDescribed ? [prose(description)] : [])]
  })
  const isChosen = all.every(([, { enum: values = [] }]) => values.length > 1)
  const first = isChosen ? 'The first value is the default. ' : ''
  return [
    `${first}Options are query parameters, or members of a batch:`,
    table(['option', 'values', ...(isDescribed ? ['means'] : [])], rows),
  ]
}

interface OptionSchema {
  readonly enum?: readonly string[]
  readonly description?: string
}

/** What a shop is sent of the same parcel, in the formats of shops. */
function inputPart(projection: Projection): readonly string[] {
  const { entries = {} } = (projection.options ?? {}) as { readonly entries?: object }
  const known = Object.entries(knownOfOrder).filter(([name]) => Object.hasOwn(entries, name))
  const options = Object.fromEntries(known)
  if (known.length === 0) return []
  const query = known.map(([name, value]) => `${name}=${value}`).join('&')
  return [
    `With ${code(`as=input&${query}`)}, the requests that the shop is sent. Paths begin after the address of its interface; what is not known is in braces`,
    fenced(
      'json',
      JSON.stringify(
        projection.project(example, { baseUrl: 'https://otep.example', options: { as: 'input', ...options } }),
        null,
        2,
      ),
    ),
  ]
}

/** What the example knows of the order in the shop. */
const knownOfOrder = {
  order: '727',
  shop: '5',
  marketplace: 'ATVPDKIKX0DER',
  address: '9',
  items: '12:1',
  fulfillment_order: '9',
}

function profilePart(projection: Projection, profile: Profile): readonly string[] {
  const rows = Object.entries(projection.codes(profile)).map(([word, { fidelity, value }]) => [
    code(word),
    plain(word === 'x-*' ? 'Any other unregistered code.' : (meaningOf(profile, word) ?? '')),
    value === '' ? '–' : code(value),
    reading[fidelity] ?? '',
  ])
  return [`### Profile ${profile.name}`, table(['code', 'means', 'becomes', ''], rows)]
}

const example: Timeline = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: 'SR123456785', gs1_sscc: '106141412345678908' },
  current_status: 'delivered',
  delivered: true,
  events: [
    {
      event_id: 'scan-1',
      otep_version: '0.1',
      occurred_at: '2026-06-08T16:20:00+02:00',
      recorded_at: '2026-06-08T14:21:30.000Z',
      status_code: 'picked_up',
      phase: 'pickup',
      location: { name: 'Hamburg', unlocode: 'DEHAM', latitude: 53.5511, longitude: 9.9937 },
      source: { type: 'carrier_tracking', provider: 'acme', code: 'PU' },
    },
    {
      event_id: 'scan-2',
      otep_version: '0.1',
      occurred_at: '2026-06-10T11:30:00+02:00',
      recorded_at: '2026-06-10T09:31:02.000Z',
      status_code: 'delivered',
      phase: 'delivered',
      location: { name: 'Lyon', address: { locality: 'Lyon', country: 'FR' } },
      source: { type: 'proof_of_delivery', provider: 'acme' },
      pod: { recipient: 'M. Durand' },
    },
  ],
}
