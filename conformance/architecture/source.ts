import { posix } from 'node:path'
import ts from '@typescript/typescript6'

/** One import of a file; imports of types and re-exports count as well. */
interface Import {
  /** As written: `../kernel/event.ts`, `valibot`, `node:crypto`. */
  readonly specifier: string
  /** Path from the root of the project, where the specifier is relative. */
  readonly target: string | undefined
  /** Names as the other module exports them; `*` for all of it, and for its default. */
  readonly names: readonly string[]
  readonly line: number
}

/** What the rules of the whole tree know of a file: no syntax, which for all files at once would fill the memory. */
export interface Outline {
  readonly path: string
  readonly isTest: boolean
  readonly imports: readonly Import[]
  /** The tables that it declares. */
  readonly tables: readonly Named[]
}

/** A file of the project, read once and shared by the rules that look at one file. */
export interface Source extends Omit<Outline, 'tables'> {
  readonly ast: ts.SourceFile
  /** All of the syntax, in the order of the text. */
  readonly nodes: readonly ts.Node[]
}

/** A name in a file. */
export interface Named {
  readonly name: string
  readonly line: number
}

/** A violation of a rule, as a sentence for the person who has to fix it. */
export interface Violation {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly rule: string
  readonly sentence: string
}

/** A rule that looks at one file. */
export type FileRule = (source: Source) => readonly Violation[]

/** A rule that has to see all files. */
export type TreeRule = (outlines: readonly Outline[]) => readonly Violation[]

/** Parses the text of a TypeScript file. */
export function readSource(path: string, text: string): Source {
  const ast = ts.createSourceFile(path, text, syntax, true)
  const nodes: ts.Node[] = []
  const imports: Import[] = []
  walk(ast, (node) => {
    nodes.push(node)
    const specifier = specifierOf(node)
    if (specifier === undefined) return
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
    imports.push({ specifier, target, names: namesOf(node), line: lineOf(ast, node) })
  })
  return { path, ast, nodes, isTest: isTestPath(path), imports }
}

/** No rule looks at JSDoc, which takes time to parse. */
const syntax = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }

/** Whether a path is that of a test (`store.test.ts`), or of a file that only tests use (`writer.test.child.ts`). */
export function isTestPath(path: string): boolean {
  return /\.test\.([a-z]+\.)?ts$/.test(path)
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The results of `judge` for the nodes of a file; it returns undefined for a valid node. */
export function findings(
  source: Source,
  rule: string,
  judge: (node: ts.Node) => string | undefined,
): readonly Violation[] {
  const found: Violation[] = []
  for (const node of source.nodes) {
    const sentence = judge(node)
    if (sentence !== undefined) found.push(violation(source, rule, sentence, lineOf(source.ast, node)))
  }
  return found
}

/** A violation in a file, by default of the file as a whole. */
export function violation(source: Pick<Outline, 'path'>, rule: string, sentence: string, line = 1): Violation {
  return { file: source.path, line, rule, sentence }
}

/** The line of a node, counted from 1. */
export function lineOf(ast: ts.SourceFile, node: ts.Node): number {
  return ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined
  if (!ts.isCallExpression(node)) return undefined
  return node.expression.kind === ts.SyntaxKind.ImportKeyword ? textOf(node.arguments[0]) : undefined
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined
}

function namesOf(node: ts.Node): readonly string[] {
  if (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause)) {
    return node.exportClause.elements.map(importedName)
  }
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return ['*']
  const { name, namedBindings } = node.importClause
  if (namedBindings === undefined || ts.isNamespaceImport(namedBindings)) return ['*']
  return [...(name === undefined ? [] : ['*']), ...namedBindings.elements.map(importedName)]
}

function importedName(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text
}
