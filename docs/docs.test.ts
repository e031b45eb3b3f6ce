import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { commands } from '../adapters/cli/commands.ts'
import { projectFolder as root } from '../conformance/program/files.ts'
import { domains } from '../engine/index.ts'
import { blocksOf, holds } from './check/blocks.ts'
import { brokenLinks, targetsOf } from './check/links.ts'
import { openapiSummary } from './generate/interfaces.ts'
import { descriptionFiles, filesIn, referencePages, textsWithPassages } from './generate/pages.ts'
import { withPassage } from './generate/passage.ts'
import { duration } from './generate/times.ts'
import { pages } from './pages.test.fixture.ts'

const reference = referencePages()

t.test('the reference is what the sources say', async (t) => {
  t.same(filesIn(join(root, 'docs', 'reference')), [...reference.keys()].sort(), 'run: npm run docs')
  for (const [name, text] of reference) {
    const path = join(root, 'docs', 'reference', name)
    t.ok(
      existsSync(path) && readFileSync(path, 'utf8') === text,
      `docs/reference/${name} is up to date; else run: npm run docs`,
    )
  }
})

t.test('passages that are generated, in texts written by hand, are what their sources say', async (t) => {
  for (const [path, text] of textsWithPassages())
    t.ok(readFileSync(join(root, path), 'utf8') === text, `${path} is up to date; else run: npm run docs`)
})

t.test('a passage is written in its place alone, and a text that has lost the place is refused', async (t) => {
  const passage = { path: 'a.md', place: /(?<=^takes ).*$/m, text: '$& 5 minutes' }
  t.equal(withPassage('one\ntakes long\ntwo', passage), 'one\ntakes $& 5 minutes\ntwo')
  t.throws(() => withPassage('one\ntwo', passage), /a\.md has no place/)
})

t.test('times are rounded as people say them', async (t) => {
  t.same([48, 77, 98, 100, 301, 5300, 5400, 10_900].map(duration), [
    ...['50 s', '75 s', '100 s', '2 minutes', '5 minutes', '88 minutes'],
    ...['2 hours', '3 hours'],
  ])
})

t.test('a page of the reference is at most 100 kB, so that it loads and can be searched', async (t) => {
  for (const [name, text] of reference) if (name.endsWith('.md')) t.ok(Buffer.byteLength(text) <= 100_000, name)
})

t.test(
  'a reviewer sees which member of which schema was made required, and the schemas that name it stay as they are',
  async (t) => {
    const sender = (required: readonly string[]) => ({
      type: 'object',
      required,
      properties: { name: {}, address: { type: 'object', required: ['street'], properties: { street: {}, city: {} } } },
    })
    const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const content = (name: string) => ({ content: { 'application/json': { schema: named(name) } } })
    const list = {
      operationId: 'list_senders',
      parameters: [{ name: 'page' }],
      responses: { 200: content('Senders'), 422: content('ErrorAnswer') },
    }
    const summaryOf = (required: readonly string[]) => {
      const schemas = { Senders: { properties: { senders: { items: named('Sender') } } }, Sender: sender(required) }
      return openapiSummary({ paths: { '/senders': { get: list } }, components: { schemas } }).split('\n')
    }
    const [before, after] = [summaryOf(['name']), summaryOf(['name', 'address'])]
    const shown = (lines: readonly string[]) => lines.map((line) => line.replace(/\b[0-9a-f]{8,64}\b/, '#'))
    t.strictSame(shown(before).slice(2, -1), [
      '# openapi.json',
      '',
      'GET /senders list_senders # Senders page?',
      'Senders # senders?',
      'Sender # name address?',
      '  address street city?',
    ])
    t.strictSame(shown(after.filter((line) => !before.includes(line))), ['# openapi.json', 'Sender # name address'])
  },
)

t.test('the body of every request that can be copied is one that its operation takes', async (t) => {
  const description = JSON.parse(descriptionFiles().get('openapi.json') ?? '')
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema(description, 'openapi')
  let tried = 0
  for (const [name, text] of reference) {
    if (!name.startsWith('rest/')) continue
    for (const [, method = '', path = '', part = ''] of text.matchAll(
      /^## (\w+) (\/\S+)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm,
    )) {
      t.match(part, '```sh\n', `${method} ${path} has a request`)
      const [, json] = /<<'JSON'\n([\s\S]*?)\nJSON$/m.exec(part) ?? []
      if (json === undefined) continue
      const { schema } = description.paths[path][method.toLowerCase()].requestBody.content['application/json']
      const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')))
      t.ok(check(JSON.parse(json)), `${method} ${path}: ${json} ${JSON.stringify(check.errors)}`)
      tried++
    }
  }
  t.ok(tried > 100, `${tried} bodies`)
})

t.test('every command of otep in a block that is run exists, and so does each of its options', async (t) => {
  let tried = 0
  for (const [path, page] of pages) {
    for (const { text, line } of blocksOf(page)) {
      for (const [found, name, words = ''] of text.matchAll(/npx --no otep ([\w-]+)((?:\\\n|'[^']*'|[^|;&)\n])*)/g)) {
        const command = commands.find((one) => one.name === name)
        const options = words.replaceAll(/'[^']*'/g, '').matchAll(/ --([\w-]+)/g)
        const unknown = [...options].filter(([, option = '']) => command?.options[option] === undefined)
        t.ok(command !== undefined && unknown.length === 0, `${path}, the block at line ${line}: ${found}`)
        tried++
      }
    }
  }
  t.ok(tried > 80, `${tried} commands`)
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

/** The rows of the table of decisions: the path of a file, and a name in it. */
function decisionsIn(page: string): readonly (readonly [path: string, name: string])[] {
  const rows = page.matchAll(/^\|[^|]+\| \[[^\]]+\]\(\.\.\/([^)]+)\) *\| `(\w+)` *\|$/gm)
  return [...rows].map(([, path = '', name = '']) => [path, name] as const)
}

/** Whether a source declares a name, or has a row or member of it. */
function declares(source: string, name: string): boolean {
  return new RegExp(`(const|function|interface|type) ${name}\\b|^ +${name}: `, 'm').test(source)
}

t.test('the page that says where things are decided names a file and a name that exist', async (t) => {
  const decisions = decisionsIn(pages.get('docs/README.md') ?? '')
  t.ok(decisions.length >= 10)
  for (const [path, name] of decisions)
    t.ok(declares(readFileSync(join(root, path), 'utf8'), name), `${name} is in ${path}`)
  t.notOk(declares('const another = 1', 'other'))
})

/** The rows of a table by the names in their first cell: the names in their last one. */
function namesInRows(table: string): ReadonlyMap<string, readonly string[]> {
  const namesIn = (cell: string) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
  const rows = [...table.matchAll(/^\|([^|]*)\|.*\|([^|]*)\|$/gm)]
  return new Map(rows.flatMap(([, first = '', last = '']) => namesIn(first).map((name) => [name, namesIn(last)])))
}

t.test('the page on the architecture names every domain, its streams, and who has ports', async (t) => {
  const page = pages.get('docs/explanation/architecture.md') ?? ''
  t.match(page, `[${domains.length} domains](#domains)`)
  const [, section = ''] = page.split('\n## Domains\n')
  const [streams = '', ports = ''] = section.split('\n| ports of ')
  const rows = namesInRows(streams)
  t.same([...rows.keys()].sort(), domains.map(({ name }) => name).sort())
  for (const { name, events } of domains) t.same([...(rows.get(name) ?? [])].sort(), Object.keys(events).sort(), name)
  const withPorts = domains.filter(({ name }) => existsSync(join(root, 'engine', 'domains', name, 'ports.ts')))
  const [table = ''] = ports.split('\n\n')
  t.same([...namesInRows(table).keys()].sort(), withPorts.map(({ name }) => name).sort())
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
