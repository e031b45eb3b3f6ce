import type { Language } from './catalogue.ts'

/**
 * Event types: I announced, P pick-up, A at a facility, T transit, O out for delivery, D delivery, R return, X
 * exception, S storage.
 */
export const eventTypes = ['I', 'P', 'A', 'T', 'O', 'D', 'R', 'X', 'S'] as const

/** The letter of an event type. */
type EventType = (typeof eventTypes)[number]

/** The names of an event in webhooks, in addition to its status code (document 3, tracking event payload). */
export interface EventNames {
  /** Permanent, and unique among all profiles; 0 for a code that no profile knows. */
  readonly statusId: number
  readonly key: string
  readonly type: EventType
  /** The service that the event completes or attempts, and whether it succeeded. */
  readonly attempt?: Attempt
}

/** An attempted service, and whether it succeeded. */
interface Attempt {
  readonly kind: 'delivery' | 'pickup'
  readonly isDone: boolean
}

/** The languages of webhooks; chs and cht are Simplified and Traditional Chinese. */
export const phraseLanguages = [
  ...(['en', 'fr', 'chs', 'cht', 'es', 'de', 'nl'] as const),
  ...(['pt', 'it', 'sr', 'hu', 'pl', 'sk', 'cs'] as const),
] as const

/** A language of webhooks. */
export type PhraseLanguage = (typeof phraseLanguages)[number]

/** The meaning of a status code in a profile. */
export interface StatusCode {
  readonly phase: string
  /** No further event is expected. */
  readonly terminal: boolean
  /** The event may carry proof (of pick-up or of delivery). */
  readonly pod: boolean
  /** Whether something went wrong. If absent: whether the phase is `exception`. */
  readonly failure?: boolean
  /** Whether it goes back to where it came from. If absent: whether the phase is `return`. */
  readonly return?: boolean
  /** One short English sentence: what has happened. */
  readonly meaning: string
  /** Its names in webhooks. */
  readonly webhook: EventNames
  /** What has happened, in a few words, for webhooks and the tracking page. A language without a phrase gets the English one. */
  readonly phrases: Phrases
  /**
   * The nearest code that every format has a row for: a universal code, which is one of the parcel profile, or a code of
   * `unregisteredCodes`. Only universal codes have none. A format without a row for this code treats it as that one and
   * declares the loss.
   */
  readonly like?: string
  /** Rows for formats by the format's name, in the form of `Projection.rows`. They take precedence over `like`. */
  readonly formats?: Readonly<Record<string, unknown>>
}

/**
 * A phrase in English, and in as many other languages as there are. Those of the built-in profiles that are not English, the
 * composition root adds.
 */
export type Phrases = Readonly<Partial<Record<PhraseLanguage | 'ar', string>>> & { readonly en: string }

/** The phases of the protocol on the main line, in order of the life cycle (OTEP 0.1, section 4). */
export const mainPhases = ['pre_shipment', 'pickup', 'inbound', 'transit', 'out_for_delivery', 'delivered'] as const

/** The phases of the protocol beside the main line. */
export const besidePhases = ['exception', 'return'] as const

/** A text of the tracking page: in English alone, or in English and as many other languages as there are. */
export type PageWord = string | (Readonly<Partial<Record<Language, string>>> & { readonly en: string })

/** Texts of the tracking page where the usual ones, which speak of parcels, do not fit. */
export interface PageWords {
  /** Names of phases. */
  readonly phases?: Readonly<Record<string, PageWord>>
  /** What the reader should know or do when it has left the main line. */
  readonly notices?: { readonly held?: PageWord; readonly returning?: PageWord; readonly ended?: PageWord }
  /** What the reader should know or do at a code. */
  readonly advice?: Readonly<Record<string, PageWord>>
  /** The title of a proof with the final hand-over. */
  readonly proof?: { readonly delivered?: PageWord }
}

/**
 * The vocabulary of one trade: codes, phases and transitions (addressed as `otep:<name>:<code>`). Data without logic;
 * `profileFindings` says what is wrong with it.
 */
export interface Profile {
  readonly name: string
  readonly version: string
  readonly status: 'live' | 'draft'
  /** Phases of the protocol that the trade has, in order of the life cycle. */
  readonly phases: readonly string[]
  /** Phases of the protocol outside the main line. */
  readonly sidePhases: readonly string[]
  readonly codes: Readonly<Record<string, StatusCode>>
  /** Codes that can open a timeline; if another code comes first, earlier scans are missing. */
  readonly first: readonly string[]
  /**
   * What may follow a code, as a table in plain text: a row for each code, with a mark for each code after it, both in
   * the order of `codes`. `o` is planned. `.` follows with a scan missing in between, or is not expected after a
   * terminal code. `x` never happens. `-` is the code itself, which may repeat. Spaces between marks and lines that
   * start with `#` mean nothing.
   */
  readonly transitions: string
  readonly words?: PageWords
}

/** The profile of this name; the first profile if there is none or no name. */
export function profileNamed(profiles: readonly [Profile, ...Profile[]], name: string | undefined): Profile {
  return profiles.find((profile) => profile.name === name) ?? profiles[0]
}

/** The code of an address `otep:<profile>:<code>` of this profile (OTEP, addresses); any other text unchanged. */
export function bareCode({ name }: Profile, text: string): string {
  const prefix = `otep:${name}:`
  return text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : text
}

/** The name of an address `otep:phase:<name>` (OTEP, addresses); any other text unchanged. */
export function barePhase(text: string): string {
  return text.replace(/^otep:phase:(?=.)/, '')
}

/** Whether a code is marked as unregistered: it starts with `x-` (OTEP, versioning, rule 5). */
export function isExperimental(code: string): boolean {
  return code.startsWith('x-')
}

/** The phase of a code in a profile; `x-experimental` for an `x-` code. */
export function phaseOf(profile: Profile, code: string): string | undefined {
  if (isExperimental(code)) return 'x-experimental'
  return codeOf(profile, code)?.phase
}

/** The profile's entry for a code, if it knows it. */
export function codeOf(profile: Profile, code: string): StatusCode | undefined {
  return Object.hasOwn(profile.codes, code) ? profile.codes[code] : undefined
}

/** The entry for a code in the first profile that knows it. */
export function codeAmong(profiles: readonly Profile[], code: string): StatusCode | undefined {
  return profiles.map((profile) => codeOf(profile, code)).find((known) => known !== undefined)
}

/** The names of an event in webhooks. If no profile knows the code, the key is the code and the number is 0. */
export function eventNamesOf(profiles: readonly Profile[], code: string): EventNames {
  const unknown = { statusId: 0, key: code.toLowerCase().replaceAll('_', '-'), type: 'X' } as const
  return codeAmong(profiles, code)?.webhook ?? unknown
}

/** Whether the code is terminal in the profile. */
export function isTerminal(profile: Profile, code: string): boolean {
  return codeOf(profile, code)?.terminal === true
}

/** Whether the code says that something went wrong. */
export function isFailure(profile: Profile, code: string): boolean {
  const { failure, phase } = codeOf(profile, code) ?? {}
  return failure ?? phase === 'exception'
}

/** The unregistered code of what is on its way back, and not back yet. */
export const wayBack = 'x-returning'

/** Whether the code says that it goes back to where it came from. */
export function isReturn(profile: Profile, code: string): boolean {
  if (code === wayBack) return true
  const known = codeOf(profile, code)
  return known?.return ?? known?.phase === 'return'
}

/** The universal code that a code is nearest to: its `like`, or else the code itself. */
export function nearestCode(profile: Profile, code: string): string {
  return codeOf(profile, code)?.like ?? code
}

/** Caches a value computed from a profile, as long as the profile is in use. */
export function perProfile<Made>(make: (profile: Profile) => Made): (profile: Profile) => Made {
  const made = new WeakMap<Profile, { readonly value: Made }>()
  return (profile) => {
    const known = made.get(profile)
    if (known !== undefined) return known.value
    const value = make(profile)
    made.set(profile, { value })
    return value
  }
}

/** The rows of a table of transitions: the code before, and its marks without spaces. */
export function transitionRows(transitions: string): readonly (readonly [code: string, marks: string])[] {
  return transitions
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [code = '', ...marks] = line.split(/\s+/)
      return [code, marks.join('')]
    })
}

const marksOf = perProfile(({ codes, transitions }): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const words = Object.keys(codes)
  const row = (marks: string) => new Map(words.map((to, index) => [to, marks[index] ?? '.']))
  return new Map(transitionRows(transitions).map(([from, marks]) => [from, row(marks)]))
})

const plannedOf = perProfile((profile) => {
  const planned = (marks: ReadonlyMap<string, string>) => [...marks].flatMap(([to, mark]) => (mark === 'o' ? [to] : []))
  return new Map([...marksOf(profile)].map(([from, marks]) => [from, planned(marks)]))
})

/** The planned codes after a code; empty if the profile does not know it. */
export function plannedAfter(profile: Profile, code: string): readonly string[] {
  return plannedOf(profile).get(code) ?? []
}

/** The codes that may follow a code when a scan in between is missing. */
export function skippedAfter(profile: Profile, code: string): readonly string[] {
  return Object.keys(profile.codes).filter((to) => stepBetween(profile, code, to) === 'skipped')
}

/**
 * The kind of a step: planned, with a skipped step, after a terminal status, or impossible. `from` is absent for the
 * first event.
 */
type Step = 'planned' | 'skipped' | 'after_terminal' | 'impossible'

/** The kind of the step from one code to another. An `x-` code is allowed anywhere except after a terminal code. */
export function stepBetween(profile: Profile, from: string | undefined, to: string): Step {
  if (from === undefined) return isExperimental(to) || profile.first.includes(to) ? 'planned' : 'skipped'
  const mark = marksOf(profile).get(from)?.get(to)
  if (mark === 'o' || from === to) return 'planned'
  if (isTerminal(profile, from) && !isTerminal(profile, to)) return 'after_terminal'
  if (isExperimental(from) || isExperimental(to)) return 'planned'
  return mark === '.' ? 'skipped' : 'impossible'
}
