import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { projectFile, projectFolder } from './program/files.ts'

const programs = ['bash', 'git', 'npm', 'sha256sum']
const missing = programs.find((name) => spawnSync(name, ['--version']).error !== undefined)
const reason = missing === undefined ? 'this is no clone' : `there is no ${missing}`
const skip = missing !== undefined || !existsSync(projectFile('.git')) ? reason : false

t.test('a clone with .ci/release', { skip }, async (t) => {
  const clone = cloned(t)
  const file = (path: string) => join(clone, path)
  const git = (...args: readonly string[]) => output(clone, 'git', ...args)
  const release = (...args: readonly string[]) => run(clone, file('.ci/release'), ...args)
  const standing = () => [
    git('status', '--porcelain'),
    git('rev-parse', 'HEAD'),
    git('tag'),
    existsSync(file('release')),
  ]
  const before = standing()

  await t.test('given a dry run, then it says what would be done, and nothing is changed', async (t) => {
    const { status, stdout } = release('--dry-run', '98.7.6')
    t.equal(status, 0)
    t.match(stdout, /^## 98\.7\.6 - \d{4}-\d\d-\d\d\n- /)
    t.match(stdout, 'Nothing was changed.')
    t.strictSame(standing(), before)
  })

  const refused: readonly (readonly [what: string, args: readonly string[], line: RegExp])[] = [
    ['no version', [], /name a version such as 0\.2\.0, not ''/],
    ['what is no version', ['1.2'], /name a version such as 0\.2\.0, not '1\.2'/],
    ['an unknown option', ['--force', '98.7.6'], /no option --force/],
  ]
  for (const [what, args, line] of refused) {
    await t.test(`given ${what}, then it is refused in one line`, async (t) => {
      refuses(t, release(...args), line)
      t.strictSame(standing(), before)
    })
  }

  await t.test('given another branch, then it is refused in one line', async (t) => {
    git('checkout', '--quiet', '-b', 'topic')
    refuses(t, release('98.7.6'), /this is topic; a release is made on main/)
    git('checkout', '--quiet', 'main')
    t.strictSame(standing(), before)
  })

  await t.test('given changes that are not committed, then it is refused in one line', async (t) => {
    writeFileSync(file('notes.txt'), 'unfinished\n')
    refuses(t, release('98.7.6'), /the tree has changes that are not committed/)
    git('clean', '--quiet', '--force', 'notes.txt')
    t.strictSame(standing(), before)
  })

  await t.test(
    'given a release, then there are a tag, a section, a tarball, its SBOM, what describes its interfaces and their checksums',
    async (t) => {
      const { status, stdout, stderr } = release('98.7.6')
      t.equal(status, 0, stderr)
      t.match(stdout, /git push --atomic origin main v98\.7\.6\n +npm publish release\/otep-engine-98\.7\.6\.tgz\n$/)
      t.equal(git('status', '--porcelain'), '')
      t.equal(git('log', '-1', '--format=%s'), 'chore: release 98.7.6')
      t.equal(git('rev-parse', 'v98.7.6^{commit}'), git('rev-parse', 'HEAD'))
      t.strictSame(git('diff', '--name-only', 'HEAD~1').split('\n'), [
        'CHANGELOG.md',
        'docs/reference/asyncapi-webhooks.txt',
        'docs/reference/openapi.txt',
        'package-lock.json',
        'package.json',
      ])
      t.match(readFileSync(file('CHANGELOG.md'), 'utf8'), /\n## Unreleased\n\n## 98\.7\.6 - \d{4}-\d\d-\d\d\n\n- /)
      t.equal(manifestOf(readFileSync(file('package.json'), 'utf8')).version, '98.7.6')

      const packed = output(file('release'), 'tar', '-xzOf', 'otep-engine-98.7.6.tgz', 'package/package.json')
      t.equal(manifestOf(packed).version, '98.7.6')
      const bill = JSON.parse(readFileSync(file('release/otep-engine-98.7.6.cdx.json'), 'utf8')) as Bill
      t.match(bill.metadata.component, { name: 'otep-engine', version: '98.7.6' })
      const names = bill.components.map(({ name }) => name)
      for (const name of Object.keys(manifestOf(packed).dependencies))
        t.ok(names.includes(name), `the SBOM has ${name}`)
      t.notOk(names.includes('tap'), 'the SBOM has no tool of development')
      t.match(
        output(file('release'), 'sha256sum', '--check', 'otep-engine-98.7.6.sha256'),
        'otep-engine-98.7.6.tgz: OK\notep-engine-98.7.6.asyncapi-webhooks.json: OK\notep-engine-98.7.6.cdx.json: OK\notep-engine-98.7.6.openapi.json: OK',
      )
      const sums = readFileSync(file('release/otep-engine-98.7.6.sha256'), 'utf8')
      for (const name of ['openapi', 'asyncapi-webhooks']) {
        const [sum] = /[0-9a-f]{64}/.exec(git('show', `HEAD:docs/reference/${name}.txt`)) ?? []
        t.match(sums, `${sum}  otep-engine-98.7.6.${name}.json`, `the commit says the SHA-256 of ${name}.json`)
      }
    },
  )

  await t.test('given a tag that exists, then it is refused in one line', async (t) => {
    refuses(t, release('98.7.6'), /the tag v98\.7\.6 exists/)
  })

  await t.test('given nothing that is unreleased, then it is refused in one line', async (t) => {
    refuses(t, release('98.7.7'), /the Unreleased section of CHANGELOG\.md is empty/)
    t.equal(git('tag'), 'v98.7.6')
  })
})

/** What is looked at of a `package.json`. */
interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** What is looked at of a CycloneDX document. */
interface Bill {
  readonly metadata: { readonly component: object }
  readonly components: readonly { readonly name: string }[]
}

function manifestOf(text: string): Manifest {
  return JSON.parse(text) as Manifest
}

/** A clone of the project on a branch `main`, without its tags, with the packages installed here and what was compiled. */
function cloned(t: Test): string {
  const clone = join(t.testdir({}), 'clone')
  output(projectFolder, 'git', 'clone', '--quiet', '--no-tags', projectFolder, clone)
  output(clone, 'git', 'checkout', '--quiet', '-B', 'main')
  symlinkSync(projectFile('node_modules'), join(clone, 'node_modules'))
  cpSync(projectFile('dist'), join(clone, 'dist'), { recursive: true, preserveTimestamps: true })
  // To git the link is no folder, so .gitignore does not cover it.
  appendFileSync(join(clone, '.git', 'info', 'exclude'), '/node_modules\n')
  return clone
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
function output(directory: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = run(directory, program, ...args)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

function refuses(t: Test, { status, stdout, stderr }: ReturnType<typeof run>, line: RegExp): void {
  t.equal(status, 1)
  t.equal(stdout, '')
  t.match(stderr, line)
  t.match(stderr, /^release: [^\n]+\n$/)
}
