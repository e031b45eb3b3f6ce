import { type Profile, stepBetween } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { code, codes, page, table } from './markdown.ts'

type Step = ReturnType<typeof stepBetween>

const signs: Readonly<Record<Step, string>> = { planned: 'P', skipped: 's', after_terminal: 't', impossible: '**X**' }

const legend = table(
  ['sign', 'step', 'validate', 'ingest'],
  [
    ['P', 'planned', 'nothing', 'taken'],
    [
      's',
      'skipped: a scan in between is missing',
      'warning `step_skipped` or `first_step_skipped`; after a terminal status an error',
      'recorded, with the warning',
    ],
    [
      't',
      'after a terminal status, which stays',
      'error `after_terminal`',
      'recorded, with the warning `after_terminal`',
    ],
    ['**X**', 'impossible', 'error `impossible_transition`', 'recorded, with the warning `impossible_transition`'],
  ],
)

/** The transitions of every profile. */
export function transitionsPage(): string {
  return page(
    'Transitions',
    [...profiles.map(({ name }) => `profiles/${name}.ts`), 'engine/kernel/profile.ts'],
    [
      'Why the table is like this: [explanation](../explanation/transitions.md). An `x-` code may occur anywhere.',
      legend,
      ...profiles.flatMap(profileParts),
    ],
  )
}

function profileParts(profile: Profile): readonly string[] {
  const words = Object.keys(profile.codes)
  const row = (label: string, from: string | undefined) => [
    label,
    ...words.map((to) => signs[stepBetween(profile, from, to)]),
  ]
  const rows = words.map((from, index) => row(`${index + 1} ${code(from)}`, from))
  return [
    `## Profile ${profile.name}`,
    'Rows: the status before. Columns: the next one, by its number. The first row is the first event of a timeline.',
    table(['from \\ to', ...words.map((_, index) => String(index + 1))], [row('(first event)', undefined), ...rows]),
    '### As lists',
    ...words.map((from) => lists(profile, words, from)),
  ]
}

function lists(profile: Profile, words: readonly string[], from: string): string {
  const of = (step: Step) => words.filter((to) => to !== from && stepBetween(profile, from, to) === step)
  return [
    `#### ${from}`,
    '',
    `- planned: ${codes(of('planned'))}, and itself`,
    `- skipped: ${codes(of('skipped'))}`,
    `- after terminal: ${codes(of('after_terminal'))}`,
    `- impossible: ${codes(of('impossible'))}`,
  ].join('\n')
}
