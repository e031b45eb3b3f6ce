import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { projectFile, projectFolder } from '../program/files.ts'
import { changedLines, sampled } from './choice.ts'
import { createCompiler } from './compiler.ts'
import { mutantsOf } from './mutants.ts'
import { missesGoal, reportOf, scoresOf } from './report.ts'
import { type Room, rooms } from './rooms.ts'
import { candidatesIn, type Outcome, tried } from './trial.ts'

const prices = `export function isDear(price: number): boolean {
  return price > 3
}

export function total(prices: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < prices.length; index++) sum += prices[index] ?? 0
  return sum
}
`

const pricesTest = `import { isDear, total } from './prices.ts'
if (isDear(1) || !isDear(9) || total([1, 2]) !== 3) process.exit(1)
`

const shop: Room = { name: 'shop', folder: 'shop', related: [] }

/** A project of one room, compiled, with these files more. */
function projectOf(folder: string, files: Readonly<Record<string, string>> = {}): string {
  const compilerOptions = {
    // Without the types of a browser, which the compiler takes longest to read.
    ...{ target: 'es2023', lib: ['es2023'], module: 'nodenext', types: [] },
    ...{ strict: true, noUncheckedIndexedAccess: true },
    ...{ rewriteRelativeImportExtensions: true },
  }
  const sources = { 'shop/prices.ts': prices, 'shop/prices.test.ts': pricesTest, ...files }
  write(folder, 'package.json', '{ "type": "module" }')
  write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions }))
  const compiler = createCompiler(folder)
  for (const [path, text] of Object.entries(sources)) {
    write(folder, path, text)
    write(folder, join('dist', path.replace(/ts$/, 'js')), compiler.compiled(text))
  }
  return folder
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

t.test(
  'given a gap in a test, when mutants are tried, then those that fall into it survive, and others do not',
  async (t) => {
    const root = projectOf(t.testdir())
    const loop = 'for (let index = 0; index < prices.length; index++) sum += prices[index] ?? 0'
    const known = [loop.replace('<', '<='), loop.replace('?? 0', '?? 1')].map((after) => ({
      ...{ file: 'shop/prices.ts', before: loop, after, reason: 'No price is missing, and one behind the last is 0.' },
    }))
    const told: Outcome[] = []
    const setting = { root, equivalents: known, workers: 2, tell: (outcome: Outcome) => told.push(outcome) }
    const outcomes = await tried(candidatesIn(root, [shop]), setting)
    const fates = Object.fromEntries(outcomes.map(({ mutant, fate }) => [mutant.after, fate]))
    t.match(fates, {
      'return price >= 3': 'survived',
      'return price > 4': 'survived',
      'return price <= 3': 'caught',
      [loop.replace('+=', '-=')]: 'caught',
      [loop.replace('++', '--')]: 'caught',
      [loop.replace(' ?? 0', '')]: 'refused',
      [loop.replace('<', '<=')]: 'equivalent',
    })
    t.equal(told.length, outcomes.length)
    const [score] = scoresOf(outcomes)
    const { caught = 0, survived = 0 } = score?.counts ?? {}
    t.equal(survived, 2)
    t.match(score, { room: { name: 'shop' }, score: (100 * caught) / (caught + survived) })
    const report = reportOf(
      outcomes,
      known.slice(1).map((entry) => ({ ...entry, before: 'gone' })),
      12,
    )
    t.match(report, `${outcomes.length} mutants tried, 12 left out by --sample.`)
    t.match(report, 'shop/prices.ts:2 operator\n  - return price > 3\n  + return price >= 3')
    t.match(report, 'shop/prices.ts: no mutant fits the entry\n  - gone')
  },
)

t.test(
  'given a test that fails anyway, when mutants are tried, then that is an error, and no mutant is caught',
  async (t) => {
    const root = projectOf(t.testdir(), { 'shop/wrong.test.ts': 'process.exit(1)\n' })
    const trial = tried(candidatesIn(root, [shop]), { root, equivalents: [], workers: 2, tell: () => {} })
    await t.rejects(trial, { message: 'shop/wrong.test.ts fails without a mutant.' })
  },
)

t.test(
  'given a type that another file adds to, when mutants of a file that uses it are tried, then they are not refused',
  async (t) => {
    const root = projectOf(t.testdir(), {
      'shop/coin.ts': 'export interface Coins {}\n',
      'shop/euro.ts': "declare module './coin.ts' {\n  interface Coins { euro: 1 }\n}\nexport {}\n",
      'shop/prices.ts': `import type { Coins } from './coin.ts'\nexport const coin: keyof Coins = 'euro'\n${prices}`,
    })
    const outcomes = await tried(candidatesIn(root, [shop]), { root, equivalents: [], workers: 1, tell: () => {} })
    t.ok(outcomes.some(({ fate }) => fate === 'caught'))
  },
)

t.test('given a file that does not compile, when mutants of it are tried, then that is an error', async (t) => {
  const root = projectOf(t.testdir(), { 'shop/prices.ts': `${prices}export const word: string = 1\n` })
  const trial = tried(candidatesIn(root, [shop]), { root, equivalents: [], workers: 1, tell: () => {} })
  await t.rejects(trial, { message: 'shop/prices.ts does not compile without a mutant.' })
})

t.test('given a goal, when a sample has more survivors than chance explains, then the goal is missed', async (t) => {
  const misses = (goal: number | undefined, caught: number, survived: number) =>
    missesGoal({
      room: { ...shop, ...(goal !== undefined && { goal }) },
      counts: { caught, survived, refused: 7, equivalent: 7 },
      score: (100 * caught) / (caught + survived),
    })
  t.notOk(misses(95, 95, 5), 'the goal itself')
  t.notOk(misses(95, 45, 5), 'one sample of 50 has five where the score is 95')
  t.ok(misses(95, 44, 6))
  t.ok(misses(95, 920, 80), 'chance explains less where the sample is large')
  t.ok(misses(100, 999, 1))
  t.notOk(misses(undefined, 0, 100), 'a room without a goal')
  t.notOk(misses(95, 0, 0), 'nothing tried')
})

t.test('given a room that is not there yet, when mutants are looked for, then it has none', async (t) => {
  t.same(candidatesIn(t.testdir(), [shop]), [])
})

t.test(
  'given a program, when it is mutated, then nothing is changed in types, imports and words for people',
  async (t) => {
    const text = `import { a } from './a.ts'
type Kind = 'one' | 'two'
export const rule = { summary: 'For people.', kind: 'one' satisfies Kind }
export const names = (all: readonly string[], from = 1) => all.filter(Boolean).slice(from)
export const first = (one?: { name: string }) => one?.name ?? a
if (!a) throw new Error('a')
`
    t.same(
      mutantsOf('a.ts', text).map(({ line, after }) => `${line} ${after}`),
      [
        "3 export const rule = { summary: 'For people.', kind: '' satisfies Kind }",
        '4 export const names = (all: readonly string[], from) => all.filter(Boolean).slice(from)',
        '4 export const names = (all: readonly string[], from = 2) => all.filter(Boolean).slice(from)',
        '4 export const names = (all: readonly string[], from = 1) => all.slice(from)',
        '4 export const names = (all: readonly string[], from = 1) => all.filter(Boolean)',
        '5 export const first = (one?: { name: string }) => one.name ?? a',
        '5 export const first = (one?: { name: string }) => one?.name',
        "6 if (true) throw new Error('a')",
        "6 if (false) throw new Error('a')",
        "6 if (a) throw new Error('a')",
        '6 if (!a) ;',
        "6 if (!a) throw new Error('')",
      ],
    )
  },
)

t.test(
  'given rooms of several sizes, when a sample is taken, then of each the same number, and again the same ones',
  async (t) => {
    const listOf = (file: string, length: number) => mutantsOf(file, `export const all = [${Array(length).fill(1)}]`)
    const lists = [listOf('large.ts', 50), listOf('small.ts', 2), listOf('middle.ts', 20)]
    const chosen = [...sampled(lists, 22, 7)]
    const countOf = (file: string) => chosen.filter((mutant) => mutant.file === file).length
    t.same(['large.ts', 'small.ts', 'middle.ts'].map(countOf), [10, 2, 10])
    t.same([...sampled(lists, 22, 7)], chosen)
    t.notSame([...sampled(lists, 22, 8)], chosen)
  },
)

t.test('given a commit, when lines are changed and added after it, then these are the changed ones', async (t) => {
  const root = t.testdir({ 'a.ts': '1\n2\n3\n4\n', 'b.ts': '1\n' })
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: root })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  write(root, 'a.ts', '1\nnew\n3\n4\nlast\nlast\n')
  t.same([...changedLines(root, 'HEAD')], ['a.ts:2', 'a.ts:5', 'a.ts:6'])
})

t.test('given the rooms of this project, when their related tests are looked for, then they are there', async (t) => {
  for (const { related } of rooms) for (const test of related) t.ok(existsSync(projectFile(test)), test)
})

t.test(
  'given the program, when it is called, then it tells its options, lists mutants, and refuses what it does not know',
  async (t) => {
    const run = (...words: readonly string[]) =>
      spawnSync(process.execPath, [projectFile('dist', 'conformance', 'mutate.js'), ...words], {
        ...{ cwd: projectFolder, encoding: 'utf8' },
      })
    t.match(run('--help'), { status: 0, stdout: /--sample N/ })
    const listed = run('--list', '--file', 'engine/domains/tracking/reducer.ts')
    t.match(listed, { status: 0, stdout: /^engine\/domains\/tracking\/reducer\.ts:\d+ \w+\n {2}- .+\n {2}\+ / })
    const few = run('--list', '--file', 'engine/domains/tracking/reducer.ts', '--sample', '3')
    t.equal(few.stdout.match(/^ {2}\+ /gm)?.length, 3)
    t.match(run('--room', 'cellar'), { status: 1, stderr: 'There is no room cellar with mutants' })
    t.match(run('--sample', 'many'), { status: 1, stderr: '--sample takes a number from 0.' })
  },
)
