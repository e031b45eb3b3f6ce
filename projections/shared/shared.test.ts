import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import t, { test } from 'tap'
import * as v from 'valibot'
import { examples } from '../../conformance/judges/epcis/files.ts'
import { testWith } from '../../conformance/judges/official.test.fixture.ts'
import { atOnce, isEngineError, type Location, type Profile } from '../../engine/index.ts'
import { anyCharacter } from '../../engine/testing/texts.test.fixture.ts'
import { parcel } from '../../profiles/index.ts'
import { type CodeTable, mappingsOf, rowsOf, unregisteredCodes } from './codes.ts'
import { placeKey, placeText, pointOf } from './place.ts'
import { bareUtcOf, rfc2822Of } from './shop-time.ts'
import { writeXml, type XmlContent, type XmlElement } from './xml.ts'
import { readXml, type XmlReader } from './xml-form.ts'

type Child = XmlContent

/** The root of a document as an element, with adjacent texts joined. */
function treeOf(text: string): XmlElement {
  const document: Child[] = []
  const open = [document]
  const reader: XmlReader = {
    start: (name, attributes) => {
      const children: Child[] = []
      const hasAny = Object.keys(attributes).length > 0
      open.at(-1)?.push({ name, ...(hasAny && { attributes }), children })
      open.push(children)
    },
    text: (part) => {
      const into = open.at(-1) ?? []
      const last = into.length - 1
      if (typeof into[last] === 'string') into[last] += part
      else if (part !== '') into.push(part)
    },
    end: () => open.pop(),
  }
  atOnce(readXml(text, reader))
  const [root] = document
  if (root === undefined || typeof root === 'string' || 'raw' in root) throw new Error('No element was told of.')
  return root
}

/** Why a text is refused, with the line; undefined if it is read. */
function refusalOf(text: string): string | undefined {
  try {
    treeOf(text)
    return undefined
  } catch (error) {
    if (isEngineError(error, 'malformed_xml')) return `${error.params.line}: ${error.params.reason}`
    throw error
  }
}

test('given an element, when it is written, then everything that XML gives a meaning is escaped', async (t) => {
  const element = {
    name: 'a:b',
    attributes: { 'xmlns:a': 'urn:a', note: '<"&\'>\t\n' },
    children: ['<&>"\'\t\n\r', { name: 'c', children: [] }, ']]>'],
  }
  t.equal(
    writeXml(element),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<a:b xmlns:a="urn:a" note="&lt;&quot;&amp;\'&gt;&#9;&#10;">&lt;&amp;&gt;"\'\t\n&#13;<c/>]]&gt;</a:b>',
  )
})

test('given characters that XML cannot write, when an element is written, then each becomes U+FFFD', async (t) => {
  const children = ['a\u0000b\u001fc\ud800d\ufffee\u{1f69a}']
  t.match(writeXml({ name: 'a', children }), '<a>a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\u{1f69a}</a>')
})

test('given a document, when it is read, then text and elements stand as they were written, in order', async (t) => {
  const text =
    '\uFEFF<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<!-- it\'s --><?style it\'s?>\n' +
    '<a:b x=\'1 > 0\' y="a\tb&#10;c&quot;">one<!-- <x> --> two<![CDATA[&amp;<]]>&#x1F69A;&lt;\r\n<c  /> <c>3</c></a:b>\n<!-- end -->\n'
  t.strictSame(treeOf(text), {
    name: 'a:b',
    attributes: { x: '1 > 0', y: 'a b\nc"' },
    children: ['one two&amp;<\u{1f69a}<\n', { name: 'c', children: [] }, ' ', { name: 'c', children: ['3'] }],
  })
})

test('given what is not well-formed, when it is read, then it is refused with line and reason', async (t) => {
  const refused: readonly [string, string][] = [
    ['', '1: there is no element'],
    ['text', '1: text outside of the root element'],
    ['<a/>\n<b/>', '2: a second root element'],
    ['<a>\n\n</b>', '3: expected </a>'],
    ['<a>', '1: <a> is not closed'],
    ['</a>', '1: nothing is open here'],
    ['<a', '1: <a> is not well-formed'],
    ['<a b=1/>', '1: <a> is not well-formed'],
    ['<a b/>', '1: <a> is not well-formed'],
    ['<a b="1"c="2"/>', '1: <a> is not well-formed'],
    ['<a b="<"/>', '1: <a> is not well-formed'],
    ['<a b="1" b="2"/>', '1: two attributes b'],
    ['<1/>', '1: < begins no element'],
    ['<a/> <! <!---->', '1: < begins no element'],
    ['<a>&nbsp;</a>', '1: an unknown reference'],
    ['<a b="&"/>', '1: an unknown reference'],
    ['<a>&#0;</a>', '1: an unknown reference'],
    ['<a>&#xD800;</a>', '1: an unknown reference'],
    ['<a>&#x110000;</a>', '1: an unknown reference'],
    ['<a>]]></a>', '1: ]]> in text'],
    ['<a><![CDATA[x</a>', '1: ]]> is missing'],
    ['<![CDATA[x]]>', '1: < begins no element'],
    ['<a><!-- -- --></a>', '1: -- in a comment'],
    [' <?xml version="1.0"?><a/>', '1: not a processing instruction'],
    ['<?xml version="1.0" var?><a/>', '1: not a processing instruction'],
    ['<?xml version="1.0" encoding="UTF-16"?><a/>', '1: the encoding is neither UTF-8 nor UTF-16'],
    ['<a>\u0001</a>', '1: a character that XML does not allow'],
    ['<a>\ud800</a>', '1: a character that XML does not allow'],
    ['<constructor/>', '1: an element or attribute is called __proto__, constructor or the like'],
    ['<a __proto__="1"/>', '1: an element or attribute is called __proto__, constructor or the like'],
  ]
  for (const [text, reason] of refused) t.equal(refusalOf(text), reason, JSON.stringify(text))
})

test('given a document type declaration, when it is read, then it is refused before anything is expanded', async (t) => {
  const entities = Array.from({ length: 10 }, (_, level) =>
    level === 0 ? '<!ENTITY l0 "lol">' : `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`,
  )
  const laughs = `<?xml version="1.0"?>\n<!DOCTYPE lolz [${entities.join('')}]>\n<lolz>&l9;</lolz>`
  const outside = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
  const declares = 'a document type declaration with an internal subset or an external identifier is not accepted'
  t.equal(refusalOf(laughs), `2: ${declares}`)
  t.equal(refusalOf(outside), `1: ${declares}`)
  for (const more of [' []', ' SYSTEM "a.dtd"', ' PUBLIC "-//x" "http://a.example/a.dtd"']) {
    t.equal(refusalOf(`<!DOCTYPE a${more}><a/>`), `1: ${declares}`)
  }
  t.equal(refusalOf('<!DOCTYPE>'), '1: < begins no element')
  for (const misplaced of ['<a/><!DOCTYPE a>', '<a><!DOCTYPE a></a>', '<!DOCTYPE a><!DOCTYPE a><a/>']) {
    t.equal(refusalOf(misplaced), '1: a misplaced document type declaration')
  }
})

test('given a document type declaration that declares nothing, when it is read, then it is skipped', async (t) => {
  for (const text of [
    '<?xml version="1.0"?>\n<!DOCTYPE a>\n<a/>',
    '<!DOCTYPE x:a ><a/>',
    '<!-- --><!DOCTYPE a\n><a/>',
  ]) {
    t.equal(refusalOf(text), undefined, text)
  }
})

test('given a document beyond its bounds, when it is read, then it is refused', async (t) => {
  const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)
  t.equal(refusalOf(nested(64)), undefined)
  t.equal(refusalOf(nested(65)), '1: more than 64 levels')
  const attributes = (count: number) => `<a ${Array.from({ length: count }, (_, index) => `b${index}="1"`).join(' ')}/>`
  t.equal(refusalOf(attributes(256)), undefined)
  t.equal(refusalOf(attributes(257)), '1: more than 256 attributes')
  t.equal(refusalOf(`<a b="${'&lt;'.repeat(16_384)}"/>`), '1: an attribute with more than 65536 characters')
  const tooMany = { code: 'too_many_values', params: { limit: 1_000_000 } }
  t.throws(() => refusalOf(`<a>${'<b/>'.repeat(1_000_000)}</a>`), tooMany)
})

test('given a long text, when it is read in steps, then it comes in parts of at most 64 Ki characters', async (t) => {
  const perStep = 64 * 1024
  for (const [item, said] of [
    ['&lt;', '<'],
    ['&#x0001F69A;', '\u{1f69a}'],
    ['&amp;]', '&]'],
    ...[']]', ']', 'x'].map((one) => [one, one] as const),
    ...['<![CDATA[]]>', '<!---->', '<?a?>', '<b/>', '<b c=""/>'].map((one) => [one, ''] as const),
  ] as const) {
    const count = Math.ceil((10 * perStep) / item.length)
    const parts: string[] = []
    const reader = { start: () => {}, end: () => {}, text: (part: string) => void parts.push(part) }
    // So that a reference is cut.
    const steps = readXml(`<a>${' '.repeat(7)}${item.repeat(count)}</a>`, reader)
    let number = 0
    while (steps.next().done !== true) number++
    t.ok(number >= 5, `${item}: ${number} steps`)
    t.ok(
      parts.every(({ length }) => length <= perStep),
      item,
    )
    t.equal(parts.join(''), ' '.repeat(7) + said.repeat(count), item)
  }
  t.equal(refusalOf(`<a>${'x'.repeat(perStep - 2)}]]></a>`), '1: ]]> in text')
  t.equal(refusalOf(`<a>${'x'.repeat(perStep - 1)}]]></a>`), '1: ]]> in text')
  t.equal(refusalOf(`<a>${'x'.repeat(perStep)}]]></a>`), '1: ]]> in text')
  t.equal(refusalOf(`<a>${'x'.repeat(perStep - 3)}&bad;</a>`), '1: an unknown reference')
})

test('given megabytes of brackets, when they are read, then no step looks back over the text before it', async (t) => {
  const looks = t.capture(String.prototype, 'lastIndexOf', String.prototype.lastIndexOf)
  const text = `<a>${']'.repeat(1024 * 1024)}</a>`
  t.equal(refusalOf(text), undefined)
  const looked = looks().reduce((sum, { receiver, args: [, from] }) => sum + (from ?? String(receiver).length), 0)
  t.ok(looked < text.length, `${looked} characters`)
})

test('any element is read as it was written', async (t) => {
  const name = fc.stringMatching(/^[a-z_]([a-z0-9._-]{0,8}(:[a-z]{1,3})?)$/)
  const written = fc
    .string({ unit: anyCharacter })
    .map((text) => text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
  const attributes = fc.dictionary(name, written, { maxKeys: 3, noNullPrototype: true })
  const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
    element: fc.record({
      name,
      attributes,
      children: fc.array(fc.oneof({ maxDepth: 3 }, written, tie('element')), { maxLength: 3 }),
    }),
  }))
  fc.assert(fc.property(element, (given) => JSON.stringify(treeOf(writeXml(given))) === JSON.stringify(tidy(given))))
  t.pass('no counterexample')
})

/** A reference: the result of fast-xml-parser for a well-formed document, except for references, comments and CDATA. */
const judge = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  onDangerousProperty: (name) => name,
})

function judged(text: string): XmlElement | undefined {
  const nodes = judge.parse(text.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->/g, '')) as readonly Judged[]
  return childrenOf(nodes).find((child): child is XmlElement => typeof child === 'object' && 'name' in child)
}

type Judged = Readonly<Record<string, unknown>>

function childrenOf(nodes: readonly Judged[]): readonly Child[] {
  const children = nodes.map(({ ':@': attributes, ...rest }): Child => {
    const [[name = '', value] = []] = Object.entries(rest)
    if (name === '#text') return String(value)
    const inner = childrenOf(value as readonly Judged[])
    if (name === '#cdata') return inner.join('')
    return {
      name,
      ...(attributes !== undefined && { attributes: attributes as Record<string, string> }),
      children: inner,
    }
  })
  return tidy({ name: '', children }).children
}

test('given a document, when it is read or refused, then what is read is what fast-xml-parser reads', async (t) => {
  const piece = fc.constantFrom(
    ...[
      '<a>',
      '</a>',
      '<a/>',
      '<b c="1">',
      '</b>',
      '</b >',
      '<b d=\'x>\ty\' e="\n" />',
      '<x:é xmlns:x="urn:x">',
      '</x:é>',
    ],
    ...['text', ' ', '\r\n', '>', ']]', '"', '<!-- c -->', '<![CDATA[<z>]]>', '<?p i?>', '<b f = "g"\n>'],
    ...['<', '<a', '&', '<b c="1" c="2">', '<!DOCTYPE a>', '<b c=1>', '</', '<!--', ']]>', '\u0001', '<1>', '<a b/>'],
  )
  let readable = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, isClosed) => {
      const text = `<a>${isClosed ? balanced(pieces) : pieces.join('')}</a>`
      if (refusalOf(text) !== undefined) return true
      readable++
      const attributes = (value: string) => value.replace(/[\t\n]/g, ' ')
      const expected = JSON.stringify(judged(text), (key, value) =>
        key === 'attributes'
          ? Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, attributes(one)]))
          : value,
      )
      return JSON.stringify(treeOf(text)) === expected
    }),
    { numRuns: 3000 },
  )
  t.ok(readable > 300, `${readable} were read`)
})

/** The pieces, with all open elements closed. */
function balanced(pieces: readonly string[]): string {
  const open: string[] = []
  for (const piece of pieces) {
    const [, end, name = '', empty] = /^<(\/?)([a-zé:]+)[\s\S]*?(\/?)>$/.exec(piece) ?? []
    if (end === '' && empty === '') open.push(name)
    else if (end === '/' && open.at(-1) === name) open.pop()
  }
  return (
    pieces.join('') +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  )
}

testWith(
  t,
  { examples },
  'given an official example, when it is read, then it is what fast-xml-parser reads',
  (t, { examples }) => {
    const inXml = examples.filter(({ name }) => name.endsWith('.xml'))
    t.ok(inXml.length > 0)
    for (const { name, text } of inXml) t.strictSame(treeOf(text), judged(text), name)
  },
)

/** The same element with adjacent texts joined, and empty ones left out. */
function tidy({ name, attributes = {}, children }: XmlElement): XmlElement {
  const joined: XmlContent[] = []
  for (const child of children) {
    const last = joined.length - 1
    if (typeof child !== 'string') joined.push('raw' in child ? child : tidy(child))
    else if (typeof joined[last] === 'string') joined[last] += child
    else if (child !== '') joined.push(child)
  }
  return { name, ...(Object.keys(attributes).length > 0 && { attributes }), children: joined }
}

test('given an instant with any offset, when a shop writes it, then it is the same instant in UTC', async (t) => {
  const offset = fc.constantFrom('Z', '+00:00', '-00:00', '+05:45', '-12:00', '+14:00')
  const fraction = fc.constantFrom('', '.5', '.9999', '.123456789')
  const local = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(local, fraction, offset, (date, digits, zone) => {
      const text = `${date.toISOString().slice(0, 19)}${digits}${zone}`
      const utc = new Date(`${text.slice(0, 19)}${zone}`)
      t.equal(bareUtcOf(text), utc.toISOString().slice(0, 19))
      t.equal(rfc2822Of(text), utc.toUTCString().replace('GMT', '+0000'))
    }),
  )
})

/** A trade with three codes: one that a format has a row for, one that carries a row, and one that has neither. */
const trade: Profile = {
  ...parcel,
  name: 'trade',
  codes: {
    made: { ...parcel.codes.received, like: 'received' },
    sent: { ...parcel.codes.in_transit, like: 'in_transit', formats: { words: { fidelity: '=', word: 'sent' } } },
    handed_over: { ...parcel.codes.delivered, like: 'delivered' },
    recalled: { ...parcel.codes.cancelled, like: 'cancelled' },
  },
}

test('given a code without a row of its own, when a format looks for one, then it has the row of the nearest code, in part', async (t) => {
  const schema = v.object({ fidelity: v.picklist(['=', '~', 'none']), word: v.string() })
  const row: v.InferOutput<typeof schema> = { fidelity: 'none', word: '' }
  const rows = (codes: readonly string[]) => Object.fromEntries(codes.map((code) => [code, row]))
  const table = {
    parcel: { ...rows(Object.keys(parcel.codes)), delivered: { fidelity: '=', word: 'there' } },
    unregistered: { ...rows(Object.keys(unregisteredCodes)), 'x-*': { fidelity: '~', word: 'something' } },
  } as unknown as CodeTable<typeof row>
  const carried = { format: 'words', schema }
  const rowFor = rowsOf(table, carried)
  t.same(rowFor(trade, 'sent'), { fidelity: '=', word: 'sent' }, 'the row that the code carries')
  t.same(rowFor(trade, 'handed_over'), { fidelity: '~', word: 'there' }, 'the row of the nearest code, in part')
  t.same(rowFor(trade, 'recalled'), row, 'no row becomes no better')
  t.same(rowFor(trade, 'x-unheard'), { fidelity: '~', word: 'something' })
  t.same(rowsOf(table)(trade, 'sent'), row, 'a row that is for another format does not count')
  const mapping = ({ fidelity, word }: typeof row) => ({ fidelity, value: word })
  const published = mappingsOf(table, mapping, carried)(trade)
  t.same(Object.keys(published), [...Object.keys(trade.codes), ...Object.keys(unregisteredCodes), 'x-*'])
  t.same(published.handed_over, { fidelity: '~', value: 'there' })
})

test('given a location, when it is written in one line, then what people call it comes first', async (t) => {
  const address = { street: '1 King', postal_code: 'M5V', locality: 'Toronto', region: 'ON', country: 'CA' }
  const codes = { unlocode: 'CATOR', gln: '9521321000018', latitude: 43.5, longitude: -79.25 }
  const { unlocode, ...withoutUnlocode } = codes
  const { gln, ...point } = withoutUnlocode
  t.equal(placeText({ name: 'Depot', address, ...codes }), 'Depot')
  t.equal(placeText({ name: '', address, ...codes }), '1 King, M5V, Toronto, ON, CA')
  t.equal(placeText({ address: { street: '', locality: 'Toronto' } }), 'Toronto')
  t.equal(placeText({ address: {}, ...codes }), unlocode)
  t.equal(placeText(withoutUnlocode), gln)
  t.equal(placeText(point), '43.5, -79.25')
  for (const nothing of [undefined, {}, { latitude: 43.5 }, { longitude: -79.25 }])
    t.equal(placeText(nothing), undefined)
  t.same(pointOf({ ...codes }), point)
  for (const nothing of [undefined, {}, { latitude: 43.5 }, { longitude: -79.25 }]) t.equal(pointOf(nothing), undefined)
})

test('given two locations, when any member differs, then they have different keys', async (t) => {
  const whole = {
    ...{ name: 'a', unlocode: 'CATOR', gln: '1', latitude: 1, longitude: 2 },
    address: { street: 'b', locality: 'c', region: 'd', postal_code: 'e', country: 'CA' },
  }
  const { name, address, ...rest } = whole
  t.equal(placeKey({ address, ...rest, name }), placeKey(whole), 'in whatever order')
  const others = [
    ...Object.keys(whole).map((member) => ({ ...whole, [member]: undefined })),
    ...Object.keys(address).map((member) => ({ ...whole, address: { ...address, [member]: undefined } })),
  ] as Location[]
  t.equal(new Set([whole, ...others].map(placeKey)).size, others.length + 1)
})

test('given names of every kind, when a document is read, then a name ends where XML ends it', async (t) => {
  for (const name of ['a', 'Z', '_', ':', 'a-b', 'a.b', 'a9', 'x:y', 'é', 'aé', 'a-é.9', 'ab\u{10000}'])
    for (const after of ['', ' ', '\n', '\t'])
      t.match(treeOf(`<${name}${after}/>`), { name, children: [] }, JSON.stringify(name + after))
  for (const name of ['9a', '-a', '.a', ' a', '×', '{']) t.match(refusalOf(`<${name}/>`), /^1: < begins no element/)
  for (const name of ['__proto__', 'constructor', 'prototype']) t.match(refusalOf(`<${name}/>`), /is called __proto__/)
  t.match(refusalOf('<a/><b/>'), '1: a second root element')
  t.match(refusalOf('<a>\n<b constructor=""/></a>'), /^2: .*is called __proto__/)
})

test('given a long document, when it is read, then it takes a step for each 64 Ki characters, and line ends are whole', async (t) => {
  const lines = `${'x'.repeat(1_023)}\r\n`
  const paragraph = `<p>${lines}</p>`
  const document = `<all>${paragraph.repeat(3_000)}</all>`
  let text = 0
  const reader: XmlReader = {
    start: () => {},
    text: (part) => {
      text += part.length
      if (part.includes('\r')) t.fail('a line end of two characters')
    },
    end: () => {},
  }
  let steps = 0
  for (const _ of readXml(document, reader)) steps++
  t.ok(steps >= Math.floor((3_000 * 1_031) / (64 * 1_024)), `${steps} steps`)
  t.equal(text, 3_000 * 1_024)
})
