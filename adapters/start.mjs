// `npm start`: compiles what changed where the sources and their compiler are at hand, and serves.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const compiler = at('node_modules/typescript/bin/tsc')
const program = at('dist/adapters/cli/main.js')

// The types of Node are there where the tools of development are: the compiler alone may be there for other reasons.
if (existsSync(at('adapters/tsconfig.json')) && existsSync(compiler) && existsSync(at('node_modules/@types/node'))) {
  const { status } = spawnSync(process.execPath, [compiler, '-b', at('adapters')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
} else if (!existsSync(program)) {
  process.stderr.write('otep is not built here: run npm ci && npm run build, and then npm start.\n')
  process.exit(1)
}
process.argv.splice(1, 1, program, 'serve')
await import(program)
