import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../adapters/main.ts'
import { listen } from '../../adapters/node/server.ts'
import { createMemoryStore, type Operation } from '../../engine/index.ts'
import { runSuite } from './suite.ts'
import { testTools } from './test-tools.ts'

/** The versions that the suite has a set of requirements for. */
const versions = ['2026-07-28', '2025-11-25']

/** The tools of the servers at both addresses, and the tools that the suite calls. */
const trials: readonly Trial[] = [
  { path: '/mcp', expected: '' },
  { path: '/mcp/developer', expected: '' },
  { path: '/mcp', expected: '-test-tools', operations: testTools },
]

interface Trial {
  readonly path: string
  /** What the names of its baselines end with. */
  readonly expected: string
  readonly operations?: readonly Operation[]
}

await main()

/** Runs the suite; exits with 1 if the result differs from the expected one. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  try {
    for (const trial of trials) for (const version of versions) await run(trial, version, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run({ path, expected, operations }: Trial, version: string, folder: string): Promise<void> {
  const app = createApp({ store: createMemoryStore(Date.now), publicView: 'full', ...(operations && { operations }) })
  const { port, close } = await listen(app.fetch, { port: 0, host: '127.0.0.1' })
  const baseline = join('conformance', 'mcp', `expected-${version}${expected}.yml`)
  const at = ['--url', `http://127.0.0.1:${port}${path}`, '--requirements', version]
  const { code, output } = await runSuite(['server', ...at, '--expected-failures', baseline, '-o', folder])
  await close()
  const total = /^Total: .*$/m.exec(output)?.[0] ?? 'nothing was counted'
  const name = `${version}, ${path}${operations === undefined ? '' : ', test tools'}`
  if (code === 0) return console.log(`ok      ${name}: ${total}, all of them as in ${baseline}`)
  console.log(output)
  console.log(`NOT OK  ${name}: ${total}, and not as in ${baseline}`)
  process.exitCode = 1
}
