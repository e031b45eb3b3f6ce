// What the built program must do on the version of Node that runs this: serve, take a journey, show it, send a webhook.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { journey } from './journey.mjs'

const directory = mkdtempSync(join(tmpdir(), 'otep-smoke-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const program = fileURLToPath(new URL('../dist/program/otep.js', import.meta.url))
const otep = [process.execPath, program]
await journey({
  start: [...otep, 'serve'],
  cli: otep,
  directory,
  data: join(directory, 'data'),
  name: `Node ${process.version}`,
})
