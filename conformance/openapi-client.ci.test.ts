import { createConfig, lintFromString } from '@redocly/openapi-core'
import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'

/** What the linter would have otherwise, and why it stays. */
const accepted: Readonly<Record<string, RegExp>> = {
  // The contract has uniorder/{uniorder_id}/label beside uniorder/jobs/{job_id}; no uniorder has the id `jobs`.
  'no-ambiguous-paths': /uniorder\/jobs\/\{job_id\}/,
  // Documents that are the same for everybody, and refuse nobody.
  'operation-4xx-response': /otep-guide|~1ns~1otep/,
}

t.test(
  'given the document, when an independent linter reads it, then it finds nothing but what is accepted',
  async (t) => {
    const { app } = await world()
    const source = await (await app.request('/openapi.json')).text()
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source, config })
    const texts = problems.map(({ ruleId, message, location: [at] }) => ({ ruleId, text: `${message} ${at?.pointer}` }))
    const isAccepted = ({ ruleId, text }: { ruleId: string; text: string }) => accepted[ruleId]?.test(text) === true
    t.same(
      texts.filter((one) => !isAccepted(one)),
      [],
    )
    const used = new Set(texts.filter(isAccepted).map(({ ruleId }) => ruleId))
    t.same([...used].sort(), Object.keys(accepted).sort(), 'nothing is accepted in vain')
  },
)
