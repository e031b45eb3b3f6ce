import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import { atOnce } from '../../../engine/index.ts'
import { anyCharacter } from '../../../engine/testing/texts.test.fixture.ts'
import { segment } from '../subject.ts'
import {
  cachedBytes,
  cachedMembers,
  cachedPart,
  constant,
  digits,
  documents,
  each,
  either,
  encodedUrl,
  filled,
  flag,
  hexDigest,
  joined,
  json,
  list,
  number,
  object,
  objectIfAny,
  only,
  type Plain,
  plain,
  prepared,
  ready,
  several,
  some,
  someIfAny,
  streamedList,
  type Template,
  text,
  within,
  wrapped,
} from './index.ts'
import { inParts, madeInSteps } from './template.ts'

interface Thing {
  readonly a?: string | null | undefined
  readonly b?: number | null | undefined
  readonly c?: boolean | undefined
  readonly d?: readonly Thing[] | undefined
}

const inner = object<string, { label: string; one: 1; two: readonly [] }>({
  label: text((a) => a),
  one: constant(1),
  two: constant([]),
})

/** Every member may be left out, including the first, and objects are nested. */
function thing(depth: number): Template<Thing, object> {
  const below = depth === 0 ? json(({ d }: Thing) => d) : list(({ d }: Thing) => d, thing(depth - 1))
  return object<Thing, Record<string, unknown>>({
    a: text(({ a }) => a),
    b: number(({ b }) => b),
    c: flag(({ c }) => c),
    d: below,
    e: within(({ a }) => a, inner),
    f: ready(({ b }) => (b === undefined ? undefined : prepared({ b }))),
    g: some<Thing, string | number | undefined>(
      text(({ a }) => a ?? undefined),
      number(({ b }) => b ?? undefined),
    ),
  })
}

const things: fc.Arbitrary<Thing> = fc.letrec<{ thing: Thing }>((tie) => ({
  thing: fc.record(
    {
      a: fc.option(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.constantFrom('"', '\\', '\n', '\ud800', '', '横浜', `${'x'.repeat(120)}"\\`),
        ),
      ),
      b: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      c: fc.boolean(),
      d: fc.array(tie('thing'), { maxLength: 3, depthIdentifier: 'd' }),
    },
    { requiredKeys: [] },
  ),
})).thing

t.test('given a template and anything, when it is written, then the text is the JSON of what it makes', async (t) => {
  const template = thing(2)
  const write = template.writer('')
  fc.assert(
    fc.property(things, (input) => write(input) === JSON.stringify(template.make(input))),
    { numRuns: 300 },
  )
  t.equal(write({}), '{"g":[]}')
  t.equal(write({ b: 1 }), '{"b":1,"f":{"b":1},"g":[1]}')
  t.equal(write({ a: null, b: null, c: false }), '{"a":null,"b":null,"c":false,"f":{"b":null},"g":[]}')
})

t.test(
  'given a value whose type does not rule out an escape, when it is to be plain, then it does not compile',
  async (t) => {
    interface Input {
      readonly any: string
      readonly maybe?: string
      readonly digest: Plain
      readonly code: 'in_transit' | 'delivered'
      readonly url: `https://${string}`
      readonly quote: 'say "no"'
    }
    const templates: Template<Input, unknown>[] = [
      plain(({ digest }) => digest),
      plain(({ code }) => code),
      plain(({ code, digest }) => (code === 'delivered' ? digest : undefined)),
      plain(({ code }) => (code === 'delivered' ? 'yes' : null)),
      plain(({ digest, code }) => joined('id:', digest, '/', code)),
      // @ts-expect-error A text may need an escape.
      plain(({ any }) => any),
      // @ts-expect-error
      plain(({ maybe }) => maybe),
      // @ts-expect-error A text behind a fixed beginning is still any text.
      plain(({ url }) => url),
      // @ts-expect-error This literal needs an escape.
      plain(({ quote }) => quote),
      // @ts-expect-error One branch is any text.
      plain(({ code, any }) => (code === 'delivered' ? any : 'no')),
      // @ts-expect-error What is cut out of a plain text is a text again.
      plain(({ digest }) => digest.slice(1)),
      // @ts-expect-error
      plain(({ digest, any }) => joined('id:', digest, any)),
    ]
    const digest = hexDigest('')
    const input: Input = { any: '', digest, code: 'delivered', url: 'https://a', quote: 'say "no"' }
    const written = templates.slice(0, 5).map((template) => template.writer('')(input))
    t.same(written, [`"${digest}"`, '"delivered"', `"${digest}"`, '"yes"', `"id:${digest}/delivered"`])
  },
)

t.test('given any text, when a function makes it plain, then JSON escapes nothing in it', async (t) => {
  const hostile = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter, minLength: 120 }))
  fc.assert(
    fc.property(hostile, fc.double(), (text, number) => {
      const made = [hexDigest(text), encodedUrl(`https://${text}`), segment(text), digits(number)]
      return made.every((one) => JSON.stringify(one) === `"${one}"`)
    }),
  )
  t.equal(encodedUrl('https://a.example/?q=%20"\\'), 'https://a.example/?q=%2520%22%5C')
  t.equal(encodedUrl('https://a.example/?q=%20'), 'https://a.example/?q=%20')
})

t.test(
  'given long texts with what JSON escapes, when they are written, then they parse back to themselves',
  async (t) => {
    const write = object<string, { name: string }>({ name: text((name) => name) }).writer('')
    for (const length of [98, 99, 100, 101, 120, 1000]) {
      for (const end of ['"', '\\', '\n', '","injected":true,"a":"']) {
        const name = 'x'.repeat(length - end.length) + end
        t.same(JSON.parse(write(name)), { name }, `${length} characters, with ${JSON.stringify(end)} at the end`)
      }
    }
  },
)

t.test(
  'given a long list within objects, when it is written in parts, then each item is one, and none is lost',
  async (t) => {
    interface Input {
      readonly head?: string
      readonly items: readonly number[]
    }
    const items = streamedList(({ items }: Input) => items, object<number, { n: number }>({ n: number((n) => n) }))
    const whole = object<Input, { head?: string; body: object; tail: string }>({
      head: text(({ head }) => head),
      body: object({ more: object({ items }), kind: constant('list') }),
      tail: constant('end'),
    })
    for (const input of [{ items: [] }, { items: [1] }, { head: 'h', items: [1, 2, 3] }]) {
      const parts = [...inParts(whole, whole.writer(''), input)]
      t.equal(parts.join(''), JSON.stringify(whole.make(input)))
      t.equal(parts.join(''), whole.writer('')(input))
      t.ok(parts.length > input.items.length, 'one for each item')
    }
    const choice = either(({ head }: Input) => head === undefined, items, constant('none'))
    const made = documents((_, { options }) => ({ ...options, items: [4, 5] }), choice)
    for (const options of [{}, { head: 'h' }]) {
      const asked = [{ events: [] } as never, { baseUrl: '', options }] as const
      t.equal(made.write(...asked), JSON.stringify(made.project(...asked)))
      t.equal([...made.pieces(...asked)].join(''), made.write(...asked))
      t.same(atOnce(made.steps(...asked)), made.project(...asked))
    }
  },
)

t.test('given several long lists, one in another, then the text comes in parts and the value in steps', async (t) => {
  interface Shelf {
    readonly name?: string
    readonly items?: readonly number[]
  }
  const items = object<Shelf, { name?: string; items?: number[]; last: 'x' }>({
    name: text(({ name }) => name),
    items: streamedList(
      ({ items }) => items,
      number((n: number) => n),
    ),
    last: constant('x'),
  })
  const shelves = object<readonly Shelf[], { first?: { name?: string }; shelves: object[]; again: object[] }>({
    first: within(([first]) => first, object<Shelf, { name?: string }>({ name: text(({ name }) => name) })),
    shelves: streamedList((all) => all, items),
    again: streamedList((all) => all, items),
  })
  const write = shelves.writer('')
  const many = Array.from({ length: 250 }, (_, n) => n)
  for (const all of [[], [{}], [{ items: [] }], [{ name: 'a' }, { items: [1, 2] }, { name: 'b', items: many }]]) {
    const due = JSON.stringify(shelves.make(all))
    const parts = [...inParts(shelves, write, all)]
    t.equal(parts.join(''), due)
    t.equal(write(all), due)
    t.equal(JSON.stringify(atOnce(madeInSteps(shelves, all))), due)
    const longest = Math.max(...parts.map((part) => part.length))
    t.ok(longest < 60, `a part has ${longest} characters`)
    if (all.length === 3) t.ok([...madeInSteps(shelves, all)].length >= 4, 'in more than one step')
  }
})

t.test('given members that follow from one thing, when they are written together, then as each would be', async (t) => {
  interface Input {
    readonly id?: string
    readonly place: { readonly name?: string; readonly city?: string }
  }
  const makeOf = (isTogether: boolean) => {
    const place = {
      name: text(({ name }: Input['place']) => name),
      city: text(({ city }: Input['place']) => city),
    }
    return object<Input, { id?: string; name?: string; city?: string }>({
      id: text(({ id }) => id),
      ...(isTogether
        ? cachedMembers<Input, Input['place'], Input['place']>(({ place }) => place, place, {
            keyOf: ({ name }) => name,
            isSame: isDeepStrictEqual,
          })
        : { name: text(({ place }) => place.name), city: text(({ place }) => place.city) }),
    })
  }
  const [one, other] = [makeOf(true), makeOf(false)]
  const places = [{}, { name: 'A' }, { name: 'A', city: 'B' }, { city: 'B' }, { name: 'A' }]
  for (const input of places.flatMap((place): Input[] => [{ place }, { id: '1', place }])) {
    t.equal(one.writer('')(input), other.writer('')(input))
    t.equal(one.writer('')(input), JSON.stringify(one.make(input)))
  }
})

interface Part {
  readonly a?: string
  readonly n?: number
  readonly list?: readonly string[]
}

t.test(
  'given what may be left out, when it is written within other things, then as the JSON of what is made',
  async (t) => {
    const a = text(({ a }: Part) => a)
    const n = number(({ n }: Part) => n)
    const item = text((one: string) => one)
    const templates: Readonly<Record<string, Template<Part, unknown>>> = {
      wrapped: wrapped((made: string) => ({ of: [made], kind: 1 }), a),
      only: only(text(({ a }: Part) => a ?? 'none')),
      someIfAny: someIfAny<Part, string | number | undefined>(a, n),
      objectIfAny: objectIfAny<Part, { kind: 'one'; a?: string; n?: number }>({ kind: constant('one'), a, n }),
      several: some<Part, string | number | undefined>(
        several<Part, string | number | undefined>(a, n),
        each(({ list }: Part) => list, item),
      ),
      filled: ready(filled(object<Part, { a?: string }>({ a }))),
    }
    const whole = object<Part, Record<string, unknown>>(templates)
    const parts: fc.Arbitrary<Part> = fc.record(
      { a: fc.string(), n: fc.integer(), list: fc.array(fc.string(), { maxLength: 3 }) },
      { requiredKeys: [] },
    )
    fc.assert(fc.property(parts, (input) => whole.writer('')(input) === JSON.stringify(whole.make(input))))
    t.equal(
      whole.writer('')({}),
      '{"only":["none"],"several":[],"filled":{}}',
      'a member that has nothing is not there',
    )
  },
)

t.test(
  'given things that come again, when they are written, then each as itself, and some are not remembered',
  async (t) => {
    let made = 0
    const write = cachedPart(
      ({ part }: { part: Part | undefined }) => part,
      object<Part, { a?: string; n: number }>({
        a: text(({ a }) => a),
        n: number(({ n = 0 }) => {
          made++
          return n
        }),
      }),
      { keyOf: ({ a }) => (a === 'secret' ? undefined : a), isSame: (one, other) => one.n === other.n },
    ).writer('"x":')
    for (const part of [
      { a: 'A', n: 1 },
      { a: 'A', n: 1 },
      { a: 'A', n: 2 },
      { a: 'B', n: 2 },
    ]) {
      t.equal(write({ part }), `"x":${JSON.stringify(part)}`)
    }
    t.equal(made, 3, 'what is alike is made once')
    for (let run = 0; run < 2; run++) t.equal(write({ part: { a: 'secret', n: 1 } }), '"x":{"a":"secret","n":1}')
    t.equal(made, 5, 'what is not to be remembered is made each time')
    t.equal(write({ part: undefined }), '')
  },
)

/** Runs the garbage collector, so that only reachable objects remain. */
const collectGarbage = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

const placeName = cachedPart(
  ({ part }: { part: Part }) => part,
  object<Part, { a?: string }>({ a: text(({ a }) => a) }),
  { keyOf: ({ a }) => a, isSame: () => true },
).writer('')

t.test(
  'given more texts than may be remembered, when they are written, then they take no more than 2 MiB',
  async (t) => {
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let index = 0; index < 20_000; index++) {
      placeName({ part: { a: `${index} ${'x'.repeat(1_000)}` } })
      if (cachedBytes() > 2 * 1024 * 1024) t.fail(`${cachedBytes()} bytes after ${index} texts`)
    }
    t.ok(cachedBytes() > 1024, 'some are remembered')
    collectGarbage()
    const growth = process.memoryUsage().heapUsed - before
    t.ok(growth < 6 * 1024 * 1024, `20 MB of texts were written, and the heap has grown by ${growth} bytes`)
    placeName({ part: { a: 'x'.repeat(3_000) } })
    const bytes = cachedBytes()
    placeName({ part: { a: 'y'.repeat(3_000) } })
    t.equal(cachedBytes(), bytes, 'a text that takes more than 8 KiB is not remembered')
  },
)

t.test('given a text that was written, when others were written 100,000 times, then nothing holds it', async (t) => {
  const refs = ['a secret place', 'another'].map((a) => {
    const part = { a }
    placeName({ part })
    return new WeakRef(part)
  })
  await setImmediate()
  collectGarbage()
  t.match(refs[1]?.deref(), { a: 'another' }, 'it is remembered')
  for (let index = 0; index <= 100_000; index++) placeName({ part: { a: 'of somebody else' } })
  await setImmediate()
  collectGarbage()
  t.same(
    refs.map((ref) => ref.deref()),
    [undefined, undefined],
  )
})
