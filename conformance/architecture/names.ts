import ts from '@typescript/typescript6'
import { type FileRule, findings, violation } from './source.ts'

/** Words that say nothing about a thing. */
const emptyWords = new Set(
  ['manager', 'helper', 'util', 'service', 'processor', 'info'].flatMap((word) => [word, `${word}s`]),
)

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.d|(\.(system|ci|nightly))?\.test(\.[a-z]+)?)?(\.ts)?$/

/** Files and folders are in kebab-case, and called after what they hold. */
export const fileNames: FileRule = (source) => {
  const parts = source.path.split('/')
  const odd = parts.find((part) => !kebabCase.test(part))
  if (odd !== undefined) return [violation(source, 'name', `${odd} is not in kebab-case.`)]
  const empty = parts.find(hasEmptyWord)
  return empty === undefined ? [] : [violation(source, 'name', `${empty} does not say what it holds.`)]
}

/** What is exported is called after what it is. */
export const exportNames: FileRule = (source) =>
  findings(source, 'name', (node) => {
    const name = exportedName(node)
    return name !== undefined && hasEmptyWord(name) ? `${name} does not say what it is.` : undefined
  })

function exportedName(node: ts.Node): string | undefined {
  if (ts.isExportSpecifier(node)) return node.name.text
  if (ts.isVariableDeclaration(node)) return isExported(node.parent.parent) ? node.name.getText() : undefined
  const isNamed = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)
  if (!isNamed && !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return undefined
  return isExported(node) ? node.name?.text : undefined
}

function isExported(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
}

/** A service account is a term of the field. */
const term = /service-?(?=accounts?)/gi

function hasEmptyWord(name: string): boolean {
  return name
    .replace(term, '')
    .split(/[^A-Za-z]|(?=[A-Z])/)
    .some((word) => emptyWords.has(word.toLowerCase()))
}
