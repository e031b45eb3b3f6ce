import { call, setModule, showModules } from '../../engine/index.ts'
import { numberOf, printAnswer } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { either } from './either.ts'
import type { Server } from './remote/server.ts'

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
  const id = numberOf(business)
  const answer = await either(invocation, {
    store: (context) => call(setModule, context, { business_id: id, module, state }),
    server: async (server) => {
      await requireOwn(server, id)
      const wanted = state === 'revoked' ? 'off' : state
      return server.call('set_business_modules', { modules: { [module]: wanted } })
    },
  })
  const now = answer.state ?? (answer.modules as Readonly<Record<string, unknown>>)[module]
  printAnswer(invocation, answer, `The module ${module} of business ${business} is ${now}.`)
  return 0
}

async function list(invocation: Invocation, business_id: number): Promise<number> {
  const answer = await either(invocation, {
    store: (context) => call(showModules, context, { business_id }),
    server: async (server) => ({ result: true, modules: await requireOwn(server, business_id) }),
  })
  const lines = Object.entries(answer.modules as object).map(([name, state]) => `${name.padEnd(18)} ${state}`)
  printAnswer(invocation, answer, lines.join('\n'))
  return 0
}

/** The modules of the business of the account that has signed in; refuses another business, which a server does not show. */
async function requireOwn(server: Server, business: number): Promise<unknown> {
  const { business: own, modules } = await server.call('current_user')
  const { id } = own as { readonly id: number }
  if (id === business) return modules
  throw new Error(`You have signed in to business ${id}, and not to business ${business}.`)
}
