import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { program, projectFolder } from '../conformance/program/files.ts'
import { startServer } from '../conformance/program/server.ts'
import { writeProgram } from '../conformance/program/tree.ts'
import { projectionSuite } from '../conformance/projection.ts'
import type { Projection } from '../engine/index.ts'
import { projections } from '../projections/index.ts'
import { blocksOf, changesOf, filesOf, holds, withChange } from './check/blocks.ts'
import { brokenLinks, targetsOf } from './check/links.ts'
import { addressed, runBlocks } from './check/session.ts'
import { filesIn, referencePages } from './generate/pages.ts'

const root = projectFolder

/** Pages that lie where GitHub looks for them. */
const elsewhere = ['README.md', ...['CONTRIBUTING', 'SECURITY', 'CODE_OF_CONDUCT'].map((name) => `.github/${name}.md`)]

/** Every page of the documentation by its path. */
const pages = new Map(
  [
    ...elsewhere,
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
  ]
    .filter((path) => path.endsWith('.md') && existsSync(join(root, path)))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

t.test('the reference is what the sources say', async (t) => {
  t.same(filesIn(join(root, 'docs', 'reference')), [...referencePages().keys()].sort(), 'run: npm run docs')
  for (const [name, text] of referencePages()) {
    const path = join(root, 'docs', 'reference', name)
    t.ok(
      existsSync(path) && readFileSync(path, 'utf8') === text,
      `docs/reference/${name} is up to date; else run: npm run docs`,
    )
  }
})

t.test('every link leads somewhere, and every page is listed in the README of its folder or of docs', async (t) => {
  const tree = { pages, exists: (path: string) => existsSync(join(root, path)) }
  for (const path of pages.keys()) t.same(brokenLinks(path, tree), [], path)
  for (const path of pages.keys()) {
    if (path.endsWith('README.md')) continue
    const lists = ['docs/README.md', path.replace(/[^/]+$/, 'README.md')]
    const listed = lists.flatMap((list) => targetsOf(list, pages.get(list) ?? ''))
    t.ok(listed.includes(path), `${path} is listed`)
  }
})

t.test('a link that leads nowhere is found', async (t) => {
  const page = [
    '# A page `x` of /all/',
    '[a](b.md) [a](b.md#two) [a](#a-page-x-of-all) [a](https://a.example) ![a](c.png "c") `[a](no.md)`',
    '[a](b.md#three) [a](d.md) [a](#b) [a](../a.md)',
    '```',
    '[a](no.md)',
    '```',
  ].join('\n')
  const tree = {
    pages: new Map([
      ['a.md', page],
      ['b.md', '# One\n## Two\n'],
    ]),
    exists: (path: string) => path === 'c.png',
  }
  const found = brokenLinks('a.md', tree)
  t.same(
    found.map((sentence) => sentence.split(' ')[1]),
    ['b.md#three', 'd.md', '#b', '../a.md'],
  )
})

t.test('an output holds what is expected of it in any layout, in order', async (t) => {
  t.ok(holds('{"a":1,"b":{"c":2}}', '{ "a": 1, ...\n "c": 2 } }'))
  t.notOk(holds('{"a":1,"b":{"c":2}}', '"c": 2 ... "a": 1'))
  const [first, second] = blocksOf(
    '```sh run\na\n```\n\n```text output\nb\n```\n```sh\nc\n```\n```sh run\nd\n```\nwords\n```text output\ne\n```\n',
  )
  t.same(
    [first, second],
    [
      { text: 'a', line: 1, expected: 'b' },
      { text: 'd', line: 11, expected: undefined },
    ],
  )
})

const missing = ['bash', 'curl'].find((name) => spawnSync(name, ['--version']).error !== undefined)

t.test(
  'every block that is meant to be run does what its page says',
  { skip: missing !== undefined && `there is no ${missing}` },
  async (t) => {
    for (const [path, markdown] of pages) {
      if (blocksOf(markdown).length > 0) await t.test(path, (t) => runs(t, markdown, program))
    }
  },
)

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
    await projectionSuite(t, diary, { formats: [...projections, diary] })
  },
)

/** A page in a directory of its own, against a server of its own. */
async function runs(t: Test, markdown: string, program: string): Promise<void> {
  const blocks = blocksOf(markdown)
  const directory = t.testdir({})
  cpSync(join(root, 'docs', 'examples'), join(directory, 'docs', 'examples'), { recursive: true })
  const server = await startServer(program, join(directory, 'data'))
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
