import type { Command } from './command.ts'

/** The name that was probably meant: one that begins like it, or differs in few letters. */
export function meantBy(word: string, names: readonly string[]): string | undefined {
  const begins = names.filter((name) => word.length > 1 && name.startsWith(word))
  if (begins.length === 1) return begins[0]
  const most = word.length < 5 ? 1 : 2
  const near = names.map((name) => ({ name, steps: distance(word, name) })).filter(({ steps }) => steps <= most)
  return near.sort((one, other) => one.steps - other.steps)[0]?.name
}

/** How many letters are added, left out, changed, or swapped with the next one. */
function distance(one: string, other: string): number {
  let rows: readonly (readonly number[])[] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (const [at, letter] of [...one].entries()) {
    const [last = [], beforeLast = []] = rows
    const row = [at + 1]
    for (let to = 0; to < other.length; to++) {
      const isSwapped = at > 0 && to > 0 && letter === other[to - 1] && one[at - 1] === other[to]
      const steps = [
        (last[to + 1] ?? 0) + 1,
        (row[to] ?? 0) + 1,
        (last[to] ?? 0) + (letter === other[to] ? 0 : 1),
        ...(isSwapped ? [(beforeLast[to - 1] ?? 0) + 1] : []),
      ]
      row.push(Math.min(...steps))
    }
    rows = [row, last]
  }
  return rows[0]?.at(-1) ?? 0
}

/** Why a command is not known, and which may have been meant. */
export function unknownCommand(word: string, commands: readonly Command[]): string {
  const meant = meantBy(
    word,
    commands.map(({ name }) => name),
  )
  return `There is no command ${word}.${meant === undefined ? '' : ` Did you mean ${meant}?`} otep --help lists them.`
}

/** Why an option is not known, and which may have been meant; `undefined` for other errors of the parser. */
export function unknownOption(message: string, { name, options }: Command): string | undefined {
  const [, option = ''] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
  if (option === '') return undefined
  const meant = meantBy(option.replace(/^--?/, ''), [...Object.keys(options), 'help'])
  const question = meant === undefined ? '' : ` Did you mean --${meant}?`
  return `otep ${name} has no option ${option}.${question} otep ${name} --help lists them.`
}
