import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../conformance/program/files.ts'

/** What a shell says when it completes a line, in a shell without settings of the user. */
const shells: Readonly<Record<string, (script: string) => readonly string[]>> = {
  zsh: (script) => ['-f', '-n', script],
  fish: (script) => ['--no-config', '-c', `source ${script}; complete -C 'otep ser'; complete -C 'otep backup --ev'`],
}

for (const [shell, words] of Object.entries(shells)) {
  const skip = spawnSync(shell, ['--version']).status !== 0 && `there is no ${shell}`
  t.test(`given ${shell}, when it reads its completion, then it takes it`, { skip }, async (t) => {
    const directory = t.testdir({})
    const script = join(directory, 'completion')
    const printed = spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' })
    writeFileSync(script, printed.stdout)
    const { status, stdout, stderr } = spawnSync(shell, words(script), { encoding: 'utf8', cwd: directory })
    t.equal(status, 0, 'it ends with 0', { stderr })
    if (shell === 'fish') t.match(stdout, /^serve\t[\s\S]*^--every\t/m)
  })
}
