// What came of programs of tests, read from the TAP that they wrote.

/**
 * The outcome of programs: how many assertions passed, failed and were skipped; the files that failed, each with its first
 * failed assertion and the lines about it; the reasons of what was skipped. `quick` names the files that ran in each
 * program of quick tests: there, a test named as its file ends it.
 */
export function outcomeOf(programs, quick = new Map()) {
  const ended = programs.map((one) => ({ ...one, lines: one.tap.split('\n') }))
  const failures = ended.flatMap((one) => failuresOf(one, quick.get(one.program)))
  const count = (word) => ended.reduce((sum, { tap }) => sum + totalIn(tap, word), 0)
  return {
    passed: count('pass'),
    // A file that dies after its last assertion counts as a failure, too.
    failed: Math.max(count('fail'), failures.length),
    skipped: count('skip') + count('todo'),
    failures,
    skips: ended.flatMap(({ lines }) => lines.filter((line) => / # (SKIP|TODO)/.test(line)).map((line) => line.trim())),
  }
}

/** A number of the last line of a program, such as `# { total: 3, pass: 2, fail: 1 }`; 0 where it did not come to that. */
function totalIn(tap, word) {
  const totals = /^# \{ (total: .*) \}$/m.exec(tap)?.[1] ?? ''
  return Number(new RegExp(`\\b${word}: (\\d+)`).exec(totals)?.[1] ?? 0)
}

/** The failed files of a program: itself, or those of the quick tests that ran in it. */
function failuresOf({ program, lines, code, signal }, quick) {
  const whole = { file: sourceOf(program), lines, isCut: false }
  const failed = (quick ? filesIn(whole, quick) : [whole]).filter((one) => one.isCut || hasFailure(one.lines))
  if (code !== 0 && failed.length === 0) failed.push({ ...whole, isCut: true })
  return failed.map(({ file, lines, isCut }) => ({
    file,
    assertion:
      isCut && !hasFailure(lines) ? `its process ended too early (${signal ?? `code ${code}`})` : firstFailure(lines),
    lines: linesOfFailures(lines),
  }))
}

/** The lines of each file of a program of quick tests; one that did not come to its end is cut. */
function filesIn({ file: program, lines }, files) {
  const found = []
  let begin = 0
  for (const [index, line] of lines.entries()) {
    const [, file] = /^(?:not )?ok \d+ - (\S+\.test\.ts) /.exec(line) ?? []
    if (!files.includes(file)) continue
    found.push({ file, lines: lines.slice(begin, index + 1), isCut: false })
    begin = index + 1
  }
  const rest = lines.slice(begin)
  const cut = files.filter((file) => !found.some((one) => one.file === file))
  if (cut.length === 0) return [...found, { file: program, lines: rest, isCut: false }]
  return [...found, ...cut.map((file, index) => ({ file, lines: index === 0 ? rest : [], isCut: true }))]
}

const notOk = /^( *)not ok \d+ - (?!.*# TODO)/

function hasFailure(lines) {
  return lines.some((line) => notOk.test(line))
}

/** The first assertion that failed, behind the tests that it stands in. */
function firstFailure(lines) {
  const index = lines.findIndex((line) => notOk.test(line))
  const name = lines[index].replace(/^ *not ok \d+ - /, '').replace(/ # time=.*$/, '')
  return [...testsAround(lines, index), name].join(' > ')
}

/** The names of the tests that a line stands in, outermost first. */
function testsAround(lines, index) {
  let depth = indentOf(lines[index])
  const names = []
  for (let at = index; at >= 0; at--) {
    const [, name] = /^ *# Subtest: (.*)/.exec(lines[at]) ?? []
    if (name === undefined || indentOf(lines[at]) >= depth) continue
    depth = indentOf(lines[at])
    names.unshift(name)
  }
  return names
}

/** The lines that say `not ok`, with the details below them. */
function linesOfFailures(lines) {
  const kept = []
  let depth = -1
  for (const line of lines) {
    if (notOk.test(line)) depth = indentOf(line)
    else if (depth >= 0 && line.trim() !== '' && indentOf(line) <= depth) depth = -1
    if (depth >= 0) kept.push(line)
  }
  return kept
}

function indentOf(line) {
  return line.length - line.trimStart().length
}

function sourceOf(program) {
  return program.replace(/^dist\//, '').replace(/\.js$/, '.ts')
}
