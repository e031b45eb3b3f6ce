import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { projectFile, projectFolder } from '../conformance/program/files.ts'
import { stumblesIn, stumblingWords } from './check/plain-words.ts'
import { pages } from './pages.test.fixture.ts'

t.test('pages are in plain English, also those that are made of messages and descriptions', async (t) => {
  // The texts of the report on benchmarks are checked where they come from: only a run writes it again.
  const texts = readdirSync(projectFile('bench', 'report', 'texts')).map((name) => `bench/report/texts/${name}`)
  const others = [...pages.keys()].filter((path) => path !== 'docs/reference/benchmarks.md')
  for (const path of [...others, ...texts])
    t.same(await stumblingWords(readFileSync(projectFile(path), 'utf8')), [], path)
  t.same(await stumblingWords('Words\nare told, `anew`.\n\n- It stands on a port of its own.'), [
    'line 2: "are told": write is notified, gets, or is reported',
    'line 4: "stands": write is, is listed, or has its place',
    'line 4: "of its own": write its own, or separate, before the noun',
  ])
})

/** The comments of a source without their marks, each in its lines; all other lines are empty. */
function commentsIn(source: string): string {
  const comments = source.replaceAll(/(?<=^|\s)(\/\*\*.*?\*\/|\/\/ [^\n]*)|[^\n]/gs, '$1')
  return comments.replaceAll(/^ *(?:\/\*\*|\*|\/\/)/gm, '')
}

t.test('given the comments of the code, when they are read, then they are in plain English', (t) => {
  for (const folder of ['engine', 'profiles', 'projections', 'adapters', 'conformance', 'bench', 'docs']) {
    const sources = readdirSync(projectFile(folder), { recursive: true, encoding: 'utf8' })
    for (const path of sources.filter((name) => name.endsWith('.ts')))
      t.same(stumblesIn(commentsIn(readFileSync(projectFile(folder, path), 'utf8'))), [], `${folder}/${path}`)
  }
  const source = "/**\n * What is\n * told.\n */\nconst stands = 'anew'\n// It stands."
  t.same(stumblesIn(commentsIn(source)), [
    'line 2: "is\n told": write is notified, gets, or is reported',
    'line 6: "stands": write is, is listed, or has its place',
  ])
  t.end()
})

t.test('every word of the pages that were written by hand is in a dictionary or in the list of names', (t) => {
  const byHand = [...pages.keys(), 'CHANGELOG.md'].filter((path) => !path.startsWith('docs/reference/'))
  const words = ['lint', '--no-progress', '--no-summary', '--config', 'docs/check/cspell.json', ...byHand]
  const { status, stdout } = spawnSync('npx', ['cspell', ...words], { cwd: projectFolder, encoding: 'utf8' })
  t.equal(status, 0, 'else mend the word, or add a name to docs/check/cspell.json', { stdout })
  t.end()
})
