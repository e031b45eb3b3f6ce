import { type Code, type Messages, messageOf, type Params } from './messages/index.ts'

/** Something found in an input: where (`events[0].occurred_at`, empty for the whole), what, and with which values. */
export interface Finding {
  readonly path: string
  readonly code: Code
  readonly params?: Params
}

/** The path of a member below `path`: a name with a dot, an index in brackets. */
export function pathTo(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`
  return path === '' ? member : `${path}.${member}`
}

/** The finding as seen from further out, `prefix` being the path to what it was found in. */
export function within(prefix: string, finding: Finding): Finding {
  if (prefix === '') return finding
  const joint = finding.path === '' || finding.path.startsWith('[') ? '' : '.'
  return { ...finding, path: `${prefix}${joint}${finding.path}` }
}

/** A finding in words: its path, its code and its message. */
export interface Remark {
  readonly path: string
  readonly code: Code
  readonly message: string
}

/** The finding in the words of a language. */
export function remark({ path, code, params }: Finding, messages: Messages): Remark {
  return { path, code, message: messageOf(code, params, messages) }
}

/** A text from outside as a message may repeat it: at most 60 characters, and none that is a control or half of a pair. */
export function excerptOf(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD')
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
}
