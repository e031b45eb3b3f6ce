import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectFile } from '../program/files.ts'

/** A change of one file: `text` is inserted before the first occurrence of `before`, or is the whole of a new file. */
export interface Edit {
  readonly file: string
  readonly before?: string
  readonly text: string
}

const folders = ['engine', 'profiles', 'projections', 'adapters', 'conformance', 'docs/generate']

const config = {
  extends: './tsconfig.json',
  compilerOptions: { rootDir: '.', outDir: 'dist', incremental: false, sourceMap: false, inlineSources: false },
  files: ['adapters/pages/signed-in/site.test.fixture.ts', 'docs/generate/pages.ts', 'adapters/main.ts'],
  references: [],
}

/** Copies the tree into an empty folder, makes the edits there and compiles the copy; answers its path. */
export function editedCopy(edits: readonly Edit[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'otep-one-place-'))
  for (const folder of folders) cpSync(projectFile(folder), join(copy, folder), { recursive: true })
  for (const file of ['package.json', 'tsconfig.json']) cpSync(projectFile(file), join(copy, file))
  symlinkSync(projectFile('node_modules'), join(copy, 'node_modules'))
  for (const edit of edits) {
    mkdirSync(dirname(join(copy, edit.file)), { recursive: true })
    writeFileSync(join(copy, edit.file), edited(copy, edit))
  }
  writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify(config))
  // The file behind `bin/tsc`, which has no extension, and which the hooks of the test runner take for CommonJS.
  const compiler = join('node_modules', 'typescript', 'lib', 'tsc.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.copy.json'], {
    cwd: copy,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return copy
}

function edited(copy: string, { file, before, text }: Edit): string {
  if (before === undefined) return text
  const source = readFileSync(join(copy, file), 'utf8')
  const [head, ...tail] = source.split(before)
  if (head === undefined || tail.length === 0) throw new Error(`${file} does not hold ${before}`)
  return `${head}${text}${before}${tail.join(before)}`
}

/** A compiled module of a copy. */
export function compiled<Module>(copy: string, path: string): Promise<Module> {
  return import(pathToFileURL(join(copy, 'dist', path)).href)
}
