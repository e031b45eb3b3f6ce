import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { optionNames } from '../../engine/index.ts'
import { projections } from '../../projections/index.ts'
import { at, parcelOf } from '../../projections/shared/parcels.test.fixture.ts'
import { journeys } from '../suites/projection/kept.ts'
import { judges as epcis } from './epcis/index.ts'
import { jsonSchemaJudge } from './epcis/json-schema.ts'
import { xsdJudge } from './epcis/xsd.ts'
import { judges } from './index.ts'
import { type Judge, readyJudge } from './judge.ts'
import { faultsBy, isFaultless, testWith } from './official.test.fixture.ts'
import { official, together } from './official.ts'
import { judges as onerecord } from './onerecord/index.ts'
import { exhibitsOf, trial } from './trial.ts'
import { judges as uncefact } from './uncefact/index.ts'

/** An empty folder of standards for the time of a test. */
function standards(t: Test): string {
  const before = process.env.OTEP_STANDARDS_DIR
  t.teardown(() => {
    if (before === undefined) delete process.env.OTEP_STANDARDS_DIR
    else process.env.OTEP_STANDARDS_DIR = before
  })
  process.env.OTEP_STANDARDS_DIR = t.testdir()
  return process.env.OTEP_STANDARDS_DIR
}

/** A test that notes what is asserted, and what is skipped. */
function noting() {
  const noted: unknown[] = []
  const note =
    (kind: string) =>
    (...words: readonly unknown[]) =>
      void noted.push([kind, ...words.filter((word) => typeof word !== 'function')])
  return { t: { test: note('test'), pass: note('pass'), strictSame: note('same') } as unknown as Test, noted }
}

const missing = (...files: readonly string[]) => `no official files here: ${files.join(', ')} (OTEP_STANDARDS_DIR)`

t.test(
  'given files that come later, when they are needed, then they are missing, and afterwards read once',
  async (t) => {
    const folder = standards(t)
    let count = 0
    const text = official(['a.txt', 'b.txt'], ([one, other]) => {
      count++
      return readFileSync(one, 'utf8') + readFileSync(other, 'utf8')
    })
    writeFileSync(join(folder, 'a.txt'), 'a')
    t.strictSame(text(), { missing: missing('b.txt') })
    t.strictSame(together({ text, other: official(['c.txt'], () => 1) })(), {
      missing: `${missing('b.txt')}; ${missing('c.txt')}`,
    })
    writeFileSync(join(folder, 'b.txt'), 'b')
    t.strictSame([text(), text()], [{ here: 'ab' }, { here: 'ab' }])
    t.strictSame(together({ text })(), { here: { text: 'ab' } })
    t.equal(count, 1)
  },
)

t.test(
  'given no official files, when judges are opened, then those are here that need none or find theirs in a package',
  async (t) => {
    standards(t)
    const names = [...epcis, ...onerecord, ...uncefact].filter(({ open }) => open().missing === undefined)
    t.strictSame(
      names.map(({ format, name }) => `${format}: ${name}`),
      ['epcis: JSON Schema (GS1)', 'epcis: rules that no schema states', 'uncefact: Rules that no schema states'],
    )
    t.match(await jsonSchemaJudge.open().here?.({ text: '{"type":"EPCISDocument"}' }), [/must have required property/])
  },
)

t.test('given a missing judge, when a test needs it, then what needs it is skipped, and says why', async (t) => {
  standards(t)
  const reason = missing('epcis/xsd/EPCglobal-epcis-2_0.xsd', 'epcis/xsd/EPCglobal-epcis-query-2_0.xsd')
  const { t: one, noted } = noting()
  testWith(one, { faultsIn: xsdJudge.open }, 'a test', () => t.fail('it is run'))
  await isFaultless(one, xsdJudge, { text: '<a/>' })
  t.strictSame(await faultsBy(one, xsdJudge)({ text: '<a/>' }), [])
  t.strictSame(noted, [
    ['test', 'a test', { skip: reason }],
    ['pass', xsdJudge.name, { skip: reason }],
    ['pass', xsdJudge.name, { skip: reason }],
  ])
})

t.test('given a judge that is here, when a test needs it, then the test is run with it', async (t) => {
  const { t: one, noted } = noting()
  const strict = { ...jsonSchemaJudge, open: () => ({ here: ({ text }: { text: string }) => [text] }) }
  testWith(one, { faultsIn: strict.open }, 'a test', () => {})
  await isFaultless(one, strict, { text: 'wrong' })
  t.strictSame(await faultsBy(one, strict)({ text: 'wrong' }), ['wrong'])
  t.strictSame(noted, [
    ['test', 'a test'],
    ['same', ['wrong'], [], strict.name],
  ])
})

t.test('given the list of judges, when it is read, then each has a name of its own and a format that is', async (t) => {
  const names = judges.map(({ format, name }) => `${format}: ${name}`)
  t.equal(new Set(names).size, names.length)
  const formats = projections.map(({ name }) => name)
  t.same(
    judges.filter(({ format }) => !formats.includes(format)),
    [],
  )
})

t.test(
  'given a judge that finds faults, throws nothing and lacks nothing, when it runs, then each fault is reported',
  async (t) => {
    const strict = readyJudge({
      name: 'strict',
      format: 'otep',
      takes: ({ mediaType }) => mediaType === 'application/json',
      judge: ({ timeline }) => (timeline.delivered ? ['delivered'] : []),
    })
    const [native] = projections
    const some = await journeys(projections)
    const verdict = await trial(strict, await exhibitsOf(native, some))
    t.match(verdict, { format: 'otep', judge: 'strict', tried: 11 })
    t.equal(verdict.passed, some.filter(({ timeline }) => !timeline.delivered).length)
    t.equal(verdict.faults.length, 11 - verdict.passed)
    t.match(verdict.faults[0], /^journey happy-path, application\/json: delivered$/)
    const absent: Judge = { ...strict, open: () => ({ missing: 'no files' }) }
    t.same(await trial(absent, []), {
      ...{ format: 'otep', judge: 'strict', missing: 'no files', tried: 0, passed: 0, faults: [] },
    })
  },
)

t.test(
  'given requests that a shop would refuse or that say too much, when they are judged, then each is a fault',
  async (t) => {
    const of = parcelOf([at(7, 'information_submitted')])
    const found = async (format: string, requests: readonly object[]) => {
      const target = { baseUrl: 'https://track.example', options: { as: 'input' } }
      const judged = { text: JSON.stringify(requests), mediaType: 'application/json', timeline: of, target }
      const all = judges.filter((judge) => judge.format === format && judge.takes(judged))
      return (await Promise.all(all.map(({ open }) => open().here?.(judged) ?? []))).flat().join(' ')
    }
    const early = /no event shows that the carrier had it/
    const unknown = { method: 'POST', path: '/elsewhere', body: {} }
    for (const { name } of projections.filter((format) => optionNames(format).includes('order'))) {
      t.match(await found(name, [unknown]), early, name)
      t.match(await found(name, [unknown]), /must match pattern|must be equal to constant/, name)
      t.match(await found(name, [unknown, unknown]), /sent twice/, name)
      t.equal(await found(name, []), '', name)
    }
    const mutation = {
      ...unknown,
      path: '/admin/api/2026-10/graphql.json',
      body: { query: 'mutation { shopRename }', variables: {} },
    }
    t.match(await found('shopify', [mutation]), /Cannot query field "shopRename"/)
  },
)
