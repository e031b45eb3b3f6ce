import ts from '@typescript/typescript6'
import { type FileRule, findings } from './source.ts'

/** A word of fewer than six of the letters that base64 has. */
const short = /^(\\b)?[\w+/=-]{1,5}(\\b)?$/

/**
 * What a text must not hold is so long, or has such signs, that chance does not write it: sealed texts, tokens and ids
 * have a word of six letters once in 70,000,000,000 places, and one of three in 260,000.
 */
export const shortSearches: FileRule = (source) =>
  findings(source, 'short-search', (node) => {
    if (!source.isTest || !ts.isCallExpression(node)) return undefined
    const found = wordsIn(unwanted(node)).find((word) => short.test(word))
    return found && `Chance can write ${found}: search for more letters, or for a sign beside it that base64 has not.`
  })

/** What is searched for in `t.notMatch(text, …)`, and in `t.notOk(text.includes(…))` where it is seen to be a text. */
function unwanted(node: ts.CallExpression): ts.Node | undefined {
  const [asked, pattern] = node.arguments
  if (nameOf(node) === 'notMatch') return pattern
  if (nameOf(node) !== 'notOk' || asked === undefined || !ts.isCallExpression(asked)) return undefined
  return /\b(toString|stringify|readFileSync)\(.*\)\.includes$/s.test(asked.expression.getText())
    ? asked.arguments[0]
    : undefined
}

function wordsIn(wanted: ts.Node | undefined): readonly string[] {
  if (wanted === undefined) return []
  if (ts.isStringLiteralLike(wanted)) return [wanted.text]
  return ts.isRegularExpressionLiteral(wanted) ? wanted.text.replace(/^\/|\/\w*$/g, '').split('|') : []
}

/** Tests share no port and no directory: they listen on port 0, and what is temporary is made by `mkdtemp`. */
export const sharedPlaces: FileRule = (source) =>
  findings(source, 'shared-place', (node) => {
    if (!source.isTest) return undefined
    if (isFixedPort(node)) return 'Two tests could take this port: listen on 0, and ask for the one that it is.'
    if (!ts.isCallExpression(node) || nameOf(node) !== 'tmpdir' || isWithin(node, /^mkdtemp(Sync)?$/)) return undefined
    return 'Two tests could write there: make a directory with mkdtemp.'
  })

function isFixedPort(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'PORT')
    return ts.isStringLiteralLike(node.initializer) && isPort(node.initializer.text)
  if (!ts.isCallExpression(node) || !/^(listen|serve)$/.test(nameOf(node))) return false
  return node.arguments.some(
    (argument, place) =>
      (place === 0 && ts.isNumericLiteral(argument) && isPort(argument.text)) ||
      (ts.isObjectLiteralExpression(argument) && /\bport: [1-9]/.test(argument.getText())),
  )
}

function isPort(text: string): boolean {
  return Number(text) > 0 && Number(text) < 65_536
}

/** No test asserts how long something took: a slow machine is no mistake. Only a comment tells it. */
export const stopwatches: FileRule = (source) =>
  findings(source, 'stopwatch', (node) => {
    if (!source.isTest) return undefined
    if (isDuration(node) && !isWithin(node, /^comment$/)) return 'Only a comment tells how long something took.'
    if (isClockBound(node))
      return 'Compare with a clock of the test, or with what happened, not with that of the machine.'
    if (isTimedRace(node)) return 'Wait for what must come; the runner ends a test that waits for ever.'
    return undefined
  })

/** `performance.now() - start`, or `Date.now() - start`. */
function isDuration(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.MinusToken) return false
  return /^(Date|performance)\.now\(\)$/.test(node.left.getText()) && ts.isIdentifier(node.right)
}

/** A comparison with this moment, in an assertion. */
function isClockBound(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !/^[<>]=?$/.test(node.operatorToken.getText())) return false
  return /\b(Date|performance)\.now\(\)/.test(node.getText()) && isWithin(node, assertions)
}

/** A race against a timeout, in an assertion. */
function isTimedRace(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'Promise.race') return false
  return /\b(setTimeout|sleep)\(/.test(node.getText()) && isWithin(node, assertions)
}

const assertions = /^(ok|notOk|equal|not|same|match|notMatch|strictSame)$/

/** Whether a node is an argument of a call of this name, in the same function. */
function isWithin(node: ts.Node, name: RegExp): boolean {
  const call = ts.findAncestor(node.parent, (one) =>
    ts.isFunctionLike(one) ? 'quit' : ts.isCallExpression(one) && name.test(nameOf(one)),
  )
  return call !== undefined
}

/** The name of what is called: `includes` of `text.includes(word)`. */
function nameOf({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
}
