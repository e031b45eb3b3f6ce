// Compiles what changed, runs the tests of a tier or the files that are named, and tells what came of it: what failed and
// what was skipped, whether a failed file passes by itself, and the CPU seconds of each file beside the budget.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { allTests, compiled, isTest, reaches, root, tierOf, tiers } from './files.mjs'
import { noteFlaky } from './flaky.mjs'
import { outcomeOf } from './outcome.mjs'
import { forEach, runProgram, settings, words as wordsOf } from './programs.mjs'
import { record } from './record.mjs'

const usage = `usage: npm run test:quick | npm test | npm run test:ci | npm run test:nightly [-- OPTION...]
       npm run test:judged    the tests whose judges read ../shared/standards or OTEP_STANDARDS_DIR
       npm run test:file -- FILE.test.ts...

The name of a file says in which run it is first; each run includes those before it.
  x.test.ts          quick    no child process, browser or kill
  x.system.test.ts   system   what \`npm test\` runs: child processes
  x.ci.test.ts       ci       what .ci/run runs: a browser, tools, what takes minutes
  x.nightly.test.ts  nightly  what .ci/nightly runs

  --no-build         the compiled files as they are
  --beyond TIER      without the files that the run of that tier has

OTEP_TEST_SEED=N     makes random tests choose the same as in another run with this number

A file that fails is run once more by itself. If it passes then, the run passes, and says FLAKY.
`

const began = performance.now()
/** CPU seconds of the tests, without what compiling takes; on two idle cores, a run takes half as many. */
const budgets = { quick: 150, system: 600 }
/** So many files do not fail by chance. */
const mostFlaky = 8
/** All tests with judges that read official files import it. */
const doorToStandards = join('conformance', 'judges', 'official.ts')

const words = process.argv.slice(2)
const named = words.filter(isTest).map((path) => relative(root, resolve(path)))
const isJudged = words[0] === 'judged'
const tier = tiers.indexOf(words[0])
const beyond = words.includes('--beyond') ? tiers.indexOf(words[words.indexOf('--beyond') + 1]) : -1

if (
  words.includes('--help') ||
  (tier < 0 && !isJudged && named.length === 0) ||
  (words.includes('--beyond') && beyond < 0)
) {
  process.stdout.write(usage)
  process.exit(words.includes('--help') ? 0 : 1)
}
let files = []
const scratch = mkdtempSync(join(tmpdir(), 'otep-tests-'))
process.once('exit', removeDirectories)
process.env.OTEP_TEST_CPU = join(scratch, 'cpu')
if (!words.includes('--no-build')) run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b')
/** The quick tests of each program that runs several. */
const quick = new Map()
files = chosenFiles()
// Processes run the program as it is published.
if (!words.includes('--no-build') && files.some((path) => /\.(system|ci|nightly)\.test\./.test(path)))
  run(join(root, 'adapters', 'bundle.mjs'))

// What one file says is shown as it comes, but where its result is added up.
if (named.length === 1 && process.env.CI === undefined) run(...wordsOf(files[0]))
else process.exitCode = (await runAll()) ? 0 : 1

/** The compiled files that are to run. */
function chosenFiles() {
  if (named.length > 0) return named.map(compiled)
  const all = isJudged ? judgedFiles() : allTests().filter((path) => tierOf(path) <= tier && tierOf(path) > beyond)
  // The longest come first, so that the end waits for none: programs of quick tests, and then those of the last tier.
  const slow = all.filter((path) => tierOf(path) > 0).sort((one, other) => tierOf(other) - tierOf(one))
  return [...quickPrograms(all.filter((path) => tierOf(path) === 0)), ...slow.map(compiled)]
}

/** Runs all files and tells what came of them; whether nothing failed but by chance. */
async function runAll() {
  const outcome = outcomeOf(await forEach(files, runAndSay), quick)
  tellFindings(outcome)
  const flaky = []
  if (outcome.failures.length <= mostFlaky)
    for (const failure of outcome.failures) if (await passesAlone(failure)) flaky.push(failure)
  tellTimes()
  if (flaky.length > 0) noteFlaky(flaky)
  const isGood = flaky.length === outcome.failures.length && outcome.passed > 0
  const failed = isGood ? 0 : Math.max(outcome.failed, 1)
  console.log(`tests: ${outcome.passed} passed, ${failed} failed, ${outcome.skipped} skipped`)
  return isGood
}

async function runAndSay(file) {
  const since = performance.now()
  const ended = await runProgram(file)
  const seconds = ((performance.now() - since) / 1_000).toFixed(1).padStart(8)
  const name = relative('dist', file).replace(/\.js$/, '.ts')
  console.log(`${seconds} s  ${ended.code === 0 ? '' : 'FAILED '}${name}`)
  process.stderr.write(ended.errors)
  return ended
}

function tellFindings({ failures, skips }) {
  for (const { file, assertion, lines } of failures) console.log([`FAILED ${file}: ${assertion}`, ...lines].join('\n'))
  for (const line of skips) console.log(line)
}

/** Runs a file that failed once more, by itself. */
async function passesAlone({ file }) {
  console.log(`${file} failed; once more by itself:`)
  const { code, tap, errors } = await runProgram(compiled(file))
  console.log(code === 0 ? 'passed' : tap + errors)
  return code === 0
}

/** Tells the CPU seconds of each file, and the sum beside the budget. */
function tellTimes() {
  const lines = existsSync(process.env.OTEP_TEST_CPU)
    ? readFileSync(process.env.OTEP_TEST_CPU, 'utf8').trimEnd().split('\n')
    : []
  const times = new Map()
  for (const { program, cpu } of lines.map((line) => JSON.parse(line))) {
    const file = relative('dist', program).replace(/\.js$/, '.ts')
    times.set(file, (times.get(file) ?? 0) + cpu)
  }
  const sum = [...times].reduce((sum, [file, cpu]) => (isPart(file) ? sum : sum + cpu), 0)
  const parts = [...times].filter(([file]) => !file.startsWith('quick')).sort(([, one], [, other]) => other - one)
  const shown = process.env.CI ? parts : parts.slice(0, 15)
  console.log('-- CPU seconds of each file')
  for (const [file, cpu] of shown) console.log(`${cpu.toFixed(1).padStart(8)}  ${file}`)
  if (shown.length < parts.length) console.log(`          and ${parts.length - shown.length} others`)
  const budget = beyond < 0 ? budgets[words[0]] : undefined
  if (budget !== undefined) record(words[0], (performance.now() - began) / 1_000, sum)
  const over = budget !== undefined && sum > budget ? `: exceeded by ${Math.round(sum - budget)}` : ''
  console.log(`${sum.toFixed(1).padStart(8)}  in all${budget === undefined ? '' : `; the budget is ${budget}${over}`}`)
}

/** A quick test counts within its program. */
function isPart(file) {
  return [...quick.values()].some((files) => files.includes(file))
}

/** Runs a program of Node, and ends as it does where it fails. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...settings, ...process.env },
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Removes what `t.testdir` made in the tests of this run, and not what another run still uses. */
function removeDirectories() {
  const fixtures = join(root, '.tap', 'fixtures')
  rmSync(scratch, { recursive: true, force: true })
  const programs = files.map((file) => file.replaceAll(sep, '-'))
  for (const name of existsSync(fixtures) ? readdirSync(fixtures) : [])
    if (programs.some((program) => name.startsWith(program)))
      rmSync(join(fixtures, name), { recursive: true, force: true, maxRetries: 3 })
}

/** The tests of `npm test` that need the official files to be whole. */
function judgedFiles() {
  return allTests().filter((path) => tierOf(path) <= tiers.indexOf('system') && reaches(path, doorToStandards))
}

/** Quick tests run in one process a folder: to load the engine takes longer than most of them. Answers those programs. */
function quickPrograms(tests) {
  mkdirSync(join(root, 'dist', 'quick'), { recursive: true })
  const ofFolder = new Map()
  for (const path of tests) {
    const [folder] = path.split(sep)
    ofFolder.set(folder, [...(ofFolder.get(folder) ?? []), path])
  }
  for (const [folder, some] of [...ofFolder].sort(([, one], [, other]) => other.length - one.length)) {
    const program = join('dist', 'quick', `${folder}.test.js`)
    writeFileSync(join(root, program), inOneProcess(some))
    quick.set(program, some)
  }
  return [...quick.keys()]
}

function inOneProcess(files) {
  return `import t from 'tap'
import { cpuSeconds, noteCpu } from '../../.ci/preload.mjs'
for (const file of ${JSON.stringify(files)}) {
  const before = cpuSeconds()
  await import('../' + file.replace(/ts$/, 'js'))
  await t.test(file, async (t) => t.pass('it came to its end'))
  noteCpu('dist/' + file.replace(/ts$/, 'js'), cpuSeconds() - before)
}
`
}
