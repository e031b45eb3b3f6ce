import { assignApp, call, configureApp, isObject, setAppAvailability, showApp } from '../../engine/index.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { openInput, textOf } from './input.ts'
import { type SessionContext, withContext } from './session.ts'

/** `otep app`: manages apps and their assignments to clients. */
export const run: Run = async (invocation) => {
  const [verb = '', ...given] = invocation.positionals
  const verbs: Readonly<Record<string, readonly number[]>> = {
    add: [2],
    assign: [3],
    show: [1],
    disable: [1, 2],
    enable: [1, 2],
  }
  if (!Object.hasOwn(verbs, verb) || verbs[verb]?.includes(given.length) !== true)
    throw usageError(
      'Use one of: add CODE FILE, assign CODE CLIENT FILE, show CODE, disable CODE [CLIENT], enable CODE [CLIENT].',
    )
  return withContext(invocation, async (context) => {
    const answer = await asked(invocation, context, verb, given)
    const isTold = invocation.values.json === true || verb === 'show'
    if (isTold) invocation.stdout.write(`${JSON.stringify(answer, undefined, invocation.values.json ? 0 : 2)}\n`)
    return 0
  })
}

async function asked(invocation: Invocation, context: SessionContext, verb: string, given: readonly string[]) {
  const [app_code, client_code] = given
  switch (verb) {
    case 'add':
      return call(configureApp, context, { app_code, settings: await documentOf(invocation, given.at(-1)) })
    case 'assign':
      return call(assignApp, context, { app_code, client_code, settings: await documentOf(invocation, given.at(-1)) })
    case 'show':
      return call(showApp, context, { app_code })
    default: {
      const target = client_code === undefined ? { app_code } : { app_code, client_code }
      return call(setAppAvailability, context, { ...target, is_available: verb === 'enable' })
    }
  }
}

async function documentOf(invocation: Invocation, file = '-'): Promise<unknown> {
  const text = await textOf(openInput({ ...invocation, positionals: [file] }))
  const document: unknown = JSON.parse(text)
  if (!isObject(document)) throw usageError('The file must contain a JSON object.')
  return document
}
