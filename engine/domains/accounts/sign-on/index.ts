import type { Domain } from '../../../entity/domain.ts'
import { beginSignOut, endByProvider } from '../sign-out.ts'
import { emailDomainModel } from './domain-model.ts'
import { signOnEventShapes } from './events.ts'
import { signOnMessages } from './messages.ts'
import { claimDomain, proveDomain, releaseDomain, removeSignOn, setSignOn, showSignOn } from './operations.ts'
import { confirmDomain, endSignOn, showSignOnOf, takeDomain } from './platform.ts'
import { beginSignOn, finishSignOn } from './sign-in.ts'

export { beginSignOut, endByProvider } from '../sign-out.ts'
export { isAnyProved } from './domain-model.ts'
export { domainIn } from './domains.ts'
export type { SignOnCode } from './messages.ts'
export {
  claimDomain,
  proveDomain,
  releaseDomain,
  removeSignOn,
  setSignOn,
  showSignOn,
} from './operations.ts'
export { confirmDomain, endSignOn, showSignOnOf, takeDomain } from './platform.ts'
export { type SignOn, signOnForDomain } from './setting.ts'
export { beginSignOn, finishSignOn } from './sign-in.ts'
export { signedOutIn, signOnTicketIn, signOnTime } from './ticket.ts'

/** Signing in with the identity provider of the business. */
export const signOnDomain: Domain = {
  name: 'sign-on',
  messages: [signOnMessages],
  events: signOnEventShapes,
  operations: [
    beginSignOn,
    finishSignOn,
    beginSignOut,
    endByProvider,
    showSignOn,
    setSignOn,
    removeSignOn,
    claimDomain,
    proveDomain,
    releaseDomain,
    showSignOnOf,
    confirmDomain,
    takeDomain,
    endSignOn,
  ],
  readModels: [emailDomainModel],
  erasures: ['SignOnRemoved'],
}
