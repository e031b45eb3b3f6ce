import t from 'tap'
import { corpusOf } from './corpus.ts'
import { targets } from './targets.ts'

for (const target of targets) {
  t.test(`given the inputs that were kept, when ${target.name} is parsed, then its properties hold`, async (t) => {
    for (const input of [...target.seeds(), ...corpusOf(target)]) await target.check(input)
    t.pass('none failed')
  })
}
