import type { Domain } from '../../../entity/domain.ts'
import { grantEventShapes } from './events.ts'
import { giveGrant } from './give.ts'
import { grantMessages } from './messages.ts'
import { grantModel } from './model.ts'
import { listGrants, revokeGrant } from './operations.ts'
import { redeemCode, refreshGrant, returnToken } from './tokens.ts'

export { requestedScopes, scopeBundles } from './bundles.ts'
export {
  documentedClient,
  isDocumentId,
  type OAuthClient,
  registerClient,
  registeredClient,
} from './client.ts'
export { giveGrant } from './give.ts'
export { accessTokensOf, type Grant, grantStream, grants } from './grant.ts'
export type { GrantCode } from './messages.ts'
export { listGrants, revokeGrant } from './operations.ts'
export { isOnThisMachine, isRegistered, placeOf } from './redirect.ts'
export {
  type GrantRequest,
  grantRequestOf,
  type RequestError,
  type Resources,
  requestErrors,
} from './request.ts'
export { grantTokenIn } from './secret.ts'
export { redeemCode, refreshGrant, returnToken } from './tokens.ts'

/** What programs may do for an account: grants, and the programs that ask for them. */
export const grantsDomain: Domain = {
  name: 'grants',
  messages: [grantMessages],
  events: { grant: grantEventShapes },
  operations: [listGrants, revokeGrant, giveGrant, redeemCode, refreshGrant, returnToken],
  readModels: [grantModel],
  erasures: ['GrantErased'],
}
