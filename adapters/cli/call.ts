import { isObject, meantBy } from '../../engine/index.ts'
import { parseJson } from '../http/json.ts'
import { pathOf } from '../rest/routed.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { openInput, textOf } from './input.ts'
import { routedOperations } from './remote/requests.ts'
import { requireServer } from './remote/target.ts'

/** `otep call`: calls an operation of a server by its name. */
export const run: Run = async (invocation) => {
  const [name, file, ...more] = invocation.positionals
  if (name === undefined || more.length > 0) throw usageError('Name one operation, and a file with its input, or -.')
  const operation = routedOperations().find((one) => one.name === name)
  if (operation === undefined) throw usageError(unknown(name))
  const input = file === undefined ? {} : await inputIn(invocation, file)
  const missing = [...pathOf(operation).matchAll(/\{(\w+)\}/g)].find(([, member = '']) => input[member] === undefined)
  if (missing !== undefined) throw usageError(`The input must have ${missing[1]}.`)
  const server = await requireServer(invocation)
  invocation.stdout.write(`${JSON.stringify(await server.call(name, input))}\n`)
  return 0
}

function unknown(name: string): string {
  const meant = meantBy(
    name,
    routedOperations().map((one) => one.name),
  )
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no operation ${name}.${question} docs/reference/access.md lists them.`
}

async function inputIn(invocation: Invocation, file: string): Promise<Readonly<Record<string, unknown>>> {
  const input = parseJson(await textOf(openInput({ ...invocation, positionals: [file] })))
  if (!isObject(input)) throw usageError('The input must be a JSON object.')
  return input
}
