import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { test } from 'tap'
import { isEngineError } from '../../engine/index.ts'
import { parcel } from '../../profiles/index.ts'
import { likeRows } from './codes.ts'
import { bareUtcOf, rfc2822Of } from './shop-time.ts'
import { writeXml, type XmlElement } from './xml.ts'
import { readXml } from './xml-form.ts'

type Child = XmlElement | string

/** The root of a document as an element, with adjacent texts joined. */
function treeOf(text: string): XmlElement {
  const document: Child[] = []
  const open = [document]
  readXml(text, {
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
  })
  const [root] = document
  if (root === undefined || typeof root === 'string') throw new Error('No element was told of.')
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
    ['<?xml version="1.0" encoding="UTF-16"?><a/>', '1: the encoding is not UTF-8'],
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
  t.equal(refusalOf(laughs), '2: a document type declaration is not read')
  t.equal(refusalOf(outside), '1: a document type declaration is not read')
})

test('given a document beyond its bounds, when it is read, then it is refused', async (t) => {
  const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)
  t.equal(refusalOf(nested(64)), undefined)
  t.equal(refusalOf(nested(65)), '1: more than 64 levels')
  const attributes = (count: number) => `<a ${Array.from({ length: count }, (_, index) => `b${index}="1"`).join(' ')}/>`
  t.equal(refusalOf(attributes(256)), undefined)
  t.equal(refusalOf(attributes(257)), '1: more than 256 attributes')
  t.equal(refusalOf(`<a>${'<b/>'.repeat(1_000_000)}</a>`), '1: more than 1000000 elements')
})

test('any element is read as it was written', async (t) => {
  const name = fc.stringMatching(/^[a-z_]([a-z0-9._-]{0,8}(:[a-z]{1,3})?)$/)
  const written = fc
    .string({ unit: 'binary' })
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
  return childrenOf(nodes).find((child) => typeof child !== 'string')
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

const examples = join(process.env.OTEP_STANDARDS_DIR ?? join('..', 'shared', 'standards'), 'epcis', 'examples')

test('given an official example, when it is read, then it is what fast-xml-parser reads', {
  skip: existsSync(examples) ? false : 'no official examples here (OTEP_STANDARDS_DIR)',
}, async (t) => {
  const files = readdirSync(examples).filter((file) => file.endsWith('.xml'))
  t.ok(files.length > 0)
  for (const file of files) {
    const text = readFileSync(join(examples, file), 'utf8')
    t.strictSame(treeOf(text), judged(text), file)
  }
})

/** The same element with adjacent texts joined, and empty ones left out. */
function tidy({ name, attributes = {}, children }: XmlElement): XmlElement {
  const joined: (XmlElement | string)[] = []
  for (const child of children) {
    const last = joined.length - 1
    if (typeof child !== 'string') joined.push(tidy(child))
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

test('given a code that is like another, when a format has no row for it, then it has the other row, in part', async (t) => {
  const { in_transit, delivered, cancelled } = parcel.codes
  const codes = {
    ...{ in_transit, delivered, cancelled },
    customs_cleared: { ...in_transit, like: 'in_transit' },
    handed_over: { ...delivered, like: 'delivered' },
    recalled: { ...cancelled, like: 'cancelled' },
  }
  const rows = {
    in_transit: { fidelity: '=', word: 'moving' },
    delivered: { fidelity: '=', word: 'there' },
    cancelled: { fidelity: 'none', word: '' },
    handed_over: { fidelity: '=', word: 'in hand' },
  }
  t.same(likeRows(codes, rows), {
    customs_cleared: { fidelity: '~', word: 'moving' },
    recalled: { fidelity: 'none', word: '' },
  })
  t.same(likeRows(codes, { delivered: 'there' }), { handed_over: 'there' })
})
