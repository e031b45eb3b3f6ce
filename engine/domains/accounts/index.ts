import type { Domain } from '../../kernel/domain.ts'
import { appEventShapes } from './apps/app.ts'
import { appBootstrap } from './apps/bootstrap.ts'
import { assignApp, configureApp, setAppAvailability, showApp } from './apps/platform.ts'
import { confirmOnPage, confirmRegistration, register } from './apps/register.ts'
import { appEmailSignIn, appIdentitySignIn } from './apps/sign-in.ts'
import { removeBrand, removeBrandLogo, setBrand, showBrand, uploadBrandLogo } from './brand/operations.ts'
import { updateAccount, updateBusiness } from './corrections.ts'
import { accountEventShapes } from './events.ts'
import { factorEventShapes, passkeyEventShapes } from './factors/events.ts'
import {
  beginAuthenticator,
  beginPasskey,
  confirmAuthenticator,
  confirmPasskey,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
} from './factors/own.ts'
import { clearFactors, getFactorRule, removeFactorsOf, setFactorRule } from './factors/rule.ts'
import { forgetAccount } from './forget.ts'
import { grantEventShapes } from './grants/events.ts'
import { giveGrant } from './grants/give.ts'
import { grantModel } from './grants/model.ts'
import { listGrants, revokeGrant } from './grants/operations.ts'
import { redeemCode, refreshGrant, returnToken } from './grants/tokens.ts'
import { linkIdentity } from './identity.ts'
import { apiKeyEventShapes } from './keys/events.ts'
import { apiKeyModel } from './keys/model.ts'
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  revokeOwnApiKeys,
  rotateApiKey,
} from './keys/operations.ts'
import { endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from './keys/platform.ts'
import { inviteAccount, inviteAgain } from './links/invitations.ts'
import { confirmEmailChange, forgotPassword, requestEmailChange, setPasswordByLink } from './links/operations.ts'
import { brandMessages } from './messages/brand.ts'
import { factorMessages } from './messages/factors.ts'
import { grantMessages } from './messages/grants.ts'
import { apiKeyMessages } from './messages/keys.ts'
import { peopleMessages } from './messages/people.ts'
import { staffRoleMessages } from './messages/roles.ts'
import { signOnMessages } from './messages/sign-on.ts'
import { accountMessages } from './messages.ts'
import {
  addAccount,
  listAccounts,
  setAccountModules,
  setAccountStatus,
  setBusinessModules,
  setHiddenPrices,
} from './operations.ts'
import { peopleModel } from './people.ts'
import {
  listAllAccounts,
  registerAccount,
  replaceEmail,
  resetPassword,
  setModule,
  showModules,
  switchAccount,
} from './platform.ts'
import { createStaffRole, listStaffRoles, removeStaffRole, updateStaffRole } from './roles/operations.ts'
import { endStaffRole, giveStaffRole, putStaffRole, showStaffRoles } from './roles/platform.ts'
import { createServiceAccount, createServiceAccountKey, registerServiceAccount } from './service-accounts.ts'
import { sessionModel } from './sessions/model.ts'
import { endOtherSessions, endSession, listSessions } from './sessions/operations.ts'
import { changeOwnPassword, currentUser, login, logout, refreshToken } from './sign-in.ts'
import { beginPasskeySignIn, beginSetup, confirmSetup, loginSecondFactor } from './sign-in-steps.ts'
import { emailDomainModel } from './sign-on/domain-model.ts'
import { signOnEventShapes } from './sign-on/events.ts'
import { claimDomain, proveDomain, releaseDomain, removeSignOn, setSignOn, showSignOn } from './sign-on/operations.ts'
import { confirmDomain, endSignOn, showSignOnOf, takeDomain } from './sign-on/platform.ts'
import { beginSignOn, finishSignOn } from './sign-on/sign-in.ts'
import { beginSignOut, endByProvider } from './sign-out.ts'

/** Businesses, accounts, sign-in and apps. */
export const accountsDomain: Domain = {
  name: 'accounts',
  messages: [
    ...[accountMessages, apiKeyMessages, peopleMessages, factorMessages, grantMessages, brandMessages],
    ...[staffRoleMessages, signOnMessages],
  ],
  events: {
    ...{ ...accountEventShapes, ...signOnEventShapes, api_key: apiKeyEventShapes, grant: grantEventShapes },
    ...{ factors: factorEventShapes, passkey: passkeyEventShapes },
    app: appEventShapes,
  },
  operations: [
    login,
    beginPasskeySignIn,
    loginSecondFactor,
    beginSetup,
    confirmSetup,
    beginSignOn,
    finishSignOn,
    beginSignOut,
    endByProvider,
    refreshToken,
    logout,
    currentUser,
    changeOwnPassword,
    listSessions,
    endSession,
    endOtherSessions,
    forgotPassword,
    setPasswordByLink,
    requestEmailChange,
    confirmEmailChange,
    listFactors,
    beginAuthenticator,
    confirmAuthenticator,
    beginPasskey,
    confirmPasskey,
    removeFactor,
    renewRecoveryCodes,
    createServiceAccount,
    createServiceAccountKey,
    registerServiceAccount,
    createApiKey,
    listApiKeys,
    getApiKey,
    rotateApiKey,
    revokeApiKey,
    revokeOwnApiKeys,
    listGrants,
    revokeGrant,
    giveGrant,
    redeemCode,
    refreshGrant,
    returnToken,
    addAccount,
    inviteAccount,
    inviteAgain,
    listAccounts,
    updateAccount,
    setAccountStatus,
    removeFactorsOf,
    setAccountModules,
    setHiddenPrices,
    listStaffRoles,
    createStaffRole,
    updateStaffRole,
    removeStaffRole,
    setBusinessModules,
    getFactorRule,
    setFactorRule,
    showSignOn,
    setSignOn,
    removeSignOn,
    claimDomain,
    proveDomain,
    releaseDomain,
    updateBusiness,
    showBrand,
    setBrand,
    removeBrand,
    uploadBrandLogo,
    removeBrandLogo,
    registerAccount,
    listAllAccounts,
    switchAccount,
    resetPassword,
    replaceEmail,
    linkIdentity,
    clearFactors,
    showSignOnOf,
    confirmDomain,
    takeDomain,
    endSignOn,
    setModule,
    showModules,
    showStaffRoles,
    putStaffRole,
    endStaffRole,
    giveStaffRole,
    forgetAccount,
    issueApiKey,
    listAllApiKeys,
    renewApiKey,
    endApiKey,
    appBootstrap,
    appEmailSignIn,
    appIdentitySignIn,
    register,
    confirmRegistration,
    confirmOnPage,
    configureApp,
    assignApp,
    setAppAvailability,
    showApp,
  ],
  readModels: [peopleModel, apiKeyModel, sessionModel, grantModel, emailDomainModel],
  erasures: [
    'AccountErased',
    'CredentialErased',
    'ApiKeyErased',
    'SessionErased',
    'GrantErased',
    'FactorsErased',
    'SignOnRemoved',
  ],
  audited: {
    AccountOpened: 'account_open',
    ServiceAccountOpened: 'account_open',
    AccountDisabled: 'account_disable',
    AccountEnabled: 'account_enable',
    AccountStaffRoleSet: 'account_change',
    StaffRoleSet: 'staff_role_change',
    StaffRoleDeleted: 'staff_role_change',
    PasswordChanged: 'password_change',
    SecondFactorTurnedOn: 'second_factor_on',
    SecondFactorTurnedOff: 'second_factor_off',
    AccountErased: 'erasure',
    ApiKeyMade: 'key_made',
    ApiKeyRotated: 'key_rotated',
    ApiKeyRevoked: 'key_revoked',
  },
}
