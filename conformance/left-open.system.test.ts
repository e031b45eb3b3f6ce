import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'

t.test(
  'given tests that fail while streams, servers and processes of theirs are open, when they are over, then nothing keeps the process alive',
  async (t) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'left-open', 'failing.test.child.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const [output, left, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    t.equal(output.match(/^ +not ok 1 - planted$/gm)?.length, 8, 'each test fails as it is meant to')
    t.match(left, /^\[\]$/m, 'nothing is left')
    t.equal(code, 1, 'its tests failed')
  },
)
