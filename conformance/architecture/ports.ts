import { posix } from 'node:path'
import ts from '@typescript/typescript6'
import { type FileRule, findings, type Source } from './source.ts'

/** A domain declares its ports under its own name, in its `ports.ts`, and uses no other domain's ports. */
export const ports: FileRule = (source) => {
  const own = portOf(source.path)
  return findings(source, 'port', (node) => {
    if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) return strayDeclaration(source, node.name.text)
    if (own === undefined) return undefined
    const name = declaredPort(node) ?? (source.isTest ? undefined : usedPort(node))
    return name === undefined || name === own ? undefined : `The ports of this domain are called ${own}, not ${name}.`
  })
}

/** What the ports of the domain that a file belongs to are called: `deviceOrders`. */
function portOf(path: string): string | undefined {
  const folder = /^engine\/domains\/([^/]+)\//.exec(path)?.[1]
  return folder?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The modules that a domain adds to, by the file that does it: its ports and the codes of its messages. */
const additions: Readonly<Record<string, string>> = {
  ports: 'engine/kernel/context.ts',
  messages: 'engine/kernel/messages/index.ts',
}

/** The description of a foreign package may declare its modules; otherwise only domains add to a module. */
function strayDeclaration({ path, ast }: Source, module: string): string | undefined {
  if (ast.isDeclarationFile) return undefined
  const target = posix.join(posix.dirname(path), module)
  const file = /^engine\/domains\/(?:[^/]+\/)+?(ports|messages)(\.ts$|\/)/.exec(path)?.[1] ?? ''
  if (additions[file] === target) return undefined
  return `A domain adds to the context in its ports and to the codes in its messages; nothing else adds to a module: ${module}.`
}

/** A member that is added to the interface `Ports`. */
function declaredPort(node: ts.Node): string | undefined {
  const isMember = ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent)
  return isMember && node.parent.name.text === 'Ports' ? node.name.getText() : undefined
}

/** `routes` of `context.ports.routes`, and of `const { routes } = context.ports`. */
function usedPort(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return isPorts(node.expression) ? node.name.text : undefined
  if (!ts.isBindingElement(node) || !ts.isVariableDeclaration(node.parent.parent)) return undefined
  const { initializer } = node.parent.parent
  if (initializer === undefined || !isPorts(initializer)) return undefined
  return (node.propertyName ?? node.name).getText()
}

function isPorts(node: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(node) && node.name.text === 'ports'
}
