import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { projectFile } from '../conformance/program/files.ts'

/** A clone whose compiler only says whether it would build; `npm start` there: what it says, on which stream. */
function startWith(t: Test, dry: string, built: object) {
  const clone = t.testdir({
    adapters: {
      'start.mjs': readFileSync(projectFile('adapters', 'start.mjs'), 'utf8'),
      'bundle.mjs': `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('dist/program', { recursive: true })
writeFileSync('dist/program/otep.js', "console.log('serves')")`,
      'tsconfig.json': '{}',
    },
    node_modules: {
      typescript: { bin: { tsc: `if (process.argv.includes('--dry')) console.log("A non-dry build ${dry} project")` } },
      '@types': { jsonld: {} },
    },
    ...built,
  })
  const { stdout, stderr } = spawnSync(process.execPath, ['adapters/start.mjs'], { cwd: clone, encoding: 'utf8' })
  return { stdout, stderr }
}

const built = { dist: { program: { 'otep.js': '' } } }

t.test('given a new clone, when it is started, then it says that it compiles once, and for how long', async (t) => {
  t.same(startWith(t, 'would build', {}), {
    stdout: 'serves\n',
    stderr: 'Compiling (once; about a minute on two cores) ...\nStarting ...\n',
  })
})

t.test('given a change, when the server is started, then it says that it compiles what changed', async (t) => {
  t.equal(startWith(t, 'would build', built).stderr, 'Compiling what changed ...\nStarting ...\n')
})

t.test('given nothing to compile, when the server is started, then it says nothing of it', async (t) => {
  t.equal(startWith(t, 'would update timestamps for output of', built).stderr, '')
})
