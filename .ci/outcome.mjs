// What came of a run of tests, read from the TAP that tap writes into a file.

/**
 * The outcome of a run: how many assertions passed, failed and were skipped; the files that failed, each with its first
 * failed assertion and the lines about it; the reasons of what was skipped. `quick` names the files that ran in each
 * program of quick tests: there, a test named as its file ends it.
 */
export function outcomeOf(tap, quick = new Map()) {
  const programs = programsIn(tap)
  const failures = programs.flatMap((program) => failuresOf(program, quick.get(program.name)))
  const totals = /^# \{ (total: .*) \}$/m.exec(tap)?.[1] ?? ''
  const count = (word) => Number(new RegExp(`\\b${word}: (\\d+)`).exec(totals)?.[1] ?? 0)
  return {
    passed: count('pass'),
    // A file that dies after its last assertion is `not ok`, but tap does not count it as a failure.
    failed: Math.max(count('fail'), failures.length),
    skipped: count('skip') + count('todo'),
    failures,
    skips: programs.flatMap(({ lines }) =>
      lines.filter((line) => / # (SKIP|TODO)/.test(line)).map((line) => line.trim()),
    ),
  }
}

/** Each program with its lines, four blanks taken off, and what tap says of its end: code, signal, timeout. */
function programsIn(tap) {
  const programs = []
  let lines = []
  let isDetail = false
  for (const line of tap.split('\n')) {
    const [, verdict, name] = /^((?:not )?ok) \d+ - (\S+\.test\.js)/.exec(line) ?? []
    if (name !== undefined) {
      programs.push({ name, lines, isOk: verdict === 'ok', end: [] })
      lines = []
    } else if (line === '  ---' || line === '  ...') isDetail = line === '  ---'
    else if (!isDetail && line.startsWith('    ')) lines.push(line.slice(4))
    else if (/^ {2}(exitCode|signal|failure|expired):/.test(line)) programs.at(-1)?.end.push(line.trim())
  }
  return programs
}

/** The failed files of a program: itself, or those of the quick tests that ran in it. */
function failuresOf({ name, lines, isOk, end }, quick) {
  const whole = { file: sourceOf(name), lines, isCut: false }
  const failed = (quick ? filesIn(whole, quick) : [whole]).filter((one) => one.isCut || hasFailure(one.lines))
  if (!isOk && failed.length === 0) failed.push({ ...whole, isCut: true })
  return failed.map(({ file, lines, isCut }) => ({
    file,
    assertion: isCut && !hasFailure(lines) ? `its process ended too early (${end.join(', ')})` : firstFailure(lines),
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
