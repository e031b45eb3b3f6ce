import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { program, projectFolder as root } from '../conformance/program/files.ts'
import { startServer } from '../conformance/program/server.ts'
import { blocksOf, holds } from './check/blocks.ts'
import { addressed, runBlocks } from './check/session.ts'
import { pages } from './pages.test.fixture.ts'

/** What the shell of a reader must have and this machine has not. */
export const missing = ['bash', 'curl'].find((name) => spawnSync(name, ['--version']).error !== undefined)

/** The pages that a newcomer reads first. */
export const firstPages: readonly string[] = [
  'README.md',
  'docs/tutorial/first-journey.md',
  'docs/how-to/push-events.md',
]

/** Runs the blocks of these pages that are meant to be run. */
export function runPages(isMeant: (path: string) => boolean): void {
  t.test(
    'every block that is meant to be run does what its page says',
    { skip: missing !== undefined && `there is no ${missing}` },
    async (t) => {
      for (const [path, markdown] of pages) {
        if (isMeant(path) && blocksOf(markdown).length > 0) await t.test(path, (t) => runs(t, markdown, program))
      }
    },
  )
}

/** A page in its own directory, against its own server. */
async function runs(t: Test, markdown: string, program: string): Promise<void> {
  const blocks = blocksOf(markdown)
  const directory = t.testdir({})
  cpSync(join(root, 'docs', 'examples'), join(directory, 'docs', 'examples'), { recursive: true })
  // A reader has set nothing.
  const settings = { OTEP_LIMITS: 'off', OTEP_PUBLIC_VIEW: '' }
  const server = await startServer(program, join(directory, 'data'), [], [], settings)
  const place = { directory, program, port: server.port }
  const { code, outputs } = await runBlocks(blocks, place).finally(() => server.stop())
  for (const [index, { line, expected = '' }] of blocks.entries()) {
    const output = outputs[index]
    const isLast = index === outputs.length - 1
    t.ok(output !== undefined && !(isLast && code !== 0), `the block at line ${line} runs`, {
      code,
      output: outputs.at(-1),
    })
    t.ok(holds(output ?? '', addressed(expected, place)), `the block at line ${line} gives what is expected`, {
      output,
      expected,
    })
  }
}
