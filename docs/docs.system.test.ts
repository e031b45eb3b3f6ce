import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { program, projectFolder } from '../conformance/program/files.ts'
import { writeProgram } from '../conformance/program/tree.ts'
import { projectionSuite } from '../conformance/suites/index.ts'
import type { Projection } from '../engine/index.ts'
import { changesOf, filesOf, withChange } from './check/blocks.ts'
import { runBlocks } from './check/session.ts'
import { pages } from './pages.test.fixture.ts'
import { firstPages, missing, runPages } from './run.test.fixture.ts'

const root = projectFolder

runPages((path) => firstPages.includes(path))

t.test(
  'given a page that calls npx without --no, or with an option before the command, then its block does not run',
  { skip: missing !== undefined && `there is no ${missing}` },
  async (t) => {
    const place = { directory: t.testdir({}), program, port: 0 }
    const codeOf = async (text: string) => (await runBlocks([{ text, line: 1, expected: undefined }], place)).code
    t.equal(await codeOf('npx --no otep formats'), 0)
    for (const words of ['otep formats', '--no otep --help', '--yes otep formats']) {
      t.equal(await codeOf(`npx ${words}`), 127, words)
    }
  },
)

t.test(
  'given the page on adding a format, when its reader does what it says, then the program has the format',
  async (t) => {
    const page = pages.get('docs/how-to/add-a-format.md') ?? ''
    const directory = t.testdir({})
    const sources = new Map(filesOf(page))
    for (const [path, change] of changesOf(page))
      sources.set(path, withChange(sources.get(path) ?? readFileSync(join(root, path), 'utf8'), change))
    const extended = writeProgram(directory, sources)
    const otep = (...args: readonly string[]) =>
      spawnSync(process.execPath, [extended, ...args], {
        encoding: 'utf8',
        cwd: root,
        env: { PATH: process.env.PATH ?? '' },
      })
    const journey = join('docs', 'examples', 'happy-path.json')
    const { stdout, stderr } = otep('project', journey, '--format', 'diary', '--accept', 'text/plain')
    t.equal(stderr, '')
    t.match(stdout, /^2026-06-\d\d announced\n[\s\S]*2026-06-\d\d delivered\n$/)
    t.match(JSON.parse(otep('project', journey, '--format', 'diary').stdout), {
      parcel: 'SR260610041',
      page: 'http://localhost:3000/track/SR260610041',
    })
    t.match(otep('formats').stdout, /diary +Diary 1 \(history\)\n/)
    const { diary } = (await import(join(directory, 'dist', 'projections', 'diary', 'index.js'))) as {
      diary: Projection
    }
    projectionSuite((name, run) => t.test(name, run), diary)
  },
)
