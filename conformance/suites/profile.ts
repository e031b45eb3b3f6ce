import assert from 'node:assert/strict'
import { safeParse } from 'valibot'
import { createApp, createParts } from '../../adapters/main.ts'
import {
  call,
  createMemoryStore,
  en,
  otepIngest,
  otepValidate,
  type Profile,
  type Projection,
  phaseOf,
  plannedAfter,
  profileFindings,
} from '../../engine/index.ts'
import { profiles as builtInProfiles, unregisteredCodes } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import type { Test } from './assertions.ts'
import { eachOf, type Faults, looked, unless } from './projection/rules.ts'
import { baseUrl, event, timeline } from './projection/samples.ts'

/** What a profile is used with. */
export interface ProfileUse {
  /** Other profiles in addition to the built-in ones. */
  readonly profiles?: readonly Profile[]
  /** Formats in addition to the built-in ones, for example those that codes carry rows for. */
  readonly projections?: readonly Projection[]
}

/** All profiles and formats in use. */
interface InUse {
  readonly profiles: readonly [Profile, ...Profile[]]
  readonly added: readonly Profile[]
  readonly formats: readonly [Projection, ...Projection[]]
}

type Rule = (profile: Profile, inUse: InUse) => Faults | Promise<Faults>

/** Every rule of a profile, by its sentence. */
const profileRules: Readonly<Record<string, Rule>> = {
  'its members, codes and transitions are in order': (profile, { profiles, formats }) =>
    profileFindings(profile, { profiles, formats, unregistered: Object.keys(unregisteredCodes) }).map(
      ({ path, message }) => `${path}: ${message}`,
    ),
  'given a journey along planned steps, when it is recorded, then its document conforms and the page says the last code':
    (profile, inUse) =>
      eachOf(journeysOf(profile), (codes) => looked(codes.join(', '), () => lived(profile, codes, inUse))),
  'given each code, when it is projected, then every format has a document that fits its schema': (profile, inUse) =>
    eachOf(inUse.formats, (format) => looked(format.name, () => projected(profile, format, inUse))),
}

/** Tests a profile. The built-in profiles pass the same tests. */
export function profileSuite(
  test: Test,
  profile: Profile,
  { profiles: others = [], projections: ownFormats = [] }: ProfileUse = {},
): void {
  const added = [...others, profile].filter((one) => !builtInProfiles.includes(one))
  const inUse: InUse = {
    added,
    profiles: [...builtInProfiles, ...added],
    formats: [...projections, ...ownFormats.filter((one) => !projections.includes(one))],
  }
  for (const [sentence, rule] of Object.entries(profileRules)) {
    test(sentence, async () => {
      const faults = await rule(profile, inUse)
      if (faults.length > 0) assert.fail(faults.join('\n'))
    })
  }
}

/** The shortest planned journey to each code. */
function journeysOf(profile: Profile): readonly (readonly string[])[] {
  const journeys = new Map(profile.first.map((code): [string, readonly string[]] => [code, [code]]))
  for (const [from, codes] of journeys)
    for (const to of plannedAfter(profile, from)) if (!journeys.has(to)) journeys.set(to, [...codes, to])
  return [...journeys.values()]
}

/** Records a journey, validates the document that is read back, and opens the page. */
async function lived(profile: Profile, codes: readonly string[], { added }: InUse): Promise<Faults> {
  const store = createMemoryStore(() => Date.parse('2026-11-21T12:00:00Z'))
  const caller = { kind: 'operator', name: 'example', scopes: ['otep:ingest'] } as const
  const parts = createParts({ store, baseUrl, profiles: added, publicView: 'full' })
  const context = { ...parts, caller, messages: en, requestId: 'test' }
  const source = { type: 'node_scan', provider: 'acme' }
  const events = codes.map((status_code, index) => event(index, { status_code, source }, profile))
  const document = { profile: profile.name, subject: { tracking_number: 'SR1' }, events }
  const { data, ...answer } = await call(otepIngest, context, { document })
  const { accepted } = data as { readonly accepted: number }
  if (accepted !== codes.length)
    return [`${accepted} of ${codes.length} events are accepted: ${JSON.stringify(answer)}`]
  const app = createApp({ store, parts })
  const read = (await (await app.request('/api/v1/otep/trackings/SR1')).json()) as { readonly data: unknown }
  const verdict = await call(otepValidate, context, { document: read.data })
  const page = await (await app.request('/track/SR1')).text()
  const last = codes.at(-1) ?? ''
  return [
    ...unless(verdict.conformant === true, `the document does not conform: ${JSON.stringify(verdict.errors)}`),
    ...unless(page.includes(escaped(profile.codes[last]?.meaning ?? '')), `the page does not say what ${last} means`),
  ]
}

/** A text as pages write it. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Projects each code alone. */
function projected(profile: Profile, format: Projection, { profiles }: InUse): Promise<Faults> {
  const target = { baseUrl, options: {}, profiles }
  return eachOf(Object.keys(profile.codes), (status_code) =>
    looked(status_code, () => {
      const given = timeline([event(0, { status_code }, profile)], {
        profile: profile.name,
        current_status: status_code,
        delivered: phaseOf(profile, status_code) === 'delivered',
      })
      const document = format.project(given, target)
      const { issues = [] } = safeParse(format.schema, document)
      return [
        ...unless(Object.hasOwn(format.codes(profile), status_code), 'the table of the format has no row for it'),
        ...unless(format.write(given, target) === JSON.stringify(document), 'the text is not that of the document'),
        ...issues.map(({ message }) => `does not fit the schema: ${message}`),
      ]
    }),
  )
}
