import { call, setModule, showModules } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { withContext } from './session.ts'

/** The state that a verb sets. */
const stateOf: Readonly<Record<string, string>> = { enable: 'on', disable: 'revoked' }

/** `otep module`: sets and lists the modules of a business. */
export const run: Run = async (invocation) => {
  const [verb = '', business, module, given, ...more] = invocation.positionals
  const state = verb === 'set' ? given : stateOf[verb]
  const extra = verb === 'set' ? more[0] : given
  if (verb === 'list' && business !== undefined && module === undefined) return list(invocation, numberOf(business))
  if (business === undefined || module === undefined || state === undefined || extra !== undefined)
    throw usageError(
      'Use one of: enable BUSINESS MODULE, disable BUSINESS MODULE, set BUSINESS MODULE STATE, list BUSINESS.',
    )
  return withContext(invocation, async (context) => {
    const asked = { business_id: numberOf(business), module, state }
    const answer = await call(setModule, context, asked)
    printAnswer(invocation, answer, `The module ${module} of business ${business} is ${state}.`)
    return 0
  })
}

function list(invocation: Invocation, business_id: number): Promise<number> {
  return withContext(invocation, async (context) => {
    const answer = await call(showModules, context, { business_id })
    const lines = Object.entries(answer.modules as object).map(([name, state]) => `${name.padEnd(18)} ${state}`)
    printAnswer(invocation, answer, lines.join('\n'))
    return 0
  })
}
