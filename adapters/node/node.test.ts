import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { cached, cachedBytes } from '../../projections/shared/template/index.ts'
import { dropCachedTexts } from './cached-texts.ts'
import { createFairQueue } from './fair-queue.ts'
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

/** A job that ends when it is told to. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Lets all that can go on do so. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

t.test('given one caller with many jobs, when another has one, then it is next but one', async (t) => {
  const queue = createFairQueue({ running: 1, runningOfOne: 1, waiting: 100, waitingOfOne: 50 })
  const done: string[] = []
  const jobs = [...Array.from({ length: 50 }, () => 'greedy'), 'modest', 'other']
  await Promise.all(jobs.map((caller) => queue.run(caller, async () => void done.push(caller))))
  t.equal(done.length, 52)
  t.ok(done.indexOf('modest') <= 3, `modest came at ${done.indexOf('modest')}`)
  t.ok(done.indexOf('other') <= 4, `other came at ${done.indexOf('other')}`)
  t.strictSame(queue.state(), { running: 0, waiting: 0 })
})

t.test('given a caller whose job runs, when it has another one, then that waits though there is room', async (t) => {
  const queue = createFairQueue({ running: 3, runningOfOne: 1, waiting: 10, waitingOfOne: 10 })
  const first = gate()
  const begun: string[] = []
  const start = (name: string, caller: string, until = Promise.resolve()) =>
    queue.run(caller, () => {
      begun.push(name)
      return until
    })
  const all = [start('one', 'a', first.opened), start('two', 'a'), start('three', 'b')]
  await pause()
  t.strictSame(begun, ['one', 'three'])
  t.strictSame(queue.state(), { running: 1, waiting: 1 })
  first.open()
  await Promise.all(all)
  t.strictSame(begun, ['one', 'three', 'two'])
})

t.test(
  'given as many as may wait, when one more comes, then it is refused, and failures free their place',
  async (t) => {
    const queue = createFairQueue({ running: 1, runningOfOne: 1, waiting: 3, waitingOfOne: 2 })
    const first = gate()
    const running = queue.run('a', () => first.opened)
    const failing = queue.run('a', () => Promise.reject(new Error('fails')))
    const waiting = queue.run('a', async () => 'ran')
    await t.rejects(
      queue.run('a', async () => {}),
      { code: 'too_busy' },
      'of one caller',
    )
    const other = queue.run('b', async () => 'ran, too')
    await t.rejects(
      queue.run('c', async () => {}),
      { code: 'too_busy' },
      'of all',
    )
    first.open()
    await running
    await t.rejects(failing, { message: 'fails' })
    t.strictSame(await Promise.all([waiting, other]), ['ran', 'ran, too'])
  },
)

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
