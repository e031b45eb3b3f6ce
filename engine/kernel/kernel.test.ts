import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { outside } from '../testing/context.ts'
import { heapAfter } from '../testing/heap.test.fixture.ts'
import { anyCharacter } from '../testing/texts.test.fixture.ts'
import { acceptOf, unsure } from './accept.ts'
import type { Family, Module, Role } from './account.ts'
import { accountOf, authorizeAndValidate, call, requireModule } from './call.ts'
import { anonymous, type Caller, type Context } from './context.ts'
import { endOfDay, startOfDay } from './days.ts'
import { EngineError, isEngineError, isRefusal } from './errors.ts'
import { isNoDate, readExpected } from './expected.ts'
import { pathTo, within } from './finding.ts'
import * as onNode from './hash/node.ts'
import * as anywhere from './hash/portable.ts'
import { deriveId } from './id.ts'
import { englishOf, kernelMessages, messageOf } from './messages/index.ts'
import { isUnseen, numberKey, numberKeys, unseenIn, withoutUnseen } from './number-key.ts'
import { type Operation, operation } from './operation.ts'
import { pageEntries, pageOf } from './paging.ts'
import { parse } from './parse.ts'
import { priceOf, unpriced, withoutPrices } from './prices.ts'
import { distinct, maxCharacters, providerName, text, word } from './schemas.ts'
import {
  type Attempts,
  afterWrongCode,
  isSameText,
  newShortCode,
  noAttempts,
  requireUnlocked,
  typedCode,
} from './short-code.ts'
import { endingWith } from './signal.ts'
import { isMasked, maskedSecret, newSecret, secretProblem, shownSecret, signingKey } from './signing-secret.ts'
import { atOnce, mapInSteps, sortInSteps } from './steps.ts'
import { categoryOf } from './stream.ts'
import { instantOf, instantProblem, isoOf, localTime, readInstant } from './time.ts'
import { onTheWayBack } from './way-back.ts'
import { withoutMarkup } from './without-markup.ts'
import { dayIn, instantIn, isTimeZone, zonedIso } from './zone.ts'

const en = englishOf(kernelMessages)
const de = { wrong_type: 'Erwartet: {expected}; erhalten: {received}.' }

t.test('every instant of the calendar is accepted, with any offset, and means the same as in Date', async () => {
  const offsets = fc.constantFrom('Z', '+00:00', '-12:00', '+14:00', '+05:45', '-09:30')
  const instants = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T23:59:59.999Z'),
    noInvalidDate: true,
  })
  const fractions = fc.stringMatching(/^(\.\d{1,9})?$/)
  fc.assert(
    fc.property(instants, fractions, offsets, (date, fraction, offset) => {
      const text = date.toISOString().slice(0, 19) + fraction + offset
      const means = Date.parse(text)
      return instantProblem(text) === undefined && readInstant(text) === means && instantOf(text) === means
    }),
    { numRuns: 1_000 },
  )
})

t.test('the problem of an invalid date-time is named', async (t) => {
  const problems = {
    '2026-06-10T10:00:00': 'offset_missing',
    '2026-06-10T10:00:00.123': 'offset_missing',
    '2026-06-10 10:00:00Z': 'not_a_date_time',
    '2026-06-10T10:00Z': 'not_a_date_time',
    '2026-6-1T10:00:00Z': 'not_a_date_time',
    '2026-06-10T10:00:00.1234567890Z': 'not_a_date_time',
    '2026-06-10T10:00:00+0200': 'not_a_date_time',
    '+2026-06-10T10:00:00Z': 'not_a_date_time',
    '2026-00-10T10:00:00Z': 'no_such_date',
    '0000-12-31T23:59:59Z': 'no_such_date',
    '0000-12-31T23:59:59-12:00': 'no_such_date',
    '0001-01-01T00:00:00+14:00': 'no_such_date',
    '9999-12-31T23:59:59-12:00': 'no_such_date',
    '2026-13-10T10:00:00Z': 'no_such_date',
    '2026-04-31T10:00:00Z': 'no_such_date',
    '2100-02-29T10:00:00Z': 'no_such_date',
    '2026-06-00T10:00:00Z': 'no_such_date',
    '2026-06-10T10:60:00Z': 'no_such_date',
    '2026-06-10T10:00:00+14:01': 'no_such_date',
    '2026-06-10T10:00:00+10:60': 'no_such_date',
  }
  for (const [text, problem] of Object.entries(problems)) {
    t.equal(instantProblem(text), problem, text)
    t.equal(readInstant(text), undefined)
  }
  t.equal(instantProblem('2028-02-29T10:00:00.123456789Z'), undefined)
  t.equal(readInstant('2026-06-10T10:00:00.123456789-04:00'), Date.parse('2026-06-10T14:00:00.123Z'))
  t.equal(readInstant(5), undefined)
})

t.test('given the last instant of the calendar, then it is accepted, and no later one', async (t) => {
  t.equal(readInstant('9999-12-31T23:59:59.999Z'), 253_402_300_799_999)
  t.equal(readInstant('0001-01-01T00:00:00Z'), -62_135_596_800_000)
  t.equal(readInstant('9999-12-31T23:59:59.999-00:01'), undefined)
  t.equal(readInstant('0001-01-01T00:00:00+00:01'), undefined)
})

t.test('the local time of an instant is that of its own offset', async (t) => {
  t.same(localTime('2026-06-10T23:30:00.5-04:00'), { date: '2026-06-10', time: '23:30', offset: '-04:00' })
  t.same(localTime('2026-06-10T23:30:00Z'), { date: '2026-06-10', time: '23:30', offset: '+00:00' })
  t.equal(isoOf(0), '1970-01-01T00:00:00.000Z')
})

t.test('given any text, then its hashes are the same on Node and anywhere else', async () => {
  const utf8 = new TextEncoder()
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
      const bytes = utf8.encode(text)
      return onNode.sha256(text) === anywhere.sha256(text) && onNode.sha1(bytes) === anywhere.sha1(bytes)
    }),
  )
  assert.equal(onNode.sha256('\ud800'), anywhere.sha256('\ud800'), 'half a surrogate pair too')
})

t.test('a derived id is a UUID of version 8, the same for the same parts and different for others', async (t) => {
  t.match(deriveId('a'), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const part = fc.string().filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1 }),
      fc.array(part, { minLength: 1 }),
      (one, two) => (deriveId(...one) === deriveId(...two)) === (JSON.stringify(one) === JSON.stringify(two)),
    ),
  )
})

t.test('paths are joined in their written form', async (t) => {
  t.equal(pathTo(pathTo('', 'events'), 0), 'events[0]')
  t.equal(within('events[0]', { path: 'source.type', code: 'required' }).path, 'events[0].source.type')
  t.equal(within('events', { path: '[0]', code: 'required' }).path, 'events[0]')
  t.equal(within('events', { path: '', code: 'required' }).path, 'events')
  t.equal(within('', { path: 'x', code: 'required' }).path, 'x')
})

t.test('the category of a stream is the part before its first hyphen', async (t) => {
  t.equal(categoryOf('tracking-a-b'), 'tracking')
  t.equal(categoryOf('whole'), 'whole')
})

const schema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(3)),
  size: v.exactOptional(v.picklist(['s', 'm'])),
  parts: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({ count: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9))) }),
      ),
      v.maxLength(2),
    ),
  ),
})

t.test('parsing returns the value, or everything that is wrong with it', async (t) => {
  const found = (input: unknown) =>
    (parse(schema, input).findings ?? []).map(({ path, code }) => `${path} ${code}`).sort()
  t.same(parse(schema, { name: 'a', parts: [{ count: 1 }] }).value, { name: 'a', parts: [{ count: 1 }] })
  t.same(found({ name: '', size: 'xl', more: 1, parts: [{ count: 0 }, { count: 1.5, a: 1, b: 2 }] }), [
    'more unknown_field',
    'name too_short',
    'parts[0].count too_small',
    'parts[1].a unknown_field',
    'parts[1].b unknown_field',
    'parts[1].count wrong_type',
    'size unknown_value',
  ])
  t.same(found({ name: 'long', parts: [{ count: 10 }] }), ['name too_long', 'parts[0].count too_large'])
  t.same(
    found({ name: 'long', parts: [{ count: 10 }, {}, {}] }),
    ['parts too_long'],
    'a list that is too long is not looked into',
  )
  t.same(found([]), [' wrong_type'])
  t.same(found({ name: 'a', parts: [[]] }), ['parts[0] wrong_type'])
  t.same(found({}), ['name required'])
  t.same(found(null), [' wrong_type'])
  t.same(found({ name: true }), ['name wrong_type'])
})

t.test(
  'given a name that an object does not have, when it is refused, then the member that was meant is named',
  async (t) => {
    const schema = v.strictObject({
      tracking_number: v.string(),
      occurred_at: v.exactOptional(v.string()),
      status_code: v.exactOptional(v.string()),
      gs1_sscc: v.exactOptional(v.string()),
      place: v.exactOptional(
        v.strictObject({
          latitude: v.exactOptional(v.number()),
          longitude: v.exactOptional(v.number()),
          postal_code: v.exactOptional(v.string()),
        }),
      ),
    })
    const said = (name: string, of: 'root' | 'place') => {
      const input = { tracking_number: 'a', ...(of === 'place' ? { place: { [name]: 1 } } : { [name]: 1 }) }
      const [finding] = parse(schema, input).findings ?? []
      return finding && messageOf(finding.code, finding.params, en)
    }
    for (const [name, of, meant] of [
      ['trackingNumber', 'root', 'tracking_number'],
      ['Tracking-Number', 'root', 'tracking_number'],
      ['TRACKING NUMBER', 'root', 'tracking_number'],
      ['tracking_nubmer', 'root', 'tracking_number'],
      ['occured_at', 'root', 'occurred_at'],
      ['timestamp', 'root', 'occurred_at'],
      ['eventTime', 'root', 'occurred_at'],
      ['status', 'root', 'status_code'],
      ['sscc', 'root', 'gs1_sscc'],
      ['gs1_sscc_code', 'root', 'gs1_sscc'],
      ['geo', 'place', 'latitude, longitude'],
      ['lng', 'place', 'longitude'],
      ['zip', 'place', 'postal_code'],
      ['postcode', 'place', 'postal_code'],
    ] as const)
      t.equal(said(name, of), `There is no field ${name} here. Did you mean ${meant}?`)
    for (const name of ['weather', 'x', '__', 'y'.repeat(60)])
      t.equal(said(name, 'root'), `There is no field ${name} here.`)
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`status_code${at}`, 1]))
    const found = parse(schema, { tracking_number: 'a', ...many }).findings ?? []
    t.equal(found.length, 40)
    t.equal(found.filter(({ params }) => params?.meant === 'status_code').length, 20, 'the first ones alone')
  },
)

t.test('characters are counted as in JSON Schema: a surrogate pair is one', async (t) => {
  for (const [name, schema] of Object.entries({
    text: text(500),
    word: word(500),
    bare: v.pipe(v.string(), maxCharacters(500)),
  })) {
    const found = (input: string) => parse(v.strictObject({ note: schema }), { note: input }).findings
    for (const right of ['x'.repeat(500), '📦'.repeat(251), '📦'.repeat(500), `${'📦'.repeat(499)}x`])
      t.equal(found(right), undefined, name)
    for (const wrong of ['x'.repeat(501), '📦'.repeat(501), `${'📦'.repeat(500)}x`, 'x'.repeat(100_000)])
      t.match(found(wrong), [{ path: 'note', code: 'too_long', params: { limit: '500' } }], name)
  }
})

t.test('given a list of distinct items, when one is repeated, then the finding has its path', async (t) => {
  const schema = v.strictObject({ list: v.pipe(v.array(v.string()), distinct()) })
  t.same(parse(schema, { list: ['a', 'b'] }).value, { list: ['a', 'b'] })
  t.match(parse(schema, { list: ['a', 'b', 'a', 'b'] }).findings, [
    { path: 'list[2]', code: 'not_unique' },
    { path: 'list[3]', code: 'not_unique' },
  ])
})

t.test('an excerpt of an input is short and has no control characters', async (t) => {
  const { findings } = parse(schema, { name: 'a', size: `\u0007${'x'.repeat(100)}` })
  t.equal(findings?.[0]?.params?.received, `\uFFFD${'x'.repeat(59)}…`)
  t.match(parse(schema, { name: 5 }).findings, [{ params: { expected: 'string', received: 'number' } }])
})

t.test('the fast check returns what valibot returns, or leaves the decision to valibot', async (t) => {
  const inner = v.strictObject({
    code: v.picklist(['a', 'b']),
    note: v.exactOptional(v.pipe(v.string(), v.maxLength(2))),
  })
  const outer = v.strictObject({
    on: v.boolean(),
    size: v.exactOptional(v.pipe(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), v.description(''))),
    inner: v.exactOptional(inner),
    list: v.exactOptional(v.pipe(v.array(inner), v.maxLength(2), v.description(''))),
    any: v.exactOptional(v.unknown()),
  })
  const any = fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 1 }))
  const note = fc.constantFrom('a', 'b', 'abc', 1)
  const part = fc.record({ note, code: fc.constantFrom('a', 'b', 'a', 'c') }, { requiredKeys: ['code'] })
  const size = fc.constantFrom(0, 7, -1, 0.5)
  const on = fc.constantFrom(true, false, true, 0)
  const list = fc.array(part, { maxLength: 3 })
  const given = fc.oneof(
    fc.record({ list, any, inner: part, size, on }, { requiredKeys: ['on'] }),
    fc.record({ on, more: any, inner: any, list: any }, { requiredKeys: [] }),
  )
  let accepted = 0
  fc.assert(
    fc.property(given, (input) => {
      const value = acceptOf(outer)(input)
      const result = v.safeParse(outer, input)
      if (value !== unsure) accepted++
      // In the same order, too.
      return value === unsure
        ? !result.success
        : result.success && JSON.stringify(value) === JSON.stringify(result.output)
    }),
    { numRuns: 2_000 },
  )
  t.ok(accepted > 20, 'some were right')
  t.equal(acceptOf(outer)(JSON.parse('{"on": true, "__proto__": {}}')), unsure)
  for (const schema of [
    v.pipe(v.string(), v.trim()),
    v.exactOptional(v.string(), ''),
    v.record(v.string(), v.string()),
  ])
    t.equal(acceptOf(schema)('x'), unsure, 'what valibot changes, or is not known here')
  const asked: unknown[] = []
  const whole = v.pipe(
    v.strictObject({ kind: v.picklist(['a']) }),
    v.rawCheck(({ dataset }) => void asked.push(dataset.value)),
  )
  t.equal(acceptOf(whole)({ kind: 'b' }), unsure)
  t.same(asked, [], 'an object is checked as a whole once its members are right')
  t.same(acceptOf(whole)({ kind: 'a' }), { kind: 'a' })
  t.same(asked, [{ kind: 'a' }])
})

t.test('any JSON is parsed or refused, and nothing else is thrown', async () => {
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      const { value, findings } = parse(schema, input)
      return (value === undefined) !== (findings === undefined)
    }),
  )
})

t.test('an operation only runs for authorized callers with valid input', async (t) => {
  const open = operation({
    name: 'open',
    summary: '',
    scopes: ['a', 'b'],
    risk: 'low',
    input: schema,
    output: v.unknown(),
    errors: [],
    handle: async () => ({}),
  })
  const context = (kind: 'anonymous' | 'provider', scopes: string[]) =>
    ({ caller: { kind, name: 'x', scopes } }) as unknown as Context
  const refusal = (who: Context, input: unknown) => {
    try {
      return authorizeAndValidate(open, who, input)
    } catch (error) {
      return isEngineError(error) ? error.code : error
    }
  }
  t.equal(refusal(context('anonymous', []), {}), 'unauthenticated')
  t.equal(refusal(context('provider', ['a']), {}), 'forbidden')
  t.equal(refusal(context('provider', ['a', 'b']), {}), 'invalid_input')
  t.same(refusal(context('provider', ['a', 'b']), { name: 'ok' }), { name: 'ok' })
})

t.test('an error shows its code and parameters to developers, and is recognized by its code', async (t) => {
  const error = new EngineError('not_acceptable', { received: 'fax', expected: 'otep' })
  t.equal(error.message, 'not_acceptable (received: fax, expected: otep)')
  t.match(new EngineError('contention'), { message: 'contention', params: {}, findings: [] })
  t.equal(new EngineError('contention').message, 'contention')
  t.ok(isEngineError(error, 'not_acceptable'))
  t.notOk(isEngineError(error, 'internal'))
  t.notOk(isEngineError(new Error('x')))
})

t.test(
  'given parameters, when a message is requested, then its placeholders are filled in that language',
  async (t) => {
    const params = { expected: 'string', received: 'number' }
    t.equal(messageOf('wrong_type', params, en), 'Expected string, got number.')
    t.equal(messageOf('wrong_type', params, de), 'Erwartet: string; erhalten: number.')
  },
)

t.test('given a number and a boolean, when a message is requested, then they are written as text', async (t) => {
  t.equal(messageOf('too_long', { limit: 0 }, en), 'At most 0 allowed.')
  t.equal(messageOf('too_long', { limit: false }, en), 'At most false allowed.')
})

t.test('given no value for a placeholder, when a message is requested, then the placeholder remains', async (t) => {
  t.equal(messageOf('required', {}, en), '{field} is required.')
  t.equal(messageOf('wrong_type', { expected: 'string', other: 1 }, de), 'Erwartet: string; erhalten: {received}.')
})

t.test(
  'given a value that looks like a placeholder, when a message is requested, then it is not replaced',
  async (t) => {
    const params = { expected: '{received}', received: '$& $1' }
    t.equal(messageOf('wrong_type', params, en), 'Expected {received}, got $& $1.')
  },
)

t.test('given a language without a text for a code, then the message is the one for developers', async (t) => {
  t.equal(messageOf('too_long', { limit: 3 }, {}), 'too_long (limit: 3)')
})

t.test(
  'given an instant and a zone, then it is told as the clocks there show it, with the offset of that day',
  async (t) => {
    const told = [
      ['2026-01-15T12:00:00Z', 'America/Toronto', '2026-01-15T07:00:00-05:00'],
      ['2026-06-15T12:00:00.999Z', 'America/Toronto', '2026-06-15T08:00:00-04:00'],
      ['2026-03-08T06:59:59Z', 'America/Toronto', '2026-03-08T01:59:59-05:00'],
      ['2026-03-08T07:00:00Z', 'America/Toronto', '2026-03-08T03:00:00-04:00'],
      ['2026-11-01T05:30:00Z', 'America/Toronto', '2026-11-01T01:30:00-04:00'],
      ['2026-11-01T06:30:00Z', 'America/Toronto', '2026-11-01T01:30:00-05:00'],
      ['2026-06-15T18:30:00Z', 'Asia/Kathmandu', '2026-06-16T00:15:00+05:45'],
      ['1969-12-31T23:59:59.500Z', 'UTC', '1969-12-31T23:59:59+00:00'],
    ] as const
    for (const [instant, zone, expected] of told) {
      t.equal(zonedIso(Date.parse(instant), zone), expected)
      t.equal(dayIn(Date.parse(instant), zone), expected.slice(0, 10))
    }
  },
)

t.test('a zoned time is the same instant to the second, for any instant and zone', async () => {
  const zones = fc.constantFrom('UTC', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Europe/Berlin')
  const instants = fc.date({ min: new Date('1972-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, zones, (date, zone) => {
      const second = Math.floor(date.getTime() / 1000) * 1000
      return Date.parse(zonedIso(date.getTime(), zone)) === second
    }),
  )
})

t.test('given a local time, then its instant shows it, unless the clocks skip it', async (t) => {
  const told = [
    ['2026-06-15T09:00', 'America/Toronto', '2026-06-15T13:00:00Z'],
    ['2026-03-08T02:30', 'America/Toronto', '2026-03-08T07:30:00Z'],
    ['2026-11-01T01:30', 'America/Toronto', '2026-11-01T05:30:00Z'],
    ['2011-12-31T00:00', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['2026-06-16T00:15:30', 'Asia/Kathmandu', '2026-06-15T18:30:30Z'],
  ] as const
  for (const [local, zone, instant] of told) t.equal(instantIn(local, zone), Date.parse(instant), `${local} ${zone}`)
  const zones = fc.constantFrom('UTC', 'America/St_Johns', 'Australia/Lord_Howe', 'Europe/Berlin')
  const instants = fc.date({ min: new Date('1972-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, zones, (date, zone) => {
      const local = zonedIso(date.getTime(), zone).slice(0, 16)
      return zonedIso(instantIn(local, zone), zone).startsWith(local)
    }),
  )
})

t.test('given the name of a zone, then only existing zones are accepted, and no offsets', async (t) => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires']) t.ok(isTimeZone(name), name)
  for (const name of ['', 'Mars/Olympus', '+01:00', 'Europe/Berlin ', '__proto__', 'EST5EDT4'])
    t.notOk(isTimeZone(name), name)
})

const business = {
  id: 1,
  name: 'Acme',
  timeZone: 'UTC',
  currency: 'USD',
  modules: { broker_assignment: 'on', device_orders: 'not_migrated' },
} as const
const callerWith = (role: Role, hiddenPrices: readonly Family[] = []): Caller => ({
  ...{ kind: 'account', name: '1', scopes: ['orders:read'] },
  account: { id: 1, role, business, modules: {}, hiddenPrices },
})
const priced = operation({
  name: 'priced',
  summary: 'Tell prices.',
  scopes: ['orders:read'],
  risk: 'low',
  roles: ['client_admin', 'customer'],
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    cost: priceOf('local_delivery', v.string()),
    orders: v.array(v.strictObject({ order_id: v.number(), note: v.string() })),
  }),
  errors: [],
  handle: async () => ({ result: true, cost: '9.00', orders: [{ order_id: 1, note: 'price', cod_amount: '9.00' }] }),
})
const asked = (operation: Operation, caller: Caller) => call(operation, { caller } as unknown as Context, {})

t.test(
  'given prices that are hidden from a customer, then an answer holds what its schema declares and no price, and says so',
  async (t) => {
    const visible = { result: true, orders: [{ order_id: 1, note: 'price' }] }
    t.same(await asked(priced, callerWith('customer', ['local_delivery'])), { ...visible, price_hidden: true })
    t.same(await asked(priced, callerWith('customer', ['storage_services'])), { ...visible, cost: '9.00' })
    t.match(await asked(priced, callerWith('customer')), { cost: '9.00', orders: [{ cod_amount: '9.00' }] })
  },
)

/** A schema, a value of it, and the part of the value that is visible while the prices of local deliveries are hidden. */
interface Visibility {
  readonly schema: v.GenericSchema
  readonly value: unknown
  readonly visible?: unknown
}

const { anyVisibility } = fc.letrec<{ anyVisibility: Visibility }>((tie) => ({
  anyVisibility: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string().map((value): Visibility => ({ schema: v.string(), value, visible: value })),
    fc
      .jsonValue()
      .map((value): Visibility => ({ schema: v.unknown(), value, ...(value === null && { visible: null }) })),
    fc.jsonValue().map((value): Visibility => ({ schema: unpriced(v.unknown()), value, visible: value })),
    tie('anyVisibility').map(({ schema, value }): Visibility => ({ schema: priceOf('local_delivery', schema), value })),
    fc.string().map((value): Visibility => ({ schema: priceOf('ltl_service', v.string()), value, visible: value })),
    tie('anyVisibility').map(
      (one): Visibility => ({
        ...one,
        schema: v.pipe(
          v.nullable(one.schema),
          v.check(() => true),
        ),
      }),
    ),
    fc.tuple(tie('anyVisibility'), fc.nat(3)).map(
      ([one, count]): Visibility => ({
        schema: v.array(one.schema),
        value: Array(count).fill(one.value),
        visible: Array(one.visible === undefined ? 0 : count).fill(one.visible),
      }),
    ),
    fc
      .tuple(fc.dictionary(fc.string(), tie('anyVisibility')), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([declared, undeclared]): Visibility => {
        const parts = Object.entries(declared)
        return {
          schema: v.strictObject(Object.fromEntries(parts.map(([name, { schema }]) => [name, schema]))),
          value: { ...undeclared, ...Object.fromEntries(parts.map(([name, { value }]) => [name, value])) },
          visible: Object.fromEntries(
            parts.flatMap(([name, { visible }]) => (visible === undefined ? [] : [[name, visible]])),
          ),
        }
      }),
  ),
}))

t.test('given any schema with prices, when they are hidden, then only visible members remain', async (t) => {
  fc.assert(
    fc.property(anyVisibility, ({ schema, value, visible }) => {
      assert.deepEqual(withoutPrices(schema, value, ['local_delivery']), visible)
    }),
    { numRuns: 500 },
  )
  t.end
})

t.test('given hidden prices, when an operation pays online, then it is refused', async (t) => {
  const pays = operation({ ...priced, pays: 'local_delivery' })
  await t.rejects(asked(pays, callerWith('customer', ['local_delivery'])), { code: 'PRICE_HIDDEN_SETTLE_OFFLINE' })
  t.match(await asked(pays, callerWith('customer')), { result: true })
})

t.test(
  'given an account of another kind, when it asks, then that is refused; who has no account is not asked for one',
  async (t) => {
    await t.rejects(asked(priced, callerWith('driver')), { code: 'wrong_account' })
    t.match(await asked(priced, { kind: 'operator', name: 'cli', scopes: ['orders:read'] }), { result: true })
    t.throws(() => accountOf({ caller: { kind: 'operator', name: 'cli', scopes: [] } }), { code: 'account_required' })
    t.throws(() => accountOf({ caller: anonymous }), { code: 'unauthenticated' })
  },
)

t.test('given a module that is off or not available yet, when it is required, then the refusals differ', async (t) => {
  const caller = callerWith('client_admin')
  t.doesNotThrow(() => requireModule({ caller }, 'broker_assignment'))
  t.throws(() => requireModule({ caller }, 'device_orders'), { code: 'module_not_migrated' })
  const without = { ...caller, account: { ...accountOf({ caller }), business: { ...business, modules: {} } } }
  t.throws(() => requireModule({ caller: without }, 'device_orders'), { code: 'module_disabled' })
  t.throws(() => requireModule({ caller }, 'order_chat'), { code: 'feature_disabled' })
})

t.test('given an operation of a module, when the module is not on, then the input is not validated', async (t) => {
  const asks = (module: Module, caller: Caller, input: unknown = { wrong: true }) =>
    call(operation({ ...priced, module }), { caller } as unknown as Context, input)
  await t.rejects(asks('order_chat', callerWith('client_admin')), { code: 'feature_disabled' })
  await t.rejects(asks('device_orders', callerWith('client_admin')), { code: 'module_not_migrated' })
  await t.rejects(asks('order_chat', callerWith('driver')), { code: 'wrong_account' })
  await t.rejects(asks('order_chat', anonymous), { code: 'unauthenticated' })
  await t.rejects(asks('broker_assignment', callerWith('client_admin')), { code: 'invalid_input' })
  t.match(await asks('broker_assignment', callerWith('client_admin'), {}), { result: true })
  const operator: Caller = { kind: 'operator', name: 'cli', scopes: ['orders:read'] }
  await t.rejects(asks('order_chat', operator), { code: 'invalid_input' }, 'who has no account has no modules')
})

t.test('given a thrown value, then refusals differ from failures, lost races and bugs', async (t) => {
  for (const code of ['order_not_found', 'invalid_input', 'unauthenticated'] as const)
    t.ok(isRefusal(new EngineError(code)))
  for (const code of ['store_unavailable', 'wrong_expected_revision', 'contention', 'internal'] as const)
    t.notOk(isRefusal(new EngineError(code)), code)
  t.notOk(isRefusal(new TypeError()))
})

t.test(
  'given a signing secret, when it is judged, then characters are counted and not bytes or code units',
  async (t) => {
    const problems: Readonly<Record<string, string | undefined>> = {
      ['a'.repeat(15)]: 'webhook_secret_too_short',
      ['a'.repeat(16)]: undefined,
      ['é'.repeat(16)]: undefined,
      ['é'.repeat(15)]: 'webhook_secret_too_short',
      ['🔑'.repeat(15)]: 'webhook_secret_too_short',
      ['🔑'.repeat(256)]: undefined,
      ['🔑'.repeat(257)]: 'webhook_secret_too_long',
      ['a'.repeat(256)]: undefined,
      ['a'.repeat(257)]: 'webhook_secret_too_long',
      'correct horse battery staple': undefined,
      ' correct horse battery': 'webhook_secret_characters',
      'correct horse battery\u00a0': 'webhook_secret_characters',
      'correct\nhorse battery': 'webhook_secret_characters',
      'correct\u0085horse battery': 'webhook_secret_characters',
      'correct horse \ud800 battery': 'not_well_formed',
      '': 'webhook_secret_too_short',
      '****abcd': 'webhook_secret_too_short',
    }
    for (const [secret, problem] of Object.entries(problems))
      t.equal(secretProblem(secret), problem, secret.slice(0, 40))
  },
)

t.test('given an invalid secret that looks like Standard Webhooks, then it is refused', async (t) => {
  const key = (length: number) => Buffer.alloc(length, 0xfb).toString('base64')
  for (const good of [key(16), key(16).replaceAll('=', ''), key(24), key(32), key(64)])
    t.equal(secretProblem(`whsec_${good}`), undefined, good)
  const bad = [key(15), key(65), `${key(32)}=`, key(32).replaceAll('+', '-'), `${key(32).slice(0, 20)} ${key(24)}`]
  for (const text of [...bad, 'not base64, but long enough', `${key(16).slice(0, -3)}x==`])
    t.equal(secretProblem(`whsec_${text}`), 'webhook_secret_not_base64', text)
  t.equal(secretProblem('WHSEC_not base64 and not meant to be'), undefined)
})

t.test('given a secret, when it is shown, then its key follows whsec_ in padded base64', async (t) => {
  t.equal(shownSecret('correct horse battery staple'), 'whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ==')
  t.equal(shownSecret('whsec_AAECAwQFBgcICQoLDA0ODw'), 'whsec_AAECAwQFBgcICQoLDA0ODw==')
  t.same(
    [...signingKey('whsec_AAECAwQFBgcICQoLDA0ODw')],
    Array.from({ length: 16 }, (_, index) => index),
  )
  const plain = fc.string({ unit: anyCharacter, minLength: 16, maxLength: 256 })
  const given = fc
    .uint8Array({ minLength: 16, maxLength: 64 })
    .map((key) => `whsec_${Buffer.from(key).toString('base64')}`)
  fc.assert(
    fc.property(fc.oneof(plain, given), (secret) => {
      const shown = shownSecret(secret)
      const key = Buffer.from(shown.slice('whsec_'.length), 'base64')
      const isKept = !secret.startsWith('whsec_') || secretProblem(secret) !== undefined || shown === secret
      return key.equals(signingKey(secret)) && isKept
    }),
  )
})

t.test('given 32 random bytes, then they make a secret, and its mask shows four of its characters', async (t) => {
  const secret = newSecret('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
  t.equal(secret, 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')
  t.equal(secretProblem(secret), undefined)
  t.equal(shownSecret(secret), secret)
  t.equal(maskedSecret(secret), '****Hh8=')
  for (const one of [secret, 'correct horse battery staple', 'é'.repeat(16)]) {
    t.ok(isMasked(maskedSecret(one)))
    t.notOk(isMasked(one))
  }
  t.notOk(isMasked('****Hh8=\n'))
})

t.test(
  'given an object, when it is valid and in the order of its schema, then the fast check returns itself',
  async (t) => {
    const schema = v.strictObject({
      ...{ a: v.string(), b: v.exactOptional(v.number()), c: v.exactOptional(v.array(v.string())) },
      d: v.exactOptional(v.strictObject({ e: v.string(), f: v.string() })),
    })
    const accept = acceptOf(schema)
    for (const given of [{ a: '' }, { a: '', b: 1 }, { a: '', c: ['x'] }, { a: '', b: 1, c: [], d: { e: '', f: '' } }])
      t.equal(accept(given), given)
    for (const given of [
      { b: 1, a: '' },
      { a: '', c: ['x'], b: 1 },
      { a: '', d: { f: '', e: '' } },
    ]) {
      const taken = accept(given)
      t.not(taken, given)
      t.equal(JSON.stringify(taken), JSON.stringify(v.parse(schema, given)))
    }
    for (const wrong of [
      {},
      { b: 1 },
      { a: 1 },
      { a: '', e: 1 },
      { a: '', b: Number.NaN },
      { a: '', c: [1] },
      [],
      null,
      'a',
    ])
      t.equal(accept(wrong), unsure)
    const list = acceptOf(v.array(v.strictObject({ a: v.string(), b: v.string() })))
    const [right, turned] = [
      { a: '', b: '' },
      { b: '', a: '' },
    ]
    const rightOnly = [right, right]
    t.equal(list(rightOnly), rightOnly)
    t.equal(JSON.stringify(list([right, turned])), '[{"a":"","b":""},{"a":"","b":""}]')
    t.equal(list([right, {}]), unsure)
    t.equal(list({ length: 0 }), unsure)
    const short = acceptOf(v.pipe(v.array(v.string()), v.maxLength(1), v.metadata({ title: 'a' })))
    t.same([short(['a']), short(['a', 'b'])], [['a'], unsure])
  },
)

t.test('given a day and a zone, then it begins and ends by the clocks there', async (t) => {
  const bounds = (day: string, zone: string) => [startOfDay(day, zone), endOfDay(day, zone)]
  t.same(bounds('2026-06-10', 'UTC'), ['2026-06-10T00:00:00.000Z', '2026-06-10T23:59:59.999Z'])
  t.same(bounds('2026-06-10', 'America/Toronto'), ['2026-06-10T04:00:00.000Z', '2026-06-11T03:59:59.999Z'])
  t.same(bounds('2026-06-10', 'Pacific/Kiritimati'), ['2026-06-09T10:00:00.000Z', '2026-06-10T09:59:59.999Z'])
  t.same(bounds('2026-06-10', 'Etc/GMT+12'), ['2026-06-10T12:00:00.000Z', '2026-06-11T11:59:59.999Z'])
  t.same(bounds('2026-03-08', 'America/Toronto'), ['2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'], '23 hours')
  t.same(bounds('2026-12-31', 'Asia/Kathmandu'), ['2026-12-30T18:15:00.000Z', '2026-12-31T18:14:59.999Z'])
})

t.test('given random bytes, then they make a code of six digits', async (t) => {
  const codeOf = (hex: string) => newShortCode({ credentials: { ...outside.credentials, token: () => hex } })
  t.same(['0', '2a', 'f4240', 'f423f', 'f4241'].map(codeOf), ['000000', '000042', '000000', '999999', '000001'])
  t.equal(isSameText('abc', 'abc'), true)
  for (const other of ['', 'ab', 'abd', 'bbc', 'abcd', 'abc\\0']) t.equal(isSameText('abc', other), false, other)
  t.equal(isSameText('', ''), true)
  t.equal(isSameText('', 'a'), false)
})

t.test('given wrong codes, when the fifth is in a row, then no code is accepted for 15 minutes', async (t) => {
  const at = '2026-06-10T10:00:00.000Z'
  const later = (milliseconds: number) => isoOf(Date.parse(at) + milliseconds)
  let attempts: Attempts = noAttempts
  for (const failures of [1, 2, 3, 4]) {
    attempts = afterWrongCode(attempts, at)
    t.same(attempts, { failures, locked_until: 0 })
    t.doesNotThrow(() => requireUnlocked(attempts, at))
  }
  attempts = afterWrongCode(attempts, at)
  t.same(attempts, { failures: 0, locked_until: Date.parse(at) + 900_000 })
  const refused = (seconds: number) => ({ code: 'too_many_attempts', params: { seconds } })
  t.throws(() => requireUnlocked(attempts, at), refused(900))
  t.throws(() => requireUnlocked(attempts, later(899_999)), refused(1))
  t.doesNotThrow(() => requireUnlocked(attempts, later(900_000)))
})

t.test('given a page of a list, then it has a range, and 50 items unless the caller says how many', async (t) => {
  t.same(pageOf({}), { range: { limit: 50, offset: 0 }, paging: { page: 1, per_page: 50 } })
  t.same(pageOf({ page: 3, per_page: 20 }), { range: { limit: 20, offset: 40 }, paging: { page: 3, per_page: 20 } })
  const { page, per_page } = pageEntries
  for (const [schema, valid, invalid] of [
    [page, [1, 1_000_000], [0, 1.5, 1_000_001]],
    [per_page, [1, 200], [0, 1.5, 201]],
  ] as const) {
    for (const value of valid) t.ok(v.safeParse(schema, value).success, `${value}`)
    for (const value of invalid) t.notOk(v.safeParse(schema, value).success, `${value}`)
  }
})

t.test('given any text, when it is a key, then only what nobody can see makes it another than before', async (t) => {
  const unseen = fc.constantFrom('\u200b', '\u202e', '\ufeff', '\u00ad', '\ufe0f', '\u{e0020}', '\u2800')
  fc.assert(
    fc.property(fc.array(fc.oneof(anyCharacter, unseen)), (characters) => {
      const given = characters.join('')
      const plain = withoutUnseen(given)
      const former = (one: string) => one.toWellFormed().normalize('NFC').replace(/\s+/g, '').toUpperCase()
      assert.equal(numberKey(given), former(plain))
      assert.deepEqual(numberKeys(given), plain === given ? [former(given)] : [former(plain), former(given)])
      assert.equal(isUnseen(given), plain.trim() === '')
    }),
  )
  t.same(unseenIn(' A\u200b1\u00a0\u200b\u{e0041} '), ['U+200B', 'U+00A0', 'U+E0041'])
  t.same(unseenIn('1Z 999 \u2013 \u00c4'), [])
  t.equal(typedCode(' 123\u00a0456\u200b'), '123456')
})

t.test('given the name of a provider, then it is lower case letters and digits with single hyphens', async (t) => {
  for (const name of ['a', 'a-b', '3pl-x9', 'a'.repeat(60)]) t.ok(v.safeParse(providerName, name).success, name)
  for (const name of ['', 'A', '-a', 'a-', 'a--b', 'a_b', 'é', 'a'.repeat(61)])
    t.notOk(v.safeParse(providerName, name).success, name)
})

t.test('given many items, when they are sorted and mapped in steps, then as they would be at once', async (t) => {
  const byNumber = (one: { n: number }, other: { n: number }) => one.n - other.n
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 2_000, size: 'max' }), (numbers) => {
      const items = numbers.map((n, at) => ({ n, at }))
      assert.deepEqual(atOnce(sortInSteps(items, byNumber)), items.toSorted(byNumber))
    }),
    { numRuns: 50 },
  )
  const numbers = Array.from({ length: 1_001 }, (_, at) => at)
  const work = mapInSteps(numbers, (n) => n * 2)
  let steps = 1
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) {
      t.same(
        step.value,
        numbers.map((n) => n * 2),
      )
      break
    }
    steps++
  }
  t.equal(steps, 21, 'of at most 50 each')
  t.same(atOnce(sortInSteps([], byNumber)), [])
})

t.test('given signals that last longer, when any of them ends, then what ends with them does, too', async (t) => {
  const [server, caller] = [new AbortController(), new AbortController()]
  const [first, second] = [endingWith(server.signal, caller.signal), endingWith(server.signal)]
  t.notOk(first.signal.aborted)
  caller.abort()
  t.same([first.signal.aborted, second.signal.aborted], [true, false])
  server.abort()
  t.ok(second.signal.aborted)
  t.ok(endingWith(caller.signal).signal.aborted, 'also when it has ended before')
})

t.test(
  'given a server that runs for long, when calls end before it does, then they leave nothing behind',
  async (t) => {
    const server = new AbortController()
    const call = () => {
      const ended = endingWith(server.signal)
      ended.signal.addEventListener('abort', () => {})
      ended.abort()
    }
    const before = await heapAfter(2_000, call)
    const left = (await heapAfter(10_000, call)) - before
    t.ok(left < 2_000_000, `${left} bytes`)
  },
)

t.test('given a text of a carrier, when it is read, then markup is gone and references are decoded once', async (t) => {
  const read = {
    'Parcel &amp; letter hub': 'Parcel & letter hub',
    'Arriv&eacute; &agrave; l&#39;entrep&ocirc;t': "Arrivé à l'entrepôt",
    'Left with neighbour&nbsp;12': 'Left with neighbour 12',
    '<b>Delivered</b>': 'Delivered',
    'Held at depot<br/>Call <a href="tel:1?a=1&amp;b=2" title="1 > 0">us</a>': 'Held at depot Call us',
    '<p class=x>Out for delivery</p><p>Today</p>': 'Out for delivery Today',
    'De<b>liver</b>ed': 'Delivered',
    'Driver&#146;s note &#x2013; &#8220;porch&#8221; &#128230;': 'Driver’s note – “porch” 📦',
    'SORT FACILITY &AMP; HUB': 'SORT FACILITY & HUB',
    'Sorted <!-- hub 7 --> in K&ouml;ln': 'Sorted in Köln',
    '<style>b{color:red}</style>Stra&szlig;e': 'Straße',
    'Line&#10;two': 'Line two',
    '&lt;b&gt;bold&lt;/b&gt;': '<b>bold</b>',
    '&amp;lt;b&amp;gt;': '&lt;b&gt;',
    '&amp;amp;': '&amp;',
  }
  for (const [told, words] of Object.entries(read)) t.equal(withoutMarkup(told), words, told)
  const kept = [
    ...['a < b', 'a <b and b> c', 'weight <5 kg', 'AT&T', 'R&D; done', 'Tom & Jerry', '<3', 'to <Unknown> place'],
    ...[
      'mail <ann@example.com>',
      '&nosuch;',
      '&#0;',
      '&#xd800;',
      '&#9999999;',
      '<badge 7>',
      'x &lt',
      ' two  spaces ',
      '',
    ],
  ]
  for (const text of kept) t.equal(withoutMarkup(text), text, text)
})

t.test(
  'given an expected time in any of many forms, when it is read, then a day is a day and a range a window',
  async (t) => {
    const read = (value: unknown, country?: string) => {
      const { expected, warnings } = readExpected({ path: 'a.expected', value }, country)
      const { estimated_delivery_at: until, estimated_delivery_from: from } = expected ?? {}
      return [from, until, ...warnings.map(({ path, code }) => `${code} ${path}`)].filter(Boolean).join(' ')
    }
    const forms: readonly (readonly [unknown, string, string?])[] = [
      ['2026-12-04', '2026-12-04T23:59:59-00:00'],
      ['2026-12-04', '2026-12-04T23:59:59+09:00', 'JP'],
      ['2026-12-04', '2026-12-04T23:59:59+01:00', 'DE'],
      ['2026-07-04', '2026-07-04T23:59:59+02:00', 'DE'],
      ['2026-12-04', '2026-12-04T23:59:59-00:00', 'US'],
      ['2026-12-04', '2026-12-04T23:59:59-00:00', 'XX'],
      ['2026-12-04T00:00:00Z', '2026-12-04T23:59:59-00:00'],
      ['2026-12-04T00:00:00.000Z', '2026-12-04T23:59:59+09:00', 'JP'],
      ['2026-12-04T00:00:00+0200', '2026-12-04T23:59:59+02:00'],
      ['2026-12-04 00:00:00', '2026-12-04T23:59:59-00:00'],
      ['2026-12-04T14:30:00-05:00', '2026-12-04T14:30:00-05:00'],
      ['2026-12-04T14:30Z', '2026-12-04T14:30:00Z'],
      ['2026-12-04 14:30', '2026-12-04T14:30:00-00:00 zone_assumed a.expected'],
      ['2026-12-04 14:30', '2026-12-04T14:30:00+09:00', 'JP'],
      ['2026-12-04/2026-12-06', '2026-12-04T00:00:00-00:00 2026-12-06T23:59:59-00:00'],
      ['2026-12-04 - 2026-12-06', '2026-12-04T00:00:00+09:00 2026-12-06T23:59:59+09:00', 'JP'],
      ['2026-12-04T14:00:00Z/2026-12-04T16:00:00Z', '2026-12-04T14:00:00Z 2026-12-04T16:00:00Z'],
      ['2026-12-04 14:00 - 16:00', '2026-12-04T14:00:00+09:00 2026-12-04T16:00:00+09:00', 'JP'],
      ['2026-12-06/2026-12-04', '2026-12-04T23:59:59-00:00 ends_before_start a.expected'],
      [undefined, ''],
      [null, ''],
      ['', ''],
      ['soon', 'not_a_date_time a.expected'],
      ['12/04/2026', 'not_a_date_time a.expected'],
      ['4 Dec', 'not_a_date_time a.expected'],
      [1_796_342_400, 'not_a_date_time a.expected'],
      [{}, 'not_a_date_time a.expected'],
      ['2026-02-30', 'no_such_date a.expected'],
      ['2026-12-04T25:00:00Z', 'no_such_date a.expected'],
      ...['9999-12-31', '0001-01-01T00:00:00Z', '1900-01-01', '1970-01-01T00:00:00Z', '1969-12-31T19:00:00-05:00'].map(
        (none) => [none, 'no_date a.expected'] as const,
      ),
    ]
    for (const [value, said, country] of forms)
      t.equal(read(value, country), said, `${JSON.stringify(value)} ${country}`)
    const of = (value: unknown) => ({ path: 'to', value })
    t.match(readExpected(of('2026-12-04T16:00:00Z'), undefined, { path: 'from', value: '2026-12-04T14:00:00Z' }), {
      expected: { estimated_delivery_from: '2026-12-04T14:00:00Z', estimated_delivery_at: '2026-12-04T16:00:00Z' },
      warnings: [],
    })
    t.match(readExpected(of('2026-12-04'), undefined, { path: 'from', value: 'soon' }), {
      expected: { estimated_delivery_at: '2026-12-04T23:59:59-00:00' },
      warnings: [{ path: 'from', code: 'not_a_date_time' }],
    })
    t.same(['1999-12-31', '2000-01-01', '2200-12-31', '2201-01-01'].map(isNoDate), [true, false, false, true])
  },
)

t.test(
  'given a parcel that goes back, when it moves on or is delivered, then its sender has it only at the end',
  async (t) => {
    const codes = (...told: readonly string[]) =>
      onTheWayBack(told.map((code, index) => ({ code, at: index }))).join(' ')
    const same = (...told: readonly string[]) => t.equal(codes(...told), told.join(' '))
    t.equal(codes('x-returning', 'package_outbound', 'delivered'), 'x-returning package_outbound return_to_sender')
    t.equal(codes('return_to_sender', 'in_transit', 'delivered'), 'x-returning in_transit return_to_sender')
    t.equal(codes('delivered', 'return_to_sender', 'arrival_scan'), 'delivered x-returning arrival_scan')
    t.equal(
      codes('return_to_sender', 'return_to_sender', 'out_for_delivery', 'return_to_sender').split(' ').at(-1),
      'return_to_sender',
    )
    same('in_transit', 'return_to_sender')
    same('return_to_sender', 'x-exception', 'information_submitted')
    same('in_transit', 'x-returning', 'arrival_scan')
    same('delivered', 'x-returning')
    same('in_transit', 'delivered')
    same()
  },
)
