import { meantAmong } from './meant.ts'
import { type Code, type Messages, messageOf, type Params } from './messages/index.ts'
import { otherWords } from './other-words.ts'

/** A problem in an input: its path (`events[0].occurred_at`, empty for the whole input), code and parameters. */
export interface Finding {
  readonly path: string
  readonly code: Code
  readonly params?: Params
}

/** Appends a member to a path: a name after a dot, or an index in brackets. */
export function pathTo(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`
  return path === '' ? member : `${path}.${member}`
}

/** The finding with `prefix` before its path. */
export function within<Found extends Finding>(prefix: string, finding: Found): Found {
  if (prefix === '') return finding
  const joint = finding.path === '' || finding.path.startsWith('[') ? '' : '.'
  return { ...finding, path: `${prefix}${joint}${finding.path}` }
}

/** A finding as text: its path, its code and its message. */
export interface Remark {
  readonly path: string
  readonly code: Code
  readonly message: string
}

/** The finding with its message in a language. */
export function remark({ path, code, params }: Finding, messages: Messages): Remark {
  return { path, code, message: messageOf(code, params, messages) }
}

/** Says that there is no member of this name, and which of the known ones was probably meant. */
export function unknownAmong(name: string, known: readonly string[]) {
  const search = searches.get(known) ?? meantAmong(known, otherWords)
  searches.set(known, search)
  const meant = search(name)
  return { code: 'unknown_field', params: { field: excerptOf(name), ...(meant !== undefined && { meant }) } } as const
}

const searches = new WeakMap<readonly string[], ReturnType<typeof meantAmong>>()

/** An excerpt of foreign text for a message: at most 60 characters, without control characters or lone surrogates. */
export function excerptOf(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD')
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
}
