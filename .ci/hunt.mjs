// Runs tests again and again, each time with other random cases, in search of those that fail by chance: files that changed
// since a commit twenty times, four at once, and all others three times. Ends with 1 where a run of a file fails.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { allTests, compiled, root, tierOf, tiers } from './files.mjs'
import { forEach, runProgram } from './programs.mjs'

const usage = `usage: node .ci/hunt.mjs [--part N/M] [--since COMMIT] [--changed]

  --part N/M      every Mth file, from the Nth on
  --since COMMIT  files that changed since this commit run twenty times, beside three others
  --changed       only those
`
const { values } = parseArgs({
  options: {
    part: { type: 'string', default: '1/1' },
    since: { type: 'string', default: 'HEAD' },
    changed: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(usage)
  process.exit()
}
const [part, parts] = values.part.split('/').map(Number)
const changed = new Set(
  execFileSync('git', ['diff', '--name-only', values.since, '--', '*.test.ts'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  ),
)
const files = allTests().filter((path, index) => tierOf(path) < tiers.indexOf('nightly') && index % parts === part - 1)
const bad = new Map()
await runAll(
  files.filter((path) => changed.has(path)),
  20,
  4,
)
if (!values.changed)
  await runAll(
    files.filter((path) => !changed.has(path)),
    3,
    2,
  )
for (const [file, count] of bad) console.log(`FLAKY ${file}: ${count} of its runs failed`)
console.log(`${files.length} files, ${bad.size} of which failed at least once`)
process.exitCode = bad.size > 0 ? 1 : 0

/** Runs each file so many times, and so many at once. */
function runAll(files, times, atOnce) {
  return forEach(
    files.flatMap((file) => Array.from({ length: times }, () => file)),
    runOnce,
    atOnce,
  )
}

/** Runs a file with a new seed, and prints what it says if it fails. */
async function runOnce(file) {
  const seed = String(Math.floor(Math.random() * 2 ** 31))
  const { tap, errors, code, signal } = await runProgram(compiled(file), { OTEP_TEST_SEED: seed })
  if (code === 0) return
  bad.set(file, (bad.get(file) ?? 0) + 1)
  const failures = tap.split('\n').filter((line) => /^\s*not ok/.test(line))
  console.log(`${file} failed with OTEP_TEST_SEED=${seed} (${signal ?? code})`)
  console.log(failures.length > 0 ? failures.join('\n') : (tap + errors).slice(-2_000))
}
