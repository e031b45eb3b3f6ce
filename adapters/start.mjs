// `npm start`: compiles what changed where the sources and their compiler are at hand, and serves.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const compiler = 'node_modules/typescript/bin/tsc'
const program = at('dist/program/otep.js')

// A clone that was installed with --omit=dev may have the compiler all the same, as the peer of a package, but not the
// types that the sources need.
const needed = ['adapters/tsconfig.json', compiler, 'node_modules/@types/jsonld']
if (needed.every((path) => existsSync(at(path)))) {
  const { status } = spawnSync(process.execPath, [at(compiler), '-b', at('conformance/suites')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  await import('./bundle.mjs')
} else if (!existsSync(program)) {
  process.stderr.write('otep is not built here: run npm ci && npm run build, and then npm start.\n')
  process.exit(1)
}
process.argv.splice(1, 1, program, 'serve')
await import(pathToFileURL(program).href)
