import { parseArgs } from 'node:util'
import { packageVersion } from '../node/version.ts'
import { type Command, helpOption, type Invocation, parserOptions, type Terminal, usageError } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp, programHelp } from './help.ts'

/** Runs a command line and returns its exit code: 0 success, 1 refused, 2 usage error. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === 'help' && rest[0] !== undefined && !rest[0].startsWith('-')) {
      terminal.stdout.write(commandHelp(await commandNamed(rest[0])))
      return 0
    }
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      terminal.stdout.write(programHelp(commands))
      return name === undefined ? 2 : 0
    }
    if (name === '--version') {
      terminal.stdout.write(`${packageVersion()}\n`)
      return 0
    }
    return await runCommand(await commandNamed(name), rest, terminal)
  } catch (error) {
    return explain(error, terminal, rest.includes('--json'))
  }
}

async function commandNamed(name: string): Promise<Command> {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const { unknownCommand } = await import('./suggest.ts')
  throw usageError(unknownCommand(name, commands))
}

/** Parses the arguments of a command. The error for an option that does not exist says which may have been meant. */
async function parsed(command: Command, args: readonly string[]) {
  const options = parserOptions({ ...command.options, ...helpOption })
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const { unknownOption } = await import('./suggest.ts')
    throw usageError(unknownOption((error as Error).message, command) ?? (error as Error).message)
  }
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = await parsed(command, args)
  if (values.help === true) {
    terminal.stdout.write(commandHelp(command))
    return 0
  }
  const { run: carryOut } = await command.load()
  const { plugin, ...single } = values
  const plugins = Array.isArray(plugin) ? plugin.map(String) : []
  return carryOut({ ...terminal, values: single as Invocation['values'], positionals, plugins })
}

async function explain(error: unknown, terminal: Terminal, isJson: boolean): Promise<number> {
  const { message, code } =
    error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error), code: undefined }
  if (code === 'OTEP_USAGE' || code === 'faulty_plugin') {
    terminal.stderr.write(`${message}\n`)
    return 2
  }
  const { refusal } = await import('./refusal.ts')
  terminal.stderr.write(refusal(error, terminal.env, isJson))
  return 1
}
