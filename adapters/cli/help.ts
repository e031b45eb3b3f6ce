import { type Command, helpOption } from './command.ts'

/** The help of the whole program. */
export function programHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ name, takes, summary }) => [`${name} ${takes}`.trim(), summary] as const)
  return [
    'otep: tracking timelines in the Open Tracking Event Protocol',
    '',
    'Usage: otep COMMAND [OPTIONS]',
    '',
    ...table(rows),
    '',
    'otep help COMMAND or otep COMMAND --help describes a command; otep --version shows the version.',
    '',
  ].join('\n')
}

/** The help of one command. */
export function commandHelp({ name, takes, summary, options }: Command): string {
  const rows = Object.entries({ ...options, ...helpOption }).map(([option, { short, value, help }]) => {
    const names = short === undefined ? `--${option}` : `-${short}, --${option}`
    return [value === undefined ? names : `${names} ${value}`, help] as const
  })
  return [`Usage: otep ${name} ${takes}`.trimEnd(), '', summary, '', ...table(rows), ''].join('\n')
}

/** Maximum width of the left column; longer text has its own line. */
const maxLeftColumn = 32

/** Rows of two columns, aligned. */
export function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= maxLeftColumn))
  return rows.flatMap(([left, right]) =>
    left.length > width ? [`  ${left}`, `  ${''.padEnd(width)}  ${right}`] : [`  ${left.padEnd(width)}  ${right}`],
  )
}
