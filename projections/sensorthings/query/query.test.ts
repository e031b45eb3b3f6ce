import t from 'tap'
import { isEngineError } from '../../../engine/index.ts'
import type { SetName } from '../links.ts'
import { expressionOf, maxDepth } from './expression.ts'
import { relates } from './geometry.ts'
import { keyOf, listed, noOptions, optionsOf, pathOf, testOf } from './index.ts'
import { limits } from './options.ts'
import { shapeOfText } from './shapes.ts'

const now = Date.parse('2026-06-12T00:00:00Z')

const observation = {
  '@iot.id': "SR1/it's",
  phenomenonTime: '2026-06-10T23:30:15.250-04:00',
  resultTime: '2026-06-11T00:00:00Z/2026-06-11T02:00:00Z',
  result: 8.5,
  parameters: { note: 'Ring twice', depth: { level: 3 }, since: '2026-06-01T00:00:00Z' },
  Datastream: { name: 'Temperature', Thing: { name: 'SR1', properties: { profile: 'parcel' } } },
  FeatureOfInterest: { feature: { type: 'Point', coordinates: [13.4, 52.5] } },
}

/** Whether the entity passes a filter. */
function passes(filter: string, entity: object = observation, set: SetName = 'Observations'): boolean {
  const { filter: condition } = optionsOf([['$filter', filter]], set, 'entities')
  if (condition === undefined) throw new RangeError('no condition')
  return testOf(condition, now)(entity as never)
}

/** Why options are refused; undefined if they are taken. */
function reasonOf(pairs: readonly (readonly [string, string])[], set: SetName = 'Observations') {
  try {
    optionsOf(pairs, set, 'entities')
    return undefined
  } catch (error) {
    if (!isEngineError(error, 'query_parameter_refused')) throw error
    return `${error.params.parameter}: ${error.params.reason}`
  }
}

t.test('given filters of the standard, when they are evaluated, then they are true or false as it says', async (t) => {
  const truths = [
    ...['result gt 8', 'result le 8.5', 'result eq 8.5', 'result ne null', 'not (result lt 8)', 'not result lt 8'],
    ...['8 lt result and result lt 9 or false', 'result gt 8 and (result lt 3 or result eq 8.5)', '-result lt 0'],
    ...[
      'result add 1.5 eq 10',
      'result sub 5 mul 1 eq 3.5',
      'result mul 2 eq 17',
      'result div 2 eq 4.25',
      'result mod 5 eq 3.5',
    ],
    ...["parameters/note eq 'Ring twice'", 'parameters/depth/level eq 3', "id eq 'SR1/it''s'", "@iot.id ne 'x'"],
    ...[
      "substringof('ing',parameters/note)",
      "startswith(parameters/note,'Ring')",
      "endswith(parameters/note,'twice')",
    ],
    ...["contains(parameters/note, 'ing')", 'length(parameters/note) eq 10', "indexof(parameters/note,'twice') eq 5"],
    ...["substring(parameters/note,5) eq 'twice'", "substring(parameters/note,1,3) eq 'ing'"],
    ...[
      "tolower(parameters/note) eq 'ring twice'",
      "toupper('ä') eq 'Ä'",
      "trim('  a ') eq 'a'",
      "concat('a','b') eq 'ab'",
    ],
    ...['year(phenomenonTime) eq 2026', 'month(phenomenonTime) eq 6', 'day(phenomenonTime) eq 10'],
    ...['hour(phenomenonTime) eq 23', 'minute(phenomenonTime) eq 30', 'second(phenomenonTime) eq 15'],
    ...['fractionalseconds(phenomenonTime) eq 0.25', 'date(phenomenonTime) eq 2026-06-10'],
    ...['time(phenomenonTime) gt 23:30', 'totaloffsetminutes(phenomenonTime) eq -240', 'now() eq 2026-06-12T00:00:00Z'],
    ...['phenomenonTime lt now() and phenomenonTime gt mindatetime()', 'phenomenonTime lt maxdatetime()'],
    ...['phenomenonTime eq 2026-06-11T03:30:15.25Z', 'phenomenonTime gt 2026-06-11T00:00:00 01:00'],
    ...["now() sub phenomenonTime gt duration'PT20H'", "phenomenonTime add duration'P1DT1H' gt now()"],
    ...['resultTime lt 2026-06-11T02:00:00Z/2026-06-12T00:00:00Z', 'not (resultTime gt 2026-06-11T01:00:00Z)'],
    ...[
      'parameters/since lt 2026-06-02T00:00:00Z',
      'round(result) eq 9',
      'floor(-result) eq -9',
      'ceiling(result) eq 9',
    ],
    ...["Datastream/name eq 'Temperature'", "Datastream/Thing/properties/profile eq 'parcel'", 'round(0.5) eq 1'],
    ...["st_within(FeatureOfInterest/feature, geography'POLYGON ((13 52, 14 52, 14 53, 13 53, 13 52))')"],
    ...["geo.distance(FeatureOfInterest/feature, geography'POINT (13.4 53.5)') le 1.0000001"],
    ...["geo.intersects(FeatureOfInterest/feature, geography'LINESTRING (13 52.5, 14 52.5)')"],
    ...[
      "geo.length(geography'LINESTRING (0 0, 3 4, 3 5)') eq 6",
      "st_disjoint(FeatureOfInterest/feature, geography'POINT(0 0)')",
    ],
    ...["st_relate(FeatureOfInterest/feature, geography'POINT(13.4 52.5)', '0FFFFFFF2')", 'parameters/none eq null'],
  ]
  for (const filter of truths) t.ok(passes(filter), filter)
  const lies = [
    ...[
      'result gt 8.5',
      "result gt 'a'",
      "result eq '8.5'",
      'not (parameters/none eq 1 or true)',
      'parameters/none gt 0',
    ],
    ...['not (parameters/none gt 0)', 'result div 0 gt 1', 'parameters eq 1', 'resultTime lt 2026-06-11T01:00:00Z'],
    ...["st_within(FeatureOfInterest/feature, geography'POLYGON ((13.4 52, 14 52, 14 53, 13.4 53, 13.4 52))')"],
  ]
  for (const filter of lies) t.notOk(passes(filter), filter)
})

t.test('given a relation to several entities, when a filter follows it, then one of them is enough', async (t) => {
  const thing = {
    name: 'SR1',
    Datastreams: [
      { name: 'a', Observations: [{ result: 1 }, { result: 9 }] },
      { name: 'b', Observations: [] },
    ],
  }
  t.ok(passes('Datastreams/Observations/result gt 8', thing, 'Things'))
  t.notOk(passes('Datastreams/Observations/result gt 9', thing, 'Things'))
  t.ok(passes("Datastreams/name eq 'b' and not (Datastreams/name eq 'c')", thing, 'Things'))
})

t.test(
  'given wrong options, when they are read, then the refusal names the option, and what was probably meant',
  async (t) => {
    const wrong: readonly (readonly [string, string, RegExp, SetName?])[] = [
      ['$fliter', 'result gt 8', /^\$fliter: there is no query option \$fliter; did you mean \$filter\?$/],
      ['top', '5', /did you mean \$top\?/],
      ['foo', '1', /^foo: there is no query option foo$/],
      ['$top', '-1', /^\$top: it is a whole number/],
      ['$top', '1.5', /whole number/],
      ['$skip', '99999999', /from 0 to 1000000/],
      ['$count', 'yes', /true or false/],
      ['$resultFormat', 'csv', /dataArray/],
      ['$filter', 'rezult gt 8', /did you mean result|there is no property/],
      ['$filter', 'result', /^$|no condition/],
      ['$filter', 'result gt', /expected a value instead of the end at character 10/],
      ['$filter', 'result gt 8)', /expected an operator or the end instead of \)/],
      ['$filter', '(result gt 8', /expected \)/],
      ['$filter', "result eq 'a", /at character 11 is not understood/],
      ['$filter', 'result gt 8 xor true', /expected an operator/],
      ['$filter', 'phenomenonTime gt 5', /gt does not take a time and a number/],
      ['$filter', "year('a') eq 1", /year does not take a text/],
      ['$filter', 'strtswith(a,b)', /there is no function strtswith; did you mean startswith\?/],
      ['$filter', "startswith('a')", /startswith has 2 arguments, not 1/],
      ['$filter', 'constructor(1)', /no function/],
      ['$filter', 'eq(1,1)', /no function/],
      ['$filter', 'Datastream eq 1', /Datastream is no property, but a relation/],
      ['$filter', 'phenomenonTime gt 2026-13-01T00:00:00Z', /is no value of its kind/],
      ['$filter', "st_within(result, geography'POLYGON ((0 0, 1 1))')", /no value of its kind/],
      ['$filter', "now() gt duration'P'", /no value of its kind/],
      ['$orderby', 'result desc,', /a part of it is empty/],
      ['$orderby', 'result down', /expected an operator or the end/],
      ['$select', 'result,reslt', /there is no property/],
      ['$expand', 'Datastreams', /did you mean Datastream\?/],
      ['$expand', 'result', /is a property/],
      ['$expand', 'Datastream($top=1)', /\$top: it is not for one entity/],
      ['$expand', 'Datastream($select=name', /a parenthesis is not closed/],
      ['$expand', 'Datastream($select=name),Datastream($select=description)', /Datastream is expanded twice/],
      ['$expand', 'Datastream(name)', /is no query option/],
    ]
    for (const [name, value, reason] of wrong) t.match(reasonOf([[name, value]]) ?? '', reason, `${name}=${value}`)
    t.match(
      reasonOf([
        ['$top', '1'],
        ['$top', '2'],
      ]),
      /\$top: it is given twice/,
    )
    t.match(reasonOf([['$resultFormat', 'dataArray']], 'Things'), /not for these entities/)
  },
)

t.test(
  'given long and deep options, when they are read, then they are refused before they cost anything',
  async (t) => {
    const deep = (count: number) => `${'('.repeat(count)}result gt 8${')'.repeat(count)}`
    t.equal(reasonOf([['$filter', deep(maxDepth)]]), undefined)
    t.match(reasonOf([['$filter', deep(maxDepth + 1)]]), /nested more than/)
    t.match(reasonOf([['$filter', `${'not '.repeat(maxDepth + 1)}true`]]), /nested more than/)
    t.match(reasonOf([['$filter', `${'- '.repeat(maxDepth + 1)}1 gt 0`]]), /nested more than/)
    t.match(reasonOf([['$filter', `result gt 8${' or true'.repeat(500)}`]]), /more than 1000 words/)
    t.match(reasonOf([['$filter', 'a'.repeat(limits.characters + 1)]]), /longer than/)
    t.match(reasonOf([['$expand', 'Datastream/Observations/'.repeat(4).slice(0, -1)]]), /nested more than/)
    t.match(reasonOf([['$expand', `${'('.repeat(60)}`]]), /nested more than/)
    const far = `POLYGON ((${Array.from({ length: 300 }, (_, at) => `${at} 0`).join()}, 0 0))`
    t.match(reasonOf([['$filter', `st_within(FeatureOfInterest/feature, geography'${far}')`]]), /no value of its kind/)
    t.equal(pathOf('Things/'.repeat(2_000)), undefined)
  },
)

t.test('given nested expansions, when they are read, then each relation has its own options', async (t) => {
  const text =
    "Datastreams($select=name;$expand=Observations($top=2;$filter=result gt 8 and parameters/a eq ')(;,';$orderby=result desc)),Locations"
  const { expand } = optionsOf([['$expand', text]], 'Things', 'entities')
  t.match(expand, [
    {
      relation: 'Datastreams',
      isMany: true,
      options: {
        select: ['name'],
        expand: [{ relation: 'Observations', options: { top: 2, orderBy: [{ isDescending: true }] } }],
      },
    },
    { relation: 'Locations', options: noOptions },
  ])
  const joined = optionsOf(
    [['$expand', 'Datastreams/Sensor,Datastreams/Observations/FeatureOfInterest']],
    'Things',
    'entity',
  )
  t.match(joined.expand, [
    { options: { expand: [{ relation: 'Sensor' }, { relation: 'Observations', options: { expand: [{}] } }] } },
  ])
  t.equal(joined.expand.length, 1)
})

t.test('given resource paths, when they are read, then they lead where the standard says, or nowhere', async (t) => {
  t.match(pathOf("Things('it''s%20a')/Datastreams('a/b')/Observations"), {
    ways: [
      { name: 'Things', id: "it's a" },
      { name: 'Datastreams', set: 'Datastreams', id: 'a/b' },
      { set: 'Observations', isMany: true },
    ],
  })
  t.match(pathOf("Observations('e')/Datastream/Sensor/name/$value"), { property: 'name', isValue: true })
  t.match(pathOf('Things(5)/properties/subject/order_id'), { property: 'properties', members: ['subject', 'order_id'] })
  t.match(pathOf("Things('a')/Locations/$ref"), { isReference: true })
  t.match(pathOf('Things/$count'), { isCount: true })
  const nowhere = [
    '',
    'Robots',
    'things',
    "Things('a",
    'Things()',
    "Things('a')x",
    'Things/name',
    'Things/Datastreams',
    '%',
    '%zz',
  ]
  const wrong = [
    "Things('a')/Robots",
    "Things('a')/name/first",
    "Things('a')/name('b')",
    "Things('a')/$ref/name",
    "Things('a')/$value",
  ]
  const more = [
    "Observations('a')/Datastream('b')",
    "Things('a')/toString",
    'constructor',
    '__proto__',
    "Things('a')/name/$ref",
  ]
  for (const path of [...nowhere, ...wrong, ...more]) t.equal(pathOf(path), undefined, path)
})

t.test(
  'given values of all types, when they are put in order, then null is first, and the order is total',
  async (t) => {
    const of = (text: string) => keyOf(expressionOf('$orderby', text, 'Observations'), now)(observation)
    const values = ['null', 'false', 'true', 'result', '9', "'a'", "'b'"].map(of)
    t.same(values.toReversed().sort(listed), values)
  },
)

t.test(
  'given geometries, when they are compared, then their parts meet as the standard of simple features says',
  async (t) => {
    const square = 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))'
    const cases: readonly (readonly [string, string, string, boolean?])[] = [
      ['equals', square, 'POLYGON ((4 4, 0 4, 0 0, 4 0, 4 4))'],
      ['within', 'POLYGON ((1 1, 2 1, 2 2, 1 2, 1 1))', square],
      ['contains', square, 'LINESTRING (1 1, 2 2)'],
      ['overlaps', square, 'POLYGON ((2 2, 6 2, 6 6, 2 6, 2 2))'],
      ['touches', square, 'POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))'],
      ['touches', square, 'POINT (4 2)'],
      ['crosses', 'LINESTRING (-1 2, 5 2)', square],
      ['crosses', 'LINESTRING (0 0, 4 4)', 'LINESTRING (0 4, 4 0)'],
      ['overlaps', 'LINESTRING (0 0, 4 0)', 'LINESTRING (2 0, 6 0)'],
      ['touches', 'LINESTRING (0 0, 4 0)', 'LINESTRING (4 0, 4 4)'],
      ['disjoint', square, 'POLYGON ((5 5, 6 5, 6 6, 5 6, 5 5))'],
      ['intersects', 'MULTIPOINT ((9 9), (1 1))', square],
      ['overlaps', square, 'POLYGON ((1 1, 2 1, 2 2, 1 2, 1 1))', false],
      ['within', 'POINT (0 2)', square, false],
      ['within', 'POINT (2 2)', 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))', false],
      ['crosses', 'LINESTRING (1 1, 2 2)', square, false],
      ['equals', square, 'POLYGON ((0 0, 4 0, 4 5, 0 4, 0 0))', false],
    ]
    for (const [name, one, other, isTrue = true] of cases)
      t.equal(passes(`st_${name}(geography'${one}', geography'${other}')`), isTrue, `${one} ${name} ${other}`)
    const [area, line] = [shapeOfText(square), shapeOfText('LINESTRING (2 2, 6 2)')]
    t.ok(area && line && relates(area, line, '1020F1102'))
  },
)
