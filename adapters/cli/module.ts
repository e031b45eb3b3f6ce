import { call, setModule } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Run, usageError } from './command.ts'
import { withContext } from './session.ts'

/** `otep module`: sets the modules of a business. */
export const run: Run = async (invocation) => {
  const [verb, business, module, state, ...more] = invocation.positionals
  if (verb !== 'set' || state === undefined || more.length > 0)
    throw usageError('Usage: otep module set BUSINESS MODULE STATE.')
  return withContext(invocation, async (context) => {
    const asked = { business_id: numberOf(business), module, state }
    const answer = await call(setModule, context, asked)
    printAnswer(invocation, answer, `The module ${module} of business ${business} is ${state}.`)
    return 0
  })
}
