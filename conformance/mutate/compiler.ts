import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from '@typescript/typescript6'

/** Asks the compiler about changed texts of the files of a project. */
interface Compiler {
  /** Whether the file compiles with this text. Errors in other files do not count. */
  accepts(file: string, text: string): boolean
  /** The JavaScript of a text. */
  compiled(text: string): string
}

/** The compiler with the options of a project's `tsconfig.json`. Names that are not used any more are no error here. */
export function createCompiler(root: string): Compiler {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const settings = {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    composite: false,
    incremental: false,
  }
  const declaring = filesThatDeclareModules(root)
  const changed = { path: '', text: '', version: 0 }
  const service = ts.createLanguageService({
    ...{ readFile: ts.sys.readFile, fileExists: ts.sys.fileExists, directoryExists: ts.sys.directoryExists },
    getCompilationSettings: () => settings,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [changed.path, ...declaring],
    getScriptVersion: (path) => (path === changed.path ? `${changed.version}` : '0'),
    getScriptSnapshot: (path) => {
      if (path === changed.path) return ts.ScriptSnapshot.fromString(changed.text)
      return ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8')) : undefined
    },
  })
  return {
    accepts(file, text) {
      const path = join(root, file)
      Object.assign(changed, { path, text, version: changed.version + 1 })
      return service.getSyntacticDiagnostics(path).length + service.getSemanticDiagnostics(path).length === 0
    },
    compiled: (text) =>
      ts.transpileModule(text, { compilerOptions: { ...settings, module: ts.ModuleKind.ESNext, sourceMap: false } })
        .outputText,
  }
}

/** The files that add to the types of other modules; a file that uses such a type often does not import them. */
function filesThatDeclareModules(root: string): readonly string[] {
  const sources = ts.sys.readDirectory(root, ['.ts'], ['**/node_modules', 'dist'])
  return sources.filter((path) => /^declare module /m.test(readFileSync(path, 'utf8')))
}
