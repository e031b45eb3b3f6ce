// `npm run dev [-- OPTIONS of otep serve]`: compiles on every save, and starts the server again with what was compiled.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const compile = [at('node_modules/typescript/bin/tsc'), '-b', at('conformance/suites')]
// Plug-ins import what is joined, and share it with the server; without them, the modules are served as they are.
const isJoined = process.env.OTEP_PLUGINS || process.argv.some((word) => word.startsWith('--plugin'))
const program = at(isJoined ? 'dist/program/otep.js' : 'dist/adapters/cli/main.js')
const serve = ['--enable-source-maps', program, 'serve', ...process.argv.slice(2)]

let server
let waiting
let isBusy = false

for (const folder of ['engine', 'profiles', 'projections', 'adapters'])
  watch(at(folder), { recursive: true }, (_, name) => {
    if (name === null || !/\.(ts|css|js|svg)$/.test(name) || /\.test\./.test(name)) return
    clearTimeout(waiting)
    waiting = setTimeout(renew, 50)
  })
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await ended(server, signal)
    process.exit()
  })
await renew()

/** Compiles, and puts a new server in the place of the old one; where that fails, the old one goes on. */
async function renew() {
  if (isBusy) {
    waiting = setTimeout(renew, 50)
    return
  }
  isBusy = true
  if ((await ended(start(compile))) === 0 && (!isJoined || (await ended(start([at('adapters/bundle.mjs')]))) === 0)) {
    await ended(server, 'SIGTERM')
    server = start(serve)
  }
  isBusy = false
}

function start(words) {
  return spawn(process.execPath, words, { stdio: 'inherit' })
}

/** The exit code of a process, once it has ended; a signal asks it to. */
function ended(child, signal) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode
  return new Promise((resolve) => {
    child.once('exit', resolve)
    if (signal !== undefined) child.kill(signal)
  })
}
