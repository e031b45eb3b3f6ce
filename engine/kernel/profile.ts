/**
 * Event types: I announced, P pick-up, A at a facility, T transit, O out for delivery, D delivery, R return, X
 * exception, S storage.
 */
export const eventTypes = ['I', 'P', 'A', 'T', 'O', 'D', 'R', 'X', 'S'] as const

/** The letter of an event type. */
export type EventType = (typeof eventTypes)[number]

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
export interface Attempt {
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
  /** One short English sentence: what has happened. */
  readonly meaning: string
  /** Its names in webhooks. */
  readonly webhook: EventNames
  /** What has happened, in a few words, for webhooks. */
  readonly phrases: Readonly<Record<PhraseLanguage, string>>
  /**
   * A code of the same profile that has no `like` itself. A format without a row for this code treats it as that code
   * and declares the loss.
   */
  readonly like?: string
}

/**
 * What may follow a code: `next` is planned, `impossible` never happens. Any other code means that a scan in between
 * is missing.
 */
export interface Transition {
  readonly next: readonly string[]
  readonly impossible: readonly string[]
}

/**
 * The vocabulary of one trade: codes, phases and transitions (addressed as `otep:<name>:<code>`). Data without logic.
 */
export interface Profile {
  readonly name: string
  readonly version: string
  readonly status: 'live' | 'draft'
  /** Main phases, in order of the life cycle. */
  readonly phases: readonly string[]
  /** Phases outside the main line. */
  readonly sidePhases: readonly string[]
  readonly codes: Readonly<Record<string, StatusCode>>
  /** Codes that can open a timeline; if another code comes first, earlier scans are missing. */
  readonly first: readonly string[]
  readonly transitions: Readonly<Record<string, Transition>>
}

/** The profile of this name; the first profile if there is none or no name. */
export function profileNamed(profiles: readonly [Profile, ...Profile[]], name: string | undefined): Profile {
  return profiles.find((profile) => profile.name === name) ?? profiles[0]
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

/** The planned codes after a code; empty if the profile does not know it. */
export function plannedAfter(profile: Profile, code: string): readonly string[] {
  return (Object.hasOwn(profile.transitions, code) ? profile.transitions[code]?.next : undefined) ?? []
}

/** The codes that may follow a code when a scan in between is missing. */
export function skippedAfter(profile: Profile, code: string): readonly string[] {
  return Object.keys(profile.codes).filter((to) => stepBetween(profile, code, to) === 'skipped')
}

/**
 * The kind of a step: planned, with a skipped step, after a terminal status, or impossible. `from` is absent for the
 * first event.
 */
export type Step = 'planned' | 'skipped' | 'after_terminal' | 'impossible'

/** The kind of the step from one code to another. An `x-` code is allowed anywhere except after a terminal code. */
export function stepBetween(profile: Profile, from: string | undefined, to: string): Step {
  if (from === undefined) return isExperimental(to) || profile.first.includes(to) ? 'planned' : 'skipped'
  if (isTerminal(profile, from) && !isTerminal(profile, to)) return 'after_terminal'
  if (from === to || isExperimental(from) || isExperimental(to)) return 'planned'
  if (plannedAfter(profile, from).includes(to)) return 'planned'
  const isKnown = codeOf(profile, from) !== undefined && codeOf(profile, to) !== undefined
  return isKnown && !profile.transitions[from]?.impossible.includes(to) ? 'skipped' : 'impossible'
}
