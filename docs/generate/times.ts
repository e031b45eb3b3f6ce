import { readFileSync } from 'node:fs'
import { projectFile } from '../../conformance/program/files.ts'
import type { Passage } from './passage.ts'

type Run = 'install' | 'quick' | 'system' | 'run' | 'nightly'

/** The last full measurement of the runner. */
interface Times {
  readonly date: string
  readonly node: string
  readonly cores: number
  readonly runs: Readonly<Record<Run, { readonly seconds: number }>>
}

/** The runs of the table of the loop by their command. */
const commands: readonly (readonly [command: string, run: Run, often?: string])[] = [
  ['npm ci', 'install', ', once'],
  ['npm run test:quick', 'quick'],
  ['npm test', 'system'],
  ['npm run check', 'system'],
  ['.ci/run', 'run'],
  ['.ci/nightly', 'nightly'],
]

/** Every text that says how long a run takes. */
export function timePassages(): readonly Passage[] {
  const { date, node, cores, runs }: Times = JSON.parse(readFileSync(projectFile('.ci', 'times.json'), 'utf8'))
  const time = (run: Run) => duration(runs[run].seconds)
  const contributing = '.github/CONTRIBUTING.md'
  return [
    {
      path: 'README.md',
      place: /(?<=^npm ci && npm test +# ).*$/m,
      text: `the tests, in ${time('system')} on ${cores} cores; npm run test:quick takes ${time('quick')}`,
    },
    ...commands.map(([command, run, often = '']) => ({
      path: contributing,
      place: new RegExp(`(?<=^\\| \`${command}\` +\\|[^|]*\\| ).*(?= \\|$)`, 'm'),
      text: time(run) + often,
    })),
    {
      path: contributing,
      place: /(?<=^The times are those of ).*?(?=;)/m,
      text: `${cores} cores with Node ${node} on ${date}`,
    },
    ...(['run', 'nightly'] as const).map((run) => ({
      path: `.ci/${run}`,
      place: /(?<=^# Takes ).*(?= \(\.ci\/times\.json\))/m,
      text: `${time(run)} on ${cores} cores`,
    })),
  ]
}

/** Seconds as people say them. */
export function duration(seconds: number): string {
  if (seconds < 100) return `${5 * Math.round(seconds / 5)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}
