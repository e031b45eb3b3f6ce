import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import {
  around,
  constant,
  documents,
  each,
  either,
  filled,
  flag,
  json,
  label,
  list,
  longList,
  number,
  object,
  objectIfAny,
  only,
  plain,
  prepared,
  ready,
  recurring,
  several,
  some,
  someOrNone,
  type Template,
  text,
  together,
  within,
} from './index.ts'
import { digits, quoted, remembered } from './json.ts'
import { inParts } from './template.ts'

interface Thing {
  readonly a?: string | null | undefined
  readonly b?: number | null | undefined
  readonly c?: boolean | undefined
  readonly d?: readonly Thing[] | undefined
}

const inner = object<string, { label: string; one: 1; two: readonly [] }>({
  label: label((a) => a),
  one: constant(1),
  two: constant([]),
})

/** Every member may be left out, the first too, and things stand within things. */
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
      a: fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '\ud800', '', '横浜'))),
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
    fc.property(things, (given) => write(given) === JSON.stringify(template.make(given))),
    { numRuns: 300 },
  )
  t.equal(write({}), '{"g":[]}')
  t.equal(write({ b: 1 }), '{"b":1,"f":{"b":1},"g":[1]}')
  t.equal(write({ a: null, b: null, c: false }), '{"a":null,"b":null,"c":false,"f":{"b":null},"g":[]}')
})

t.test('given texts and numbers, when they are written, then as JSON has them, the second time too', async (t) => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (one) =>
        quoted(one) === JSON.stringify(one) && remembered(one) === quoted(one) && remembered(one) === quoted(one),
    ),
  )
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (one) => digits(one) === JSON.stringify(one) && digits(one) === JSON.stringify(one),
    ),
  )
  for (let index = 0; index < 20_000; index++) {
    if (remembered(`text ${index}`) !== `"text ${index}"` || digits(index / 7) !== String(index / 7)) t.fail(`${index}`)
  }
  t.pass('and what was forgotten is made again')
})

t.test(
  'given long texts with what JSON escapes, when they are written, then they parse back to themselves',
  async (t) => {
    const write = object<string, { name: string }>({ name: label((name) => name) }).writer('')
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
    interface Given {
      readonly head?: string
      readonly items: readonly number[]
    }
    const items = longList(({ items }: Given) => items, object<number, { n: number }>({ n: number((n) => n) }))
    const whole = object<Given, { head?: string; body: object; tail: string }>({
      head: plain(({ head }) => head),
      body: object({ more: object({ items }), kind: constant('list') }),
      tail: constant('end'),
    })
    for (const given of [{ items: [] }, { items: [1] }, { head: 'h', items: [1, 2, 3] }]) {
      const parts = [...inParts(whole, whole.writer(''), given)]
      t.equal(parts.join(''), JSON.stringify(whole.make(given)))
      t.equal(parts.join(''), whole.writer('')(given))
      t.ok(parts.length > given.items.length, 'one for each item')
    }
    const choice = either(({ head }: Given) => head === undefined, items, constant('none'))
    const made = documents((_, { options }) => ({ ...options, items: [4, 5] }), choice)
    for (const options of [{}, { head: 'h' }]) {
      const asked = [{ events: [] } as never, { baseUrl: '', options }] as const
      t.equal(made.write(...asked), JSON.stringify(made.project(...asked)))
      t.equal([...made.pieces(...asked)].join(''), made.write(...asked))
    }
  },
)

t.test('given members that follow from one thing, when they are written together, then as each would be', async (t) => {
  interface Given {
    readonly id?: string
    readonly place: { readonly name?: string; readonly city?: string }
  }
  const makeOf = (isTogether: boolean) => {
    const place = {
      name: text(({ name }: Given['place']) => name),
      city: text(({ city }: Given['place']) => city),
    }
    return object<Given, { id?: string; name?: string; city?: string }>({
      id: text(({ id }) => id),
      ...(isTogether
        ? together<Given, Given['place'], Given['place']>(({ place }) => place, place, {
            keyOf: ({ name }) => name,
            isSame: isDeepStrictEqual,
          })
        : { name: text(({ place }) => place.name), city: text(({ place }) => place.city) }),
    })
  }
  const [one, other] = [makeOf(true), makeOf(false)]
  const places = [{}, { name: 'A' }, { name: 'A', city: 'B' }, { city: 'B' }, { name: 'A' }]
  for (const given of places.flatMap((place): Given[] => [{ place }, { id: '1', place }])) {
    t.equal(one.writer('')(given), other.writer('')(given))
    t.equal(one.writer('')(given), JSON.stringify(one.make(given)))
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
      around: around((made: string) => ({ of: [made], kind: 1 }), a),
      only: only(text(({ a }: Part) => a ?? 'none')),
      someOrNone: someOrNone<Part, string | number | undefined>(a, n),
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
    fc.assert(fc.property(parts, (given) => whole.writer('')(given) === JSON.stringify(whole.make(given))))
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
    const write = recurring(
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
