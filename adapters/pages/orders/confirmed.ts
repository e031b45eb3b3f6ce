import { confirmationIn } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import type { Visited } from './setting.ts'
import { actionTitle } from './words.ts'

/** The message of an action that was just taken, if the address asks for one. */
export function confirmedIn({ request, setting, gateway }: Visited, visitor: Visitor): Result | undefined {
  const [said, name] = confirmationIn(request, visitor)
  const operation = gateway.operations.find((one) => said === 'done' && one.name === name)
  const { actions, lang } = setting.orders
  return operation && { kind: 'good', text: actions.done({ action: actionTitle(operation, lang) }) }
}
