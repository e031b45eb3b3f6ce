import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { cached, cachedBytes } from '../../projections/shared/template/index.ts'
import { dropCachedTexts } from './cached-texts.ts'
import { once } from './once.ts'
import { optional } from './optional.ts'

t.test('given many who ask at once, when it is made, then it is made once and all have the same', async (t) => {
  let made = 0
  const ask = once(async () => ({ number: ++made }))
  const all = await Promise.all(Array.from({ length: 10 }, ask))
  t.ok(all.every((one) => one === all[0]))
  t.equal(await ask(), all[0])
  t.equal(made, 1)
})

t.test('given a failure, when others ask later, then it is tried again', async (t) => {
  let tries = 0
  const ask = once(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  const [first, second] = await Promise.allSettled([ask(), ask()])
  t.match([first, second], [{ reason: { message: 'not yet' } }, { reason: { message: 'not yet' } }])
  t.equal(await ask(), 2)
})

t.test('given a package that is missing, when it is loaded, then the error says how to install it', async (t) => {
  const missing = (name: string) => () =>
    Promise.reject(Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }))
  const said = /^Labels need a package that is not installed: npm i a-package@latest$/
  await t.rejects(optional('Labels', 'a-package', missing('a-package')), { message: said })
  await t.rejects(optional('Labels', 'a-package', missing('another')), { message: /Cannot find package 'another'/ })
  t.equal(await optional('Labels', 'a-package', async () => 'loaded'), 'loaded')
})

t.test(
  'given texts that formats have cached, when the interval has passed, then they are dropped, until the end',
  async (t) => {
    const ending = new AbortController()
    const text = cached((name: string) => name)
    text('Ghent South')
    t.ok(cachedBytes() > 0)
    dropCachedTexts(ending.signal, 1)
    while (cachedBytes() > 0) await setTimeout(1)
    ending.abort()
    text('Ghent South')
    await setTimeout(20)
    t.ok(cachedBytes() > 0)
  },
)
