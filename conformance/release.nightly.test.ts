import { appendFileSync, cpSync, readFileSync, symlinkSync } from 'node:fs'
import t from 'tap'
import { projectFile } from './program/files.ts'
import { cloned, output, skip } from './release.test.fixture.ts'

t.test(
  'given a clone, when a release is made, then there are a tag, a section, a tarball, its SBOM, what describes its interfaces and their checksums',
  { skip },
  async (t) => {
    const { file, git, release } = cloned(t)
    symlinkSync(projectFile('node_modules'), file('node_modules'))
    cpSync(projectFile('dist'), file('dist'), { recursive: true, preserveTimestamps: true })
    // To git the link is no folder, so .gitignore does not cover it.
    appendFileSync(file('.git/info/exclude'), '/node_modules\n')
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
    for (const name of Object.keys(manifestOf(packed).dependencies)) t.ok(names.includes(name), `the SBOM has ${name}`)
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
