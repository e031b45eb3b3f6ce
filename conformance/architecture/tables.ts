import ts from '@typescript/typescript6'
import { lineOf, type Named, type Source, type TreeRule, violation } from './source.ts'

const tableTypes: readonly string[] = ['Table', 'Listed', 'Entity']

/** Every table of a domain is in its literal, so that everything that is read from all of them is complete. */
export const tables: TreeRule = (outlines) => {
  const isListed = (path: string, name: string) => {
    const list = outlines.find((one) => one.path === literalOf(path))?.imports ?? []
    return list.some(({ target, names }) => target === path && names.includes(name))
  }
  return outlines.flatMap((file) =>
    file.tables
      .filter(({ name }) => !isListed(file.path, name))
      .map(({ name, line }) => violation(file, 'table', `The table ${name} is not in ${literalOf(file.path)}.`, line)),
  )
}

/** The file with the literal of the domain that a file belongs to. */
function literalOf(path: string): string {
  return path.replace(/^(engine\/domains\/[^/]+)\/.*/, '$1/index.ts')
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
