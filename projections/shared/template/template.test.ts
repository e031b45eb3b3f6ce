import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import {
  asItStands,
  constant,
  documents,
  either,
  flag,
  json,
  label,
  list,
  longList,
  number,
  object,
  plain,
  prepared,
  ready,
  some,
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
      const parts = [...inParts(whole, given)]
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

t.test('given an object in any order, when it is written as it stands, then no member moves or is lost', async (t) => {
  interface Given {
    readonly name?: string
    readonly items?: readonly number[]
    readonly count?: number
  }
  const item = number((one: number) => one)
  const template = asItStands<Given>({
    name: text(({ name }) => name),
    items: longList(({ items = [] }) => items, item) as Template<Given, Given['items']>,
    count: number(({ count }) => count),
  })
  const objects: readonly Given[] = [
    {},
    { count: 1, items: [1, 2], name: 'a' },
    { items: [], name: '"' },
    { name: 'a' },
    Object.freeze({ 'no such': { x: [1] }, items: [3], nothing: undefined, count: 2 }),
  ]
  for (const given of objects) {
    t.equal(template.make(given), given)
    t.equal(template.writer('')(given), JSON.stringify(given))
    t.equal([...inParts(template, given)].join(''), JSON.stringify(given))
  }
})
