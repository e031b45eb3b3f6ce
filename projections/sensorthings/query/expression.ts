import type { SetName } from '../links.ts'
import { type FunctionName, functions } from './functions.ts'
import { meaningOf, namesOf } from './model.ts'
import { refused, shown, unknownName } from './refused.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Value, ValueType } from './values.ts'

/** A step of a path to a value: a relation, a property of an entity, or a member of a JSON object. */
export interface PathStep {
  readonly name: string
  readonly kind: 'relation' | 'property' | 'member'
}

/** An expression of `$filter` or `$orderby`, checked against the data model. */
export type Expression = { readonly type: ValueType } & (
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'path'; readonly steps: readonly PathStep[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
)

/** How deeply expressions are nested at most. */
export const maxDepth = 50

/** A reader of one expression that knows where it is. */
interface Parser {
  readonly option: string
  readonly set: SetName
  readonly tokens: readonly Token[]
  at: number
  depth: number
}

/** The operators of two operands by how they bind, the weakest first (OData 4.0, part 2, 5.1.1.9). */
const levels: readonly (readonly FunctionName[])[] = [
  ['or'],
  ['and'],
  ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
  ['add', 'sub'],
  ['mul', 'div', 'mod'],
]

/** The level of comparisons, which is what `not` is applied to. */
const comparisons = 2

/** The expression in a query option about the entities of a set. Throws `query_parameter_refused`. */
export function expressionOf(option: string, text: string, set: SetName): Expression {
  const parser: Parser = { option, set, tokens: tokensOf(option, text), at: 0, depth: 0 }
  const expression = binary(parser, 0)
  const rest = peek(parser)
  if (rest.kind !== 'end') throw unexpected(parser, 'an operator or the end')
  return expression
}

/** The condition in `$filter`. */
export function conditionOf(text: string, set: SetName): Expression {
  const expression = expressionOf('$filter', text, set)
  if (expression.type === 'boolean' || expression.type === 'any') return expression
  throw refused('$filter', 'it is no condition, such as result gt 8')
}

function binary(parser: Parser, level: number): Expression {
  const names = levels[level]
  if (names === undefined) return unary(parser)
  let left = level === comparisons && takes(parser, 'not') ? negation(parser) : binary(parser, level + 1)
  for (;;) {
    const name = names.find((one) => isName(peek(parser), one))
    if (name === undefined) return left
    parser.at++
    left = call(parser, name, [left, binary(parser, level + 1)])
  }
}

function negation(parser: Parser): Expression {
  return call(parser, 'not', [nested(parser, () => binary(parser, comparisons))])
}

function unary(parser: Parser): Expression {
  if (takes(parser, 'not')) return negation(parser)
  if (!takes(parser, '-')) return primary(parser)
  return call(parser, 'neg', [nested(parser, () => unary(parser))])
}

function primary(parser: Parser): Expression {
  const token = peek(parser)
  if (token.kind === 'literal' && token.literal !== undefined) {
    parser.at++
    return { kind: 'literal', ...token.literal }
  }
  if (takes(parser, '(')) {
    const inner = nested(parser, () => binary(parser, 0))
    expect(parser, ')')
    return inner
  }
  if (token.kind !== 'name') throw unexpected(parser, 'a value')
  const next = parser.tokens[parser.at + 1]
  return next?.text === '(' && next.kind === 'sign' ? functionCall(parser, token.text) : path(parser)
}

function functionCall(parser: Parser, name: string): Expression {
  if (!Object.hasOwn(functions, name) || !/^[a-z]/.test(name) || isOperator(name))
    throw unknownName(parser.option, 'function', name, Object.keys(functions))
  parser.at += 2
  const args: Expression[] = []
  if (!takes(parser, ')')) {
    do args.push(nested(parser, () => binary(parser, 0)))
    while (takes(parser, ','))
    expect(parser, ')')
  }
  return call(parser, name as FunctionName, args)
}

function isOperator(name: string): boolean {
  return ['not', 'neg', ...levels.flat()].includes(name)
}

function call({ option }: Parser, name: FunctionName, args: readonly Expression[]): Expression {
  const { takes, gives } = functions[name]
  const fitting = takes.filter((types) => types.length === args.length)
  if (fitting.length === 0) {
    const counts = [...new Set(takes.map((types) => types.length))].join(' or ')
    throw refused(option, `${name} has ${counts} arguments, not ${args.length}`)
  }
  const matching = fitting.find((types) => types.every((type, at) => isCompatible(type, args[at]?.type ?? 'any')))
  if (matching === undefined)
    throw refused(option, `${name} does not take ${args.map(({ type }) => words[type]).join(' and ')}`)
  return { kind: 'call', name, args, type: typeof gives === 'function' ? gives(args.map(({ type }) => type)) : gives }
}

const words: Readonly<Record<ValueType, string>> = {
  any: 'any value',
  boolean: 'a truth value',
  number: 'a number',
  text: 'a text',
  instant: 'a time',
  day: 'a date',
  clock: 'a time of day',
  duration: 'a duration',
  shape: 'a geometry',
}

function isCompatible(wanted: ValueType, type: ValueType): boolean {
  return wanted === 'any' || type === 'any' || wanted === type
}

function path(parser: Parser): Expression {
  const steps: PathStep[] = []
  let set: SetName | undefined = parser.set
  let type: ValueType = 'any'
  do {
    const { kind, text } = peek(parser)
    if (kind !== 'name') throw unexpected(parser, 'the name of a property')
    parser.at++
    if (set === undefined) {
      steps.push({ name: text, kind: 'member' })
      type = 'any'
      continue
    }
    const meaning = meaningOf(set, text)
    if (meaning === undefined) throw unknownName(parser.option, 'property', `${text} of ${set}`, namesOf(set))
    if ('relation' in meaning) {
      steps.push({ name: text, kind: 'relation' })
      set = meaning.set
      continue
    }
    steps.push({ name: meaning.property, kind: 'property' })
    type = meaning.type
    set = undefined
  } while (takes(parser, '/'))
  if (set !== undefined) throw refused(parser.option, `${steps.at(-1)?.name} is no property, but a relation`)
  if (steps.length > maxSteps) throw refused(parser.option, `a path has more than ${maxSteps} steps`)
  return { kind: 'path', steps, type }
}

/** The most steps of a path. */
const maxSteps = 10

function nested<Parsed>(parser: Parser, parse: () => Parsed): Parsed {
  if (parser.depth >= maxDepth) throw refused(parser.option, `it is nested more than ${maxDepth} deep`)
  parser.depth++
  const parsed = parse()
  parser.depth--
  return parsed
}

function peek({ tokens, at }: Parser): Token {
  return tokens[Math.min(at, tokens.length - 1)] as Token
}

function isName({ kind, text }: Token, name: string): boolean {
  return kind === 'name' && text === name
}

function takes(parser: Parser, text: string): boolean {
  const token = peek(parser)
  if (token.kind === 'literal' || token.text !== text) return false
  parser.at++
  return true
}

function expect(parser: Parser, sign: string): void {
  if (!takes(parser, sign)) throw unexpected(parser, sign)
}

function unexpected(parser: Parser, wanted: string) {
  const { kind, text, at } = peek(parser)
  const found = kind === 'end' ? 'the end' : shown(text)
  return refused(parser.option, `expected ${wanted} instead of ${found} at character ${at + 1}`)
}

/** The relations that an expression follows, as paths of names; `Datastream`, `Datastream/Thing`. */
export function relationsIn(expression: Expression): readonly (readonly string[])[] {
  if (expression.kind === 'call') return expression.args.flatMap(relationsIn)
  if (expression.kind === 'literal') return []
  const names = expression.steps.filter(({ kind }) => kind === 'relation').map(({ name }) => name)
  return names.length === 0 ? [] : [names]
}
