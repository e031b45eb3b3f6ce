import ts from '@typescript/typescript6'
import { lineOf, type Named, type Source, type TreeRule, violation } from './source.ts'

const list = 'engine/domains/index.ts'
const tableTypes: readonly string[] = ['Table', 'Entity']

/** The list of entities has every table of a domain, so that everything derived from the list is complete. */
export const tables: TreeRule = (outlines) => {
  const listed = outlines.find(({ path }) => path === list)?.imports ?? []
  const isListed = (path: string, name: string) =>
    listed.some(({ target, names }) => target === path && names.includes(name))
  return outlines.flatMap((file) =>
    file.tables
      .filter(({ name }) => !isListed(file.path, name))
      .map(({ name, line }) => violation(file, 'table', `The table ${name} is not in ${list}.`, line)),
  )
}

/** The tables that a domain declares in a file. */
export function tablesIn(source: Source): readonly Named[] {
  if (source.isTest || !source.path.startsWith('engine/domains/')) return []
  return source.nodes.flatMap((node) => {
    const name = tableName(node, source)
    return name === undefined ? [] : [{ name, line: lineOf(source.ast, node) }]
  })
}

/** The name of a table that is declared as `const order = {...} as const satisfies Table`. */
function tableName(node: ts.Node, { imports }: Source): string | undefined {
  if (!ts.isSatisfiesExpression(node) || !ts.isVariableDeclaration(node.parent)) return undefined
  const type = node.type.getText()
  const isTable = imports.some(({ target, names }) => target === 'engine/entity/field.ts' && names.includes(type))
  return isTable && tableTypes.includes(type) ? node.parent.name.getText() : undefined
}
