import { safeParse } from 'valibot'
import { isObject } from './members.ts'
import {
  besidePhases,
  eventTypes,
  isExperimental,
  mainPhases,
  type Profile,
  type StatusCode,
  transitionRows,
} from './profile.ts'
import type { Projection } from './projection.ts'

/** What is wrong with a profile: the path of the member (`codes.packed.like`) and an English sentence. */
export interface ProfileFinding {
  readonly path: string
  readonly code: ProfileFault
  readonly message: string
}

/** The kinds of faults of a profile. */
export type ProfileFault =
  | 'duplicate_name'
  | 'duplicate_status_id'
  | 'duplicate_webhook_key'
  | 'format_row'
  | 'invalid_code'
  | 'invalid_name'
  | 'required'
  | 'transitions'
  | 'unknown_code'
  | 'unknown_format'
  | 'unknown_like'
  | 'unknown_phase'
  | 'unreachable_code'

/** What a profile is used with. */
export interface ProfileUse {
  /** All profiles in use, among them the one that is checked. The first holds the universal codes. */
  readonly profiles: readonly [Profile, ...Profile[]]
  readonly formats: readonly Projection[]
  /** The unregistered codes that every format has a row for. */
  readonly unregistered: readonly string[]
}

/** Everything that is wrong with a profile; empty if it can be used. Every profile is checked at start. */
export function profileFindings(profile: Profile, use: ProfileUse): readonly ProfileFinding[] {
  const missing = missingMembers(profile)
  if (missing.length > 0) return missing
  return [
    ...nameFindings(profile, use),
    ...phaseFindings(profile),
    ...Object.entries(profile.codes).flatMap(([code, row]) => codeFindings(profile, code, row, use)),
    ...webhookFindings(profile, use),
    ...firstFindings(profile),
    ...transitionFindings(profile),
  ]
}

function fault(path: string, code: ProfileFault, message: string): ProfileFinding {
  return { path, code, message }
}

/** Members that all other checks need. A plug-in in JavaScript may lack any of them. */
function missingMembers(profile: Partial<Profile>): readonly ProfileFinding[] {
  const kinds = {
    ...{ name: isText, version: isText, transitions: isText, status: isStatus },
    ...{ phases: isList, sidePhases: isList, first: isList, codes: isObject },
  }
  const faulty = Object.entries(kinds).flatMap(([name, is]) =>
    is(profile[name as keyof typeof kinds])
      ? []
      : [fault(name, 'required', `"${name}" must be ${expectations[name]}.`)],
  )
  if (faulty.length > 0) return faulty
  return Object.entries(profile.codes ?? {}).flatMap(([code, row]) => missingOfCode(`codes.${code}`, row))
}

const expectations: Readonly<Record<string, string>> = {
  ...{ name: 'a text', version: 'a text', transitions: 'a text', status: '"live" or "draft"' },
  ...{ phases: 'a list of texts', sidePhases: 'a list of texts', first: 'a list of texts', codes: 'an object' },
}

function missingOfCode(path: string, row: Partial<StatusCode>): readonly ProfileFinding[] {
  if (!isObject(row)) return [fault(path, 'required', 'A code is an object.')]
  const given = {
    ...{ phase: isText(row.phase), meaning: isText(row.meaning), 'phrases.en': isText(row.phrases?.en) },
    ...{ terminal: typeof row.terminal === 'boolean', pod: typeof row.pod === 'boolean' },
    'webhook.statusId': Number.isSafeInteger(row.webhook?.statusId),
    'webhook.key': isText(row.webhook?.key),
    'webhook.type': eventTypes.some((type) => type === row.webhook?.type),
  }
  return Object.entries(given).flatMap(([name, is]) =>
    is ? [] : [fault(`${path}.${name}`, 'required', `A code needs "${name}".`)],
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isStatus(value: unknown): boolean {
  return value === 'live' || value === 'draft'
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function nameFindings({ name }: Profile, { profiles }: ProfileUse): readonly ProfileFinding[] {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return [fault('name', 'invalid_name', `"${name}" must consist of small letters, digits and "_".`)]
  const isTaken = profiles.filter((one) => one.name === name).length > 1
  return isTaken ? [fault('name', 'duplicate_name', `There is another profile "${name}".`)] : []
}

/** Phases are those of the protocol, in its order, so that a reader who knows only phases can read every profile. */
function phaseFindings({ phases, sidePhases }: Profile): readonly ProfileFinding[] {
  const known: readonly string[] = mainPhases
  const order = phases.map((phase) => known.indexOf(phase))
  return [
    ...unknownWords('phases', phases, mainPhases, 'unknown_phase'),
    ...unknownWords('sidePhases', sidePhases, besidePhases, 'unknown_phase'),
    ...(order.some((place, index) => index > 0 && place <= (order[index - 1] ?? -1))
      ? [fault('phases', 'unknown_phase', `Phases must be in this order: ${mainPhases.join(', ')}.`)]
      : []),
  ]
}

/** A finding for each word of a list that is none of the known ones. */
function unknownWords(
  path: string,
  words: readonly string[],
  known: readonly string[],
  code: ProfileFault,
): readonly ProfileFinding[] {
  return words.flatMap((word, index) =>
    known.includes(word) ? [] : [fault(`${path}[${index}]`, code, `"${word}" is none of: ${known.join(', ')}.`)],
  )
}

function codeFindings(profile: Profile, code: string, row: StatusCode, use: ProfileUse): readonly ProfileFinding[] {
  const path = `codes.${code}`
  const phases = [...profile.phases, ...profile.sidePhases]
  return [
    ...(/^[a-z][a-z0-9_]*$/.test(code) && !isExperimental(code)
      ? []
      : [fault(path, 'invalid_code', 'A code consists of small letters, digits and "_".')]),
    ...(phases.includes(row.phase)
      ? []
      : [fault(`${path}.phase`, 'unknown_phase', `"${row.phase}" is no phase of the profile: ${phases.join(', ')}.`)]),
    ...likeFindings(profile, `${path}.like`, row, use),
    ...Object.entries(row.formats ?? {}).flatMap(([name, given]) =>
      rowFindings(`${path}.formats.${name}`, name, given, use),
    ),
  ]
}

function likeFindings(
  profile: Profile,
  path: string,
  { like }: StatusCode,
  { profiles: [{ name, codes }], unregistered }: ProfileUse,
): readonly ProfileFinding[] {
  if (like === undefined && profile.name === name) return []
  if (like === undefined)
    return [fault(path, 'required', 'A code needs "like": the nearest code of the parcel profile.')]
  const known = [...Object.keys(codes).filter((code) => codes[code]?.like === undefined), ...unregistered]
  return known.includes(like) ? [] : [fault(path, 'unknown_like', `"${like}" is none of: ${known.join(', ')}.`)]
}

function rowFindings(path: string, name: string, row: unknown, { formats }: ProfileUse): readonly ProfileFinding[] {
  const format = formats.find((one) => one.name === name)
  if (format === undefined) return [fault(path, 'unknown_format', `There is no format "${name}".`)]
  if (format.rows === undefined)
    return [fault(path, 'format_row', `The format "${name}" takes no rows; it goes by "like".`)]
  const { issues = [] } = safeParse(format.rows, row)
  return issues.map((issue) => {
    const place = issue.path?.map(({ key }) => `.${String(key)}`).join('') ?? ''
    return fault(`${path}${place}`, 'format_row', issue.message)
  })
}

/** Numbers and keys in webhooks are permanent, and no two codes may have the same. */
function webhookFindings(profile: Profile, { profiles }: ProfileUse): readonly ProfileFinding[] {
  const names = profiles.flatMap(({ name, codes }) =>
    Object.entries(codes).map(([code, { webhook }]) => ({ address: `otep:${name}:${code}`, ...webhook })),
  )
  return Object.entries(profile.codes).flatMap(([code, { webhook }]) => {
    const address = `otep:${profile.name}:${code}`
    const others = names.filter((one) => one.address !== address)
    const path = `codes.${code}.webhook`
    return [
      ...others
        .filter(({ statusId }) => statusId === webhook.statusId)
        .map((one) => fault(`${path}.statusId`, 'duplicate_status_id', `${one.address} has ${one.statusId}, too.`)),
      ...others
        .filter(({ key }) => key === webhook.key)
        .map((one) => fault(`${path}.key`, 'duplicate_webhook_key', `${one.address} has "${one.key}", too.`)),
    ]
  })
}

function firstFindings({ first, codes }: Profile): readonly ProfileFinding[] {
  if (first.length === 0) return [fault('first', 'required', 'At least one code must open a timeline.')]
  return unknownWords('first', first, Object.keys(codes), 'unknown_code')
}

/** The table has a row for each code, in the order of the codes, and in each row a mark for each code. */
function transitionFindings({ codes, first, transitions }: Profile): readonly ProfileFinding[] {
  const words = Object.keys(codes)
  const rows = transitionRows(transitions)
  const found = rows.map(([code]) => code)
  if (found.join() !== words.join())
    return [
      fault('transitions', 'transitions', `The rows must be: ${words.join(', ')}; they are: ${found.join(', ')}.`),
    ]
  const faulty = rows.flatMap(([code, marks], row) => markFindings(code, marks, row, words.length))
  return faulty.length > 0 ? faulty : unreached(words, first, rows)
}

function markFindings(code: string, marks: string, row: number, count: number): readonly ProfileFinding[] {
  const path = `transitions.${code}`
  if (marks.length !== count)
    return [fault(path, 'transitions', `The row needs ${count} marks, one for each code; it has ${marks.length}.`)]
  return [...marks].flatMap((mark, column) => {
    const isItself = column === row
    if (isItself ? mark === '-' : 'o.x'.includes(mark)) return []
    const expected = isItself ? '"-", the code itself' : '"o", "." or "x"'
    return [fault(path, 'transitions', `Mark ${column + 1} is "${mark}"; it must be ${expected}.`)]
  })
}

/** Codes that no planned steps lead to from the first codes. */
function unreached(
  words: readonly string[],
  first: readonly string[],
  rows: ReturnType<typeof transitionRows>,
): readonly ProfileFinding[] {
  const marks = new Map(rows)
  const reached = new Set(first)
  for (const from of reached)
    for (const [index, to] of words.entries()) if (marks.get(from)?.[index] === 'o') reached.add(to)
  return words
    .filter((word) => !reached.has(word))
    .map((word) => fault('transitions', 'unreachable_code', `No planned steps lead to "${word}".`))
}
