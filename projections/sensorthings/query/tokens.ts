import { refused, shown } from './refused.ts'
import { shapeOfText } from './shapes.ts'
import { clockIn, dayIn, durationIn, timeIn, type Value, type ValueType } from './values.ts'

/** A piece of an expression. */
export interface Token {
  readonly kind: 'name' | 'literal' | 'sign' | 'end'
  readonly text: string
  /** Where it begins, in characters. */
  readonly at: number
  readonly literal?: { readonly value: Value; readonly type: ValueType }
}

/** The most tokens of one expression. */
export const maxTokens = 1_000

type Reader = (text: string, body: string) => Token['literal'] | undefined

const typed =
  (type: ValueType, read: (text: string) => Value | undefined): Reader =>
  (_, body) => {
    const value = read(body)
    return value === undefined ? undefined : { value, type }
  }

/** The literals of the standard (OData 4.0 ABNF), the longer forms first. */
const literals: readonly (readonly [pattern: RegExp, read: Reader])[] = [
  [/geography'((?:[^']|'')*)'/y, typed('shape', shapeOfText)],
  [/geometry'((?:[^']|'')*)'/y, typed('shape', shapeOfText)],
  [/duration'([^']*)'/y, typed('duration', durationIn)],
  [/'((?:[^']|'')*)'/y, typed('text', (text) => text.replaceAll("''", "'"))],
  [
    /(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+\- ]\d\d:\d\d)(?:\/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+\- ]\d\d:\d\d))?)/y,
    typed('instant', timeIn),
  ],
  [/(\d{4}-\d\d-\d\d)(?![\w-])/y, typed('day', dayIn)],
  [/(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)/y, typed('clock', clockIn)],
  [/(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y, typed('number', Number)],
]

const constants: Readonly<Record<string, NonNullable<Token['literal']>>> = {
  true: { value: true, type: 'boolean' },
  false: { value: false, type: 'boolean' },
  null: { value: null, type: 'any' },
}

const name = /[@A-Za-z_$][\w.@$-]*/y
const sign = /[(),/-]/y
const space = /\s*/y

/** The tokens of an expression, with one that marks the end. */
export function tokensOf(option: string, text: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = matchAt(space, text, 0).length; at < text.length; ) {
    if (tokens.length >= maxTokens) throw refused(option, `it has more than ${maxTokens} words and signs`)
    const token = tokenAt(option, text, at)
    tokens.push(token)
    at += token.text.length
    at += matchAt(space, text, at).length
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }]
}

function tokenAt(option: string, text: string, at: number): Token {
  for (const [pattern, read] of literals) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const literal = read(match[0], match[1] ?? '')
    if (literal === undefined)
      throw refused(option, `${shown(match[0])} at character ${at + 1} is no value of its kind`)
    return { kind: 'literal', text: match[0], at, literal }
  }
  const word = matchAt(name, text, at)
  if (Object.hasOwn(constants, word)) return { kind: 'literal', text: word, at, ...withLiteral(constants[word]) }
  if (word !== '') return { kind: 'name', text: word, at }
  const found = matchAt(sign, text, at)
  if (found !== '') return { kind: 'sign', text: found, at }
  throw refused(option, `${shown(text.slice(at))} at character ${at + 1} is not understood`)
}

function withLiteral(literal: Token['literal']): Pick<Token, 'literal'> {
  return literal === undefined ? {} : { literal }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
