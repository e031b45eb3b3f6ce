import { parseArgs } from 'node:util'
import { isEngineError, messageOf } from '../../engine/index.ts'
import { packageVersion } from '../version.ts'
import { accountCommand, moduleCommand } from './account.ts'
import { appCommand } from './app.ts'
import { backupCommand } from './backup.ts'
import { benchCommand } from './bench.ts'
import { type Command, helpOption, parserOptions, type Terminal, usageError } from './command.ts'
import { exportCommand } from './export.ts'
import { forgetCommand } from './forget.ts'
import { formatsCommand } from './formats.ts'
import { commandHelp, programHelp } from './help.ts'
import { importCommand } from './import.ts'
import { ingestCommand } from './ingest.ts'
import { projectCommand } from './project.ts'
import { providerCommand } from './provider.ts'
import { rebuildCommand } from './rebuild.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { messagesFor } from './session.ts'
import { showCommand } from './show.ts'
import { validateCommand } from './validate.ts'
import { verifyCommand } from './verify.ts'
import { webhooksCommand } from './webhooks.ts'

/** THE LIST of commands. */
export const commands: readonly Command[] = [
  serveCommand,
  ingestCommand,
  showCommand,
  projectCommand,
  validateCommand,
  formatsCommand,
  providerCommand,
  accountCommand,
  moduleCommand,
  appCommand,
  webhooksCommand,
  backupCommand,
  restoreCommand,
  verifyCommand,
  exportCommand,
  importCommand,
  forgetCommand,
  rebuildCommand,
  benchCommand,
]

/** Runs a command line and answers its exit code: 0 done, 1 refused, 2 not understood. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      terminal.stdout.write(programHelp(commands))
      return name === undefined ? 2 : 0
    }
    if (name === '--version') {
      terminal.stdout.write(`${packageVersion()}\n`)
      return 0
    }
    const command = commands.find((candidate) => candidate.name === name)
    if (command === undefined) throw usageError(`There is no command ${name}. otep --help lists them.`)
    return await runCommand(command, rest, terminal)
  } catch (error) {
    return explain(error, terminal)
  }
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parserOptions({ ...command.options, ...helpOption })
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  if (values.help === true) {
    terminal.stdout.write(commandHelp(command))
    return 0
  }
  return command.run({ ...terminal, values: values as Record<string, string | boolean | undefined>, positionals })
}

function explain(error: unknown, { stderr, env }: Terminal): number {
  if (isEngineError(error)) {
    const messages = messagesFor(env)
    stderr.write(`${messageOf(error.code, error.params, messages)}\n`)
    // Whoever runs a command may know what its caller over HTTP may not.
    if (error.cause instanceof Error) stderr.write(`  ${error.cause.message}\n`)
    for (const { path, code, params } of error.findings)
      stderr.write(`  ${path}: ${messageOf(code, params, messages)}\n`)
    return 1
  }
  const { message, code } =
    error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error), code: undefined }
  stderr.write(`${message}\n`)
  return code === 'OTEP_USAGE' || String(code).startsWith('ERR_PARSE_ARGS') ? 2 : 1
}
