import type { ParseArgsConfig } from 'node:util'

/** Where a command reads and writes. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>
  readonly stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
}

/** The arguments of one run, parsed by the command's options. */
export interface Invocation extends Terminal {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | undefined>>
}

/** An option as it is parsed and as the help tells it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** What stands for the value in the help. */
  readonly value?: string
  readonly help: string
}

/** Carries a command out and answers the exit code: 0 done, 1 refused, 2 not understood. */
export type Run = (invocation: Invocation) => Promise<number>

/** A command as the help tells of it; what carries it out is loaded when it is run. */
export interface Command {
  readonly name: string
  /** The positional arguments, as the help shows them. */
  readonly takes: string
  readonly summary: string
  readonly options: Readonly<Record<string, CommandOption>>
  load(): Promise<{ readonly run: Run }>
}

/** The error of a command line that cannot be understood; it ends the program with exit code 2. */
export function usageError(message: string): Error {
  return Object.assign(new Error(message), { code: 'OTEP_USAGE' })
}

/** The option of every command. */
export const helpOption: Command['options'] = { help: { type: 'boolean', short: 'h', help: 'show this' } }

/** The environment as the options of a run change it. */
export function settingsOf({ env, values }: Pick<Invocation, 'env' | 'values'>): Invocation['env'] {
  const given = { PORT: values.port, HOST: values.host, OTEP_DATA_DIR: values['data-dir'], OTEP_STORE: values.store }
  const set = Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return { ...env, ...Object.fromEntries(set) }
}

/** The options as node's parser wants them. */
export function parserOptions(options: Command['options']): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, short === undefined ? { type } : { type, short }]),
  )
}
