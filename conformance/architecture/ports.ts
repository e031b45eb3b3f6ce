import { posix } from 'node:path'
import ts from '@typescript/typescript6'
import { type FileRule, findings, type Source } from './source.ts'

/** A domain declares its ports under its own name, in its `ports.ts`, and asks for nobody else's. */
export const ports: FileRule = (source) =>
  findings(source, 'port', (node) => {
    if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) return strayDeclaration(source, node.name.text)
    const name = declaredPort(node) ?? (source.isTest ? undefined : usedPort(node))
    const own = portOf(source.path)
    if (name === undefined || own === undefined || name === own) return undefined
    return `The ports of this domain are called ${own}, not ${name}.`
  })

/** What the ports of the domain that a file belongs to are called: `deviceOrders`. */
function portOf(path: string): string | undefined {
  const folder = /^engine\/domains\/([^/]+)\//.exec(path)?.[1]
  return folder?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The description of a foreign module says what is so; nothing else adds to a module but a domain to the ports. */
function strayDeclaration({ path, ast }: Source, module: string): string | undefined {
  if (ast.isDeclarationFile) return undefined
  const target = posix.join(posix.dirname(path), module)
  const isOfPorts = /^engine\/domains\/[^/]+\/ports\.ts$/.test(path) && target === 'engine/kernel/context.ts'
  return isOfPorts ? undefined : `Only the ports.ts of a domain adds to a module, and only to the context: ${module}.`
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
