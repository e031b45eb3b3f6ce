import ts from '@typescript/typescript6'
import { type FileRule, findings, type Source, violation } from './source.ts'

const pureFolders = ['engine/', 'profiles/', 'projections/']

/** What brings in time, chance, the network or the environment. `Buffer` does not, so it may be used. */
const forbiddenNames = new Set([
  ...['process', 'global', 'globalThis', 'require', 'console', 'crypto', 'performance', 'navigator'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
])

/** Members whose result depends on the time zone or the language of the machine. */
const localMembers = new Set([
  ...['getFullYear', 'getMonth', 'getDate', 'getDay', 'getHours', 'getMinutes', 'getSeconds', 'getTimezoneOffset'],
  ...['toDateString', 'toTimeString', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', 'localeCompare'],
  ...['toLocaleUpperCase', 'toLocaleLowerCase'],
])

/** The engine, the profiles and the projections only compute, without side effects. */
export const purity: FileRule = (source) => {
  if (source.isTest || !pureFolders.some((folder) => source.path.startsWith(folder))) return []
  return [...nodeImports(source), ...findings(source, 'purity', impurity)]
}

function nodeImports(source: Source) {
  return source.imports
    .filter(({ specifier }) => specifier.startsWith('node:'))
    .filter(({ specifier, names }) => specifier !== 'node:crypto' || !names.every(isHash))
    .map(({ specifier, line }) => violation(source, 'purity', `Of Node only hashes are pure, not ${specifier}.`, line))
}

function isHash(name: string): boolean {
  return ['createHash', 'createHmac', 'hash'].includes(name ?? '')
}

function impurity(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && isReference(node)) return impureName(node)
  if (ts.isPropertyAccessExpression(node) && localMembers.has(node.name.text)) {
    return `${node.name.text} depends on the machine's time zone or language.`
  }
  if (node.kind === ts.SyntaxKind.ImportKeyword && ts.isCallExpression(node.parent)) return 'Imports are static.'
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) return 'import.meta is environment.'
  if (isAwait(node) && isTopLevel(node)) return 'Nothing is awaited while a module loads.'
  return undefined
}

function impureName(name: ts.Identifier): string | undefined {
  if (name.text === 'Date' && !isPureDate(name)) return 'The time comes in through the context, not from Date.'
  if (name.text === 'Math' && !isPureMath(name)) return 'Chance comes in through the context, not from Math.random.'
  return forbiddenNames.has(name.text) ? `${name.text} is not pure; pass in what is needed of it.` : undefined
}

/** Reads an explicit moment: `new Date(x)`, `Date.parse`, `Date.UTC`, `x instanceof Date`. */
function isPureDate({ parent }: ts.Identifier): boolean {
  if (ts.isNewExpression(parent)) return (parent.arguments?.length ?? 0) > 0
  if (ts.isPropertyAccessExpression(parent)) return ['parse', 'UTC'].includes(parent.name.text)
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
}

function isPureMath({ parent }: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(parent) && parent.name.text !== 'random'
}

/** Whether an identifier is used as a value, and not as the name of a member, a declaration or a type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if ('name' in parent && parent.name === node) return false
  if ('propertyName' in parent && parent.propertyName === node) return false
  return !ts.isTypeNode(parent) && !ts.isQualifiedName(parent)
}

function isAwait(node: ts.Node): boolean {
  return ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)
}

function isTopLevel(node: ts.Node): boolean {
  return ts.findAncestor(node, ts.isFunctionLike) === undefined
}
