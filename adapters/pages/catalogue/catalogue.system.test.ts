import { spawnSync } from 'node:child_process'
import t from 'tap'
import { world } from '../../auth/world.test.fixture.ts'
import { eventPageOf, requestIn } from './page.test.fixture.ts'

const isMissing = spawnSync('python3', ['--version']).error !== undefined

t.test(
  'given the Python code of a page, when it gets the example of that page, then it takes that and nothing else',
  { skip: isMissing && 'there is no python3' },
  async (t) => {
    const { app } = await world()
    for (const name of [
      ...[
        'order.created',
        'order.assigned',
        'partner_locker.delivery.failed',
        'handoff.accepted',
        'open.order_accepted',
      ],
    ]) {
      const { examples, codes, html } = await eventPageOf(app, name)
      const secret = /“(.*?)”/.exec(html)?.[1] ?? ''
      const [, native = '', , standard = ''] = codes
      for (const [code, example] of [
        [native, examples.native],
        [standard, examples.standard],
      ] as const) {
        const { headers, body } = requestIn(example)
        const now = Number(headers['x-webhook-timestamp'] ?? headers['x-ohp-timestamp'])
        const [, verifier = ''] = /^def (\w+)\(headers, body, secret, now\)/m.exec(code) ?? []
        const tried = `${code}\n\nimport json, sys\ngot = json.load(sys.stdin)\nfor body in (got["body"], got["body"] + " "):\n    print(${verifier}(got["headers"], body.encode(), got["secret"], got["now"]))\n`
        const input = JSON.stringify({ headers, body, secret, now })
        const { stdout, stderr } = spawnSync('python3', ['-c', tried], { input, encoding: 'utf8' })
        t.equal(stdout, 'True\nFalse\n', `${name} ${verifier} ${stderr}`)
      }
    }
  },
)
