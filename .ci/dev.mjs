// `npm run dev`: compiles on every save, and starts the server again when the program has changed.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const compiler = [at('node_modules/typescript/bin/tsc'), '-b', at('adapters')]
const start = (...args) => spawn(process.execPath, args, { stdio: 'inherit' })

start(...compiler).on('exit', (code) => {
  if (code !== 0) console.error('Mend this and save: the server starts with what was compiled before.')
  const children = [
    start(...compiler, '--watch', '--preserveWatchOutput'),
    start(
      '--watch',
      '--watch-preserve-output',
      '--enable-source-maps',
      at('dist/adapters/cli/main.js'),
      'serve',
      ...process.argv.slice(2),
    ),
  ]
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => children.map((child) => child.kill(signal)))
})
