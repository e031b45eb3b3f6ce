import ts from '@typescript/typescript6'
import { type FileRule, findings } from './source.ts'

const door = 'conformance/judges/official.ts'

/** Who may name the folder of the official files: the door to them, its test, and this rule. */
const allowed = [door, 'conformance/judges/judges.test.ts', 'conformance/architecture/official.ts']

/** Official files are opened by one function, so that nobody forgets that a clone does not have them. */
export const oneDoor: FileRule = (source) => {
  if (allowed.includes(source.path)) return []
  const sentence = `A clone has no official files: ${door} opens them, or says why it cannot.`
  return findings(source, 'official', (node) => (namesFolder(node) ? sentence : undefined))
}

function namesFolder(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return node.text === 'OTEP_STANDARDS_DIR'
  if (!ts.isStringLiteralLike(node) || isSpecifier(node.parent)) return false
  return node.text === 'OTEP_STANDARDS_DIR' || /^(\.\.\/)+shared(\/|$)/.test(node.text) || isBesideProject(node)
}

function isSpecifier(parent: ts.Node): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword
}

/** Whether it is part of a path that is given in parts: `join('..', 'shared')`. */
function isBesideProject(node: ts.StringLiteralLike): boolean {
  if (node.text !== 'shared' || !ts.isCallExpression(node.parent)) return false
  const before = node.parent.arguments[node.parent.arguments.indexOf(node) - 1]
  return before !== undefined && ts.isStringLiteralLike(before) && before.text === '..'
}
