import type { Hono } from 'hono'
import { addAccount } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { ask, make, revoke, rotate, showKeys } from './key-actions.ts'
import {
  addProviderByForm,
  askProvider,
  revokeProviderByForm,
  rotateProvider,
  showProviders,
} from './provider-actions.ts'
import { deleteRole, giveRole, makeRole, saveRole, showRole, showRoles } from './role-actions.ts'
import {
  askDisable,
  makeServiceAccount,
  makeServiceAccountKey,
  showServiceAccount,
  showServiceAccounts,
  switchServiceAccount,
} from './service-account-actions.ts'
import {
  home,
  type KeySetting,
  providersHome,
  rolesHome,
  serviceAccountsHome,
  signOnHome,
  type Visited,
} from './setting.ts'
import { domainForm, removeProvider, saveProvider, showProvider } from './sign-on-actions.ts'

/** The pages of API keys, service accounts, providers, staff roles and single sign-on, below `/keys`. */
export function addKeys(app: Hono, served: Served<KeySetting>): void {
  addAccount(app, served)
  const key = `${home}/:id{[1-9]\\d{0,14}}`
  const provider = `${providersHome}/:name{[a-z0-9-]{1,60}}`
  const service = `${serviceAccountsHome}/:id{[1-9]\\d{0,14}}`
  const role = `${rolesHome}/:id{[1-9]\\d{0,14}}`
  const routes = [
    route<KeySetting>(app, 'get', home, signedIn(showKeys)),
    route<KeySetting>(app, 'post', home, signedForm(make)),
    route<KeySetting>(app, 'get', `${key}/rotate`, signedIn(ask('rotate'))),
    route<KeySetting>(app, 'post', `${key}/rotate`, signedForm(rotate)),
    route<KeySetting>(app, 'get', `${key}/revoke`, signedIn(ask('revoke'))),
    route<KeySetting>(app, 'post', `${key}/revoke`, signedForm(revoke)),
    route<KeySetting>(app, 'get', providersHome, signedIn(showProviders)),
    route<KeySetting>(app, 'post', providersHome, signedForm(addProviderByForm)),
    route<KeySetting>(app, 'get', `${provider}/rotate`, signedIn(askProvider('rotate'))),
    route<KeySetting>(app, 'post', `${provider}/rotate`, signedForm(rotateProvider)),
    route<KeySetting>(app, 'get', `${provider}/revoke`, signedIn(askProvider('revoke'))),
    route<KeySetting>(app, 'post', `${provider}/revoke`, signedForm(revokeProviderByForm)),
    route<KeySetting>(app, 'get', serviceAccountsHome, signedIn(showServiceAccounts)),
    route<KeySetting>(app, 'post', serviceAccountsHome, signedForm(makeServiceAccount)),
    route<KeySetting>(app, 'get', service, signedIn(showServiceAccount)),
    route<KeySetting>(app, 'post', service, signedForm(makeServiceAccountKey)),
    route<KeySetting>(app, 'get', `${service}/disable`, signedIn(askDisable)),
    route<KeySetting>(app, 'post', `${service}/disable`, signedForm(switchServiceAccount(false))),
    route<KeySetting>(app, 'post', `${service}/enable`, signedForm(switchServiceAccount(true))),
    route<KeySetting>(app, 'get', rolesHome, signedIn(showRoles)),
    route<KeySetting>(app, 'post', rolesHome, signedForm(makeRole)),
    route<KeySetting>(app, 'post', `${rolesHome}/give`, signedForm(giveRole)),
    route<KeySetting>(app, 'get', role, signedIn(showRole)),
    route<KeySetting>(app, 'post', role, signedForm(saveRole)),
    route<KeySetting>(app, 'post', `${role}/delete`, signedForm(deleteRole)),
    route<KeySetting>(app, 'get', signOnHome, signedIn(showProvider)),
    route<KeySetting>(app, 'post', signOnHome, signedForm(saveProvider)),
    route<KeySetting>(app, 'post', `${signOnHome}/remove`, signedForm(removeProvider)),
    route<KeySetting>(app, 'post', `${signOnHome}/domains`, signedForm(domainForm('claim'))),
    route<KeySetting>(app, 'post', `${signOnHome}/domains/prove`, signedForm(domainForm('prove'))),
    route<KeySetting>(app, 'post', `${signOnHome}/domains/release`, signedForm(domainForm('release'))),
    // The addresses of forms, when somebody opens them as a page.
    route<KeySetting>(app, 'get', `${rolesHome}/give`, leadTo(rolesHome)),
    route<KeySetting>(app, 'get', `${service}/enable`, leadTo(serviceAccountsHome)),
    route<KeySetting>(app, 'get', `${role}/delete`, leadTo(rolesHome)),
    route<KeySetting>(app, 'get', `${signOnHome}/:form{.+}`, leadTo(signOnHome)),
  ]
  for (const add of routes) add(served)
}

/** Leads to a page of this area. */
function leadTo(path: string) {
  return async ({ answering, setting }: Visited): Promise<Response> => answering.redirect(withLanguage(path, setting))
}
