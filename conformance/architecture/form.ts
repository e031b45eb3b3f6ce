import ts from '@typescript/typescript6'
import { type FileRule, findings } from './source.ts'

/** Every export has a name; only the description of a foreign module (`.d.ts`) may need a default export. */
export const namedExports: FileRule = (source) =>
  findings(source, 'default-export', (node) =>
    isDefaultExport(node) && !source.ast.isDeclarationFile ? 'Exports are named.' : undefined,
  )

/** Nothing is of type `any`. */
export const noAny: FileRule = (source) =>
  findings(source, 'any', (node) =>
    node.kind === ts.SyntaxKind.AnyKeyword ? 'any switches the compiler off; unknown does not.' : undefined,
  )

/** Types can be stripped from the text and what remains is the program: no enum, namespace or parameter property. */
export const erasable: FileRule = (source) =>
  findings(source, 'erasable', (node) => {
    if (ts.isEnumDeclaration(node)) return 'A union of literals is simpler than an enum.'
    if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name) && !isAmbient(node)) return 'A module is a file.'
    if (ts.isParameterPropertyDeclaration(node, node.parent)) return 'A field is declared where it can be seen.'
    return undefined
  })

/** Functions and plain objects; the only class is `EngineError`, because callers need `instanceof`. */
export const noClasses: FileRule = (source) =>
  findings(source, 'class', (node) => {
    if (source.isTest || !ts.isClassLike(node) || node.name?.text === 'EngineError') return undefined
    return 'Functions and plain objects do here.'
  })

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  return ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword
}

function isAmbient(node: ts.ModuleDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DeclareKeyword) === true
}
