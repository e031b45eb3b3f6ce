import { XMLParser, XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import type { Goal } from '../goal.ts'
import type { Row, Sample } from '../harness.ts'
import { chartsOf } from './charts.ts'
import { type Figures, outcomesOf } from './outcomes.ts'
import { goalLines, measuredIn, reportPage } from './page.ts'
import { barChart, lineChart } from './svg.ts'

const pair = { topic: 'way', of: 'ours', to: 'theirs' }

function goal(more: Partial<Goal> & Pick<Goal, 'target' | 'measure'>): Goal {
  return { work: 'work', against: 'theirs', bound: 'at least', unit: 'x', ...more }
}

function sample(seconds: number, cpuSeconds: number, figures: Sample['figures'] = {}): Sample {
  return { units: 1, seconds, cpuSeconds, figures }
}

/** Ours takes a third of the CPU time of theirs, and half of the wall time. */
const figures: Figures = {
  topic: 'way',
  summary: 'one way and another',
  unit: 'event',
  notes: ['Both are the same.'],
  rows: [
    { name: 'ours', rate: 1, cpuMicros: 1, reference: 'theirs', ratio: 2, cpuRatio: 3 },
    { name: 'theirs', rate: 0.5, cpuMicros: 3 },
  ],
  samples: {
    ours: [sample(1, 1, { ms: 7 }), sample(1, 1, { ms: 9 })],
    theirs: [sample(2, 3), sample(2, 3)],
    slow: [sample(4, 6), sample(4, 6)],
  },
}

t.test(
  'given samples, when goals are held against them, then each holds, or does not, or was not measured',
  async (t) => {
    const speed = { kind: 'speed', by: 'CPU time', pairs: [pair] } as const
    const cost = { kind: 'cost', by: 'CPU time', pairs: [{ ...pair, of: 'theirs', to: 'ours' }] } as const
    const both = { ...speed, pairs: [pair, { ...pair, of: 'slow' }] }
    const outcomes = outcomesOf(
      [
        goal({ target: 3, measure: speed }),
        goal({ target: 2.5, measure: { ...speed, by: 'wall time' } }),
        goal({ target: 3, bound: 'at most', measure: cost }),
        goal({ target: 2, bound: 'at most', measure: cost }),
        goal({ target: 1, measure: both }),
        goal({
          target: 8,
          bound: 'at most',
          unit: 'ms',
          measure: { kind: 'figure', topic: 'way', of: 'ours', figure: 'ms' },
        }),
        goal({ target: 1, measure: { ...speed, pairs: [{ ...pair, to: 'a peer' }] } }),
        goal({ target: 1, measure: { ...speed, pairs: [{ ...pair, topic: 'another' }] } }),
      ],
      [figures],
    )
    t.same(
      outcomes.map(({ measured, holds, remark }) => [measured, holds, remark]),
      [
        [3, true, undefined],
        [2, false, undefined],
        [3, true, undefined],
        [3, false, undefined],
        [0.5, false, 'way: slow'],
        [8, true, undefined],
        [undefined, undefined, 'the topic way was left out, or what "a peer" needs is not at hand'],
        [undefined, undefined, 'the topic another was left out, or what "ours" needs is not at hand'],
      ],
    )
  },
)

t.test(
  'given a run, when its page is made, then it tells the goals, the tables, and where the time goes',
  async (t) => {
    const goals = [
      goal({ target: 4, measure: { kind: 'speed', by: 'CPU time', pairs: [pair] } }),
      goal({
        work: 'another | work',
        target: 1,
        measure: { kind: 'speed', by: 'CPU time', pairs: [{ ...pair, of: 'none' }] },
      }),
    ]
    const run = { machine: 'A machine', rounds: 2, outcomes: outcomesOf(goals, [figures]), figures: [figures] }
    const charts = chartsOf(run)
    t.same(
      charts.map(({ name, topic }) => [name, topic]),
      [
        ['goals', undefined],
        ['way', 'way'],
      ],
    )
    const page = reportPage(run, charts, () => undefined)
    t.match(page, '| work | at least 4 x | 3 x | no |  | theirs | CPU time |  |')
    t.match(
      page,
      '| another \\| work | at least 1 x |  | not measured |  | theirs | CPU time | the topic way was left out, or what "none" needs is not at hand |',
    )
    t.match(page, '![How far each goal is reached](benchmarks/goals.svg)')
    t.match(page, '## way\n\nOne way and another.\n')
    t.match(page, '| ours | 1 | 1.0 | 2.00 | 3.00 | theirs |')
    t.match(page, 'A goal is missed here')
    const explained = reportPage(run, charts, (topic) => `In ${topic}.`)
    t.match(explained, '### Where the time goes\n\nIn way.')
    t.notMatch(explained, 'A goal is missed here')
    t.match(goalLines(run.outcomes).split('\n')[1], /^work +at least 4 x +3 x +no +theirs +CPU time$/)
    const before = (measured: string) => new Map([...measuredIn(page)].map(([key]) => [key, measured]))
    t.same(measuredIn(page).get('work theirs'), '3 x')
    const lineAfter = (measured: string) => goalLines(run.outcomes, before(measured)).split('\n')[1]
    t.match(lineAfter('3.6 x'), /^work +at least 4 x +3 x +no +3\.6 x: worse now +theirs/)
    t.match(lineAfter('3.3 x'), /^work +at least 4 x +3 x +no +3\.3 x +theirs/)
    t.match(lineAfter('1,200 x'), /1,200 x: worse now/)
    t.match(lineAfter(''), /^work +at least 4 x +3 x +no +theirs/)
  },
)

t.test('given sizes in the names of cases, when charts are made, then what grows is a line over them', async (t) => {
  const row = (name: string, cpuMicros: number): Row => ({ name, rate: 1, cpuMicros })
  const rows = [
    row('store, 10,000 streams', 4),
    row('raw query, 10,000 streams', 1),
    row('store, 1,000,000 streams', 5),
  ]
  const [chart] = chartsOf({ outcomes: [], figures: [{ ...figures, topic: 'streams', rows }] })
  t.equal(chart?.name, 'streams-growth')
  t.match(chart?.svg, /<desc[^>]*>store: 10000 4, 1000000 5</)
  t.equal(chart?.svg.match(/<circle/g)?.length, 2)
})

t.test('given goals of 0, then the chart of goals shows them as reached or not', async (t) => {
  const measure = { kind: 'figure', topic: 'way', of: 'ours', figure: 'deaths' } as const
  const zero = goal({ target: 0, bound: 'at most', unit: 'deaths', measure })
  const outcomes = [0, 1, 3].map((measured) => ({ goal: zero, measured, holds: measured === 0 }))
  const [chart] = chartsOf({ outcomes, figures: [] })
  t.match(chart?.svg, /<desc[^>]*>work: 1.00. work: 0.50. work: 0.25</)
  t.notMatch(chart?.svg, /NaN[^a-z]|Infinity/)
})

t.test(
  'given words of any kind, when a chart is drawn, then it is a picture that a reader of the screen can tell',
  async (t) => {
    const caption = { title: 'a < b & c', description: 'so "it" is', axis: 'times' }
    const bars = [0.001, 1, 250].map((value) => ({ label: `<${value}>`, value }))
    const points = [1, 10, 1_000].map((size) => [size, size / 3] as const)
    for (const svg of [
      barChart(caption, bars),
      barChart(caption, []),
      lineChart(caption, [
        { label: 'one & all', points },
        { label: 'two', points: points.slice(0, 1) },
      ]),
    ]) {
      t.equal(XMLValidator.validate(svg), true)
      t.notMatch(svg, /NaN[^a-z]|Infinity|undefined/)
      const { svg: picture } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(svg)
      t.match(picture, { role: 'img', 'aria-labelledby': 'title description' })
      t.equal(picture.title['#text'], 'a < b & c')
      t.equal(picture.desc['#text'], 'so "it" is')
    }
  },
)
