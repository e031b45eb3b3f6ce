import type { ParseArgsConfig } from 'node:util'

/** The streams and the environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean }
  readonly stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
}

/** The parsed arguments of a run. */
export interface Invocation extends Terminal {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  /** The plug-ins that `--plugin` names, in order. */
  readonly plugins: readonly string[]
}

/** An option, for parsing and for the help. */
interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** Placeholder of the value in the help. */
  readonly value?: string
  readonly help: string
  /** Whether the option can be repeated. */
  readonly multiple?: true
}

/** Runs a command and returns its exit code: 0 success, 1 refused, 2 usage error. */
export type Run = (invocation: Invocation) => Promise<number>

/** A command; its implementation is loaded when it runs. */
export interface Command {
  readonly name: string
  /** The positional arguments as shown in the help. */
  readonly takes: string
  readonly summary: string
  readonly options: Readonly<Record<string, CommandOption>>
  load(): Promise<{ readonly run: Run }>
}

/** The names in the value of an option, such as `orders:read,orders:write`. */
export function namesIn(value: string | boolean): readonly string[] {
  return String(value)
    .split(',')
    .map((name) => name.trim())
}

/** A usage error; it ends the program with exit code 2. */
export function usageError(message: string): Error {
  return Object.assign(new Error(message), { code: 'OTEP_USAGE' })
}

/** The language of the environment as a tag (`LC_ALL`, `LC_MESSAGES`, `LANG`, in the order of POSIX); empty if there is none. */
export function localeIn(env: Terminal['env']): string {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return locale.replace(/[.@].*$/, '').replace('_', '-')
}

/** The option of every command. */
export const helpOption: Command['options'] = { help: { type: 'boolean', short: 'h', help: 'show this help' } }

/** The environment with the options of the run applied. */
export function settingsOf({ env, values }: Pick<Invocation, 'env' | 'values'>): Invocation['env'] {
  const given = {
    PORT: values.port,
    HOST: values.host,
    OTEP_LIMITS: values.limits,
    OTEP_WORKERS: values.workers,
    OTEP_DATA_DIR: values['data-dir'],
    OTEP_STORE: values.store,
  }
  const set = Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return { ...env, ...Object.fromEntries(set) }
}

/** The options in the form of node's parser. */
export function parserOptions(options: Command['options']): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      short === undefined ? { type, multiple } : { type, multiple, short },
    ]),
  )
}
