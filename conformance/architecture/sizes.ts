import ts from '@typescript/typescript6'
import { type FileRule, findings, violation } from './source.ts'

const maxFileLines = 300
const maxFunctionLines = 60

/** Tables: long, and read by looking up a row. The public surface of the engine is one: names, and where they come from. */
const tables = [
  /^profiles\/[^/]+\.ts$/,
  /(^|\/)codes\.ts$/,
  /^engine\/kernel\/places\/(region-rows|postal-regions)\.ts$/,
  /^engine\/kernel\/messages\/[^/]+\.ts$/,
  /^engine\/domains\/([^/]+\/)+messages(\/[^/]+)?\.ts$/,
  /^adapters\/pages\/texts\/[^/]+\.ts$/,
  /^engine\/index\.ts$/,
  /^adapters\/cli\/commands\.ts$/,
]

/** The table of the fields or the moves of an entity. */
const entityTable = /\bsatisfies (Fields<|\w*Moves\b)/

/** Test files are read by their sentences, and a folder has only one, however many rules it contains. */
const tests = /\.test\.ts$/

/** A file can be read in one sitting. */
export const fileSize: FileRule = (source) => {
  const lines = source.ast.text.trimEnd().split('\n').length
  if (lines <= maxFileLines || entityTable.test(source.ast.text)) return []
  if ([...tables, tests].some((exempt) => exempt.test(source.path))) return []
  return [violation(source, 'file-size', `${lines} lines; at most ${maxFileLines}.`)]
}

/** A function fits on one screen. */
export const functionSize: FileRule = (source) =>
  findings(source, 'function-size', (node) => {
    if (!ts.isFunctionLike(node) || isTestCallback(node)) return undefined
    const lines = node.getText(source.ast).split('\n').length
    return lines > maxFunctionLines ? `A function of ${lines} lines; at most ${maxFunctionLines}.` : undefined
  })

/** A test is a story, and as long as the story. */
function isTestCallback(node: ts.Node): boolean {
  if (!ts.isCallExpression(node.parent)) return false
  const { expression } = node.parent
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
  return ts.isIdentifier(name) && (name.text === 'test' || name.text === 'testWith')
}
