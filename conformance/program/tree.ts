import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '..', '..')

/** What the program is made of. */
const folders = ['engine', 'profiles', 'projections', 'adapters']

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}

/**
 * Writes the program into a directory as JavaScript, and answers the path of its command line. A server that is started
 * a dozen times then starts like the built one, and does not compile itself each time. `edit` may change the sources, and
 * `more` names folders beside those of the program.
 */
export function writeProgram(
  directory: string,
  edit: (directory: string) => void = () => {},
  more: readonly string[] = [],
): string {
  const all = [...folders, ...more]
  for (const folder of all) {
    const copy = join(directory, folder)
    cpSync(join(root, folder), copy, {
      recursive: true,
      filter: (path) => !/(\.(test|d)\.ts|node_modules)$/.test(path),
    })
  }
  edit(directory)
  for (const folder of all) {
    const copy = join(directory, folder)
    for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
      if (path.endsWith('.ts')) transpile(join(copy, path))
    }
  }
  return join(directory, 'adapters', 'cli', 'main.js')
}

function transpile(path: string): void {
  writeFileSync(path.replace(/\.ts$/, '.js'), outputOf(readFileSync(path, 'utf8')))
  rmSync(path)
}

/** Files that were transpiled before, by any test: a dozen of them write the same program. */
const known = join(root, 'node_modules', '.cache', 'otep-program')

function outputOf(text: string): string {
  const place = join(known, hash('sha256', ts.version + text))
  if (existsSync(place)) return readFileSync(place, 'utf8')
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  mkdirSync(known, { recursive: true })
  writeFileSync(`${place}.${process.pid}`, outputText)
  renameSync(`${place}.${process.pid}`, place)
  return outputText
}
