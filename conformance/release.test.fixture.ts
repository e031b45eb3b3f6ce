import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { projectFile, projectFolder } from './program/files.ts'

const programs = ['bash', 'git', 'npm', 'sha256sum']
const missing = programs.find((name) => spawnSync(name, ['--version']).error !== undefined)
const reason = missing === undefined ? 'this is no clone' : `there is no ${missing}`

/** Why no release can be tried here; false if it can. */
export const skip = missing !== undefined || !existsSync(projectFile('.git')) ? reason : false

/** A clone of the project on a branch `main`, without its tags, and what runs there. */
export function cloned(t: Test) {
  const clone = join(t.testdir({}), 'clone')
  output(projectFolder, 'git', 'clone', '--quiet', '--no-tags', projectFolder, clone)
  const file = (path: string) => join(clone, path)
  const git = (...args: readonly string[]) => output(clone, 'git', ...args)
  git('checkout', '--quiet', '-B', 'main')
  return { file, git, release: (...args: readonly string[]) => run(clone, file('.ci/release'), ...args) }
}

function run(directory: string, program: string, ...args: readonly string[]) {
  const author = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@acme.example' }
  const committer = { GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@acme.example' }
  return spawnSync(program, args, {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, ...author, ...committer },
  })
}

/** What a program prints that has to succeed. */
export function output(directory: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = run(directory, program, ...args)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout.trim()
}
