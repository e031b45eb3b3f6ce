import type { Domain } from '../../kernel/domain.ts'
import { appEventTypes } from './apps/app.ts'
import { appBootstrap } from './apps/bootstrap.ts'
import { assignApp, configureApp, setAppAvailability, showApp } from './apps/platform.ts'
import { appEmailSignIn, appIdentitySignIn } from './apps/sign-in.ts'
import { removeBrand, removeBrandLogo, setBrand, showBrand, uploadBrandLogo } from './brand/operations.ts'
import { accountEventTypes } from './events.ts'
import { forgetAccount } from './forget.ts'
import { apiKeyEventTypes } from './keys/events.ts'
import { apiKeyModel } from './keys/model.ts'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './keys/operations.ts'
import { endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from './keys/platform.ts'
import { brandMessages } from './messages/brand.ts'
import { apiKeyMessages } from './messages/keys.ts'
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
import { listAllAccounts, registerAccount, resetPassword, setModule, showModules, switchAccount } from './platform.ts'
import { changeOwnPassword, currentUser, login, logout, refreshToken } from './sign-in.ts'

/** Businesses, accounts, sign-in and apps. */
export const accountsDomain: Domain = {
  name: 'accounts',
  messages: [accountMessages, apiKeyMessages, brandMessages],
  events: { ...accountEventTypes, ...apiKeyEventTypes, app: appEventTypes },
  operations: [
    login,
    refreshToken,
    logout,
    currentUser,
    changeOwnPassword,
    createApiKey,
    listApiKeys,
    rotateApiKey,
    revokeApiKey,
    addAccount,
    listAccounts,
    setAccountStatus,
    setAccountModules,
    setHiddenPrices,
    setBusinessModules,
    showBrand,
    setBrand,
    removeBrand,
    uploadBrandLogo,
    removeBrandLogo,
    registerAccount,
    listAllAccounts,
    switchAccount,
    resetPassword,
    setModule,
    showModules,
    forgetAccount,
    issueApiKey,
    listAllApiKeys,
    renewApiKey,
    endApiKey,
    appBootstrap,
    appEmailSignIn,
    appIdentitySignIn,
    configureApp,
    assignApp,
    setAppAvailability,
    showApp,
  ],
  readModels: [peopleModel, apiKeyModel],
  erasures: ['AccountErased', 'CredentialErased', 'ApiKeyErased'],
  audited: {
    AccountOpened: 'account_open',
    AccountDisabled: 'account_disable',
    AccountEnabled: 'account_enable',
    PasswordChanged: 'password_change',
    AccountErased: 'erasure',
    ApiKeyMade: 'key_made',
    ApiKeyRotated: 'key_rotated',
    ApiKeyRevoked: 'key_revoked',
  },
}
