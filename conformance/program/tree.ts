import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
 * a dozen times then starts like the built one, and does not compile itself each time. `edit` may change the sources.
 */
export function writeProgram(directory: string, edit: (directory: string) => void = () => {}): string {
  for (const folder of folders) {
    const copy = join(directory, folder)
    cpSync(join(root, folder), copy, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  }
  edit(directory)
  for (const folder of folders) {
    const copy = join(directory, folder)
    for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
      if (path.endsWith('.ts')) transpile(join(copy, path))
    }
  }
  return join(directory, 'adapters', 'cli', 'main.js')
}

function transpile(path: string): void {
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions, fileName: path })
  writeFileSync(path.replace(/\.ts$/, '.js'), outputText)
  rmSync(path)
}
