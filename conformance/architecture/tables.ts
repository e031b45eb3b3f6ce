import ts from '@typescript/typescript6'
import { findings, type Source, type TreeRule } from './source.ts'

const list = 'engine/domains/index.ts'
const tableTypes: readonly string[] = ['Table', 'Entity']

/** The list of entities has every table of a domain, so that everything derived from the list is complete. */
export const tables: TreeRule = (sources) => {
  const listed = sources.find(({ path }) => path === list)?.imports ?? []
  const isListed = (path: string, name: string) =>
    listed.some(({ target, names }) => target === path && names.includes(name))
  return sources
    .filter(({ path, isTest }) => path.startsWith('engine/domains/') && !isTest)
    .flatMap((source) =>
      findings(source, 'table', (node) => {
        const name = tableName(node, source)
        return name === undefined || isListed(source.path, name) ? undefined : `The table ${name} is not in ${list}.`
      }),
    )
}

/** The name of a table that is declared as `const order = {...} as const satisfies Table`. */
function tableName(node: ts.Node, { imports }: Source): string | undefined {
  if (!ts.isSatisfiesExpression(node) || !ts.isVariableDeclaration(node.parent)) return undefined
  const type = node.type.getText()
  const isTable = imports.some(({ target, names }) => target === 'engine/entity/field.ts' && names.includes(type))
  return isTable && tableTypes.includes(type) ? node.parent.name.getText() : undefined
}
