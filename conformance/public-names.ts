import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from '@typescript/typescript6'
import { projectFile } from './program/files.ts'

/** What a public name is. */
type Kind = 'function' | 'const' | 'type' | 'namespace'

/** A name that an entry of the package exports. */
export interface PublicName {
  readonly name: string
  readonly kind: Kind
  /** Its declaration as users read it: without bodies and values; one for each overload of a function. */
  readonly declarations: readonly string[]
  /** Its description; empty if there is none. */
  readonly description: string
}

/** An entry of the package: what users import from, its source file, and its names in order. */
export interface PublicEntry {
  readonly entry: string
  readonly file: string
  readonly names: readonly PublicName[]
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly types: string } | string | null>>
}

/** Every entry of the package with its names, read from the sources. */
export function publicEntries(): readonly PublicEntry[] {
  const { name, exports } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as Manifest
  return Object.entries(exports).flatMap(([path, target]) => {
    if (target === null || typeof target === 'string') return []
    const source = target.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')
    return filledIn(path, source).map(([entry, file]) => ({
      entry: entry.replace(/^\./, name),
      file,
      names: [...exportsOf(file).values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    }))
  })
}

/** The entries that match a pattern such as `./projections/*`, with their files. */
function filledIn(path: string, source: string): readonly (readonly [entry: string, file: string])[] {
  const [folder = '', rest] = source.split('/*')
  if (rest === undefined) return [[path, source]]
  return readdirSync(projectFile(folder))
    .filter((name) => existsSync(projectFile(`${folder}/${name}${rest}`)))
    .sort()
    .map((name) => [path.replace('*', name), source.replace('*', name)])
}

/** The exported names of a source file, or only one of them, followed to their declarations. */
function exportsOf(file: string, wanted?: string): ReadonlyMap<string, PublicName> {
  const names = new Map<string, PublicName>()
  const source = sourceOf(file)
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement))
      for (const found of reexports(file, source, statement, wanted)) names.set(found.name, found)
    else
      for (const name of declaredNames(statement))
        if (name === (wanted ?? name)) names.set(name, declared(source, name))
  }
  return names
}

/** Names that a file takes from another and exports. */
function reexports(
  file: string,
  source: ts.SourceFile,
  statement: ts.ExportDeclaration,
  wanted: string | undefined,
): readonly PublicName[] {
  const { exportClause, moduleSpecifier } = statement
  const from = moduleSpecifier === undefined ? undefined : textOf(moduleSpecifier)
  if (exportClause === undefined) return [...exportsOf(beside(file, from ?? ''), wanted).values()]
  if (ts.isNamespaceExport(exportClause)) {
    const declarations = [`import * as ${exportClause.name.text} from '${from}'`]
    return [{ name: exportClause.name.text, kind: 'namespace', declarations, description: `The package ${from}.` }]
  }
  const elements = exportClause.elements.filter(({ name }) => name.text === (wanted ?? name.text))
  return elements.map(({ name, propertyName }) => {
    const original = (propertyName ?? name).text
    const found =
      from === undefined ? declared(source, original) : exportsOf(beside(file, from), original).get(original)
    if (found === undefined) throw new Error(`${file} exports ${original}, which ${from} does not declare.`)
    return { ...found, name: name.text }
  })
}

/** A name that is declared in a file. */
function declared(source: ts.SourceFile, name: string): PublicName {
  const all = source.statements.filter((statement) => declaredNames(statement, false).includes(name))
  const overloads = all.filter((statement) => ts.isFunctionDeclaration(statement) && statement.body === undefined)
  const shown = overloads.length > 0 ? overloads : all
  const [first] = shown
  if (first === undefined) throw new Error(`${source.fileName} does not declare ${name}.`)
  return {
    name,
    kind: ts.isFunctionDeclaration(first) ? 'function' : ts.isVariableStatement(first) ? 'const' : 'type',
    declarations: shown.map((statement) => headOf(source, statement)),
    description: descriptionOf(all),
  }
}

/** The names that a statement declares; by default only if it exports them. */
function declaredNames(statement: ts.Statement, onlyExported = true): readonly string[] {
  if (onlyExported && !isExported(statement)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const isNamed =
    ts.isFunctionDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

/** A declaration without `export`, the body of a function, or the value of a constant. */
function headOf(source: ts.SourceFile, statement: ts.Statement): string {
  const start = statement.getStart(source)
  const upTo = (end: number) =>
    source.text
      .slice(start, end)
      .replace(/^export /, '')
      .trimEnd()
  if (ts.isFunctionDeclaration(statement)) return upTo(statement.body?.getStart(source) ?? statement.end)
  if (!ts.isVariableStatement(statement)) return upTo(statement.end)
  const [declaration] = statement.declarationList.declarations
  return upTo(declaration?.type?.end ?? declaration?.name.end ?? statement.end)
}

function descriptionOf(statements: readonly ts.Node[]): string {
  const comments = statements.flatMap((statement) => ts.getJSDocCommentsAndTags(statement)).filter(ts.isJSDoc)
  return (ts.getTextOfJSDocComment(comments[0]?.comment) ?? '').replaceAll('\n', ' ')
}

function sourceOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(projectFile(file), 'utf8'), ts.ScriptTarget.Latest, true)
}

/** The path of a file that another one names. */
function beside(file: string, specifier: string): string {
  return join(file, '..', specifier).replaceAll('\\', '/')
}

function textOf(node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : ''
}
