import { existsSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { cloned, skip } from './release.test.fixture.ts'

t.test('a clone with .ci/release', { skip }, async (t) => {
  const { file, git, release } = cloned(t)
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

  await t.test('given a tag that exists, then it is refused in one line', async (t) => {
    git('tag', 'v98.7.6')
    refuses(t, release('98.7.6'), /the tag v98\.7\.6 exists/)
    git('tag', '--delete', 'v98.7.6')
    t.strictSame(standing(), before)
  })

  await t.test('given nothing that is unreleased, then it is refused in one line', async (t) => {
    writeFileSync(file('CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
    git('commit', '--quiet', '--all', '--message', 'nothing')
    refuses(t, release('98.7.6'), /the Unreleased section of CHANGELOG\.md is empty/)
    t.equal(git('tag'), '')
  })
})

function refuses(
  t: Test,
  { status, stdout, stderr }: ReturnType<ReturnType<typeof cloned>['release']>,
  line: RegExp,
): void {
  t.equal(status, 1)
  t.equal(stdout, '')
  t.match(stderr, line)
  t.match(stderr, /^release: [^\n]+\n$/)
}
