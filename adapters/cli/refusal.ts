import { isEngineError, messageOf } from '../../engine/index.ts'
import type { Terminal } from './command.ts'
import { serverRefusalOf } from './remote/failure.ts'
import { messagesFor } from './session.ts'

/** Why a command was refused. */
interface Refusal {
  readonly code: string
  readonly message: string
  /** What caused it, or what to do. */
  readonly hint?: string | undefined
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

/** The refusal of an error, for people or as a line of JSON. */
export function refusal(error: unknown, env: Terminal['env'], isJson: boolean): string {
  const { code, message, hint, errors } = refusalOf(error, env)
  if (isJson) {
    const more = { ...(hint === undefined ? {} : { hint }), ...(errors.length === 0 ? {} : { errors }) }
    return `${JSON.stringify({ result: false, code, message, ...more })}\n`
  }
  const hints = hint === undefined ? [] : [`  ${hint}`]
  return `${[message, ...hints, ...errors.map(({ path, message: text }) => `  ${path}: ${text}`)].join('\n')}\n`
}

/** What is wrong with a file, by the code of the operating system. */
const fileProblems: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no such file or directory: ${path}`,
  ENOTDIR: (path) => `There is no such file or directory: ${path}`,
  EISDIR: (path) => `${path === '' ? 'This' : path} is a directory, not a file.`,
  EACCES: (path) => `This user has no permission for ${path}`,
  EPERM: (path) => `This user has no permission for ${path}`,
  ENAMETOOLONG: (path) => `The name of the file is too long: ${path}`,
  ELOOP: (path) => `The links of this file lead in a circle: ${path}`,
}

/** What an error of a file says to people; undefined for any other error. */
function fileProblem(error: unknown): string | undefined {
  const { code = '', path, syscall = '' } = error as NodeJS.ErrnoException
  if (syscall.startsWith('spawn') || (path === undefined && code !== 'EISDIR')) return undefined
  return Object.hasOwn(fileProblems, code) ? fileProblems[code]?.(path ?? '') : undefined
}

/** An error of the engine or of a server, in the language of the environment, or any other error. */
function refusalOf(error: unknown, env: Terminal['env']): Refusal {
  if (isEngineError(error)) {
    const messages = messagesFor(env)
    const errors = error.findings.map(({ path, code, params }) => ({
      path,
      message: messageOf(code, params, messages),
    }))
    // Operators may see the cause, which HTTP callers may not.
    const hint = error.cause instanceof Error ? error.cause.message : undefined
    return { code: error.code, message: messageOf(error.code, error.params, messages), hint, errors }
  }
  const message = fileProblem(error) ?? (error instanceof Error ? error.message : String(error))
  return serverRefusalOf(error) ?? { code: 'failed', message, errors: [] }
}
