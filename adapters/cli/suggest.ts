import { meantBy } from '../../engine/index.ts'
import type { Command } from './command.ts'

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
