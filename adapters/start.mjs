// `npm start`: compiles what changed where the sources and their compiler are at hand, and serves.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const say = (line) => process.stderr.write(`${line}\n`)
const compiler = 'node_modules/typescript/bin/tsc'
const compile = [at(compiler), '-b', at('conformance/suites')]
const program = at('dist/program/otep.js')

// A clone that was installed with --omit=dev may have the compiler all the same, as the peer of a package, but not the
// types that the sources need.
const needed = ['adapters/tsconfig.json', compiler, 'node_modules/@types/jsonld']
if (needed.every((path) => existsSync(at(path)))) {
  const { stdout } = spawnSync(process.execPath, [...compile, '--dry'], { encoding: 'utf8' })
  const isStale = stdout.includes('would build')
  if (isStale)
    say(existsSync(program) ? 'Compiling what changed ...' : 'Compiling (once; about a minute on two cores) ...')
  const { status } = spawnSync(process.execPath, compile, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  await import('./bundle.mjs')
  if (isStale) say('Starting ...')
} else if (!existsSync(program)) {
  say('otep is not built here: run npm ci && npm run build, and then npm start.')
  process.exit(1)
}
process.argv.splice(1, 1, program, 'serve')
await import(pathToFileURL(program).href)
