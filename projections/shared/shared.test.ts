import fc from 'fast-check'
import { test } from 'tap'
import { isEngineError } from '../../engine/index.ts'
import { readXml, writeXml, type XmlElement } from './xml.ts'

/** Why a text is refused, with the line; nothing where it is read. */
function refusalOf(text: string): string | undefined {
  try {
    readXml(text)
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
  t.strictSame(readXml(text), {
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
  fc.assert(fc.property(element, (given) => JSON.stringify(readXml(writeXml(given))) === JSON.stringify(tidy(given))))
  t.pass('no counterexample')
})

/** The same element with texts side by side as one, and nothing empty told. */
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
