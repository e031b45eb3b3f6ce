import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from '@typescript/typescript6'
import { projectFile } from './files.ts'

/** The parts of the program. */
const folders = ['engine', 'profiles', 'projections', 'adapters']

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}

/**
 * Copies the built program into a directory, compiles these sources into it, each by its path from package.json, and
 * answers the path of the command line.
 */
export function writeProgram(directory: string, sources: ReadonlyMap<string, string>): string {
  for (const folder of folders)
    cpSync(projectFile('dist', folder), join(directory, 'dist', folder), {
      recursive: true,
      filter: (path) => !/\.(test\..*|d\.ts|map)$/.test(path),
    })
  for (const path of ['package.json', 'adapters/locales', 'adapters/pages/assets', 'adapters/rest/examples.json']) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    symlinkSync(projectFile(path), join(directory, path))
  }
  for (const [path, text] of sources) {
    const output = join(directory, 'dist', path.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(output, ts.transpileModule(text, { compilerOptions }).outputText)
  }
  return join(directory, 'dist', 'adapters', 'cli', 'main.js')
}
