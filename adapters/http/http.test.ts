import fc from 'fast-check'
import t from 'tap'
import { isEngineError } from '../../engine/index.ts'
import { runs } from '../../engine/testing/runs.test.fixture.ts'
import { createLines, documentBounds, parseJson, parseJsonInSteps } from './json.ts'
import { plannedHeap, withinHeap } from './memory.ts'
import { pause } from './pause.ts'

/** How a text is judged: its value as JSON, or the code of its refusal. */
async function judged(parse: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await parse())
  } catch (error) {
    return isEngineError(error) ? error.code : 'malformed_json'
  }
}

const inParts = (text: string, perStep: number) => parseJsonInSteps(text, 64, { perStep, pause })

/** Any JSON text with white space, long strings, escapes and repeated names. */
const texts = fc
  .record({
    value: fc.jsonValue({ maxDepth: 5 }),
    space: fc.constantFrom(undefined, '\t', '   '),
    around: fc.constantFrom('', ' ', '\n\r\t'),
  })
  .map(({ value, space, around }) => around + JSON.stringify(value, undefined, space) + around)

t.test('given any JSON text, when it is parsed in turns, then the value is that of JSON.parse', async (t) => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, perStep) => {
      t.equal(await judged(() => inParts(text, perStep)), JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: runs(t, 200) },
  )
})

t.test(
  'given a text with one wrong character, then it is refused in turns exactly where JSON.parse refuses it',
  async (t) => {
    const changes = fc.record({
      at: fc.nat(),
      removed: fc.nat({ max: 3 }),
      put: fc.constantFrom(
        '',
        ',',
        ',,',
        ' , ',
        '"',
        '\\',
        '[',
        ']',
        '{',
        '}',
        ':',
        '1',
        '"a":1,',
        '__proto__',
        '\u0000',
      ),
    })
    await fc.assert(
      fc.asyncProperty(texts, changes, fc.integer({ min: 1, max: 20 }), async (text, { at, removed, put }, perStep) => {
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + put + text.slice(place + removed)
        const expected = await judged(() => JSON.parse(changed))
        t.equal(await judged(() => inParts(changed, perStep)), expected, changed)
        t.equal(await judged(() => parseJson(changed, 64)), expected, changed)
      }),
      { numRuns: runs(t, 500) },
    )
  },
)

t.test('given names that repeat or mean something in JavaScript, then members are those of JSON.parse', async (t) => {
  for (const text of [
    '{"a":1,"b":2,"a":[3]}',
    '{"__proto__":{"polluted":1},"constructor":1}',
    '{"":{"":{}}}',
    '{"a":[],"a":{}}',
  ])
    for (let perStep = 1; perStep < text.length; perStep++)
      t.strictSame(await inParts(text, perStep), JSON.parse(text), `${text} ${perStep}`)
  t.equal(({} as { readonly polluted?: unknown }).polluted, undefined)
})

t.test('given something between a name and its long value, then it is refused in turns as well', async (t) => {
  for (const between of ['1', '-', 'n', '"b"', '[]', ':', ',', '1,', '"b":'])
    for (const text of [`{"a":${between}[1,2,3]}`, `{"a":${between}{"b":1}}`, `[${between}[1,2,3]]`])
      for (let perStep = 1; perStep < 8; perStep++)
        t.equal(await judged(() => inParts(text, perStep)), await judged(() => JSON.parse(text)), text)
})

t.test('given a long text, then there is a pause after each part', async (t) => {
  const text = JSON.stringify({
    events: Array.from({ length: 2_000 }, (_, index) => ({ index, name: 'x'.repeat(100) })),
  })
  let pauses = 0
  const counted = async () => void pauses++
  t.strictSame(await parseJsonInSteps(text, 64, { perStep: 10_000, pause: counted }), JSON.parse(text))
  t.ok(pauses > (2 * text.length) / 12_000, `${pauses} pauses: one for each 10,000 characters scanned, and parsed`)
})

t.test('given long works of several, then each turn of the event loop has a share for one of them', async (t) => {
  const told: string[] = []
  async function work(name: string) {
    for (let step = 0; step < 3; step++) {
      for (const end = performance.now() + 6; performance.now() < end; ) Math.sqrt(step)
      told.push(name)
      await pause()
    }
  }
  let isDone = false
  const turn = () => {
    told.push('|')
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  // The first pause tells when the work of a turn began.
  await pause()
  await Promise.all([work('a'), work('b')])
  isDone = true
  t.match(told.join(''), /^ab\|a\|b\|a\|b\|*$/, 'both begin at once, and then they take turns')
})

t.test('given a text beyond a bound, then it is refused before it is parsed', async (t) => {
  const { levels, members, values } = documentBounds
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const named = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join()}}`
  const listed = (count: number) => `[${'1,'.repeat(count - 2)}1]`
  for (const [bound, text, code] of [
    [levels, nested, 'invalid_input'],
    [members, named, 'too_many_members'],
    [values, listed, 'too_many_values'],
  ] as const) {
    t.not(await judged(() => parseJsonInSteps(text(bound))), code)
    for (const parse of [parseJson, parseJsonInSteps]) t.equal(await judged(() => parse(text(bound + 1))), code)
  }
})

t.test('given one text that is very long, then it is refused before it is parsed', async (t) => {
  const most = 'x'.repeat(4 * 1024 * 1024 - 1)
  for (const text of [`["${most}"]`, `{"${most}":0}`]) {
    const longer = text.replace('x', 'xx')
    for (const parse of [parseJson, parseJsonInSteps]) {
      t.equal(await judged(() => parse(text)), text)
      t.equal(await judged(() => parse(longer)), 'invalid_input')
    }
  }
})

t.test('given lines that hold too much together, then they are refused like one text that does', async (t) => {
  const { take, said } = createLines()
  take('')
  take('{"a":[1,2,3]}')
  take('{"a":')
  t.match(said, [{ a: [1, 2, 3] }, { code: 'malformed_json' }])
  const most = `[${'1,'.repeat(documentBounds.values / 4)}1]`
  for (let count = 0; count < 3; count++) take(most)
  t.throws(() => take(most), { code: 'too_many_values', params: { limit: documentBounds.values } })
  t.equal(said.length, 5)
})

t.test('given a small heap, then limits are a part of it, and otherwise they stand as they are', async (t) => {
  t.equal(withinHeap(1_000, 10, 5_000), 500)
  t.equal(withinHeap(1_000, 10, 50_000), 1_000)
  t.ok(withinHeap(1_000, 1) === 1_000, 'the heap of this process is larger')
})

t.test('given a small old generation, then a large young one beside it gives no room', async (t) => {
  const mebibyte = 1024 * 1024
  const planned = (limit: number, ...options: string[]) => plannedHeap(limit * mebibyte, options) / mebibyte
  t.equal(planned(4_288), 4_288)
  t.equal(planned(4_288, '--enable-source-maps'), 4_288)
  t.equal(planned(320, '--max-old-space-size=128'), 176, 'Node 24')
  t.equal(planned(176, '--max-old-space-size=128'), 176, 'Node 20')
  t.equal(planned(152, '--max_old_space_size=128', '--max-semi-space-size=8'), 152)
  t.equal(
    planned(448, '--max-old-space-size=128 --no-warnings', '--max-old-space-size=256'),
    352,
    'the last one counts',
  )
})
