/** The letters: I announced, P pick-up, A at a facility, T transit, O out for delivery, D delivery, R return, X exception, S storage. */
export const eventTypes = ['I', 'P', 'A', 'T', 'O', 'D', 'R', 'X', 'S'] as const

/** A letter for what kind of event it is. */
export type EventType = (typeof eventTypes)[number]

/** How webhooks name an event beside its status code (document 3, tracking event payload). */
export interface EventNames {
  /** Never changed, and of one code alone among all profiles; 0 for a code that no profile knows. */
  readonly statusId: number
  readonly key: string
  readonly type: EventType
  /** The service that the event ends or tries, and whether it was done. */
  readonly attempt?: Attempt
}

/** What was to be done for the parcel, and whether it was. */
export interface Attempt {
  readonly kind: 'delivery' | 'pickup'
  readonly isDone: boolean
}

/** The languages of webhooks; chs and cht are simplified and traditional Chinese. */
export const phraseLanguages = [
  ...(['en', 'fr', 'chs', 'cht', 'es', 'de', 'nl'] as const),
  ...(['pt', 'it', 'sr', 'hu', 'pl', 'sk', 'cs'] as const),
] as const

/** A language of webhooks. */
export type PhraseLanguage = (typeof phraseLanguages)[number]

/** What a status code of a profile means. */
export interface StatusCode {
  readonly phase: string
  /** Nothing is expected to follow. */
  readonly terminal: boolean
  /** The event may carry proof (of pick-up or of delivery). */
  readonly pod: boolean
  /** One short English sentence: what has happened. */
  readonly meaning: string
  /** How webhooks name it. */
  readonly webhook: EventNames
  /** What has happened, in a few words, as webhooks tell it. */
  readonly phrases: Readonly<Record<PhraseLanguage, string>>
}

/** What follows a code: `next` as planned, `impossible` never. Any other code follows where a scan in between is missing. */
export interface Transition {
  readonly next: readonly string[]
  readonly impossible: readonly string[]
}

/** A vocabulary of one trade: its codes, phases and transitions (addressed `otep:<name>:<code>`). Data, no logic. */
export interface Profile {
  readonly name: string
  readonly version: string
  readonly status: 'live' | 'draft'
  /** Phases on the main line, in the order of the life cycle. */
  readonly phases: readonly string[]
  /** Phases beside the main line. */
  readonly sidePhases: readonly string[]
  readonly codes: Readonly<Record<string, StatusCode>>
  /** Codes that open a timeline; another first code means that earlier scans are missing. */
  readonly first: readonly string[]
  readonly transitions: Readonly<Record<string, Transition>>
}

/** The profile of this name; the first of the list where there is none, or no name. */
export function profileNamed(profiles: readonly [Profile, ...Profile[]], name: string | undefined): Profile {
  return profiles.find((profile) => profile.name === name) ?? profiles[0]
}

/** Whether a code is unregistered by its own word: such codes start with `x-` (OTEP, versioning, rule 5). */
export function isExperimental(code: string): boolean {
  return code.startsWith('x-')
}

/** The phase of a code: that of the profile, and `x-experimental` for an `x-` code. */
export function phaseOf(profile: Profile, code: string): string | undefined {
  if (isExperimental(code)) return 'x-experimental'
  return codeOf(profile, code)?.phase
}

/** What the profile says of a code, or nothing where it does not know it. */
export function codeOf(profile: Profile, code: string): StatusCode | undefined {
  return Object.hasOwn(profile.codes, code) ? profile.codes[code] : undefined
}

/** What the first profile that knows a code says of it; nothing where none does. */
export function codeAmong(profiles: readonly Profile[], code: string): StatusCode | undefined {
  return profiles.map((profile) => codeOf(profile, code)).find((known) => known !== undefined)
}

/** How webhooks name an event of this code; one that no profile knows has its code as the key, and no number. */
export function eventNamesOf(profiles: readonly Profile[], code: string): EventNames {
  const unknown = { statusId: 0, key: code.toLowerCase().replaceAll('_', '-'), type: 'X' } as const
  return codeAmong(profiles, code)?.webhook ?? unknown
}

/** Whether the profile takes the code as terminal. */
export function isTerminal(profile: Profile, code: string): boolean {
  return codeOf(profile, code)?.terminal === true
}

/** The codes that are planned after a code; none where the profile does not know it. */
export function plannedAfter(profile: Profile, code: string): readonly string[] {
  return (Object.hasOwn(profile.transitions, code) ? profile.transitions[code]?.next : undefined) ?? []
}

/** The codes that follow a code where a scan in between is missing. */
export function skippedAfter(profile: Profile, code: string): readonly string[] {
  return Object.keys(profile.codes).filter((to) => stepBetween(profile, code, to) === 'skipped')
}

/** How a step reads: as planned, with a step skipped, after a terminal status, or impossible. `from` is absent for the first event. */
export type Step = 'planned' | 'skipped' | 'after_terminal' | 'impossible'

/** How the profile reads the step from one code to another; an `x-` code may stand anywhere but after a terminal one. */
export function stepBetween(profile: Profile, from: string | undefined, to: string): Step {
  if (from === undefined) return isExperimental(to) || profile.first.includes(to) ? 'planned' : 'skipped'
  if (isTerminal(profile, from) && !isTerminal(profile, to)) return 'after_terminal'
  if (from === to || isExperimental(from) || isExperimental(to)) return 'planned'
  if (plannedAfter(profile, from).includes(to)) return 'planned'
  const isKnown = codeOf(profile, from) !== undefined && codeOf(profile, to) !== undefined
  return isKnown && !profile.transitions[from]?.impossible.includes(to) ? 'skipped' : 'impossible'
}
